//! `core/v1`: `RangeAllocation` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{ByteString, IStr};

/// `io.k8s.api.core.v1.RangeAllocation`.
#[derive(Clone, Default, PartialEq)]
pub struct RangeAllocation {
    pub metadata: ObjectMeta,
    pub range: IStr,
    pub data: ByteString,
}

codec! { RangeAllocation: "v1"
    2 "metadata" [1] opt metadata
    3 "range" [2] req range
    4 "data" [3] req data
    => [3 data] [2 range] [1 metadata]
}

kind! { RangeAllocation "" "v1" "" Namespaced }
