//! The deployment actor: replica sets follow their deployment's template and replicas.
//!
//! Upstream's deployment controller (`apps/v1`): one replica set a template, named after the hash
//! of the template; rolling updates within `maxSurge` and `maxUnavailable`, or `Recreate`; the
//! revision history; the conditions `Available` and `Progressing`.

use std::sync::Arc;

use watchkeeper_api::Object;
use watchkeeper_api::apps::v1::{Deployment, ReplicaSet, ReplicaSetSpec};
use watchkeeper_api::meta::v1::{LabelSelector, ObjectMeta};
use watchkeeper_cache::Watch;
use watchkeeper_controller::{Action, Context, EventType, Failure, Request, controlled_by};
use watchkeeper_manager::Manager;

use self::plan::{Sets, Step};
use super::unless_gone;

mod plan;
mod status;
mod template;

#[cfg(test)]
mod tests;

/// The annotation that numbers the revisions of a deployment.
const REVISION: &str = "deployment.kubernetes.io/revision";
/// The annotation that `kubectl apply` keeps for itself.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Adds the deployment actor to `manager`.
pub fn deployment(manager: &Manager) {
    let deployments = manager.watch::<Deployment>();
    let sets = manager.watch::<ReplicaSet>();
    manager
        .controller("deployment-controller", &deployments)
        .owns(&sets)
        .workers(2)
        .with(Watches { deployments, sets })
        .reconcile(Watches::reconcile);
}

#[derive(Debug)]
struct Watches {
    deployments: Watch<Deployment>,
    sets: Watch<ReplicaSet>,
}

impl Watches {
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let Some(deployment) = self.deployments.get(&request).await? else {
            return Ok(Action::done());
        };
        if deployment.is_deleting() {
            return Ok(Action::done());
        }
        self.sets.caught_up().await?;
        let sets = self.sets_of(&deployment);
        for step in plan::steps(&deployment, &sets) {
            take(&deployment, &sets, step, &ctx).await?;
        }
        number_revision(&deployment, &sets, &ctx).await?;
        self.sets.caught_up().await?;
        let sets = self.sets_of(&deployment);
        let status = status::status(&deployment, &sets, ctx.now());
        if status::complete(&deployment, &status) {
            for set in plan::outdated(&deployment, &sets) {
                ctx.delete(&*set).await?;
            }
        }
        unless_gone(ctx.edit_status(&deployment, |current| *current = status).await)?;
        Ok(Action::done())
    }

    fn sets_of(&self, deployment: &Deployment) -> Sets {
        let namespace = deployment.namespace().unwrap_or_default();
        let owned = self.sets.peek_in(namespace).into_iter();
        Sets::of(deployment, owned.filter(|set| set.is_controlled_by(deployment)).collect())
    }
}

async fn take(
    deployment: &Arc<Deployment>,
    sets: &Sets,
    step: Step,
    ctx: &Context,
) -> Result<(), Failure> {
    let (name, from, to) = match step {
        Step::Create { replicas } => {
            let set = replica_set(deployment, next_revision(sets), replicas);
            match ctx.create(&set).await {
                Ok(made) => (made.metadata.name, 0, replicas),
                Err(error) if error.is_already_exists() => {
                    return count_collision(deployment, error, ctx).await;
                }
                Err(error) => return Err(error.into()),
            }
        }
        Step::Scale { set, replicas } => {
            let annotations = scale_annotations(deployment);
            ctx.edit(&*set, |set: &mut ReplicaSet| {
                set.spec.replicas = Some(replicas);
                for (key, value) in &annotations {
                    set.metadata.annotations.insert(*key, value.as_str());
                }
            })
            .await?;
            (set.metadata.name.clone(), plan::wanted(&set), replicas)
        }
    };
    if from != to {
        let direction = if to > from { "up" } else { "down" };
        let message = format!("Scaled {direction} replica set {name} from {from} to {to}");
        ctx.event(&**deployment, EventType::Normal, "ScalingReplicaSet", &message);
    }
    Ok(())
}

/// A set of that name stands and is not ours: raise the collision count, which changes the hash.
async fn count_collision(
    deployment: &Arc<Deployment>,
    error: watchkeeper_api::Error,
    ctx: &Context,
) -> Result<(), Failure> {
    ctx.edit_status(deployment, |status| {
        status.collision_count = Some(status.collision_count.unwrap_or(0).saturating_add(1));
    })
    .await?;
    Err(error.into())
}

/// The replica set that runs the deployment's template.
fn replica_set(deployment: &Deployment, revision: i64, replicas: i32) -> ReplicaSet {
    let hash = template::hash(deployment);
    let mut template = deployment.spec.template.clone();
    template.metadata.labels.insert(template::HASH_LABEL, hash.as_str());
    let mut selector: LabelSelector =
        deployment.spec.selector.as_deref().cloned().unwrap_or_default();
    selector.match_labels.insert(template::HASH_LABEL, hash.as_str());
    let mut annotations = deployment.metadata.annotations.clone();
    annotations.remove(LAST_APPLIED);
    annotations.insert(REVISION, revision.to_string().as_str());
    for (key, value) in scale_annotations(deployment) {
        annotations.insert(key, value.as_str());
    }
    ReplicaSet {
        metadata: ObjectMeta {
            name: format!("{}-{hash}", deployment.name()).as_str().into(),
            namespace: deployment.metadata.namespace.clone(),
            labels: template.metadata.labels.clone(),
            annotations,
            owner_references: [controlled_by(deployment)].into(),
            ..ObjectMeta::default()
        },
        spec: ReplicaSetSpec {
            replicas: Some(replicas),
            min_ready_seconds: deployment.spec.min_ready_seconds,
            selector: Some(Box::new(selector)),
            template,
        },
        ..ReplicaSet::default()
    }
}

/// What upstream notes on each set for proportional scaling.
fn scale_annotations(deployment: &Deployment) -> [(&'static str, String); 2] {
    let desired = plan::desired(deployment);
    let surge = plan::bounds(deployment).surge;
    [
        ("deployment.kubernetes.io/desired-replicas", desired.to_string()),
        ("deployment.kubernetes.io/max-replicas", desired.saturating_add(surge).to_string()),
    ]
}

fn revision_of(object: &impl Object) -> i64 {
    object.annotation(REVISION).and_then(|text| text.parse().ok()).unwrap_or(0)
}

fn next_revision(sets: &Sets) -> i64 {
    1 + sets.old.iter().map(|set| revision_of(&**set)).max().unwrap_or(0)
}

/// A set that becomes current again (a rollback) gets the newest number; the deployment carries
/// the number of its current set.
async fn number_revision(
    deployment: &Arc<Deployment>,
    sets: &Sets,
    ctx: &Context,
) -> Result<(), Failure> {
    let revision = next_revision(sets);
    if let Some(set) = &sets.new
        && revision_of(&**set) < revision
    {
        let text = revision.to_string();
        ctx.edit(&**set, |set: &mut ReplicaSet| {
            set.metadata.annotations.insert(REVISION, text.as_str());
        })
        .await?;
    }
    let revision = sets.new.as_ref().map_or(revision, |set| revision.max(revision_of(&**set)));
    if revision_of(&**deployment) != revision {
        let text = revision.to_string();
        ctx.edit(&**deployment, |deployment: &mut Deployment| {
            deployment.metadata.annotations.insert(REVISION, text.as_str());
        })
        .await?;
    }
    Ok(())
}
