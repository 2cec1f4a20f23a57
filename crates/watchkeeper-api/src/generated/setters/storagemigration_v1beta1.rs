//! `storagemigration/v1beta1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::meta::v1::{Condition, GroupResource, ObjectMeta};
use crate::storagemigration::v1beta1::{
    StorageVersionMigration, StorageVersionMigrationSpec, StorageVersionMigrationStatus,
};
use crate::{IStr, List, setters};

setters! {
    StorageVersionMigration {
        with_metadata metadata: ObjectMeta,
        with_spec spec: StorageVersionMigrationSpec,
        with_status status: StorageVersionMigrationStatus,
    }
    StorageVersionMigrationSpec {
        with_resource resource: GroupResource,
    }
    StorageVersionMigrationStatus {
        with_conditions conditions: List<Condition>,
        with_resource_version resource_version: IStr,
    }
}
