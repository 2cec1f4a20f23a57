//! Which replica set belongs to a pod template: equality without the hash label, and the hash.

use watchkeeper_api::apps::v1::{Deployment, ReplicaSet};
use watchkeeper_api::core::v1::PodTemplateSpec;
use watchkeeper_api::json;

/// The label that tells one revision's pods from another's (`apps/v1`
/// `DefaultDeploymentUniqueLabelKey`).
pub(crate) const HASH_LABEL: &str = "pod-template-hash";

/// The digits that upstream spells hashes with: no vowels, so that no word appears by chance.
const DIGITS: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";

/// The name suffix of the replica set that runs `deployment`'s template.
///
/// Equal templates give equal suffixes. The collision count of the status is part of the hash, so
/// a taken name is left behind by raising it.
pub(crate) fn hash(deployment: &Deployment) -> String {
    let mut hash = 0x811c_9dc5_u32;
    let mut mix = |byte: u8| {
        hash ^= u32::from(byte);
        hash = hash.wrapping_mul(0x0100_0193);
    };
    json::to_vec(&deployment.spec.template).into_iter().for_each(&mut mix);
    if let Some(count) = deployment.status.collision_count {
        count.to_le_bytes().into_iter().for_each(&mut mix);
    }
    spell(hash)
}

/// Upstream's `rand.SafeEncodeString` of a number's decimal text.
fn spell(number: u32) -> String {
    number
        .to_string()
        .bytes()
        .map(|digit| char::from(DIGITS[usize::from(digit) % DIGITS.len()]))
        .collect()
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
