//! `policy/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::{Condition, DeleteOptions, LabelSelector, ObjectMeta};
use crate::{IStr, IntOrString, List, Map, Time};

/// `io.k8s.api.policy.v1.Eviction`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Eviction {
    pub metadata: ObjectMeta,
    pub delete_options: Option<Box<DeleteOptions>>,
}

codec! { Eviction: "policy/v1"
    2 "metadata" opt metadata
    3 "deleteOptions" opt delete_options
}

kind! { Eviction "policy" "v1" "" Namespaced }

/// `io.k8s.api.policy.v1.PodDisruptionBudget`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodDisruptionBudget {
    pub metadata: ObjectMeta,
    pub spec: PodDisruptionBudgetSpec,
    pub status: PodDisruptionBudgetStatus,
}

codec! { PodDisruptionBudget: "policy/v1"
    2 "metadata" opt metadata
    3 "spec" opt spec
    4 "status" opt status
}

kind! {
    PodDisruptionBudget "policy" "v1" "poddisruptionbudgets" Namespaced, PodDisruptionBudgetStatus
}

/// `io.k8s.api.policy.v1.PodDisruptionBudgetSpec`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodDisruptionBudgetSpec {
    pub min_available: Option<IntOrString>,
    pub selector: Option<Box<LabelSelector>>,
    pub max_unavailable: Option<IntOrString>,
    pub unhealthy_pod_eviction_policy: Option<IStr>,
}

codec! { PodDisruptionBudgetSpec
    0 "minAvailable" opt min_available
    1 "selector" opt selector .map_atomic()
    2 "maxUnavailable" opt max_unavailable
    3 "unhealthyPodEvictionPolicy" opt unhealthy_pod_eviction_policy
}

/// `io.k8s.api.policy.v1.PodDisruptionBudgetStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "observedGeneration" opt observed_generation
    1 "disruptedPods" opt disrupted_pods
    2 "disruptionsAllowed" req disruptions_allowed
    3 "currentHealthy" req current_healthy
    4 "desiredHealthy" req desired_healthy
    5 "expectedPods" req expected_pods
    6 "conditions" opt conditions .list_map(&["type"])
}
