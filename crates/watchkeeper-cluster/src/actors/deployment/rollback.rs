//! The way back that an annotation asks for, as `extensions/v1beta1` did with a field of its own.
//!
//! `kubectl rollout undo` does not: it writes the former template, and that is a rollout like any other.

use std::sync::Arc;

use watchkeeper_api::Object;
use watchkeeper_api::apps::v1::{Deployment, ReplicaSet};
use watchkeeper_controller::{Context, EventType, Failure};

use super::annotations::{ROLLBACK, is_shared, revision};
use super::plan::Sets;
use super::template::{self, HASH_LABEL};

/// The revision that the deployment is to go back to, 0 for the last one; `None` where nothing asks, or for what
/// is no number.
pub(crate) fn asked(deployment: &Deployment) -> Option<i64> {
    deployment.annotation(ROLLBACK)?.parse().ok()
}

/// The set to go back to and its revision, or why there is none.
pub(crate) fn target(sets: &Sets, asked: i64) -> Result<(Arc<ReplicaSet>, i64), &'static str> {
    let wanted = match asked {
        0 => last(sets).ok_or("Unable to find last revision.")?,
        asked => asked,
    };
    let found = sets.all().find(|set| revision(&***set) == wanted);
    let set = found.ok_or("Unable to find the revision to rollback to.")?;
    Ok((set.clone(), wanted))
}

/// The last revision before the newest one.
fn last(sets: &Sets) -> Option<i64> {
    let mut revisions: Vec<i64> = sets.all().map(|set| revision(&**set)).collect();
    revisions.sort_unstable();
    revisions.pop();
    revisions.pop().filter(|revision| *revision > 0)
}

/// Gives the deployment the template of a former set, and the annotations that it had then.
pub(crate) fn go_back(deployment: &mut Deployment, set: &ReplicaSet) {
    deployment.spec.template = set.spec.template.clone();
    deployment.spec.template.metadata.labels.remove(HASH_LABEL);
    let annotations = &mut deployment.metadata.annotations;
    annotations.retain(|name, _| !is_shared(name));
    for (name, value) in &set.metadata.annotations {
        if is_shared(name) {
            annotations.insert(name, value);
        }
    }
}

/// Goes back, tells so, and forgets that it was asked for.
pub(super) async fn carry_out(
    deployment: &Deployment,
    sets: &Sets,
    asked: i64,
    ctx: &Context,
) -> Result<(), Failure> {
    let name = deployment.name();
    let (type_, reason, message, set) = match target(sets, asked) {
        Err(message) => {
            (EventType::Warning, "DeploymentRollbackRevisionNotFound", message.to_owned(), None)
        }
        Ok((set, _)) if template::runs(&set, deployment) => {
            let message = format!(
                "The rollback revision contains the same template as current deployment \"{name}\""
            );
            (EventType::Warning, "DeploymentRollbackTemplateUnchanged", message, None)
        }
        Ok((set, revision)) => {
            let message = format!("Rolled back deployment \"{name}\" to revision {revision}");
            (EventType::Normal, "DeploymentRollback", message, Some(set))
        }
    };
    let forget = |deployment: &mut Deployment| {
        set.iter().for_each(|set| go_back(deployment, set));
        deployment.metadata.annotations.remove(ROLLBACK);
    };
    ctx.edit(deployment, forget).await?;
    ctx.event(deployment, type_, reason, message);
    Ok(())
}
