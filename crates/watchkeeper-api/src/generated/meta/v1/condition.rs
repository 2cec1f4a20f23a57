//! `meta/v1`: `Condition` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::codec;
use crate::{IStr, Time};

/// `io.k8s.apimachinery.pkg.apis.meta.v1.Condition`.
#[derive(Clone, Default, PartialEq)]
pub struct Condition {
    pub type_: IStr,
    pub status: IStr,
    pub observed_generation: i64,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
}

codec! { Condition
    0 "type" [1] req type_ .required()
    1 "status" [2] req status .required()
    2 "observedGeneration" [3] opt observed_generation
    3 "lastTransitionTime" [4; time] opt last_transition_time .required()
    4 "reason" [5] req reason .required()
    5 "message" [6] req message .required()
    => [6 message] [5 reason] [4 last_transition_time; time] [3 observed_generation] [2 status]
       [1 type_]
}
