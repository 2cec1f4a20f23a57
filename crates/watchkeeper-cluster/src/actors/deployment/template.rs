//! Which replica set belongs to a pod template: equality without the hash label, and the hash.

use watchkeeper_api::apps::v1::{Deployment, ReplicaSet, ReplicaSetSpec};
use watchkeeper_api::core::v1::PodTemplateSpec;
use watchkeeper_api::meta::v1::{LabelSelector, ObjectMeta};
use watchkeeper_api::{Object, json};
use watchkeeper_controller::controlled_by;

use super::annotations;
use crate::actors::hash;

/// The label that tells one revision's pods from another's (`apps/v1`
/// `DefaultDeploymentUniqueLabelKey`).
pub(crate) const HASH_LABEL: &str = "pod-template-hash";
/// The longest name of a set.
const LONGEST_NAME: usize = 253;

/// The name suffix of the replica set that runs `deployment`'s template.
///
/// Equal templates give equal suffixes. The collision count of the status is part of the hash, so
/// a taken name is left behind by raising it.
pub(crate) fn hash(deployment: &Deployment) -> String {
    hash::of(json::to_vec(&deployment.spec.template), deployment.status.collision_count)
}

/// Whether `set` runs the template that `deployment` asks for.
pub(crate) fn runs(set: &ReplicaSet, deployment: &Deployment) -> bool {
    let (set, deployment) = (&set.spec.template, &deployment.spec.template);
    set.spec == deployment.spec && without_hash(set) == without_hash(deployment)
}

fn without_hash(template: &PodTemplateSpec) -> ObjectMeta {
    let mut metadata = template.metadata.clone();
    metadata.labels.remove(HASH_LABEL);
    metadata
}

/// The replica set that runs the deployment's template.
pub(crate) fn replica_set(deployment: &Deployment, revision: i64, replicas: i32) -> ReplicaSet {
    let hash = hash(deployment);
    let mut template = deployment.spec.template.clone();
    template.metadata.labels.insert(HASH_LABEL, hash.as_str());
    let mut selector: LabelSelector =
        deployment.spec.selector.as_deref().cloned().unwrap_or_default();
    selector.match_labels.insert(HASH_LABEL, hash.as_str());
    let mut set = ReplicaSet {
        metadata: ObjectMeta {
            name: name(deployment.name(), &hash).into(),
            namespace: deployment.metadata.namespace.clone(),
            labels: template.metadata.labels.clone(),
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
    };
    set.metadata.annotations = annotations::of_current(&set, deployment, revision);
    for (key, value) in annotations::of_scale(deployment) {
        set.metadata.annotations.insert(key, value);
    }
    set
}

/// The deployment's name, cut where it leaves no room for the hash.
fn name(deployment: &str, hash: &str) -> String {
    let most = LONGEST_NAME.saturating_sub(hash.len() + 1);
    format!("{}-{hash}", deployment.get(..most).unwrap_or(deployment))
}
