//! `core/v1`: `PersistentVolumeClaim` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::PersistentVolumeClaimSpec;
use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Map, Quantity, Time};

/// `io.k8s.api.core.v1.PersistentVolumeClaim`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PersistentVolumeClaim {
    pub metadata: ObjectMeta,
    pub spec: PersistentVolumeClaimSpec,
    pub status: PersistentVolumeClaimStatus,
}

codec! { PersistentVolumeClaim: "v1"
    2 "metadata" opt metadata
    3 "spec" opt spec
    4 "status" opt status
}

kind! {
    PersistentVolumeClaim "" "v1" "persistentvolumeclaims" Namespaced, PersistentVolumeClaimStatus
}

/// `io.k8s.api.core.v1.ModifyVolumeStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModifyVolumeStatus {
    pub target_volume_attributes_class_name: IStr,
    pub status: IStr,
}

codec! { ModifyVolumeStatus
    0 "targetVolumeAttributesClassName" opt target_volume_attributes_class_name
    1 "status" req status .required()
}

/// `io.k8s.api.core.v1.PersistentVolumeClaimCondition`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PersistentVolumeClaimCondition {
    pub type_: IStr,
    pub status: IStr,
    pub last_probe_time: Option<Time>,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
}

codec! { PersistentVolumeClaimCondition
    0 "type" req type_ .required()
    1 "status" req status .required()
    2 "lastProbeTime" opt last_probe_time
    3 "lastTransitionTime" opt last_transition_time
    4 "reason" opt reason
    5 "message" opt message
}

/// `io.k8s.api.core.v1.PersistentVolumeClaimStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "phase" opt phase
    1 "accessModes" opt access_modes .list_atomic()
    2 "capacity" opt capacity
    3 "conditions" opt conditions .list_map(&["type"])
    4 "allocatedResources" opt allocated_resources
    5 "allocatedResourceStatuses" opt allocated_resource_statuses .map_granular()
    6 "currentVolumeAttributesClassName" opt current_volume_attributes_class_name
    7 "modifyVolumeStatus" opt modify_volume_status
}
