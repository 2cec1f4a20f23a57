//! The claims actor: every claim gets a volume.
//!
//! Upstream's volume binder and an immediate provisioner (`core/v1`): a claim is bound to the smallest free volume
//! that does, or to one that is made for it and goes with it. Nothing is stored anywhere.

use std::sync::Arc;

use watchkeeper_api::core::v1::{PersistentVolume, PersistentVolumeClaim};
use watchkeeper_api::{Object, ObjectKey};
use watchkeeper_cache::Watch;
use watchkeeper_controller::{Action, Context, EventType, Failure, Request};
use watchkeeper_manager::Manager;

use self::plan::Choice;
use super::unless_gone;

mod plan;
mod volumes;

#[cfg(test)]
mod tests;

/// Adds the claims actor to `manager`: one controller for the claims and one for the volumes.
pub fn claims(manager: &Manager) {
    let claims = manager.watch::<PersistentVolumeClaim>();
    let volumes = manager.watch::<PersistentVolume>();
    let waiting = claims.clone();
    manager
        .controller("persistentvolume-binder", &claims)
        .watches(&volumes, move |volume: &PersistentVolume| concerned(&waiting, volume))
        .with(Watches { claims: claims.clone(), volumes: volumes.clone() })
        .reconcile(Watches::reconcile);
    volumes::controller(manager, claims, volumes);
}

/// The claim of a volume; or, of a free one, those that wait for one.
fn concerned(claims: &Watch<PersistentVolumeClaim>, volume: &PersistentVolume) -> Vec<ObjectKey> {
    match &volume.spec.claim_ref {
        Some(claim) => vec![ObjectKey::new(&claim.namespace, &claim.name)],
        None => {
            let waits = |claim: &Arc<PersistentVolumeClaim>| !plan::is_bound(claim);
            claims.peek_all().into_iter().filter(waits).map(|claim| claim.key()).collect()
        }
    }
}

#[derive(Debug)]
struct Watches {
    claims: Watch<PersistentVolumeClaim>,
    volumes: Watch<PersistentVolume>,
}

impl Watches {
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let Some(claim) = self.claims.get(&request).await? else { return Ok(Action::done()) };
        if claim.is_deleting() {
            return Ok(Action::done());
        }
        self.volumes.caught_up().await?;
        match plan::choose(&claim, &self.volumes.peek_all()) {
            Choice::Bound(volume) => bind(&claim, &volume, &ctx).await?,
            Choice::Reserve(volume) => {
                let reserve = |volume: &mut PersistentVolume| {
                    volume.spec.claim_ref = Some(Box::new(plan::reference(&claim)));
                    let by_us = plan::BOUND_BY_CONTROLLER;
                    volume.metadata.annotations.insert(by_us, "yes");
                };
                let reserved = ctx.edit(&volume, reserve).await?;
                let volume = reserved.map_or(volume, Arc::new);
                bind(&claim, &volume, &ctx).await?;
            }
            Choice::Make => {
                let volume = make(&claim, &ctx).await?;
                bind(&claim, &volume, &ctx).await?;
            }
            Choice::Wait(reason) => {
                ctx.event(&*claim, EventType::Normal, "FailedBinding", reason);
            }
            Choice::Lost => {
                let lost = ctx.edit_status(&claim, |status| status.phase = "Lost".into());
                unless_gone(lost.await)?;
            }
            Choice::Rest => {}
        }
        Ok(Action::done())
    }
}

async fn make(
    claim: &PersistentVolumeClaim,
    ctx: &Context,
) -> Result<Arc<PersistentVolume>, Failure> {
    let volume = plan::volume_for(claim);
    match ctx.create(&volume).await {
        Ok(made) => {
            let name = made.name();
            let message = format!("Successfully provisioned volume {name}");
            ctx.event(claim, EventType::Normal, "ProvisioningSucceeded", message);
            Ok(Arc::new(made))
        }
        // It was made before, and the copy is behind.
        Err(error) if error.is_already_exists() => {
            Ok(Arc::new(ctx.client().api_for(&volume).get(volume.name()).await?))
        }
        Err(error) => Err(error.into()),
    }
}

/// Says on the claim which volume it has, and in its status that it is bound.
async fn bind(
    claim: &Arc<PersistentVolumeClaim>,
    volume: &PersistentVolume,
    ctx: &Context,
) -> Result<(), Failure> {
    let name = |claim: &mut PersistentVolumeClaim| plan::name_volume(claim, volume);
    let named = ctx.edit(claim, name).await?.map_or_else(|| claim.clone(), Arc::new);
    let tell = |status: &mut _| plan::tell_bound(status, volume);
    unless_gone(ctx.edit_status(&named, tell).await)
}
