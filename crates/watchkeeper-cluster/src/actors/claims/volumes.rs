//! The volumes: free, bound, or left behind by their claim.

use std::sync::Arc;

use watchkeeper_api::core::v1::{PersistentVolume, PersistentVolumeClaim};
use watchkeeper_api::{Object, ObjectKey};
use watchkeeper_cache::Watch;
use watchkeeper_controller::{Action, Context, Failure, Request};
use watchkeeper_manager::Manager;

use crate::actors::unless_gone;

/// Adds the controller of volumes.
pub(super) fn controller(
    manager: &Manager,
    claims: Watch<PersistentVolumeClaim>,
    volumes: Watch<PersistentVolume>,
) {
    let known = volumes.clone();
    manager
        .controller("persistentvolume-phases", &volumes)
        .watches(&claims, move |claim: &PersistentVolumeClaim| of_claim(&known, claim))
        .with(Watches { claims, volumes })
        .reconcile(Watches::reconcile);
}

/// The volumes that were given to a claim of this name.
fn of_claim(volumes: &Watch<PersistentVolume>, claim: &PersistentVolumeClaim) -> Vec<ObjectKey> {
    let is_of = |volume: &Arc<PersistentVolume>| claim_of(volume) == Some(claim.key());
    volumes.peek_all().into_iter().filter(is_of).map(|volume| volume.key()).collect()
}

fn claim_of(volume: &PersistentVolume) -> Option<ObjectKey> {
    let claim = volume.spec.claim_ref.as_deref()?;
    Some(ObjectKey::new(&claim.namespace, &claim.name))
}

#[derive(Debug)]
struct Watches {
    claims: Watch<PersistentVolumeClaim>,
    volumes: Watch<PersistentVolume>,
}

impl Watches {
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let Some(volume) = self.volumes.get(&request).await? else { return Ok(Action::done()) };
        if volume.is_deleting() {
            return Ok(Action::done());
        }
        let phase = match &volume.spec.claim_ref {
            None => "Available",
            // Kept for a claim that has not been bound yet.
            Some(claim) if claim.uid.is_empty() => "Available",
            Some(claim)
                if self.is_there(&claim.namespace, &claim.name, &claim.uid, &ctx).await? =>
            {
                "Bound"
            }
            Some(_) if volume.spec.persistent_volume_reclaim_policy == "Delete" => {
                ctx.delete(&*volume).await?;
                return Ok(Action::done());
            }
            Some(_) => "Released",
        };
        let now = ctx.now();
        let told = ctx.edit_status(&volume, |status| {
            if status.phase != phase {
                status.phase = phase.into();
                status.last_phase_transition_time = Some(now);
            }
        });
        unless_gone(told.await)?;
        Ok(Action::done())
    }

    /// Whether the very claim is there. The copy may be behind, and volumes do not come back: where it has no
    /// such claim, the server is asked.
    async fn is_there(
        &self,
        namespace: &str,
        name: &str,
        uid: &str,
        ctx: &Context,
    ) -> Result<bool, Failure> {
        let known = self.claims.peek(ObjectKey::new(namespace, name));
        if known.is_some_and(|claim| claim.uid() == uid) {
            return Ok(true);
        }
        let api = ctx.client().api::<PersistentVolumeClaim>().namespace(namespace);
        Ok(api.get_opt(name).await?.is_some_and(|claim| claim.uid() == uid))
    }
}
