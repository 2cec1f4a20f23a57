//! `policy/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::{Condition, DeleteOptions, LabelSelector, ObjectMeta};
use crate::{IStr, IntOrString, List, Map, Time};

/// `io.k8s.api.policy.v1.Eviction`.
#[derive(Clone, Default, PartialEq)]
pub struct Eviction {
    pub metadata: ObjectMeta,
    pub delete_options: Option<Box<DeleteOptions>>,
}

codec! { Eviction: "policy/v1"
    2 "metadata" [1] opt metadata
    3 "deleteOptions" [2] opt delete_options
    => [2 delete_options] [1 metadata]
}

kind! { Eviction "policy" "v1" "" Namespaced }

/// `io.k8s.api.policy.v1.PodDisruptionBudget`.
#[derive(Clone, Default, PartialEq)]
pub struct PodDisruptionBudget {
    pub metadata: ObjectMeta,
    pub spec: PodDisruptionBudgetSpec,
    pub status: PodDisruptionBudgetStatus,
}

codec! { PodDisruptionBudget: "policy/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! {
    PodDisruptionBudget "policy" "v1" "poddisruptionbudgets" Namespaced, PodDisruptionBudgetStatus
}

/// `io.k8s.api.policy.v1.PodDisruptionBudgetSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct PodDisruptionBudgetSpec {
    pub min_available: Option<IntOrString>,
    pub selector: Option<Box<LabelSelector>>,
    pub max_unavailable: Option<IntOrString>,
    pub unhealthy_pod_eviction_policy: Option<IStr>,
}

codec! { PodDisruptionBudgetSpec
    0 "minAvailable" [1] opt min_available
    1 "selector" [2] opt selector .map_atomic()
    2 "maxUnavailable" [3] opt max_unavailable
    3 "unhealthyPodEvictionPolicy" [4] opt unhealthy_pod_eviction_policy
    => [4 unhealthy_pod_eviction_policy] [3 max_unavailable] [2 selector] [1 min_available]
}

/// `io.k8s.api.policy.v1.PodDisruptionBudgetStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct PodDisruptionBudgetStatus {
    pub observed_generation: i64,
    pub disrupted_pods: Map<Time>,
    pub disruptions_allowed: i32,
    pub current_healthy: i32,
    pub desired_healthy: i32,
    pub expected_pods: i32,
    pub conditions: List<Condition>,
}

codec! { PodDisruptionBudgetStatus
    0 "observedGeneration" [1] opt observed_generation
    1 "disruptedPods" [2] opt disrupted_pods
    2 "disruptionsAllowed" [3] req disruptions_allowed
    3 "currentHealthy" [4] req current_healthy
    4 "desiredHealthy" [5] req desired_healthy
    5 "expectedPods" [6] req expected_pods
    6 "conditions" [7] opt conditions .list_map(&["type"])
    => [7 conditions] [6 expected_pods] [5 desired_healthy] [4 current_healthy]
       [3 disruptions_allowed] [2 disrupted_pods] [1 observed_generation]
}
