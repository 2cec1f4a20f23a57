//! `storage/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::core::v1::{PersistentVolumeSpec, TopologySelectorTerm};
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::storage::v1::{
    CSIDriver, CSIDriverSpec, CSINode, CSINodeDriver, CSINodeSpec, CSIStorageCapacity,
    StorageClass, TokenRequest, VolumeAttachment, VolumeAttachmentSource, VolumeAttachmentSpec,
    VolumeAttachmentStatus, VolumeAttributesClass, VolumeError, VolumeNodeResources,
};
use crate::{IStr, List, Map, Quantity, Time, setters};

setters! {
    CSIDriver {
        with_metadata metadata: ObjectMeta,
        with_spec spec: CSIDriverSpec,
    }
    CSIDriverSpec {
        with_attach_required attach_required: Option<bool>,
        with_pod_info_on_mount pod_info_on_mount: Option<bool>,
        with_volume_lifecycle_modes volume_lifecycle_modes: List<IStr>,
        with_storage_capacity storage_capacity: Option<bool>,
        with_fs_group_policy fs_group_policy: Option<IStr>,
        with_token_requests token_requests: List<TokenRequest>,
        with_requires_republish requires_republish: Option<bool>,
        with_se_linux_mount se_linux_mount: Option<bool>,
        with_node_allocatable_update_period_seconds node_allocatable_update_period_seconds: Option<i64>,
        with_service_account_token_in_secrets service_account_token_in_secrets: Option<bool>,
        with_prevent_pod_scheduling_if_missing prevent_pod_scheduling_if_missing: Option<bool>,
    }
    TokenRequest {
        with_audience audience: IStr,
        with_expiration_seconds expiration_seconds: Option<i64>,
    }
    CSINode {
        with_metadata metadata: ObjectMeta,
        with_spec spec: CSINodeSpec,
    }
    CSINodeDriver {
        with_name name: IStr,
        with_node_id node_id: IStr,
        with_topology_keys topology_keys: List<IStr>,
        with_allocatable allocatable: Option<Box<VolumeNodeResources>>,
    }
    CSINodeSpec {
        with_drivers drivers: List<CSINodeDriver>,
    }
    VolumeNodeResources {
        with_count count: Option<i32>,
    }
    CSIStorageCapacity {
        with_metadata metadata: ObjectMeta,
        with_node_topology node_topology: Option<Box<LabelSelector>>,
        with_storage_class_name storage_class_name: IStr,
        with_capacity capacity: Option<Quantity>,
        with_maximum_volume_size maximum_volume_size: Option<Quantity>,
    }
    StorageClass {
        with_metadata metadata: ObjectMeta,
        with_provisioner provisioner: IStr,
        with_parameters parameters: Map,
        with_reclaim_policy reclaim_policy: Option<IStr>,
        with_mount_options mount_options: List<IStr>,
        with_allow_volume_expansion allow_volume_expansion: Option<bool>,
        with_volume_binding_mode volume_binding_mode: Option<IStr>,
        with_allowed_topologies allowed_topologies: List<TopologySelectorTerm>,
    }
    VolumeAttachment {
        with_metadata metadata: ObjectMeta,
        with_spec spec: VolumeAttachmentSpec,
        with_status status: VolumeAttachmentStatus,
    }
    VolumeAttachmentSource {
        with_persistent_volume_name persistent_volume_name: Option<IStr>,
        with_inline_volume_spec inline_volume_spec: Option<Box<PersistentVolumeSpec>>,
    }
    VolumeAttachmentSpec {
        with_attacher attacher: IStr,
        with_source source: VolumeAttachmentSource,
        with_node_name node_name: IStr,
    }
    VolumeAttachmentStatus {
        with_attached attached: bool,
        with_attachment_metadata attachment_metadata: Map,
        with_attach_error attach_error: Option<Box<VolumeError>>,
        with_detach_error detach_error: Option<Box<VolumeError>>,
    }
    VolumeError {
        with_time time: Option<Time>,
        with_message message: IStr,
        with_error_code error_code: Option<i32>,
    }
    VolumeAttributesClass {
        with_metadata metadata: ObjectMeta,
        with_driver_name driver_name: IStr,
        with_parameters parameters: Map,
    }
}
