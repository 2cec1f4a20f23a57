//! The replica set actor: as many pods as a set asks for.
//!
//! Upstream's replica set controller (`apps/v1`): pods are claimed by owner reference and selector
//! (adopted and released where the two differ), made and removed in bounded numbers, and counted
//! in the status.

use std::sync::Arc;

use watchkeeper_api::apps::v1::ReplicaSet;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::meta::v1::OwnerReference;
use watchkeeper_api::selector::Selector;
use watchkeeper_api::{IStr, List, Object};
use watchkeeper_cache::{Index, Watch};
use watchkeeper_controller::{Action, Context, EventType, Failure, Request, controlled_by};
use watchkeeper_manager::Manager;

use self::plan::Claim;
pub(super) use self::plan::{available_at, is_active, ready_since, victims};
use super::template::pod_from;
use super::unless_gone;

mod plan;

#[cfg(test)]
mod tests;

/// Adds the replica set actor to `manager`.
pub fn replica_set(manager: &Manager) {
    let sets = manager.watch::<ReplicaSet>();
    let pods = manager.watch::<Pod>();
    let orphaned = sets.clone();
    manager
        .controller("replicaset-controller", &sets)
        .owns(&pods)
        .watches(&pods, move |pod: &Pod| adopters(&orphaned, pod))
        .workers(2)
        .with(Watches { sets, owned: pods.index(owner), pods })
        .reconcile(Watches::reconcile);
}

/// Whose a pod is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    /// What has that uid.
    Uid(IStr),
    /// Nobody, in that namespace.
    Nobody(IStr),
}

fn owner(pod: &Pod) -> Option<Owner> {
    let nobody = || Owner::Nobody(pod.metadata.namespace.clone());
    Some(pod.controller().map_or_else(nobody, |owner| Owner::Uid(owner.uid.into())))
}

/// The sets that might adopt a pod which nobody owns.
fn adopters(sets: &Watch<ReplicaSet>, pod: &Pod) -> Vec<watchkeeper_api::ObjectKey> {
    if pod.controller().is_some() || pod.is_deleting() {
        return Vec::new();
    }
    let matches =
        |set: &Arc<ReplicaSet>| selector_of(set).is_some_and(|selector| selector.selects(pod));
    let namespace = pod.namespace().unwrap_or_default();
    sets.peek_in(namespace).into_iter().filter(matches).map(|set| set.key()).collect()
}

/// The set's selector; `None` for one that selects nothing or cannot be read.
fn selector_of(set: &ReplicaSet) -> Option<Selector> {
    let selector = Selector::try_from(set.spec.selector.as_deref()?).ok()?;
    (!selector.is_empty()).then_some(selector)
}

#[derive(Debug)]
struct Watches {
    sets: Watch<ReplicaSet>,
    pods: Watch<Pod>,
    /// A namespace may have thousands of others.
    owned: Index<Pod, Owner>,
}

impl Watches {
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let Some(set) = self.sets.get(&request).await? else { return Ok(Action::done()) };
        let Some(selector) = selector_of(&set) else { return Ok(Action::done()) };
        self.pods.caught_up().await?;
        let claim = self.claim(&set, &selector);
        if !set.is_deleting() {
            settle_ownership(&set, &claim, &ctx).await?;
            self.pods.caught_up().await?;
            replicate(&set, &self.claim(&set, &selector), &ctx).await?;
        }
        self.pods.caught_up().await?;
        let claim = self.claim(&set, &selector);
        let (status, due) = plan::status(&set, &selector, &claim, ctx.now());
        unless_gone(ctx.edit_status(&set, |current| *current = status).await)?;
        Ok(due.map_or_else(Action::done, |due| Action::after(due.since(ctx.now()))))
    }

    fn claim(&self, set: &ReplicaSet, selector: &Selector) -> Claim {
        let mut pods = self.owned.get(&Owner::Uid(set.metadata.uid.clone()));
        pods.extend(self.owned.get(&Owner::Nobody(set.metadata.namespace.clone())));
        plan::claim(set, selector, pods)
    }
}

/// Adopts the orphans that match and releases the strangers that do not.
async fn settle_ownership(set: &ReplicaSet, claim: &Claim, ctx: &Context) -> Result<(), Failure> {
    for pod in &claim.orphans {
        let owner = controlled_by(set);
        ctx.edit(&**pod, |pod: &mut Pod| pod.metadata.owner_references.push(owner)).await?;
    }
    for pod in &claim.strangers {
        ctx.edit(&**pod, |pod: &mut Pod| {
            let others = pod.metadata.owner_references.iter();
            let others: List<OwnerReference> =
                others.filter(|owner| *owner.uid != *set.uid()).cloned().collect();
            pod.metadata.owner_references = others;
        })
        .await?;
    }
    Ok(())
}

/// Makes what is missing, removes what is too many.
async fn replicate(set: &ReplicaSet, claim: &Claim, ctx: &Context) -> Result<(), Failure> {
    let wanted = usize::try_from(set.spec.replicas.unwrap_or(1)).unwrap_or(0);
    let have = claim.active.len();
    for _ in have..wanted.min(have + plan::BURST) {
        let pod = match ctx.create(&pod_from(set, &set.spec.template)).await {
            Ok(pod) => pod,
            Err(error) => {
                let message = format!("Error creating: {error}");
                ctx.event(set, EventType::Warning, "FailedCreate", &message);
                return Err(error.into());
            }
        };
        let message = format!("Created pod: {}", pod.name());
        ctx.event(set, EventType::Normal, "SuccessfulCreate", &message);
    }
    let excess = have.saturating_sub(wanted).min(plan::BURST);
    for pod in victims(claim.active.clone(), excess) {
        ctx.delete(&*pod).await?;
        let message = format!("Deleted pod: {}", pod.name());
        ctx.event(set, EventType::Normal, "SuccessfulDelete", &message);
    }
    Ok(())
}
