//! `meta/v1`: `LabelSelector` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::codec;
use crate::{IStr, List, Map};

/// `io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector`.
#[derive(Clone, Default, PartialEq)]
pub struct LabelSelector {
    pub match_labels: Map,
    pub match_expressions: List<LabelSelectorRequirement>,
}

codec! { LabelSelector
    0 "matchLabels" [1] opt match_labels
    1 "matchExpressions" [2] opt match_expressions .list_atomic()
    => [2 match_expressions] [1 match_labels]
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement`.
#[derive(Clone, Default, PartialEq)]
pub struct LabelSelectorRequirement {
    pub key: IStr,
    pub operator: IStr,
    pub values: List<IStr>,
}

codec! { LabelSelectorRequirement
    0 "key" [1] req key .required()
    1 "operator" [2] req operator .required()
    2 "values" [3] opt values .list_atomic()
    => [3 values] [2 operator] [1 key]
}
