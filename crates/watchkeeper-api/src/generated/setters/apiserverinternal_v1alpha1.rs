//! `apiserverinternal/v1alpha1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::apiserverinternal::v1alpha1::{
    ServerStorageVersion, StorageVersion, StorageVersionCondition, StorageVersionSpec,
    StorageVersionStatus,
};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Time, setters};

setters! {
    StorageVersion {
        with_metadata metadata: ObjectMeta,
        with_spec spec: StorageVersionSpec,
        with_status status: StorageVersionStatus,
    }
    ServerStorageVersion {
        with_api_server_id api_server_id: IStr,
        with_encoding_version encoding_version: IStr,
        with_decodable_versions decodable_versions: List<IStr>,
        with_served_versions served_versions: List<IStr>,
    }
    StorageVersionCondition {
        with_type type_: IStr,
        with_status status: IStr,
        with_observed_generation observed_generation: i64,
        with_last_transition_time last_transition_time: Option<Time>,
        with_reason reason: IStr,
        with_message message: IStr,
    }
    StorageVersionStatus {
        with_storage_versions storage_versions: List<ServerStorageVersion>,
        with_common_encoding_version common_encoding_version: Option<IStr>,
        with_conditions conditions: List<StorageVersionCondition>,
    }
}
