//! `storagemigration/v1beta1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::{Condition, GroupResource, ObjectMeta};
use crate::{IStr, List};

/// `io.k8s.api.storagemigration.v1beta1.StorageVersionMigration`.
#[derive(Clone, Default, PartialEq)]
pub struct StorageVersionMigration {
    pub metadata: ObjectMeta,
    pub spec: StorageVersionMigrationSpec,
    pub status: StorageVersionMigrationStatus,
}

codec! { StorageVersionMigration: "storagemigration.k8s.io/v1beta1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! {
    StorageVersionMigration "storagemigration.k8s.io" "v1beta1" "storageversionmigrations" Cluster, StorageVersionMigrationStatus
}

/// `io.k8s.api.storagemigration.v1beta1.StorageVersionMigrationSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct StorageVersionMigrationSpec {
    pub resource: GroupResource,
}

codec! { StorageVersionMigrationSpec
    0 "resource" [1] opt resource .required()
    => [1 resource]
}

/// `io.k8s.api.storagemigration.v1beta1.StorageVersionMigrationStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct StorageVersionMigrationStatus {
    pub conditions: List<Condition>,
    pub resource_version: IStr,
}

codec! { StorageVersionMigrationStatus
    0 "conditions" [1] opt conditions .list_map(&["type"])
    1 "resourceVersion" [2] opt resource_version
    => [2 resource_version] [1 conditions]
}
