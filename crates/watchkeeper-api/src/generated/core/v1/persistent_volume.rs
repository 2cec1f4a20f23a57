//! `core/v1`: `PersistentVolume` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::PersistentVolumeSpec;
use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, Time};

/// `io.k8s.api.core.v1.PersistentVolume`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PersistentVolume {
    pub metadata: ObjectMeta,
    pub spec: PersistentVolumeSpec,
    pub status: PersistentVolumeStatus,
}

codec! { PersistentVolume: "v1"
    2 "metadata" opt metadata
    3 "spec" opt spec
    4 "status" opt status
}

kind! { PersistentVolume "" "v1" "persistentvolumes" Cluster, PersistentVolumeStatus }

/// `io.k8s.api.core.v1.PersistentVolumeStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PersistentVolumeStatus {
    pub phase: IStr,
    pub message: IStr,
    pub reason: IStr,
    pub last_phase_transition_time: Option<Time>,
}

codec! { PersistentVolumeStatus
    0 "phase" opt phase
    1 "message" opt message
    2 "reason" opt reason
    3 "lastPhaseTransitionTime" opt last_phase_transition_time
}
