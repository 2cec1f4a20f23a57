//! `policy/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::meta::v1::{Condition, DeleteOptions, LabelSelector, ObjectMeta};
use crate::policy::v1::{
    Eviction, PodDisruptionBudget, PodDisruptionBudgetSpec, PodDisruptionBudgetStatus,
};
use crate::{IStr, IntOrString, List, Map, Time, setters};

setters! {
    Eviction {
        with_metadata metadata: ObjectMeta,
        with_delete_options delete_options: Option<Box<DeleteOptions>>,
    }
    PodDisruptionBudget {
        with_metadata metadata: ObjectMeta,
        with_spec spec: PodDisruptionBudgetSpec,
        with_status status: PodDisruptionBudgetStatus,
    }
    PodDisruptionBudgetSpec {
        with_min_available min_available: Option<IntOrString>,
        with_selector selector: Option<Box<LabelSelector>>,
        with_max_unavailable max_unavailable: Option<IntOrString>,
        with_unhealthy_pod_eviction_policy unhealthy_pod_eviction_policy: Option<IStr>,
    }
    PodDisruptionBudgetStatus {
        with_observed_generation observed_generation: i64,
        with_disrupted_pods disrupted_pods: Map<Time>,
        with_disruptions_allowed disruptions_allowed: i32,
        with_current_healthy current_healthy: i32,
        with_desired_healthy desired_healthy: i32,
        with_expected_pods expected_pods: i32,
        with_conditions conditions: List<Condition>,
    }
}
