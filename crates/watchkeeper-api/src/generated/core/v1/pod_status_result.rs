//! `core/v1`: `PodStatusResult` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::PodStatus;
use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;

/// `io.k8s.api.core.v1.PodStatusResult`.
#[derive(Clone, Default, PartialEq)]
pub struct PodStatusResult {
    pub metadata: ObjectMeta,
    pub status: PodStatus,
}

codec! { PodStatusResult: "v1"
    2 "metadata" [1] opt metadata
    3 "status" [2] opt status
    => [2 status] [1 metadata]
}

kind! { PodStatusResult "" "v1" "" Namespaced }
