//! The disruption actor: how many pods may be evicted at the moment.
//!
//! Upstream's disruption controller (`policy/v1`): the status of each budget, told from the pods that it selects
//! and from how many of them their workloads ask for. The server refuses evictions by it. What was told of a pod that
//! was to go and did not is taken back.

use std::sync::Arc;

use watchkeeper_api::apps::v1::{Deployment, ReplicaSet, StatefulSet};
use watchkeeper_api::core::v1::{Pod, ReplicationController};
use watchkeeper_api::policy::v1::PodDisruptionBudget;
use watchkeeper_api::selector::Selector;
use watchkeeper_api::{Object, ObjectKey};
use watchkeeper_cache::{Change, Watch};
use watchkeeper_controller::{Action, Context, EventType, Failure, Request};
use watchkeeper_manager::Manager;

use self::workloads::Workloads;
use super::unless_gone;

mod plan;
mod stale;
mod workloads;

#[cfg(test)]
mod tests;

/// Adds the disruption actor to `manager`.
pub fn disruption(manager: &Manager) {
    let budgets = manager.watch::<PodDisruptionBudget>();
    let pods = manager.watch::<Pod>();
    let workloads = Workloads::new(manager);
    let (known, a, b, c, d) =
        (budgets.clone(), budgets.clone(), budgets.clone(), budgets.clone(), budgets.clone());
    manager
        .controller("disruption", &budgets)
        .watches(&pods, move |pod: &Pod| concerned(&known, pod))
        .watches(
            workloads.deployments.when(|change| matters(change, |one| one.spec.replicas)),
            move |one: &Deployment| nearby(&a, one),
        )
        .watches(
            workloads.replica_sets.when(|change| matters(change, |one| one.spec.replicas)),
            move |one: &ReplicaSet| nearby(&b, one),
        )
        .watches(
            workloads.stateful_sets.when(|change| matters(change, |one| one.spec.replicas)),
            move |one: &StatefulSet| nearby(&c, one),
        )
        .watches(
            workloads.controllers.when(|change| matters(change, |one| one.spec.replicas)),
            move |one: &ReplicationController| nearby(&d, one),
        )
        .with(Watches { budgets, pods: pods.clone(), workloads })
        .reconcile(Watches::reconcile);
    manager
        .controller("stale-pod-disruption", pods.when(stale::matters))
        .with(pods)
        .reconcile(stale::reconcile);
}

/// Whether the change of a workload may be one of how many pods are expected. Its status says nothing of that, and
/// changes with each pod.
fn matters<K: Object>(change: &Change<K>, replicas: impl Fn(&K) -> Option<i32>) -> bool {
    let (Some(old), new) = (change.old(), change.object()) else { return true };
    old.uid() != new.uid() || replicas(old) != replicas(new) || old.controller() != new.controller()
}

/// The budgets that are about a pod.
fn concerned(budgets: &Watch<PodDisruptionBudget>, pod: &Pod) -> Vec<ObjectKey> {
    let selects = |budget: &PodDisruptionBudget| {
        selector_of(budget).is_some_and(|selector| selector.selects(pod))
    };
    let budgets = budgets.peek_in(pod.namespace().unwrap_or_default()).into_iter();
    budgets.filter(|budget| selects(budget)).map(|budget| budget.key()).collect()
}

/// The budgets that may have pods of a workload.
fn nearby(budgets: &Watch<PodDisruptionBudget>, workload: &impl Object) -> Vec<ObjectKey> {
    let budgets = budgets.peek_in(workload.namespace().unwrap_or_default()).into_iter();
    budgets.map(|budget| budget.key()).collect()
}

/// The budget's selector; without one it is about nothing, and an empty one is about all pods.
fn selector_of(budget: &PodDisruptionBudget) -> Option<Selector> {
    Selector::try_from(budget.spec.selector.as_deref()?).ok()
}

#[derive(Debug)]
struct Watches {
    budgets: Watch<PodDisruptionBudget>,
    pods: Watch<Pod>,
    workloads: Workloads,
}

impl Watches {
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let Some(budget) = self.budgets.get(&request).await? else { return Ok(Action::done()) };
        if budget.is_deleting() {
            return Ok(Action::done());
        }
        let pods = self.pods_of(&budget);
        if pods.is_empty() {
            ctx.event(&*budget, EventType::Normal, "NoPods", "No matching pods found");
        }
        let scale = match plan::asks_workloads(&budget) {
            true => self.workloads.scale(&budget, &pods, &ctx).await,
            false => Ok(0),
        };
        let now = ctx.now();
        let told = match &scale {
            Ok(scale) => plan::status(&budget, &pods, *scale, now),
            Err(why) => plan::failed(&budget, why, now),
        };
        unless_gone(ctx.edit_status(&budget, |status| *status = told.status).await)?;
        for pod in &told.staying {
            let budget = budget.key();
            let message = format!("Pod was expected by PDB {budget} to be deleted but it wasn't");
            ctx.event(&**pod, EventType::Warning, "NotDeleted", message);
        }
        if let Err(why) = scale {
            let message = format!("Failed to calculate the number of expected pods: {why}");
            ctx.event(&*budget, EventType::Warning, "CalculateExpectedPodCountFailed", &message);
        }
        Ok(told.again.map_or_else(Action::done, |again| Action::after(again.since(ctx.now()))))
    }

    fn pods_of(&self, budget: &PodDisruptionBudget) -> Vec<Arc<Pod>> {
        let Some(selector) = selector_of(budget) else { return Vec::new() };
        let nearby = self.pods.peek_in(budget.namespace().unwrap_or_default()).into_iter();
        nearby.filter(|pod| selector.selects(&**pod)).collect()
    }
}
