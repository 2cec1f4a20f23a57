//! `scheduling/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::IStr;
use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;

/// `io.k8s.api.scheduling.v1.PriorityClass`.
#[derive(Clone, Default, PartialEq)]
pub struct PriorityClass {
    pub metadata: ObjectMeta,
    pub value: i32,
    pub global_default: bool,
    pub description: IStr,
    pub preemption_policy: Option<IStr>,
}

codec! { PriorityClass: "scheduling.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "value" [2] req value
    4 "globalDefault" [3] opt global_default
    5 "description" [4] opt description
    6 "preemptionPolicy" [5] opt preemption_policy
    => [5 preemption_policy] [4 description] [3 global_default] [2 value] [1 metadata]
}

kind! { PriorityClass "scheduling.k8s.io" "v1" "priorityclasses" Cluster }
