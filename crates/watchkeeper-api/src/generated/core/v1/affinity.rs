//! `core/v1`: `Affinity` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::codec;
use crate::meta::v1::LabelSelector;
use crate::{IStr, List, blank};

/// `io.k8s.api.core.v1.Affinity`.
#[derive(Clone, Default, PartialEq)]
pub struct Affinity {
    pub node_affinity: Option<Box<NodeAffinity>>,
    pub pod_affinity: Option<Box<PodAffinity>>,
    pub pod_anti_affinity: Option<Box<PodAntiAffinity>>,
}

codec! { Affinity
    0 "nodeAffinity" [1] opt node_affinity
    1 "podAffinity" [2] opt pod_affinity
    2 "podAntiAffinity" [3] opt pod_anti_affinity
    => [3 pod_anti_affinity] [2 pod_affinity] [1 node_affinity]
}

blank!(Affinity);

/// `io.k8s.api.core.v1.NodeAffinity`.
#[derive(Clone, Default, PartialEq)]
pub struct NodeAffinity {
    pub required_during_scheduling_ignored_during_execution: Option<Box<NodeSelector>>,
    pub preferred_during_scheduling_ignored_during_execution: List<PreferredSchedulingTerm>,
}

codec! { NodeAffinity
    0 "requiredDuringSchedulingIgnoredDuringExecution" [1] opt required_during_scheduling_ignored_during_execution .map_atomic()
    1 "preferredDuringSchedulingIgnoredDuringExecution" [2] opt preferred_during_scheduling_ignored_during_execution .list_atomic()
    => [2 preferred_during_scheduling_ignored_during_execution]
       [1 required_during_scheduling_ignored_during_execution]
}

/// `io.k8s.api.core.v1.NodeSelector`.
#[derive(Clone, Default, PartialEq)]
pub struct NodeSelector {
    pub node_selector_terms: List<NodeSelectorTerm>,
}

codec! { NodeSelector
    0 "nodeSelectorTerms" [1] opt node_selector_terms .required() .list_atomic()
    => [1 node_selector_terms]
}

/// `io.k8s.api.core.v1.NodeSelectorRequirement`.
#[derive(Clone, Default, PartialEq)]
pub struct NodeSelectorRequirement {
    pub key: IStr,
    pub operator: IStr,
    pub values: List<IStr>,
}

codec! { NodeSelectorRequirement
    0 "key" [1] req key .required()
    1 "operator" [2] req operator .required()
    2 "values" [3] opt values .list_atomic()
    => [3 values] [2 operator] [1 key]
}

/// `io.k8s.api.core.v1.NodeSelectorTerm`.
#[derive(Clone, Default, PartialEq)]
pub struct NodeSelectorTerm {
    pub match_expressions: List<NodeSelectorRequirement>,
    pub match_fields: List<NodeSelectorRequirement>,
}

codec! { NodeSelectorTerm
    0 "matchExpressions" [1] opt match_expressions .list_atomic()
    1 "matchFields" [2] opt match_fields .list_atomic()
    => [2 match_fields] [1 match_expressions]
}

/// `io.k8s.api.core.v1.PodAffinity`.
#[derive(Clone, Default, PartialEq)]
pub struct PodAffinity {
    pub required_during_scheduling_ignored_during_execution: List<PodAffinityTerm>,
    pub preferred_during_scheduling_ignored_during_execution: List<WeightedPodAffinityTerm>,
}

codec! { PodAffinity
    0 "requiredDuringSchedulingIgnoredDuringExecution" [1] opt required_during_scheduling_ignored_during_execution .list_atomic()
    1 "preferredDuringSchedulingIgnoredDuringExecution" [2] opt preferred_during_scheduling_ignored_during_execution .list_atomic()
    => [2 preferred_during_scheduling_ignored_during_execution]
       [1 required_during_scheduling_ignored_during_execution]
}

/// `io.k8s.api.core.v1.PodAffinityTerm`.
#[derive(Clone, Default, PartialEq)]
pub struct PodAffinityTerm {
    pub label_selector: Option<Box<LabelSelector>>,
    pub namespaces: List<IStr>,
    pub topology_key: IStr,
    pub namespace_selector: Option<Box<LabelSelector>>,
    pub match_label_keys: List<IStr>,
    pub mismatch_label_keys: List<IStr>,
}

codec! { PodAffinityTerm
    0 "labelSelector" [1] opt label_selector .map_atomic()
    1 "namespaces" [2] opt namespaces .list_atomic()
    2 "topologyKey" [3] req topology_key .required()
    3 "namespaceSelector" [4] opt namespace_selector .map_atomic()
    4 "matchLabelKeys" [5] opt match_label_keys .list_atomic()
    5 "mismatchLabelKeys" [6] opt mismatch_label_keys .list_atomic()
    => [6 mismatch_label_keys] [5 match_label_keys] [4 namespace_selector] [3 topology_key]
       [2 namespaces] [1 label_selector]
}

/// `io.k8s.api.core.v1.PodAntiAffinity`.
#[derive(Clone, Default, PartialEq)]
pub struct PodAntiAffinity {
    pub required_during_scheduling_ignored_during_execution: List<PodAffinityTerm>,
    pub preferred_during_scheduling_ignored_during_execution: List<WeightedPodAffinityTerm>,
}

codec! { PodAntiAffinity
    0 "requiredDuringSchedulingIgnoredDuringExecution" [1] opt required_during_scheduling_ignored_during_execution .list_atomic()
    1 "preferredDuringSchedulingIgnoredDuringExecution" [2] opt preferred_during_scheduling_ignored_during_execution .list_atomic()
    => [2 preferred_during_scheduling_ignored_during_execution]
       [1 required_during_scheduling_ignored_during_execution]
}

/// `io.k8s.api.core.v1.PreferredSchedulingTerm`.
#[derive(Clone, Default, PartialEq)]
pub struct PreferredSchedulingTerm {
    pub weight: i32,
    pub preference: NodeSelectorTerm,
}

codec! { PreferredSchedulingTerm
    0 "weight" [1] req weight .required()
    1 "preference" [2] opt preference .required() .map_atomic()
    => [2 preference] [1 weight]
}

/// `io.k8s.api.core.v1.WeightedPodAffinityTerm`.
#[derive(Clone, Default, PartialEq)]
pub struct WeightedPodAffinityTerm {
    pub weight: i32,
    pub pod_affinity_term: PodAffinityTerm,
}

codec! { WeightedPodAffinityTerm
    0 "weight" [1] req weight .required()
    1 "podAffinityTerm" [2] opt pod_affinity_term .required()
    => [2 pod_affinity_term] [1 weight]
}
