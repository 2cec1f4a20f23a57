//! Which replica set belongs to a pod template: equality without the hash label, and the hash.

use watchkeeper_api::apps::v1::{Deployment, ReplicaSet};
use watchkeeper_api::core::v1::PodTemplateSpec;
use watchkeeper_api::json;

use crate::actors::hash;

/// The label that tells one revision's pods from another's (`apps/v1`
/// `DefaultDeploymentUniqueLabelKey`).
pub(crate) const HASH_LABEL: &str = "pod-template-hash";

/// The name suffix of the replica set that runs `deployment`'s template.
///
/// Equal templates give equal suffixes. The collision count of the status is part of the hash, so
/// a taken name is left behind by raising it.
pub(crate) fn hash(deployment: &Deployment) -> String {
    hash::of(json::to_vec(&deployment.spec.template), deployment.status.collision_count)
}

/// Whether `set` runs the template that `deployment` asks for.
pub(crate) fn runs(set: &ReplicaSet, deployment: &Deployment) -> bool {
    without_hash(&set.spec.template) == without_hash(&deployment.spec.template)
}

fn without_hash(template: &PodTemplateSpec) -> PodTemplateSpec {
    let mut template = template.clone();
    template.metadata.labels.remove(HASH_LABEL);
    template
}
