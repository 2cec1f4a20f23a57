//! `core/v1`: `LimitRange` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Map, Quantity};

/// `io.k8s.api.core.v1.LimitRange`.
#[derive(Clone, Default, PartialEq)]
pub struct LimitRange {
    pub metadata: ObjectMeta,
    pub spec: LimitRangeSpec,
}

codec! { LimitRange: "v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    => [2 spec] [1 metadata]
}

kind! { LimitRange "" "v1" "limitranges" Namespaced }

/// `io.k8s.api.core.v1.LimitRangeItem`.
#[derive(Clone, Default, PartialEq)]
pub struct LimitRangeItem {
    pub type_: IStr,
    pub max: Map<Quantity>,
    pub min: Map<Quantity>,
    pub default: Map<Quantity>,
    pub default_request: Map<Quantity>,
    pub max_limit_request_ratio: Map<Quantity>,
}

codec! { LimitRangeItem
    0 "type" [1] req type_ .required()
    1 "max" [2] opt max
    2 "min" [3] opt min
    3 "default" [4] opt default
    4 "defaultRequest" [5] opt default_request
    5 "maxLimitRequestRatio" [6] opt max_limit_request_ratio
    => [6 max_limit_request_ratio] [5 default_request] [4 default] [3 min] [2 max] [1 type_]
}

/// `io.k8s.api.core.v1.LimitRangeSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct LimitRangeSpec {
    pub limits: List<LimitRangeItem>,
}

codec! { LimitRangeSpec
    0 "limits" [1] opt limits .required() .list_atomic()
    => [1 limits]
}
