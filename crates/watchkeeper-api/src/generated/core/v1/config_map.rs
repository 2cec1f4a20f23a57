//! `core/v1`: `ConfigMap` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{ByteString, Map};

/// `io.k8s.api.core.v1.ConfigMap`.
#[derive(Clone, Default, PartialEq)]
pub struct ConfigMap {
    pub metadata: ObjectMeta,
    pub immutable: Option<bool>,
    pub data: Map,
    pub binary_data: Map<ByteString>,
}

codec! { ConfigMap: "v1"
    2 "metadata" [1] opt metadata
    3 "immutable" [4] opt immutable
    4 "data" [2] opt data
    5 "binaryData" [3] opt binary_data
    => [4 immutable] [3 binary_data] [2 data] [1 metadata]
}

kind! { ConfigMap "" "v1" "configmaps" Namespaced }
