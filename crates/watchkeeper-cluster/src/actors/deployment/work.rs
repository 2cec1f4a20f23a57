//! What a deployment does to its replica sets, and what it tells of itself.

use std::sync::Arc;

use watchkeeper_api::apps::v1::{Deployment, ReplicaSet};
use watchkeeper_api::{Error, Object};
use watchkeeper_client::{Patch, PatchOptions};
use watchkeeper_controller::{Context, EventType, Failure};

use super::annotations::{self, REVISION};
use super::plan::{Sets, Step, wanted};
use super::{progress, template};
use crate::actors::unless_gone;

/// Numbers the current set as the newest and gives it what it has from its deployment, which carries its number.
pub(super) async fn number(
    draft: &mut Deployment,
    sets: &mut Sets,
    ctx: &Context,
) -> Result<(), Failure> {
    let Some(set) = sets.new.clone() else { return Ok(()) };
    let fresh = annotations::of_current(&set, draft, annotations::next_revision(sets));
    let seconds = draft.spec.min_ready_seconds;
    let set = if fresh == set.metadata.annotations && seconds == set.spec.min_ready_seconds {
        set
    } else {
        let follow = |set: &mut ReplicaSet| {
            set.metadata.annotations = fresh;
            set.spec.min_ready_seconds = seconds;
        };
        ctx.edit(&set, follow).await?.map_or(set, Arc::new)
    };
    note_revision(draft, &set);
    progress::note_found(draft, set.name(), ctx.now());
    sets.new = Some(set);
    Ok(())
}

fn note_revision(draft: &mut Deployment, set: &ReplicaSet) {
    let revision = set.annotation(REVISION).unwrap_or_default();
    draft.metadata.annotations.insert(REVISION, revision);
}

/// Takes the steps in their order, up to the first that fails.
pub(super) async fn take(
    draft: &mut Deployment,
    sets: &Sets,
    steps: &[Step],
    ctx: &Context,
) -> Result<(), Failure> {
    for step in steps {
        match step {
            Step::Create { replicas } => create(draft, sets, *replicas, ctx).await?,
            Step::Scale { set, replicas } => scale(draft, set, *replicas, ctx).await?,
        }
    }
    Ok(())
}

async fn create(
    draft: &mut Deployment,
    sets: &Sets,
    replicas: i32,
    ctx: &Context,
) -> Result<(), Failure> {
    let set = template::replica_set(draft, annotations::next_revision(sets), replicas);
    let made = match ctx.create(&set).await {
        Ok(made) => made,
        Err(error) => return refused(draft, &set, error, ctx).await,
    };
    let name = made.name();
    if replicas > 0 {
        tell_scaled(draft, name, (0, replicas), ctx);
    }
    note_revision(draft, &made);
    let message = format!("Created new replica set \"{name}\"");
    progress::note(draft, "True", "NewReplicaSetCreated", message, ctx.now());
    Ok(())
}

/// Tells why the set was not made. Where another one has its name, the collision count is raised, which changes
/// the hash.
async fn refused(
    draft: &mut Deployment,
    set: &ReplicaSet,
    error: Error,
    ctx: &Context,
) -> Result<(), Failure> {
    if error.cause("NamespaceTerminating").is_some() {
        return Err(Failure::from(error).terminal());
    }
    if error.is_already_exists() {
        let there = ctx.client().api_for(set).get_opt(set.name()).await?;
        let known: &Deployment = draft;
        let is_ours = |set: &ReplicaSet| set.is_controlled_by(known) && template::runs(set, known);
        // Ours is there if the copy is behind, and one that has gone is no longer in the way.
        if there.is_some_and(|there| !is_ours(&there)) {
            let collisions = draft.status.collision_count.unwrap_or(0);
            draft.status.collision_count = Some(collisions.saturating_add(1));
        }
        return Err(error.into());
    }
    let (name, why) = (set.name(), error.why());
    let message = format!("Failed to create new replica set \"{name}\": {why}");
    progress::note(draft, "False", "ReplicaSetCreateError", message.as_str(), ctx.now());
    ctx.event(&*draft, EventType::Warning, "ReplicaSetCreateError", message);
    Err(error.into())
}

async fn scale(
    draft: &Deployment,
    set: &Arc<ReplicaSet>,
    replicas: i32,
    ctx: &Context,
) -> Result<(), Failure> {
    let annotations = annotations::of_scale(draft);
    let scale = |set: &mut ReplicaSet| {
        set.spec.replicas = Some(replicas);
        for (key, value) in annotations {
            set.metadata.annotations.insert(key, value);
        }
    };
    ctx.edit(set, scale).await?;
    if wanted(set) != replicas {
        tell_scaled(draft, set.name(), (wanted(set), replicas), ctx);
    }
    Ok(())
}

fn tell_scaled(draft: &Deployment, set: &str, (from, to): (i32, i32), ctx: &Context) {
    let direction = if to > from { "up" } else { "down" };
    let message = format!("Scaled {direction} replica set {set} from {from} to {to}");
    ctx.event(draft, EventType::Normal, "ScalingReplicaSet", message);
}

/// Writes what has changed of the deployment's status and revision, in one write. A change of annotations that is
/// not part of the status would be another generation of the deployment.
pub(super) async fn tell(
    before: &Arc<Deployment>,
    draft: &Deployment,
    ctx: &Context,
) -> Result<(), Failure> {
    if before.annotation(REVISION) == draft.annotation(REVISION) {
        let fresh = draft.status.clone();
        return unless_gone(ctx.edit_status(before, |status| *status = fresh).await);
    }
    let Some(patch) = Patch::strategic_from_locked(&**before, draft)? else { return Ok(()) };
    let api = ctx.client().api_for(draft);
    unless_gone(api.patch_status(draft.name(), &patch, &PatchOptions::default()).await)
}
