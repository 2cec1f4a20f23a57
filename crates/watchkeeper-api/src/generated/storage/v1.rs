//! `storage/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::core::v1::{PersistentVolumeSpec, TopologySelectorTerm};
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::{IStr, List, Map, Quantity, Time};

/// `io.k8s.api.storage.v1.CSIDriver`.
#[derive(Clone, Default, PartialEq)]
pub struct CSIDriver {
    pub metadata: ObjectMeta,
    pub spec: CSIDriverSpec,
}

codec! { CSIDriver: "storage.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    => [2 spec] [1 metadata]
}

kind! { CSIDriver "storage.k8s.io" "v1" "csidrivers" Cluster }

/// `io.k8s.api.storage.v1.CSIDriverSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct CSIDriverSpec {
    pub attach_required: Option<bool>,
    pub pod_info_on_mount: Option<bool>,
    pub volume_lifecycle_modes: List<IStr>,
    pub storage_capacity: Option<bool>,
    pub fs_group_policy: Option<IStr>,
    pub token_requests: List<TokenRequest>,
    pub requires_republish: Option<bool>,
    pub se_linux_mount: Option<bool>,
    pub node_allocatable_update_period_seconds: Option<i64>,
    pub service_account_token_in_secrets: Option<bool>,
    pub prevent_pod_scheduling_if_missing: Option<bool>,
}

codec! { CSIDriverSpec
    0 "attachRequired" [1] opt attach_required
    1 "podInfoOnMount" [2] opt pod_info_on_mount
    2 "volumeLifecycleModes" [3] opt volume_lifecycle_modes .list_set()
    3 "storageCapacity" [4] opt storage_capacity
    4 "fsGroupPolicy" [5] opt fs_group_policy
    5 "tokenRequests" [6] opt token_requests .list_atomic()
    6 "requiresRepublish" [7] opt requires_republish
    7 "seLinuxMount" [8] opt se_linux_mount
    8 "nodeAllocatableUpdatePeriodSeconds" [9] opt node_allocatable_update_period_seconds
    9 "serviceAccountTokenInSecrets" [10] opt service_account_token_in_secrets
    10 "preventPodSchedulingIfMissing" [11] opt prevent_pod_scheduling_if_missing
    => [11 prevent_pod_scheduling_if_missing] [10 service_account_token_in_secrets]
       [9 node_allocatable_update_period_seconds] [8 se_linux_mount] [7 requires_republish]
       [6 token_requests] [5 fs_group_policy] [4 storage_capacity] [3 volume_lifecycle_modes]
       [2 pod_info_on_mount] [1 attach_required]
}

/// `io.k8s.api.storage.v1.TokenRequest`.
#[derive(Clone, Default, PartialEq)]
pub struct TokenRequest {
    pub audience: IStr,
    pub expiration_seconds: Option<i64>,
}

codec! { TokenRequest
    0 "audience" [1] req audience .required()
    1 "expirationSeconds" [2] opt expiration_seconds
    => [2 expiration_seconds] [1 audience]
}

/// `io.k8s.api.storage.v1.CSINode`.
#[derive(Clone, Default, PartialEq)]
pub struct CSINode {
    pub metadata: ObjectMeta,
    pub spec: CSINodeSpec,
}

codec! { CSINode: "storage.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    => [2 spec] [1 metadata]
}

kind! { CSINode "storage.k8s.io" "v1" "csinodes" Cluster }

/// `io.k8s.api.storage.v1.CSINodeDriver`.
#[derive(Clone, Default, PartialEq)]
pub struct CSINodeDriver {
    pub name: IStr,
    pub node_id: IStr,
    pub topology_keys: List<IStr>,
    pub allocatable: Option<Box<VolumeNodeResources>>,
}

codec! { CSINodeDriver
    0 "name" [1] req name .required()
    1 "nodeID" [2] req node_id .required()
    2 "topologyKeys" [3] opt topology_keys .list_atomic()
    3 "allocatable" [4] opt allocatable
    => [4 allocatable] [3 topology_keys] [2 node_id] [1 name]
}

/// `io.k8s.api.storage.v1.CSINodeSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct CSINodeSpec {
    pub drivers: List<CSINodeDriver>,
}

codec! { CSINodeSpec
    0 "drivers" [1] opt drivers .required() .list_map(&["name"])
    => [1 drivers]
}

/// `io.k8s.api.storage.v1.VolumeNodeResources`.
#[derive(Clone, Default, PartialEq)]
pub struct VolumeNodeResources {
    pub count: Option<i32>,
}

codec! { VolumeNodeResources
    0 "count" [1] opt count
    => [1 count]
}

/// `io.k8s.api.storage.v1.CSIStorageCapacity`.
#[derive(Clone, Default, PartialEq)]
pub struct CSIStorageCapacity {
    pub metadata: ObjectMeta,
    pub node_topology: Option<Box<LabelSelector>>,
    pub storage_class_name: IStr,
    pub capacity: Option<Quantity>,
    pub maximum_volume_size: Option<Quantity>,
}

codec! { CSIStorageCapacity: "storage.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "nodeTopology" [2] opt node_topology .map_atomic()
    4 "storageClassName" [3] req storage_class_name .required()
    5 "capacity" [4] opt capacity
    6 "maximumVolumeSize" [5] opt maximum_volume_size
    => [5 maximum_volume_size] [4 capacity] [3 storage_class_name] [2 node_topology] [1 metadata]
}

kind! { CSIStorageCapacity "storage.k8s.io" "v1" "csistoragecapacities" Namespaced }

/// `io.k8s.api.storage.v1.StorageClass`.
#[derive(Clone, Default, PartialEq)]
pub struct StorageClass {
    pub metadata: ObjectMeta,
    pub provisioner: IStr,
    pub parameters: Map,
    pub reclaim_policy: Option<IStr>,
    pub mount_options: List<IStr>,
    pub allow_volume_expansion: Option<bool>,
    pub volume_binding_mode: Option<IStr>,
    pub allowed_topologies: List<TopologySelectorTerm>,
}

codec! { StorageClass: "storage.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "provisioner" [2] req provisioner .required()
    4 "parameters" [3] opt parameters
    5 "reclaimPolicy" [4] opt reclaim_policy
    6 "mountOptions" [5] opt mount_options .list_atomic()
    7 "allowVolumeExpansion" [6] opt allow_volume_expansion
    8 "volumeBindingMode" [7] opt volume_binding_mode
    9 "allowedTopologies" [8] opt allowed_topologies .list_atomic()
    => [8 allowed_topologies] [7 volume_binding_mode] [6 allow_volume_expansion] [5 mount_options]
       [4 reclaim_policy] [3 parameters] [2 provisioner] [1 metadata]
}

kind! { StorageClass "storage.k8s.io" "v1" "storageclasses" Cluster }

/// `io.k8s.api.storage.v1.VolumeAttachment`.
#[derive(Clone, Default, PartialEq)]
pub struct VolumeAttachment {
    pub metadata: ObjectMeta,
    pub spec: VolumeAttachmentSpec,
    pub status: VolumeAttachmentStatus,
}

codec! { VolumeAttachment: "storage.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { VolumeAttachment "storage.k8s.io" "v1" "volumeattachments" Cluster, VolumeAttachmentStatus }

/// `io.k8s.api.storage.v1.VolumeAttachmentSource`.
#[derive(Clone, Default, PartialEq)]
pub struct VolumeAttachmentSource {
    pub persistent_volume_name: Option<IStr>,
    pub inline_volume_spec: Option<Box<PersistentVolumeSpec>>,
}

codec! { VolumeAttachmentSource
    0 "persistentVolumeName" [1] opt persistent_volume_name
    1 "inlineVolumeSpec" [2] opt inline_volume_spec
    => [2 inline_volume_spec] [1 persistent_volume_name]
}

/// `io.k8s.api.storage.v1.VolumeAttachmentSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct VolumeAttachmentSpec {
    pub attacher: IStr,
    pub source: VolumeAttachmentSource,
    pub node_name: IStr,
}

codec! { VolumeAttachmentSpec
    0 "attacher" [1] req attacher .required()
    1 "source" [2] opt source .required()
    2 "nodeName" [3] req node_name .required()
    => [3 node_name] [2 source] [1 attacher]
}

/// `io.k8s.api.storage.v1.VolumeAttachmentStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct VolumeAttachmentStatus {
    pub attached: bool,
    pub attachment_metadata: Map,
    pub attach_error: Option<Box<VolumeError>>,
    pub detach_error: Option<Box<VolumeError>>,
}

codec! { VolumeAttachmentStatus
    0 "attached" [1] req attached .required()
    1 "attachmentMetadata" [2] opt attachment_metadata
    2 "attachError" [3] opt attach_error
    3 "detachError" [4] opt detach_error
    => [4 detach_error] [3 attach_error] [2 attachment_metadata] [1 attached]
}

/// `io.k8s.api.storage.v1.VolumeError`.
#[derive(Clone, Default, PartialEq)]
pub struct VolumeError {
    pub time: Option<Time>,
    pub message: IStr,
    pub error_code: Option<i32>,
}

codec! { VolumeError
    0 "time" [1; time] opt time
    1 "message" [2] opt message
    2 "errorCode" [3] opt error_code
    => [3 error_code] [2 message] [1 time; time]
}

/// `io.k8s.api.storage.v1.VolumeAttributesClass`.
#[derive(Clone, Default, PartialEq)]
pub struct VolumeAttributesClass {
    pub metadata: ObjectMeta,
    pub driver_name: IStr,
    pub parameters: Map,
}

codec! { VolumeAttributesClass: "storage.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "driverName" [2] req driver_name .required()
    4 "parameters" [3] opt parameters
    => [3 parameters] [2 driver_name] [1 metadata]
}

kind! { VolumeAttributesClass "storage.k8s.io" "v1" "volumeattributesclasses" Cluster }
