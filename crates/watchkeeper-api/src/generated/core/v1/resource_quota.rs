//! `core/v1`: `ResourceQuota` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Map, Quantity};

/// `io.k8s.api.core.v1.ResourceQuota`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourceQuota {
    pub metadata: ObjectMeta,
    pub spec: ResourceQuotaSpec,
    pub status: ResourceQuotaStatus,
}

codec! { ResourceQuota: "v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { ResourceQuota "" "v1" "resourcequotas" Namespaced, ResourceQuotaStatus }

/// `io.k8s.api.core.v1.ResourceQuotaSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourceQuotaSpec {
    pub hard: Map<Quantity>,
    pub scopes: List<IStr>,
    pub scope_selector: Option<Box<ScopeSelector>>,
}

codec! { ResourceQuotaSpec
    0 "hard" [1] opt hard
    1 "scopes" [2] opt scopes .list_atomic()
    2 "scopeSelector" [3] opt scope_selector .map_atomic()
    => [3 scope_selector] [2 scopes] [1 hard]
}

/// `io.k8s.api.core.v1.ResourceQuotaStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct ResourceQuotaStatus {
    pub hard: Map<Quantity>,
    pub used: Map<Quantity>,
}

codec! { ResourceQuotaStatus
    0 "hard" [1] opt hard
    1 "used" [2] opt used
    => [2 used] [1 hard]
}

/// `io.k8s.api.core.v1.ScopeSelector`.
#[derive(Clone, Default, PartialEq)]
pub struct ScopeSelector {
    pub match_expressions: List<ScopedResourceSelectorRequirement>,
}

codec! { ScopeSelector
    0 "matchExpressions" [1] opt match_expressions .list_atomic()
    => [1 match_expressions]
}

/// `io.k8s.api.core.v1.ScopedResourceSelectorRequirement`.
#[derive(Clone, Default, PartialEq)]
pub struct ScopedResourceSelectorRequirement {
    pub scope_name: IStr,
    pub operator: IStr,
    pub values: List<IStr>,
}

codec! { ScopedResourceSelectorRequirement
    0 "scopeName" [1] req scope_name .required()
    1 "operator" [2] req operator .required()
    2 "values" [3] opt values .list_atomic()
    => [3 values] [2 operator] [1 scope_name]
}
