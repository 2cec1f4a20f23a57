//! `apps/v1`: `ControllerRevision` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::Raw;
use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;

/// `io.k8s.api.apps.v1.ControllerRevision`.
#[derive(Clone, Default, PartialEq)]
pub struct ControllerRevision {
    pub metadata: ObjectMeta,
    pub data: Raw,
    pub revision: i64,
}

codec! { ControllerRevision: "apps/v1"
    2 "metadata" [1] opt metadata
    3 "data" [2] opt data
    4 "revision" [3] req revision .required()
    => [3 revision] [2 data] [1 metadata]
}

kind! { ControllerRevision "apps" "v1" "controllerrevisions" Namespaced }
