//! Which volume a claim gets.

use std::sync::Arc;

use watchkeeper_api::core::v1::{
    HostPathVolumeSource, ObjectReference, PersistentVolume, PersistentVolumeClaim,
    PersistentVolumeClaimStatus, PersistentVolumeSpec,
};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::selector::Selector;
use watchkeeper_api::{Map, Object, Quantity};

/// What upstream's binder notes on what it has bound.
const BIND_COMPLETED: &str = "pv.kubernetes.io/bind-completed";
pub(crate) const BOUND_BY_CONTROLLER: &str = "pv.kubernetes.io/bound-by-controller";
/// Who made a volume.
const PROVISIONED_BY: &str = "pv.kubernetes.io/provisioned-by";
/// The provisioner that this actor is.
const PROVISIONER: &str = "fake-provisioner";

/// What comes next for a claim.
#[derive(Debug, PartialEq)]
pub(crate) enum Choice {
    /// This volume is the claim's.
    Bound(Arc<PersistentVolume>),
    /// This volume is free and does.
    Reserve(Arc<PersistentVolume>),
    /// A volume is made.
    Make,
    /// There is none, and none is made. Says why.
    Wait(&'static str),
    /// The volume that it had is gone.
    Lost,
    /// Nothing.
    Rest,
}

/// Whether the claim has its volume, and says so.
pub(crate) fn is_bound(claim: &PersistentVolumeClaim) -> bool {
    claim.status.phase == "Bound" && !claim.spec.volume_name.is_empty()
}

/// Chooses what comes next for `claim`.
pub(crate) fn choose(claim: &PersistentVolumeClaim, volumes: &[Arc<PersistentVolume>]) -> Choice {
    let named = &claim.spec.volume_name;
    if !named.is_empty() {
        let volume = volumes.iter().find(|volume| volume.metadata.name == *named);
        return match volume {
            None if claim.annotation(BIND_COMPLETED).is_some() => lost(claim),
            None => Choice::Wait("the volume that the claim asks for is not there"),
            Some(_) if is_bound(claim) => Choice::Rest,
            Some(volume) if is_of(volume, claim) => Choice::Bound(volume.clone()),
            Some(volume) if is_free_for(volume, claim) => Choice::Reserve(volume.clone()),
            Some(_) => Choice::Wait("volume already bound to a different claim."),
        };
    }
    let own = volumes.iter().find(|volume| is_of(volume, claim));
    if let Some(volume) = own {
        return Choice::Bound(volume.clone());
    }
    let fitting = volumes.iter().filter(|volume| is_free_for(volume, claim) && fits(volume, claim));
    match fitting.min_by(|a, b| (storage(a), a.name()).cmp(&(storage(b), b.name()))) {
        Some(volume) => Choice::Reserve(volume.clone()),
        // The empty class says that none shall be made.
        None if claim.spec.storage_class_name.as_ref().is_some_and(|class| class.is_empty()) => {
            Choice::Wait(
                "no persistent volumes available for this claim and no storage class is set",
            )
        }
        None if claim.spec.selector.is_some() => {
            Choice::Wait("claim.Spec.Selector is not supported")
        }
        None => Choice::Make,
    }
}

fn lost(claim: &PersistentVolumeClaim) -> Choice {
    if claim.status.phase == "Lost" { Choice::Rest } else { Choice::Lost }
}

/// Whether the volume was given to this very claim.
pub(crate) fn is_of(volume: &PersistentVolume, claim: &PersistentVolumeClaim) -> bool {
    let owner = volume.spec.claim_ref.as_deref();
    owner.is_some_and(|owner| {
        owner.uid == claim.metadata.uid
            && owner.name == claim.metadata.name
            && owner.namespace == claim.metadata.namespace
    })
}

/// Whether nobody has the volume, or it is kept for a claim of this name.
fn is_free_for(volume: &PersistentVolume, claim: &PersistentVolumeClaim) -> bool {
    !volume.is_deleting()
        && volume.status.phase != "Released"
        && volume.status.phase != "Failed"
        && volume.spec.claim_ref.as_deref().is_none_or(|owner| {
            owner.uid.is_empty()
                && owner.name == claim.metadata.name
                && owner.namespace == claim.metadata.namespace
        })
}

fn fits(volume: &PersistentVolume, claim: &PersistentVolumeClaim) -> bool {
    let (offer, wish) = (&volume.spec, &claim.spec);
    let mode = |mode: &Option<_>| mode.clone().unwrap_or_else(|| "Filesystem".into());
    let class = wish.storage_class_name.clone().unwrap_or_default();
    let selects = wish.selector.as_deref().is_none_or(|selector| {
        Selector::try_from(selector).is_ok_and(|selector| selector.selects(volume))
    });
    storage(volume) >= wish.resources.requests.get("storage")
        && wish.access_modes.iter().all(|mode| offer.access_modes.contains(mode))
        && offer.storage_class_name == class
        && mode(&offer.volume_mode) == mode(&wish.volume_mode)
        && selects
}

fn storage(volume: &PersistentVolume) -> Option<&Quantity> {
    volume.spec.capacity.get("storage")
}

/// The reference by which a volume is a claim's.
pub(crate) fn reference(claim: &PersistentVolumeClaim) -> ObjectReference {
    ObjectReference {
        api_version: "v1".into(),
        kind: "PersistentVolumeClaim".into(),
        namespace: claim.metadata.namespace.clone(),
        name: claim.metadata.name.clone(),
        uid: claim.metadata.uid.clone(),
        ..ObjectReference::default()
    }
}

/// The volume that is made for a claim, and goes with it.
pub(crate) fn volume_for(claim: &PersistentVolumeClaim) -> PersistentVolume {
    let name = format!("pvc-{}", claim.uid());
    let storage = claim.spec.resources.requests.get("storage");
    PersistentVolume {
        metadata: ObjectMeta {
            name: name.as_str().into(),
            annotations: Map::from([(PROVISIONED_BY, PROVISIONER)]),
            ..ObjectMeta::default()
        },
        spec: PersistentVolumeSpec {
            capacity: storage.map(|storage| ("storage", storage.clone())).into_iter().collect(),
            access_modes: claim.spec.access_modes.clone(),
            claim_ref: Some(Box::new(reference(claim))),
            persistent_volume_reclaim_policy: "Delete".into(),
            storage_class_name: claim.spec.storage_class_name.clone().unwrap_or_default(),
            volume_mode: claim.spec.volume_mode.clone(),
            host_path: Some(Box::new(HostPathVolumeSource {
                path: format!("/fake/{name}").as_str().into(),
                ..HostPathVolumeSource::default()
            })),
            ..PersistentVolumeSpec::default()
        },
        ..PersistentVolume::default()
    }
}

/// Names the volume on its claim.
pub(crate) fn name_volume(claim: &mut PersistentVolumeClaim, volume: &PersistentVolume) {
    if claim.spec.volume_name.is_empty() {
        claim.spec.volume_name = volume.metadata.name.clone();
        claim.metadata.annotations.insert(BOUND_BY_CONTROLLER, "yes");
    }
    claim.metadata.annotations.insert(BIND_COMPLETED, "yes");
}

/// Tells in a claim's status what it has.
pub(crate) fn tell_bound(status: &mut PersistentVolumeClaimStatus, volume: &PersistentVolume) {
    status.phase = "Bound".into();
    status.access_modes = volume.spec.access_modes.clone();
    status.capacity = volume.spec.capacity.clone();
}
