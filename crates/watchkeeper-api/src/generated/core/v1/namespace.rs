//! `core/v1`: `Namespace` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Time};

/// `io.k8s.api.core.v1.Namespace`.
#[derive(Clone, Default, PartialEq)]
pub struct Namespace {
    pub metadata: ObjectMeta,
    pub spec: NamespaceSpec,
    pub status: NamespaceStatus,
}

codec! { Namespace: "v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { Namespace "" "v1" "namespaces" Cluster, NamespaceStatus }

/// `io.k8s.api.core.v1.NamespaceCondition`.
#[derive(Clone, Default, PartialEq)]
pub struct NamespaceCondition {
    pub type_: IStr,
    pub status: IStr,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
}

codec! { NamespaceCondition
    0 "type" [1] req type_ .required()
    1 "status" [2] req status .required()
    2 "lastTransitionTime" [4; time] opt last_transition_time
    3 "reason" [5] opt reason
    4 "message" [6] opt message
    => [6 message] [5 reason] [4 last_transition_time; time] [2 status] [1 type_]
}

/// `io.k8s.api.core.v1.NamespaceSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct NamespaceSpec {
    pub finalizers: List<IStr>,
}

codec! { NamespaceSpec
    0 "finalizers" [1] opt finalizers .list_atomic()
    => [1 finalizers]
}

/// `io.k8s.api.core.v1.NamespaceStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct NamespaceStatus {
    pub phase: IStr,
    pub conditions: List<NamespaceCondition>,
}

codec! { NamespaceStatus
    0 "phase" [1] opt phase
    1 "conditions" [2] opt conditions .list_map(&["type"])
    => [2 conditions] [1 phase]
}
