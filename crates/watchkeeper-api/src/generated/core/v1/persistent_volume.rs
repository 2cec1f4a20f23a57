//! `core/v1`: `PersistentVolume` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::PersistentVolumeSpec;
use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, Time};

/// `io.k8s.api.core.v1.PersistentVolume`.
#[derive(Clone, Default, PartialEq)]
pub struct PersistentVolume {
    pub metadata: ObjectMeta,
    pub spec: PersistentVolumeSpec,
    pub status: PersistentVolumeStatus,
}

codec! { PersistentVolume: "v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { PersistentVolume "" "v1" "persistentvolumes" Cluster, PersistentVolumeStatus }

/// `io.k8s.api.core.v1.PersistentVolumeStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct PersistentVolumeStatus {
    pub phase: IStr,
    pub message: IStr,
    pub reason: IStr,
    pub last_phase_transition_time: Option<Time>,
}

codec! { PersistentVolumeStatus
    0 "phase" [1] opt phase
    1 "message" [2] opt message
    2 "reason" [3] opt reason
    3 "lastPhaseTransitionTime" [4] opt last_phase_transition_time
    => [4 last_phase_transition_time] [3 reason] [2 message] [1 phase]
}
