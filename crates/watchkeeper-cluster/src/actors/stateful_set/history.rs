//! The revisions of a stateful set's template.

use std::sync::Arc;

use watchkeeper_api::Object;
use watchkeeper_api::apps::v1::{ControllerRevision, StatefulSet};
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_controller::{Context, Failure, controlled_by};

use crate::actors::revisions::{self, History, Settled};
use crate::actors::{hash, unless_gone};

/// The label of a revision that tells its hash.
const REVISION_HASH: &str = "controller.kubernetes.io/hash";
/// The longest prefix of a revision's name.
const LONGEST_PREFIX: usize = 223;

/// The revisions of a set.
#[derive(Debug)]
pub(crate) struct Revisions {
    /// The one that all pods had when the last rollout was over.
    pub(crate) current: Arc<ControllerRevision>,
    /// The one of the set's template.
    pub(crate) update: Arc<ControllerRevision>,
    all: History,
}

impl Revisions {
    #[cfg(test)]
    pub(crate) fn of(current: ControllerRevision, update: ControllerRevision) -> Self {
        let (current, update) = (Arc::new(current), Arc::new(update));
        Self { current, update, all: History::default() }
    }

    /// The revisions that nothing uses, oldest first, beyond those that are kept.
    fn outdated(&self, limit: Option<i32>, pods: &[Arc<Pod>]) -> Vec<Arc<ControllerRevision>> {
        let hashes = revisions::hashes(pods);
        let is_used = |one: &ControllerRevision| {
            let name = one.name();
            name == self.current.name() || name == self.update.name() || hashes.contains(name)
        };
        let all = self.all.old.iter().chain(&self.all.current);
        let idle: Vec<_> = all.filter(|one| !is_used(one)).cloned().collect();
        let kept = usize::try_from(limit.unwrap_or(10)).unwrap_or(usize::MAX);
        let excess = idle.len().saturating_sub(kept);
        idle.into_iter().take(excess).collect()
    }
}

/// Finds or makes the revision of the set's template, and finds the current one.
pub(super) async fn settle(
    set: &Arc<StatefulSet>,
    known: Vec<Arc<ControllerRevision>>,
    ctx: &Context,
) -> Result<Revisions, Failure> {
    let fresh = revision_of(set);
    let all = History::of(known, &fresh.data);
    let update = match revisions::settle(&all, fresh, ctx).await? {
        Settled::At(update) => update,
        Settled::Taken(error) => {
            ctx.edit_status(set, |status| {
                let count = status.collision_count.unwrap_or(0);
                status.collision_count = Some(count.saturating_add(1));
            })
            .await?;
            return Err(error.into());
        }
    };
    let is_current = |one: &&Arc<ControllerRevision>| *one.name() == *set.status.current_revision;
    let current = all.old.iter().chain(&all.current).find(is_current).cloned();
    Ok(Revisions { current: current.unwrap_or_else(|| update.clone()), update, all })
}

/// Removes the revisions for which there is no room.
pub(super) async fn shorten(
    set: &StatefulSet,
    revisions: &Revisions,
    pods: &[Arc<Pod>],
    ctx: &Context,
) -> Result<(), Failure> {
    for revision in revisions.outdated(set.spec.revision_history_limit, pods) {
        unless_gone(ctx.delete(&*revision).await)?;
    }
    Ok(())
}

fn revision_of(set: &StatefulSet) -> ControllerRevision {
    let data = revisions::patch_to(&set.spec.template);
    // A set that has had no collision says zero, or nothing if it is new: both are the same name.
    let collisions = set.status.collision_count.filter(|count| *count != 0);
    let hash = hash::of(data.as_str().as_bytes().to_vec(), collisions);
    let mut labels = set.spec.template.metadata.labels.clone();
    labels.insert(REVISION_HASH, hash.as_str());
    let prefix = set.name().get(..LONGEST_PREFIX).unwrap_or(set.name());
    ControllerRevision {
        metadata: ObjectMeta {
            name: format!("{prefix}-{hash}").as_str().into(),
            namespace: set.metadata.namespace.clone(),
            labels,
            annotations: set.metadata.annotations.clone(),
            owner_references: [controlled_by(set)].into(),
            ..ObjectMeta::default()
        },
        data,
        ..ControllerRevision::default()
    }
}
