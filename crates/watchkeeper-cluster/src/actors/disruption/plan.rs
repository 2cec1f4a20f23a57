//! A budget's status, told from its pods.

use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::meta::v1::Condition;
use watchkeeper_api::policy::v1::{PodDisruptionBudget, PodDisruptionBudgetStatus};
use watchkeeper_api::{IntOrString, Map, Object, Time};

use crate::actors::replicaset::ready_since;

/// How long an evicted pod may take to be asked to go (upstream's `DeletionTimeout`).
const EVICTION: Duration = Duration::from_secs(2 * 60);

/// What there is to tell.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) status: PodDisruptionBudgetStatus,
    /// When to look again.
    pub(crate) again: Option<Time>,
    /// The pods that were evicted and are there still.
    pub(crate) staying: Vec<Arc<Pod>>,
}

/// Whether what the budget asks for depends on how many pods their workloads ask for.
pub(crate) fn asks_workloads(budget: &PodDisruptionBudget) -> bool {
    let spec = &budget.spec;
    spec.max_unavailable.is_some() || matches!(spec.min_available, Some(IntOrString::String(_)))
}

/// How many pods are expected, and how many of them have to be well. Percentages are of `scale`, what the
/// workloads ask for, and rounded up.
fn expected(budget: &PodDisruptionBudget, pods: usize, scale: i32) -> (i32, i32) {
    let resolve = |bound: &IntOrString| bound.scaled(scale, true).unwrap_or(0);
    match (&budget.spec.max_unavailable, &budget.spec.min_available) {
        (Some(most), _) => (scale, scale.saturating_sub(resolve(most)).max(0)),
        (None, Some(IntOrString::Int(least))) => (i32::try_from(pods).unwrap_or(i32::MAX), *least),
        (None, Some(least)) => (scale, resolve(least)),
        (None, None) => (0, 0),
    }
}

/// The status that the pods justify.
pub(crate) fn status(
    budget: &PodDisruptionBudget,
    pods: &[Arc<Pod>],
    scale: i32,
    now: Time,
) -> Told {
    let (expected_pods, desired_healthy) = expected(budget, pods.len(), scale);
    let evicted_at = |pod: &Pod| budget.status.disrupted_pods.get(pod.name()).copied();
    let is_going =
        |pod: &Pod| pod.is_deleting() || evicted_at(pod).is_some_and(|at| at + EVICTION > now);
    let well = pods.iter().filter(|pod| !is_going(pod) && ready_since(pod).is_some());
    let current_healthy = i32::try_from(well.count()).unwrap_or(i32::MAX);
    let spare = current_healthy.saturating_sub(desired_healthy).max(0);
    let evicted = pods.iter().filter(|pod| !pod.is_deleting());
    let evicted = evicted.filter_map(|pod| Some((pod, evicted_at(pod)?)));
    let (waited_for, staying): (Vec<_>, Vec<_>) = evicted.partition(|(_, at)| *at + EVICTION > now);
    let mut status = PodDisruptionBudgetStatus {
        observed_generation: budget.generation(),
        disrupted_pods: waited_for.iter().map(|(pod, at)| (pod.name(), *at)).collect::<Map<_>>(),
        disruptions_allowed: if expected_pods > 0 { spare } else { 0 },
        current_healthy,
        desired_healthy,
        expected_pods,
        conditions: budget.status.conditions.clone(),
    };
    let (value, reason) = match status.disruptions_allowed {
        0 => ("False", "InsufficientPods"),
        _ => ("True", "SufficientPods"),
    };
    set_condition(&mut status, value, reason, "", now);
    Told {
        status,
        again: waited_for.iter().map(|(_, at)| *at + EVICTION).min(),
        staying: staying.into_iter().map(|(pod, _)| pod.clone()).collect(),
    }
}

/// The status of a budget of which nothing can be told: nothing is allowed.
pub(crate) fn failed(budget: &PodDisruptionBudget, why: &str, now: Time) -> Told {
    let mut status = budget.status.clone();
    status.disruptions_allowed = 0;
    set_condition(&mut status, "False", "SyncFailed", why, now);
    Told { status, again: None, staying: Vec::new() }
}

/// Says whether disruptions are allowed. The time moves with the value alone.
fn set_condition(
    status: &mut PodDisruptionBudgetStatus,
    value: &str,
    reason: &str,
    message: &str,
    now: Time,
) {
    let is_it = |condition: &Condition| condition.type_ == "DisruptionAllowed";
    let old = status.conditions.iter().find(|one| is_it(one) && one.status == *value);
    let since = old.and_then(|old| old.last_transition_time).unwrap_or(now);
    let fresh = Condition {
        type_: "DisruptionAllowed".into(),
        status: value.into(),
        observed_generation: status.observed_generation,
        last_transition_time: Some(since),
        reason: reason.into(),
        message: message.into(),
    };
    let others = status.conditions.iter().filter(|one| !is_it(one)).cloned();
    status.conditions = others.chain([fresh]).collect();
}
