//! `meta/v1`: `PartialObjectMetadata` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::ObjectMeta;
use crate::codec::{codec, kind};

/// `io.k8s.apimachinery.pkg.apis.meta.v1.PartialObjectMetadata`.
#[derive(Clone, Default, PartialEq)]
pub struct PartialObjectMetadata {
    pub metadata: ObjectMeta,
}

codec! { PartialObjectMetadata: any "meta.k8s.io/v1"
    2 "metadata" [1] opt metadata
    => [1 metadata]
}

kind! { PartialObjectMetadata "meta.k8s.io" "v1" "" Namespaced }
