//! What the scheduler remembers, and who is told of which change.

use std::convert::Infallible;
use std::future::pending;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use watchkeeper_api::core::v1::{Node, Pod};
use watchkeeper_api::{MicroTime, Object, ObjectKey};
use watchkeeper_cache::{Change, Index, Watch};
use watchkeeper_controller::Feed;

use super::asks::priority;
use super::is_waiting;
use super::ledger::Ledger;
use super::waiting::Waiting;
use crate::actors::state::{each_change, has_ended, is_node_ready};

/// The scheduler's memory.
#[derive(Debug)]
pub(super) struct Desk {
    pods: Watch<Pod>,
    /// The pods that wait for a node, by their priority.
    unplaced: Index<Pod, i32>,
    notes: Mutex<Notes>,
}

/// What is known beside the copies.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) ledger: Ledger,
    pub(super) waiting: Waiting,
}

impl Desk {
    pub(super) fn new(pods: &Watch<Pod>) -> Self {
        let unplaced = pods.index(|pod: &Pod| is_waiting(pod).then(|| priority(pod)));
        Self { pods: pods.clone(), unplaced, notes: Mutex::default() }
    }

    pub(super) fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Follows the pods for as long as this is polled: keeps the sums of the nodes, and asks for a look at pods that
    /// a change of another one may help.
    pub(super) async fn follow(self: Arc<Self>, feed: Feed) -> Result<(), Infallible> {
        // The controller may have lost its lease: what happened since, nobody told, and all there is comes now.
        *self.notes() = Notes::default();
        let (desk, told) = (self.clone(), feed.clone());
        let options = each_change("the sums of nodes");
        let subscription = self.pods.subscribe_with(options, move |change: &Change<Pod>| {
            for key in desk.observe(change) {
                feed.request(key);
            }
        });
        if subscription.synced().await {
            told.told_all();
            pending::<()>().await;
        }
        Ok(())
    }

    fn observe(&self, change: &Change<Pod>) -> Vec<ObjectKey> {
        let pod = change.object();
        let mut notes = self.notes();
        if change.is_deleted() || !is_waiting(pod) {
            notes.waiting.forget(pod);
        } else if concerns(change) {
            notes.waiting.wake(&pod.key());
        }
        let motion = notes.ledger.observe(change);
        notes.waiting.wake_by(motion)
    }

    /// Notes that a pod was bound, unless it has gone meanwhile: of what has left the copy nobody tells any more.
    pub(super) fn bound(&self, pod: &Arc<Pod>, node: &str) {
        let mut notes = self.notes();
        let stays = self.finds(pod, |now| !has_ended(now));
        if stays && !notes.ledger.has(pod.uid()) {
            notes.ledger.place(pod, node);
        }
        notes.waiting.forget(pod);
    }

    /// Notes that others need not wait for a pod that could not be bound.
    pub(super) fn set_aside(&self, pod: &Pod, now: MicroTime) {
        let mut notes = self.notes();
        if self.waits(pod) {
            notes.waiting.set_aside(pod, now);
        }
    }

    /// Whether the copy has this very pod, waiting. Only then will be told, to who follows the pods, that it went.
    pub(super) fn waits(&self, pod: &Pod) -> bool {
        self.finds(pod, is_waiting)
    }

    fn finds(&self, pod: &Pod, is: impl Fn(&Pod) -> bool) -> bool {
        let now = self.pods.peek(pod.key());
        now.is_some_and(|now| now.metadata.uid == pod.metadata.uid && is(&now))
    }

    /// Wakes the pods that wait for a node, which a change of a node may help.
    pub(super) fn wake_all(&self) -> Vec<ObjectKey> {
        let priorities = self.unplaced.values().into_iter();
        let keys: Vec<_> = priorities.flat_map(|priority| self.unplaced.keys(&priority)).collect();
        self.wake(&keys);
        keys
    }

    /// Something happened that may help these pods.
    pub(super) fn wake(&self, keys: &[ObjectKey]) {
        let mut notes = self.notes();
        for key in keys {
            notes.waiting.wake(key);
        }
    }

    /// The pods of a higher priority than this one that are due, the highest first.
    pub(super) fn before(&self, pod: &Pod, now: MicroTime) -> Vec<Arc<Pod>> {
        let (notes, mut due) = (self.notes(), Vec::new());
        let priorities = self.unplaced.values().into_iter().rev();
        for higher in priorities.take_while(|one| *one > priority(pod)) {
            let found = self.unplaced.found(&higher);
            // There may be thousands that nothing has happened for, and this is asked for each pod below them.
            if found.len() > notes.waiting.asleep(higher) {
                due.extend(found.iter().filter(|other| notes.waiting.is_due(other, now)).cloned());
            }
        }
        due
    }
}

/// Whether the change of a pod concerns its scheduler: more has changed than what is told of it.
pub(super) fn concerns(change: &Change<Pod>) -> bool {
    let Some(old) = change.old() else { return true };
    let (before, after) = (&old.metadata, &change.object().metadata);
    !is_waiting(change.object())
        || before.uid != after.uid
        || before.labels != after.labels
        || before.annotations != after.annotations
        || old.spec != change.object().spec
}

/// Whether the change of a node may open it to pods.
pub(super) fn opens(change: &Change<Node>) -> bool {
    let (Some(old), new) = (change.old(), change.object()) else { return !change.is_deleted() };
    old.metadata.labels != new.metadata.labels
        || old.spec != new.spec
        || old.status.allocatable != new.status.allocatable
        || is_node_ready(old) != is_node_ready(new)
}
