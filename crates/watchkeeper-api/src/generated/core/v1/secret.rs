//! `core/v1`: `Secret` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{ByteString, IStr, Map};

/// `io.k8s.api.core.v1.Secret`.
#[derive(Clone, Default, PartialEq)]
pub struct Secret {
    pub metadata: ObjectMeta,
    pub immutable: Option<bool>,
    pub data: Map<ByteString>,
    pub string_data: Map,
    pub type_: IStr,
}

codec! { Secret: "v1"
    2 "metadata" [1] opt metadata
    3 "immutable" [5] opt immutable
    4 "data" [2] opt data
    5 "stringData" [4] opt string_data
    6 "type" [3] opt type_
    => [5 immutable] [4 string_data] [3 type_] [2 data] [1 metadata]
}

kind! { Secret "" "v1" "secrets" Namespaced }
