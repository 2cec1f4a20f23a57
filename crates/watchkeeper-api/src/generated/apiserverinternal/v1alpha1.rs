//! `apiserverinternal/v1alpha1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Time};

/// `io.k8s.api.apiserverinternal.v1alpha1.StorageVersion`.
#[derive(Clone, Default, PartialEq)]
pub struct StorageVersion {
    pub metadata: ObjectMeta,
    pub spec: StorageVersionSpec,
    pub status: StorageVersionStatus,
}

codec! { StorageVersion: "internal.apiserver.k8s.io/v1alpha1"
    2 "metadata" [1] opt metadata .required()
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! {
    StorageVersion "internal.apiserver.k8s.io" "v1alpha1" "storageversions" Cluster, StorageVersionStatus
}

/// `io.k8s.api.apiserverinternal.v1alpha1.ServerStorageVersion`.
#[derive(Clone, Default, PartialEq)]
pub struct ServerStorageVersion {
    pub api_server_id: IStr,
    pub encoding_version: IStr,
    pub decodable_versions: List<IStr>,
    pub served_versions: List<IStr>,
}

codec! { ServerStorageVersion
    0 "apiServerID" [1] opt api_server_id .required()
    1 "encodingVersion" [2] opt encoding_version .required()
    2 "decodableVersions" [3] opt decodable_versions .required() .list_set()
    3 "servedVersions" [4] opt served_versions .list_set()
    => [4 served_versions] [3 decodable_versions] [2 encoding_version] [1 api_server_id]
}

/// `io.k8s.api.apiserverinternal.v1alpha1.StorageVersionCondition`.
#[derive(Clone, Default, PartialEq)]
pub struct StorageVersionCondition {
    pub type_: IStr,
    pub status: IStr,
    pub observed_generation: i64,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
}

codec! { StorageVersionCondition
    0 "type" [1] req type_ .required()
    1 "status" [2] req status .required()
    2 "observedGeneration" [3] opt observed_generation
    3 "lastTransitionTime" [4; time] opt last_transition_time
    4 "reason" [5] req reason .required()
    5 "message" [6] opt message .required()
    => [6 message] [5 reason] [4 last_transition_time; time] [3 observed_generation] [2 status]
       [1 type_]
}

/// `io.k8s.api.apiserverinternal.v1alpha1.StorageVersionSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct StorageVersionSpec {}

codec! { StorageVersionSpec
    =>
}

/// `io.k8s.api.apiserverinternal.v1alpha1.StorageVersionStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct StorageVersionStatus {
    pub storage_versions: List<ServerStorageVersion>,
    pub common_encoding_version: Option<IStr>,
    pub conditions: List<StorageVersionCondition>,
}

codec! { StorageVersionStatus
    0 "storageVersions" [1] opt storage_versions .list_map(&["apiServerID"])
    1 "commonEncodingVersion" [2] opt common_encoding_version
    2 "conditions" [3] opt conditions .list_map(&["type"])
    => [3 conditions] [2 common_encoding_version] [1 storage_versions]
}
