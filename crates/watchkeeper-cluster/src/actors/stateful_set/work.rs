//! What a stateful set does to its pods and claims.

use std::sync::Arc;

use watchkeeper_api::apps::v1::StatefulSet;
use watchkeeper_api::core::v1::{PersistentVolumeClaim, Pod};
use watchkeeper_api::{Error, Object};
use watchkeeper_controller::{Context, EventType, Failure};

use super::identity;
use super::plan::{Step, View};
use super::retention::{self, Owners};
use crate::actors::{revisions, unless_gone};

/// Takes the steps in their order, up to the first that fails.
pub(super) async fn carry_out(
    view: &View<'_>,
    steps: Vec<Step>,
    ctx: &Context,
) -> Result<(), Failure> {
    let set = view.set;
    for step in steps {
        match step {
            Step::Create(ordinal) => create(view, ordinal, ctx).await?,
            Step::Claims(ordinal) => claims(view, ordinal, ctx).await?,
            Step::Identify(ordinal, pod) => {
                claims(view, ordinal, ctx).await?;
                let identify = |pod: &mut Pod| identity::identify(pod, set, ordinal);
                let edited = ctx.edit(&pod, identify).await.map(drop);
                tell_pod(set, "update", pod.name(), edited, ctx)?;
            }
            Step::Retain(ordinal, pod) => retain(view, ordinal, &pod, ctx).await?,
            Step::Delete(pod) => {
                tell_pod(set, "delete", pod.name(), ctx.delete(&*pod).await, ctx)?;
            }
        }
    }
    Ok(())
}

/// Makes a pod, its claims first.
async fn create(view: &View<'_>, ordinal: i64, ctx: &Context) -> Result<(), Failure> {
    let set = view.set;
    let revision = match view.stays_current(ordinal) {
        true => &view.revisions.current,
        false => &view.revisions.update,
    };
    let template = if revision.name() == view.revisions.update.name() {
        set.spec.template.clone()
    } else {
        revisions::template_of(revision).ok_or_else(|| unreadable(revision.name()))?
    };
    let pod = identity::pod_of(set, &template, revision.name(), ordinal);
    claims(view, ordinal, ctx).await?;
    match ctx.create(&pod).await {
        // The copy is behind, or somebody else has the name.
        Err(error) if error.is_already_exists() => Err(error.into()),
        Err(error) if error.cause("NamespaceTerminating").is_some() => Ok(()),
        Err(error) => Ok(tell_pod(set, "create", pod.name(), Err(error), ctx)?),
        Ok(made) => {
            tell_pod(set, "create", pod.name(), Ok(()), ctx)?;
            retain(view, ordinal, &Arc::new(made), ctx).await
        }
    }
}

fn unreadable(revision: &str) -> Failure {
    Failure::from(format!("the template of revision {revision} cannot be read"))
}

/// Makes the claims of a pod that are missing.
async fn claims(view: &View<'_>, ordinal: i64, ctx: &Context) -> Result<(), Failure> {
    let set = view.set;
    for claim in identity::claims(set, ordinal) {
        let name = claim.name();
        match view.claims.get(name) {
            Some(known) if known.is_deleting() => {
                let error = Error::other(format!("pvc {name} is being deleted"));
                tell_pod(set, "create", &format!("{}-{ordinal}", set.name()), Err(error), ctx)?;
            }
            Some(_) => {}
            None => make(set, &claim, ordinal, ctx).await?,
        }
    }
    Ok(())
}

async fn make(
    set: &StatefulSet,
    claim: &PersistentVolumeClaim,
    ordinal: i64,
    ctx: &Context,
) -> Result<(), Failure> {
    let (claim_name, name) = (claim.name(), set.name());
    match ctx.create(claim).await {
        Ok(_) => {
            let message = format!(
                "create Claim {claim_name} Pod {name}-{ordinal} in StatefulSet {name} success"
            );
            ctx.event(set, EventType::Normal, "SuccessfulCreate", message);
            Ok(())
        }
        Err(error) if error.is_already_exists() => Ok(()),
        Err(error) => {
            let message = format!(
                "create Claim {claim_name} for Pod {name}-{ordinal} in StatefulSet {name} failed \
                 error: {error}"
            );
            ctx.event(set, EventType::Warning, "FailedCreate", message);
            Err(error.into())
        }
    }
}

/// Gives the claims of a pod the owners that the policy wants. Those made a moment ago come later: they bring
/// the set back.
async fn retain(
    view: &View<'_>,
    ordinal: i64,
    pod: &Arc<Pod>,
    ctx: &Context,
) -> Result<(), Failure> {
    for claim in view.claims_of(ordinal) {
        let owners = match retention::owners(claim, view.set, pod) {
            Owners::Right => continue,
            Owners::Give(owners) => owners,
            Owners::Conflict(owners) => {
                let message = format!(
                    "PersistentVolumeClaim {} has a conflicting OwnerReference that acts as a \
                     managing controller, the retention policy is ignored for this claim",
                    claim.name()
                );
                ctx.event(view.set, EventType::Warning, "ConflictingController", message);
                owners
            }
        };
        let give = |claim: &mut PersistentVolumeClaim| claim.metadata.owner_references = owners;
        unless_gone(ctx.edit(claim, give).await)?;
    }
    Ok(())
}

/// Tells what became of a pod, and returns it.
fn tell_pod(
    set: &StatefulSet,
    verb: &str,
    pod: &str,
    done: Result<(), Error>,
    ctx: &Context,
) -> Result<(), Error> {
    let (name, reason) = (
        set.name(),
        match verb {
            "create" => "Create",
            "update" => "Update",
            _ => "Delete",
        },
    );
    match &done {
        Ok(()) => {
            let message = format!("{verb} Pod {pod} in StatefulSet {name} successful");
            ctx.event(set, EventType::Normal, format!("Successful{reason}"), message);
        }
        Err(error) => {
            let message = format!("{verb} Pod {pod} in StatefulSet {name} failed error: {error}");
            ctx.event(set, EventType::Warning, format!("Failed{reason}"), message);
        }
    }
    done
}
