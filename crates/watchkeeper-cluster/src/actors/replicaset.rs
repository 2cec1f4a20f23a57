//! The replica set actor: as many pods as a set asks for.
//!
//! Upstream's replica set controller (`apps/v1`): pods are claimed by owner reference and selector
//! (adopted and released where the two differ), made and removed in bounded numbers, the least useful
//! first, and counted in the status.

use std::sync::Arc;

use watchkeeper_api::apps::v1::ReplicaSet;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::selector::Selector;
use watchkeeper_api::{Object, ObjectKey};
use watchkeeper_cache::{Index, Watch};
use watchkeeper_controller::{Action, Context, Failure, Request};
use watchkeeper_manager::Manager;

pub(super) use self::owner::{Owner, owner};
use self::plan::{Claim, Need};
pub(super) use self::plan::{available_at, is_active, ready_since};
pub(super) use self::victims::victims;
use self::victims::{Crowds, ranked};
use self::work::Refused;
use super::unless_gone;

mod owner;
mod plan;
mod status;
mod victims;
mod work;

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
        .with(Watches {
            siblings: sets.index(owner::<ReplicaSet>),
            sets,
            owned: pods.index(owner::<Pod>),
            pods,
        })
        .reconcile(Watches::reconcile);
}

/// The sets that might adopt a pod which nobody owns.
fn adopters(sets: &Watch<ReplicaSet>, pod: &Pod) -> Vec<ObjectKey> {
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
    /// The sets of one deployment.
    siblings: Index<ReplicaSet, Owner>,
    pods: Watch<Pod>,
    /// A namespace may have thousands of others.
    owned: Index<Pod, Owner>,
}

impl Watches {
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let Some(set) = self.sets.get(&request).await? else { return Ok(Action::done()) };
        let Some(selector) = selector_of(&set) else { return Ok(Action::done()) };
        self.pods.caught_up().await?;
        let mut claim = self.claim(&set, &selector);
        if !claim.unsettled.is_empty() {
            ctx.claim(&set, &selector, std::mem::take(&mut claim.unsettled)).await?;
            self.pods.caught_up().await?;
            claim = self.claim(&set, &selector);
        }
        let need = match set.is_deleting() {
            true => Need::Nothing,
            false => plan::need(&set, claim.active.len()),
        };
        let worked = self.work(&set, need, &claim, &ctx).await;
        if need != Need::Nothing {
            self.pods.caught_up().await?;
            claim = self.claim(&set, &selector);
        }
        let (status, due) = status::status(&set, &claim, worked.as_ref().err(), ctx.now());
        unless_gone(ctx.edit_status(&set, |current| *current = status).await)?;
        worked.map_err(Refused::into_error)?;
        Ok(due.map_or_else(Action::done, |due| Action::after(due.since(ctx.now()))))
    }

    /// Makes what is missing, removes what is too many.
    async fn work(
        &self,
        set: &ReplicaSet,
        need: Need,
        claim: &Claim,
        ctx: &Context,
    ) -> Result<(), Refused> {
        match need {
            Need::Nothing => Ok(()),
            Need::More(count) => work::make(set, count, ctx).await,
            Need::Fewer(count) => {
                let crowds = self.crowds(set);
                let pods = ranked(claim.active.clone(), count, &crowds, ctx.micro_now());
                work::remove(set, &pods, ctx).await
            }
        }
    }

    fn claim(&self, set: &ReplicaSet, selector: &Selector) -> Claim {
        let mut pods = self.owned.get(&Owner::Uid(set.metadata.uid.clone()));
        pods.extend(self.owned.get(&Owner::Nobody(set.metadata.namespace.clone())));
        plan::claim(set, selector, pods)
    }

    /// Where the pods of the set's deployment are. Those of a set that nobody owns do not count, as upstream has it.
    fn crowds(&self, set: &ReplicaSet) -> Crowds {
        let mut crowds = Crowds::default();
        let Some(deployment @ Owner::Uid(_)) = owner(set) else { return crowds };
        for sibling in self.siblings.get(&deployment) {
            let pods = self.owned.found(&Owner::Uid(sibling.metadata.uid.clone()));
            pods.iter().for_each(|pod| crowds.add(pod));
        }
        crowds
    }
}
