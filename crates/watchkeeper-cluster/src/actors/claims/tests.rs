//! Which volume a claim gets.

use std::sync::Arc;

use watchkeeper_api::core::v1::{PersistentVolume, PersistentVolumeClaim};
use watchkeeper_api::{Object, Quantity};

use super::plan::{Choice, choose, name_volume, reference, tell_bound, volume_for};

fn claim() -> PersistentVolumeClaim {
    let mut claim = PersistentVolumeClaim::default();
    claim.metadata.name = "data".into();
    claim.metadata.namespace = "shop".into();
    claim.metadata.uid = "1".into();
    claim.spec.access_modes = ["ReadWriteOnce".into()].into();
    claim.spec.resources.requests.insert("storage", Quantity::from("2Gi"));
    claim
}

fn volume(name: &str, size: &str) -> PersistentVolume {
    let mut volume = PersistentVolume::default();
    volume.metadata.name = name.into();
    volume.spec.access_modes = ["ReadWriteOnce".into(), "ReadOnlyMany".into()].into();
    volume.spec.capacity.insert("storage", Quantity::from(size));
    volume
}

fn told(claim: &PersistentVolumeClaim, volumes: &[PersistentVolume]) -> String {
    let volumes: Vec<_> = volumes.iter().cloned().map(Arc::new).collect();
    match choose(claim, &volumes) {
        Choice::Bound(volume) => format!("bound to {}", volume.name()),
        Choice::Reserve(volume) => format!("reserve {}", volume.name()),
        Choice::Make => "make".to_owned(),
        Choice::Wait(_) => "wait".to_owned(),
        Choice::Lost => "lost".to_owned(),
        Choice::Rest => "rest".to_owned(),
    }
}

#[test]
fn the_smallest_free_volume_that_does_is_taken() {
    let volumes =
        [volume("a", "1Gi"), volume("b", "5000Mi"), volume("c", "2Gi"), volume("d", "2Gi")];
    assert_eq!(told(&claim(), &volumes), "reserve c");
    let mut taken = volumes[2].clone();
    taken.spec.claim_ref = Some(Box::new(reference(&PersistentVolumeClaim::default())));
    assert_eq!(told(&claim(), &[taken]), "make");
    let mut other = volume("e", "2Gi");
    other.spec.storage_class_name = "fast".into();
    assert_eq!(told(&claim(), &[other.clone()]), "make");
    let mut fast = claim();
    fast.spec.storage_class_name = Some("fast".into());
    assert_eq!(told(&fast, &[other]), "reserve e");
}

#[test]
fn without_one_it_is_made_unless_the_claim_forbids_it() {
    assert_eq!(told(&claim(), &[]), "make");
    let mut classless = claim();
    classless.spec.storage_class_name = Some("".into());
    assert_eq!(told(&classless, &[]), "wait");
    let mut choosy = claim();
    choosy.spec.selector = Some(Default::default());
    assert_eq!(told(&choosy, &[]), "wait");
}

#[test]
fn a_volume_that_was_made_is_bound_to_its_claim_alone() {
    let made = [volume_for(&claim())];
    assert_eq!(made[0].name(), "pvc-1");
    assert_eq!(told(&claim(), &made), "bound to pvc-1");
    let mut bound = claim();
    name_volume(&mut bound, &made[0]);
    assert_eq!(told(&bound, &made), "bound to pvc-1", "the status does not say so yet");
    tell_bound(&mut bound.status, &made[0]);
    assert_eq!(told(&bound, &made), "rest");
    assert_eq!(told(&bound, &[]), "lost");
    let mut second = claim();
    second.metadata.uid = "2".into();
    assert_eq!(told(&second, &made), "make");
}

#[test]
fn a_volume_may_be_asked_for_or_kept_by_name() {
    let mut asking = claim();
    asking.spec.volume_name = "a".into();
    assert_eq!(told(&asking, &[]), "wait");
    assert_eq!(told(&asking, &[volume("a", "1Gi")]), "reserve a");
    let mut kept = volume("k", "2Gi");
    kept.spec.claim_ref = Some(Box::new(reference(&claim())));
    kept.spec.claim_ref.get_or_insert_default().uid = "".into();
    assert_eq!(told(&claim(), &[kept.clone()]), "reserve k");
    let mut other = claim();
    other.metadata.name = "logs".into();
    assert_eq!(told(&other, &[kept]), "make");
}
