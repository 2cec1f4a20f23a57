//! The stateful set actor: pods with numbers, names and volumes that stay.
//!
//! Upstream's stateful set controller (`apps/v1`): pods come one after the other and go in reverse, or all at
//! once (`Parallel`); each has its claims, which outlive it unless the set says otherwise; revisions of the
//! template are kept; pods are updated from the last one down to the partition.

use std::sync::Arc;

use watchkeeper_api::apps::v1::{ControllerRevision, StatefulSet};
use watchkeeper_api::core::v1::{PersistentVolumeClaim, Pod};
use watchkeeper_api::selector::Selector;
use watchkeeper_api::{Object, ObjectKey, Time};
use watchkeeper_cache::Watch;
use watchkeeper_controller::{Action, Context, Failure, Request};
use watchkeeper_manager::Manager;

use self::history::Revisions;
use self::plan::View;
use super::unless_gone;

mod history;
mod identity;
mod plan;
mod retention;
mod status;
mod work;

#[cfg(test)]
mod tests;

/// Adds the stateful set actor to `manager`.
pub fn stateful_set(manager: &Manager) {
    let sets = manager.watch::<StatefulSet>();
    let pods = manager.watch::<Pod>();
    let claims = manager.watch::<PersistentVolumeClaim>();
    let revisions = manager.watch::<ControllerRevision>();
    let (orphaned, known) = (sets.clone(), sets.clone());
    manager
        .controller("statefulset-controller", &sets)
        .owns(&pods)
        .watches(&pods, move |pod: &Pod| adopters(&orphaned, pod))
        .watches(&claims, move |claim: &PersistentVolumeClaim| users(&known, claim))
        .owns(&revisions)
        .workers(2)
        .with(Watches { sets, pods, claims, revisions })
        .reconcile(Watches::reconcile);
}

/// The sets that might adopt a pod which nobody owns.
fn adopters(sets: &Watch<StatefulSet>, pod: &Pod) -> Vec<ObjectKey> {
    if pod.controller().is_some() || pod.is_deleting() {
        return Vec::new();
    }
    let matches = |set: &Arc<StatefulSet>| {
        identity::ordinal(set, pod.name()).is_some()
            && selector_of(set).is_some_and(|one| one.selects(pod))
    };
    let nearby = sets.peek_in(pod.namespace().unwrap_or_default()).into_iter();
    nearby.filter(matches).map(|set| set.key()).collect()
}

/// The sets whose pods use a claim, by its name.
fn users(sets: &Watch<StatefulSet>, claim: &PersistentVolumeClaim) -> Vec<ObjectKey> {
    let nearby = sets.peek_in(claim.namespace().unwrap_or_default()).into_iter();
    nearby.filter(|set| identity::uses(set, claim.name())).map(|set| set.key()).collect()
}

/// The set's selector; `None` for one that selects nothing or cannot be read.
fn selector_of(set: &StatefulSet) -> Option<Selector> {
    let selector = Selector::try_from(set.spec.selector.as_deref()?).ok()?;
    (!selector.is_empty()).then_some(selector)
}

#[derive(Debug)]
struct Watches {
    sets: Watch<StatefulSet>,
    pods: Watch<Pod>,
    claims: Watch<PersistentVolumeClaim>,
    revisions: Watch<ControllerRevision>,
}

impl Watches {
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let Some(set) = self.sets.get(&request).await? else { return Ok(Action::done()) };
        let Some(selector) = selector_of(&set) else { return Ok(Action::done()) };
        self.pods.caught_up().await?;
        self.claims.caught_up().await?;
        self.revisions.caught_up().await?;
        let nearby = self.revisions.peek_in(request.namespace());
        let revisions = ctx.claim(&set, &selector, nearby).await?;
        let nearby = self.pods.peek_in(request.namespace()).into_iter();
        let numbered = nearby.filter(|pod| identity::ordinal(&set, pod.name()).is_some());
        ctx.claim(&set, &selector, numbered).await?;
        self.pods.caught_up().await?;
        let revisions = history::settle(&set, revisions, &ctx).await?;
        let worked = match set.is_deleting() {
            true => Ok(()),
            false => self.work(&set, &revisions, &ctx).await,
        };
        let due = self.tell(&set, &revisions, &ctx).await?;
        worked?;
        history::shorten(&set, &revisions, &self.pods_of(&set), &ctx).await?;
        Ok(due.map_or_else(Action::done, |due| Action::after(due.since(ctx.now()))))
    }

    async fn work(
        &self,
        set: &Arc<StatefulSet>,
        revisions: &Revisions,
        ctx: &Context,
    ) -> Result<(), Failure> {
        let claims = self.claims.peek_in(set.namespace().unwrap_or_default());
        let view = View::of(set, self.pods_of(set), claims, revisions, ctx.now());
        work::carry_out(&view, plan::steps(&view), ctx).await
    }

    /// Writes the status, and says when a ready pod is next due to become available.
    async fn tell(
        &self,
        set: &Arc<StatefulSet>,
        revisions: &Revisions,
        ctx: &Context,
    ) -> Result<Option<Time>, Failure> {
        self.pods.caught_up().await?;
        let (status, due) = status::status(set, &self.pods_of(set), revisions, ctx.now());
        unless_gone(ctx.edit_status(set, |current| *current = status).await)?;
        Ok(due)
    }

    fn pods_of(&self, set: &StatefulSet) -> Vec<Arc<Pod>> {
        let nearby = self.pods.peek_in(set.namespace().unwrap_or_default()).into_iter();
        nearby.filter(|pod| pod.is_controlled_by(set)).collect()
    }
}
