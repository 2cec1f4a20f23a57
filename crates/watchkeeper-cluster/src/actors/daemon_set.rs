//! The daemon set actor: one pod on each node that the set is for.
//!
//! Upstream's daemon set controller (`apps/v1`): pods are made for their nodes, which the scheduler then finds by
//! name; revisions of the template are kept; pods are updated within `maxUnavailable` or `maxSurge`, or when
//! somebody deletes them; those that fail are replaced, later each time.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use watchkeeper_api::apps::v1::{ControllerRevision, DaemonSet};
use watchkeeper_api::core::v1::{Node, Pod};
use watchkeeper_api::selector::Selector;
use watchkeeper_api::{Object, ObjectKey};
use watchkeeper_cache::{Change, Watch};
use watchkeeper_controller::{Action, Context, EventType, Failure, Request};
use watchkeeper_manager::Manager;

use self::backoff::Backoff;
use self::placement::Daemons;
use self::plan::View;
use super::unless_gone;

mod backoff;
mod history;
mod placement;
mod plan;
mod rollout;
mod status;
mod work;

#[cfg(test)]
mod tests;

/// Adds the daemon set actor to `manager`.
pub fn daemon_set(manager: &Manager) {
    let sets = manager.watch::<DaemonSet>();
    let pods = manager.watch::<Pod>();
    let nodes = manager.watch::<Node>();
    let revisions = manager.watch::<ControllerRevision>();
    let (orphaned, known) = (sets.clone(), sets.clone());
    manager
        .controller("daemonset-controller", &sets)
        .owns(&pods)
        .watches(&pods, move |pod: &Pod| adopters(&orphaned, pod))
        .owns(&revisions)
        .watches(nodes.when(matters), move |_: &Node| all(&known))
        .workers(2)
        .with(Watches { sets, pods, nodes, revisions, backoffs: Mutex::default() })
        .reconcile(Watches::reconcile);
}

/// The sets that might adopt a pod which nobody owns.
fn adopters(sets: &Watch<DaemonSet>, pod: &Pod) -> Vec<ObjectKey> {
    if pod.controller().is_some() || pod.is_deleting() {
        return Vec::new();
    }
    let matches = |set: &Arc<DaemonSet>| selector_of(set).is_some_and(|one| one.selects(pod));
    let nearby = sets.peek_in(pod.namespace().unwrap_or_default()).into_iter();
    nearby.filter(matches).map(|set| set.key()).collect()
}

/// Whether the change of a node may change which sets want a pod there.
fn matters(change: &Change<Node>) -> bool {
    match change {
        Change::Updated { old, new } => {
            old.metadata.labels != new.metadata.labels || old.spec.taints != new.spec.taints
        }
        _ => true,
    }
}

fn all(sets: &Watch<DaemonSet>) -> Vec<ObjectKey> {
    sets.peek_all().into_iter().map(|set| set.key()).collect()
}

/// The set's selector; `None` for one that selects nothing or cannot be read.
fn selector_of(set: &DaemonSet) -> Option<Selector> {
    let selector = Selector::try_from(set.spec.selector.as_deref()?).ok()?;
    (!selector.is_empty()).then_some(selector)
}

#[derive(Debug)]
struct Watches {
    sets: Watch<DaemonSet>,
    pods: Watch<Pod>,
    nodes: Watch<Node>,
    revisions: Watch<ControllerRevision>,
    backoffs: Mutex<BTreeMap<ObjectKey, Backoff>>,
}

impl Watches {
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let Some(set) = self.sets.get(&request).await? else {
            self.backoffs().remove(&request.key);
            return Ok(Action::done());
        };
        // What belongs to a set that goes may be gone or nobody's by now: nothing can be told from it.
        if set.is_deleting() {
            return Ok(Action::done());
        }
        let Some(selector) = selector_of(&set) else {
            let message =
                "This daemon set is selecting all pods. A non-empty selector is required.";
            ctx.event(&*set, EventType::Warning, "SelectingAll", message);
            return Ok(Action::done());
        };
        self.pods.caught_up().await?;
        self.revisions.caught_up().await?;
        let nearby = self.revisions.peek_in(request.namespace());
        let revisions = ctx.claim(&set, &selector, nearby).await?;
        ctx.claim(&set, &selector, self.pods.peek_in(request.namespace())).await?;
        self.pods.caught_up().await?;
        let settled = history::settle(&set, revisions, &self.pods_of(&set), &ctx).await?;
        let nodes = self.nodes.peek_all();
        let (worked, retry) = self.work(&set, &nodes, &settled.hash, &ctx).await;
        if worked.is_ok() {
            history::shorten(&set, &settled.history, &self.pods_of(&set), &ctx).await?;
        }
        let due = self.tell(&set, &nodes, &settled.hash, &ctx).await?;
        worked?;
        let next = retry.into_iter().chain(due).min();
        Ok(next.map_or_else(Action::done, |next| Action::after(next.since(ctx.now()))))
    }

    /// Makes and removes pods, and then, if all went well, takes the next step of a rollout.
    async fn work(
        &self,
        set: &Arc<DaemonSet>,
        nodes: &[Arc<Node>],
        hash: &str,
        ctx: &Context,
    ) -> (Result<(), Failure>, Option<watchkeeper_api::Time>) {
        let orders = self.look(set, nodes, hash, ctx, |view| {
            let mut backoffs = self.backoffs();
            let backoff = backoffs.entry(set.key()).or_default();
            backoff.follow(set);
            plan::manage(view, backoff)
        });
        let retry = orders.wait;
        let worked = async {
            work::carry_out(set, orders, hash, ctx).await?;
            self.pods.caught_up().await?;
            let orders = self.look(set, nodes, hash, ctx, rollout::step);
            work::carry_out(set, orders, hash, ctx).await
        };
        (worked.await, retry)
    }

    fn look<T>(
        &self,
        set: &DaemonSet,
        nodes: &[Arc<Node>],
        hash: &str,
        ctx: &Context,
        decide: impl FnOnce(View<'_>) -> T,
    ) -> T {
        let daemons = Daemons::of(self.pods_of(set));
        decide(View { set, nodes, daemons: &daemons, hash, now: ctx.now() })
    }

    /// Writes the status, and says when a ready pod is next due to become available.
    async fn tell(
        &self,
        set: &Arc<DaemonSet>,
        nodes: &[Arc<Node>],
        hash: &str,
        ctx: &Context,
    ) -> Result<Option<watchkeeper_api::Time>, Failure> {
        self.pods.caught_up().await?;
        let (status, due) = self.look(set, nodes, hash, ctx, status::status);
        unless_gone(ctx.edit_status(set, |current| *current = status).await)?;
        Ok(due)
    }

    fn pods_of(&self, set: &DaemonSet) -> Vec<Arc<Pod>> {
        let nearby = self.pods.peek_in(set.namespace().unwrap_or_default()).into_iter();
        nearby.filter(|pod| pod.is_controlled_by(set)).collect()
    }

    fn backoffs(&self) -> std::sync::MutexGuard<'_, BTreeMap<ObjectKey, Backoff>> {
        self.backoffs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
