//! The deployment actor: replica sets follow their deployment's template and replicas.
//!
//! Upstream's deployment controller (`apps/v1`): one replica set a template, named after the hash
//! of the template; rolling updates within `maxSurge` and `maxUnavailable`, or `Recreate`; scaling in
//! proportion; pauses; the revision history; the conditions `Available`, `Progressing` and
//! `ReplicaFailure`.

use std::sync::Arc;

use watchkeeper_api::apps::v1::{Deployment, ReplicaSet};
use watchkeeper_api::meta::v1::LabelSelector;
use watchkeeper_api::selector::Selector;
use watchkeeper_api::{Object, ObjectKey};
use watchkeeper_cache::{Index, Watch};
use watchkeeper_controller::{Action, Context, EventType, Failure, Request};
use watchkeeper_manager::Manager;

use self::plan::{Course, Sets};
use super::replicaset::{Owner, owner};
use super::unless_gone;

mod plan;
mod scale;
mod template;
mod annotations;
mod history;
mod rollback;
mod conditions;
mod status;
mod progress;
mod work;

#[cfg(test)]
mod tests;

/// Adds the deployment actor to `manager`.
pub fn deployment(manager: &Manager) {
    let deployments = manager.watch::<Deployment>();
    let sets = manager.watch::<ReplicaSet>();
    let orphaned = deployments.clone();
    manager
        .controller("deployment-controller", &deployments)
        .owns(&sets)
        .watches(&sets, move |set: &ReplicaSet| adopters(&orphaned, set))
        .workers(2)
        .with(Watches { deployments, owned: sets.index(owner::<ReplicaSet>), sets })
        .reconcile(Watches::reconcile);
}

/// The deployments that might adopt a set which nobody owns.
fn adopters(deployments: &Watch<Deployment>, set: &ReplicaSet) -> Vec<ObjectKey> {
    if set.controller().is_some() || set.is_deleting() {
        return Vec::new();
    }
    let matches = |one: &Arc<Deployment>| selector_of(one).is_some_and(|one| one.selects(set));
    let nearby = deployments.peek_in(set.namespace().unwrap_or_default()).into_iter();
    nearby.filter(matches).map(|deployment| deployment.key()).collect()
}

/// The deployment's selector; `None` for one that selects everything or cannot be read.
fn selector_of(deployment: &Deployment) -> Option<Selector> {
    let selector = Selector::try_from(deployment.spec.selector.as_deref()?).ok()?;
    (!selector.is_empty()).then_some(selector)
}

#[derive(Debug)]
struct Watches {
    deployments: Watch<Deployment>,
    sets: Watch<ReplicaSet>,
    /// A namespace may have thousands of others.
    owned: Index<ReplicaSet, Owner>,
}

impl Watches {
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let Some(deployment) = self.deployments.get(&request).await? else {
            return Ok(Action::done());
        };
        let Some(selector) = selector_of(&deployment) else {
            warn_of_selector(&deployment, &ctx).await?;
            return Ok(Action::done());
        };
        self.sets.caught_up().await?;
        let mut nearby = self.sets_of(&deployment);
        nearby.extend(self.owned.get(&Owner::Nobody(deployment.metadata.namespace.clone())));
        let sets = ctx.claim(&deployment, &selector, nearby).await?;
        // Whatever happens on the way, what came about so far is told, and once.
        let mut draft = Deployment::clone(&deployment);
        let worked = self.work(&deployment, &mut draft, sets, &ctx).await;
        work::tell(&deployment, &draft, &ctx).await?;
        worked
    }

    async fn work(
        &self,
        deployment: &Deployment,
        draft: &mut Deployment,
        sets: Vec<Arc<ReplicaSet>>,
        ctx: &Context,
    ) -> Result<Action, Failure> {
        let mut sets = Sets::of(draft, sets);
        if !draft.is_deleting() {
            progress::note_pause(draft, ctx.now());
        }
        work::number(draft, &mut sets, ctx).await?;
        let course = plan::course(draft, &sets);
        if let Course::RollBack(revision) = course
            && sets.new.is_some()
        {
            // The way back is a write of its own, after which all is looked at again.
            draft.clone_from(deployment);
            rollback::carry_out(draft, &sets, revision, ctx).await?;
            return Ok(Action::done());
        }
        let steps = plan::steps(course, draft, &sets);
        if !steps.is_empty() {
            work::take(draft, &sets, &steps, ctx).await?;
            self.sets.caught_up().await?;
            sets = Sets::of(draft, self.sets_of(draft));
        }
        let is_settled = match course {
            Course::Hold => rollback::asked(draft).is_none(),
            Course::RollOut => steps.is_empty() && progress::complete(draft, &draft.status),
            Course::Leave | Course::RollBack(_) | Course::Rescale => false,
        };
        if is_settled {
            for set in history::outdated(draft, &sets) {
                ctx.delete(&set).await?;
            }
        }
        Ok(conclude(course, draft, &sets, ctx))
    }

    fn sets_of(&self, deployment: &Deployment) -> Vec<Arc<ReplicaSet>> {
        self.owned.get(&Owner::Uid(deployment.metadata.uid.clone()))
    }
}

/// Tells how far the deployment is, and when a rollout that stands still is to be looked at again.
fn conclude(course: Course, draft: &mut Deployment, sets: &Sets, ctx: &Context) -> Action {
    if course != Course::RollOut {
        draft.status = status::counted(draft, sets, ctx.now());
        return Action::done();
    }
    draft.status = progress::status(draft, sets, ctx.now());
    let late = progress::late_at(draft);
    late.map_or_else(Action::done, |late| Action::after(late.since(ctx.now())))
}

/// Nothing is done for a deployment that would own everything.
async fn warn_of_selector(deployment: &Arc<Deployment>, ctx: &Context) -> Result<(), Failure> {
    if deployment.spec.selector.as_deref() != Some(&LabelSelector::default()) {
        return Ok(());
    }
    let message = "This deployment is selecting all pods. A non-empty selector is required.";
    ctx.event(deployment, EventType::Warning, "SelectingAll", message);
    let generation = deployment.metadata.generation;
    let seen = ctx.edit_status(deployment, |status| {
        status.observed_generation = status.observed_generation.max(generation);
    });
    unless_gone(seen.await)
}
