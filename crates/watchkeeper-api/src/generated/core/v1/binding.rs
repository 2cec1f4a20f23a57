//! `core/v1`: `Binding` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::ObjectReference;
use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;

/// `io.k8s.api.core.v1.Binding`.
#[derive(Clone, Default, PartialEq)]
pub struct Binding {
    pub metadata: ObjectMeta,
    pub target: ObjectReference,
}

codec! { Binding: "v1"
    2 "metadata" [1] opt metadata
    3 "target" [2] opt target .required() .map_atomic()
    => [2 target] [1 metadata]
}

kind! { Binding "" "v1" "bindings" Namespaced }
