//! `core/v1`: `LimitRange` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Map, Quantity};

/// `io.k8s.api.core.v1.LimitRange`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LimitRange {
    pub metadata: ObjectMeta,
    pub spec: LimitRangeSpec,
}

codec! { LimitRange: "v1"
    2 "metadata" opt metadata
    3 "spec" opt spec
}

kind! { LimitRange "" "v1" "limitranges" Namespaced }

/// `io.k8s.api.core.v1.LimitRangeItem`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LimitRangeItem {
    pub type_: IStr,
    pub max: Map<Quantity>,
    pub min: Map<Quantity>,
    pub default: Map<Quantity>,
    pub default_request: Map<Quantity>,
    pub max_limit_request_ratio: Map<Quantity>,
}

codec! { LimitRangeItem
    0 "type" req type_ .required()
    1 "max" opt max
    2 "min" opt min
    3 "default" opt default
    4 "defaultRequest" opt default_request
    5 "maxLimitRequestRatio" opt max_limit_request_ratio
}

/// `io.k8s.api.core.v1.LimitRangeSpec`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LimitRangeSpec {
    pub limits: List<LimitRangeItem>,
}

codec! { LimitRangeSpec
    0 "limits" opt limits .required() .list_atomic()
}
