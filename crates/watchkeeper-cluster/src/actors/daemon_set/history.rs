//! The revisions of a daemon set's template.

use std::sync::Arc;

use watchkeeper_api::apps::v1::{ControllerRevision, DaemonSet};
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{Object, json};
use watchkeeper_controller::{Context, Failure, controlled_by};

use crate::actors::revisions::{self, HASH_LABEL, History, Settled};
use crate::actors::{hash, unless_gone};

/// The set's revisions, and the hash of the newest one.
pub(super) struct Current {
    pub(super) history: History,
    pub(super) hash: String,
}

/// Finds or makes the revision of the set's template. Of several the newest stays, and has the pods of the
/// others.
pub(super) async fn settle(
    set: &Arc<DaemonSet>,
    revisions: Vec<Arc<ControllerRevision>>,
    pods: &[Arc<Pod>],
    ctx: &Context,
) -> Result<Current, Failure> {
    let revisions = labelled(revisions, ctx).await?;
    let fresh = revision_of(set);
    let mut history = History::of(revisions, &fresh.data);
    let revision = match revisions::settle(&history, fresh, ctx).await? {
        Settled::At(revision) => revision,
        Settled::Taken(error) => return count_collision(set, error, ctx).await,
    };
    let hash = revision.label(HASH_LABEL).unwrap_or_default().to_owned();
    history.current.pop();
    for twin in std::mem::take(&mut history.current) {
        take_over(&twin, &hash, pods, ctx).await?;
    }
    Ok(Current { history, hash })
}

/// Removes the revisions for which there is no room, unless pods are of them.
pub(super) async fn shorten(
    set: &DaemonSet,
    history: &History,
    pods: &[Arc<Pod>],
    ctx: &Context,
) -> Result<(), Failure> {
    let used = revisions::hashes(pods);
    let is_used =
        |one: &ControllerRevision| one.label(HASH_LABEL).is_some_and(|hash| used.contains(hash));
    for revision in history.outdated(set.spec.revision_history_limit, is_used) {
        unless_gone(ctx.delete(&*revision).await)?;
    }
    Ok(())
}

/// A revision that somebody else made is told by its name.
async fn labelled(
    revisions: Vec<Arc<ControllerRevision>>,
    ctx: &Context,
) -> Result<Vec<Arc<ControllerRevision>>, Failure> {
    let mut labelled = Vec::with_capacity(revisions.len());
    for revision in revisions {
        if revision.label(HASH_LABEL).is_some() {
            labelled.push(revision);
            continue;
        }
        let name = revision.metadata.name.clone();
        let label = |revision: &mut ControllerRevision| {
            revision.metadata.labels.insert(HASH_LABEL, name);
        };
        labelled.extend(ctx.edit(&revision, label).await?.map(Arc::new));
    }
    Ok(labelled)
}

fn revision_of(set: &DaemonSet) -> ControllerRevision {
    let template = &set.spec.template;
    let hash = hash::of(json::to_vec(template), set.status.collision_count);
    let mut labels = template.metadata.labels.clone();
    labels.insert(HASH_LABEL, hash.as_str());
    ControllerRevision {
        metadata: ObjectMeta {
            name: format!("{}-{hash}", set.name()).as_str().into(),
            namespace: set.metadata.namespace.clone(),
            labels,
            annotations: set.metadata.annotations.clone(),
            owner_references: [controlled_by(set)].into(),
            ..ObjectMeta::default()
        },
        data: revisions::patch_to(template),
        ..ControllerRevision::default()
    }
}

/// A revision of that name stands and is another one: raise the collision count, which changes the hash.
async fn count_collision(
    set: &Arc<DaemonSet>,
    error: watchkeeper_api::Error,
    ctx: &Context,
) -> Result<Current, Failure> {
    ctx.edit_status(set, |status| {
        status.collision_count = Some(status.collision_count.unwrap_or(0).saturating_add(1));
    })
    .await?;
    Err(error.into())
}

async fn take_over(
    twin: &Arc<ControllerRevision>,
    hash: &str,
    pods: &[Arc<Pod>],
    ctx: &Context,
) -> Result<(), Failure> {
    for pod in pods.iter().filter(|pod| pod.label(HASH_LABEL) == twin.label(HASH_LABEL)) {
        let label = |pod: &mut Pod| _ = pod.metadata.labels.insert(HASH_LABEL, hash);
        unless_gone(ctx.edit(pod, label).await)?;
    }
    unless_gone(ctx.delete(&**twin).await)
}
