//! Who owns the claims of a stateful set, and so with whom they go.

use watchkeeper_api::apps::v1::StatefulSet;
use watchkeeper_api::core::v1::{PersistentVolumeClaim, Pod};
use watchkeeper_api::meta::v1::OwnerReference;
use watchkeeper_api::{List, Object};
use watchkeeper_controller::controlled_by;

use super::identity;

/// What has to be done about the owners of a claim.
#[derive(Debug, PartialEq)]
pub(crate) enum Owners {
    /// Nothing.
    Right,
    /// It gets these.
    Give(List<OwnerReference>),
    /// Another controller has it: the policy does not hold for it, and our references go.
    Conflict(List<OwnerReference>),
}

/// Whether claims go with their set, and whether they go with a pod that is too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Policy {
    with_set: bool,
    with_pod: bool,
}

fn policy(set: &StatefulSet) -> Policy {
    let policy = set.spec.persistent_volume_claim_retention_policy.as_deref();
    Policy {
        with_set: policy.is_some_and(|policy| policy.when_deleted == "Delete"),
        with_pod: policy.is_some_and(|policy| policy.when_scaled == "Delete"),
    }
}

/// What the set's policy makes of the owners of one of its claims. While the pod is wanted the set owns the
/// claim, if it shall go with the set; once the pod is too many the pod does, if it shall go with the pod.
pub(crate) fn owners(claim: &PersistentVolumeClaim, set: &StatefulSet, pod: &Pod) -> Owners {
    let policy = policy(set);
    if is_stale(claim, "StatefulSet", set) || is_stale(claim, "Pod", pod) {
        // What is left of former ones of these names is the garbage collector's.
        return Owners::Right;
    }
    let is_ours = |owner: &OwnerReference| *owner.uid == *set.uid() || *owner.uid == *pod.uid();
    let refs = &claim.metadata.owner_references;
    let others: Vec<_> = refs.iter().filter(|owner| !is_ours(owner)).cloned().collect();
    let controls = |owner: &OwnerReference| owner.controller == Some(true);
    if policy != (Policy { with_set: false, with_pod: false }) && others.iter().any(controls) {
        let has_ours = others.len() < refs.len();
        return if has_ours { Owners::Conflict(others.into()) } else { Owners::Right };
    }
    let is_wanted = identity::ordinal(set, pod.name())
        .is_some_and(|ordinal| identity::range(set).contains(&ordinal));
    let of_pod = policy.with_pod && !is_wanted;
    let of_set = policy.with_set && !of_pod;
    let owns = |uid: &str| refs.iter().any(|owner| *owner.uid == *uid);
    let idle = refs.iter().any(|owner| is_ours(owner) && !controls(owner));
    if !idle && owns(set.uid()) == of_set && owns(pod.uid()) == of_pod {
        return Owners::Right;
    }
    let ours = of_set.then(|| controlled_by(set)).or_else(|| of_pod.then(|| controlled_by(pod)));
    Owners::Give(others.into_iter().chain(ours).collect::<Vec<_>>().into())
}

/// Whether the claim is that of a pod that was too many, and goes with it: a new pod must not take it.
pub(crate) fn goes(claim: &PersistentVolumeClaim, set: &StatefulSet, pod: &str) -> bool {
    let mut owners = claim.metadata.owner_references.iter();
    policy(set).with_pod && owners.any(|owner| owner.kind == "Pod" && owner.name == *pod)
}

fn is_stale(claim: &PersistentVolumeClaim, kind: &str, owner: &impl Object) -> bool {
    let mut owners = claim.metadata.owner_references.iter();
    let named = owners.find(|one| one.kind == *kind && one.name == *owner.name());
    named.is_some_and(|one| *one.uid != *owner.uid())
}
