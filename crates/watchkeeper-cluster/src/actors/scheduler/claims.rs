//! The claims that a pod waits for.

use watchkeeper_api::core::v1::{PersistentVolumeClaim, Pod};
use watchkeeper_api::{Object, ObjectKey};
use watchkeeper_cache::Watch;

use super::is_waiting;

/// The pods that wait for a node and use a claim.
pub(super) fn users(pods: &Watch<Pod>, claim: &PersistentVolumeClaim) -> Vec<ObjectKey> {
    let nearby = pods.peek_in(claim.namespace().unwrap_or_default()).into_iter();
    let uses = |pod: &Pod| is_waiting(pod) && names(pod).any(|name| name == claim.name());
    nearby.filter(|pod| uses(pod)).map(|pod| pod.key()).collect()
}

/// Why the pod has to wait for its claims; `None` if all of them have their volumes.
pub(super) fn missing(pod: &Pod, claims: &Watch<PersistentVolumeClaim>) -> Option<String> {
    let namespace = pod.namespace().unwrap_or_default();
    names(pod).find_map(|name| match claims.peek(ObjectKey::new(namespace, name)) {
        None => Some(format!("persistentvolumeclaim \"{name}\" not found")),
        Some(claim) if claim.is_deleting() => {
            Some(format!("persistentvolumeclaim \"{name}\" is being deleted"))
        }
        Some(claim) if claim.status.phase == "Bound" => None,
        Some(claim) if claim.status.phase == "Lost" => {
            let volume = &claim.spec.volume_name;
            Some(format!(
                "persistentvolumeclaim \"{name}\" bound to non-existent persistentvolume \"{volume}\""
            ))
        }
        Some(_) => Some("pod has unbound immediate PersistentVolumeClaims".to_owned()),
    })
}

/// The names of the claims that the pod uses.
fn names(pod: &Pod) -> impl Iterator<Item = &str> {
    let claims =
        pod.spec.volumes.iter().filter_map(|volume| volume.persistent_volume_claim.as_ref());
    claims.map(|claim| &*claim.claim_name)
}
