//! `core/v1`: `PersistentVolumeClaim` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::PersistentVolumeClaimSpec;
use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Map, Quantity, Time};

/// `io.k8s.api.core.v1.PersistentVolumeClaim`.
#[derive(Clone, Default, PartialEq)]
pub struct PersistentVolumeClaim {
    pub metadata: ObjectMeta,
    pub spec: PersistentVolumeClaimSpec,
    pub status: PersistentVolumeClaimStatus,
}

codec! { PersistentVolumeClaim: "v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! {
    PersistentVolumeClaim "" "v1" "persistentvolumeclaims" Namespaced, PersistentVolumeClaimStatus
}

/// `io.k8s.api.core.v1.ModifyVolumeStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct ModifyVolumeStatus {
    pub target_volume_attributes_class_name: IStr,
    pub status: IStr,
}

codec! { ModifyVolumeStatus
    0 "targetVolumeAttributesClassName" [1] opt target_volume_attributes_class_name
    1 "status" [2] req status .required()
    => [2 status] [1 target_volume_attributes_class_name]
}

/// `io.k8s.api.core.v1.PersistentVolumeClaimCondition`.
#[derive(Clone, Default, PartialEq)]
pub struct PersistentVolumeClaimCondition {
    pub type_: IStr,
    pub status: IStr,
    pub last_probe_time: Option<Time>,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
}

codec! { PersistentVolumeClaimCondition
    0 "type" [1] req type_ .required()
    1 "status" [2] req status .required()
    2 "lastProbeTime" [3; time] opt last_probe_time
    3 "lastTransitionTime" [4; time] opt last_transition_time
    4 "reason" [5] opt reason
    5 "message" [6] opt message
    => [6 message] [5 reason] [4 last_transition_time; time] [3 last_probe_time; time] [2 status]
       [1 type_]
}

/// `io.k8s.api.core.v1.PersistentVolumeClaimStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct PersistentVolumeClaimStatus {
    pub phase: IStr,
    pub access_modes: List<IStr>,
    pub capacity: Map<Quantity>,
    pub conditions: List<PersistentVolumeClaimCondition>,
    pub allocated_resources: Map<Quantity>,
    pub allocated_resource_statuses: Map,
    pub current_volume_attributes_class_name: Option<IStr>,
    pub modify_volume_status: Option<Box<ModifyVolumeStatus>>,
}

codec! { PersistentVolumeClaimStatus
    0 "phase" [1] opt phase
    1 "accessModes" [2] opt access_modes .list_atomic()
    2 "capacity" [3] opt capacity
    3 "conditions" [4] opt conditions .list_map(&["type"])
    4 "allocatedResources" [5] opt allocated_resources
    5 "allocatedResourceStatuses" [7] opt allocated_resource_statuses .map_granular()
    6 "currentVolumeAttributesClassName" [8] opt current_volume_attributes_class_name
    7 "modifyVolumeStatus" [9] opt modify_volume_status
    => [9 modify_volume_status] [8 current_volume_attributes_class_name]
       [7 allocated_resource_statuses] [5 allocated_resources] [4 conditions] [3 capacity]
       [2 access_modes] [1 phase]
}
