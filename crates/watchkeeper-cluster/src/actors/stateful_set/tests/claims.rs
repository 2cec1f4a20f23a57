//! Who owns the claims, and so with whom they go.

use std::sync::Arc;

use watchkeeper_api::Object;
use watchkeeper_api::apps::v1::StatefulSet;
use watchkeeper_api::core::v1::PersistentVolumeClaim;
use watchkeeper_api::meta::v1::OwnerReference;

use super::{expect, planned, pod, set, with_claims};
use crate::actors::stateful_set::retention::{Owners, owners};

fn keeping(replicas: i32, when_deleted: &str, when_scaled: &str) -> StatefulSet {
    let mut set = with_claims(set(replicas));
    let policy = set.spec.persistent_volume_claim_retention_policy.get_or_insert_default();
    policy.when_deleted = when_deleted.into();
    policy.when_scaled = when_scaled.into();
    set
}

/// The claim of pod 1; its owners are `set`, `pod`, `former` for a former pod of that name, `other`.
fn claim(owners: &str) -> PersistentVolumeClaim {
    let mut claim = PersistentVolumeClaim::default();
    claim.metadata.name = "data-db-1".into();
    let owner = |word: &str| {
        let (kind, name, uid) = match word {
            "set" => ("StatefulSet", "db", "1"),
            "pod" => ("Pod", "db-1", "pod-1"),
            "former" => ("Pod", "db-1", "pod-0"),
            _ => ("Backup", "b", "2"),
        };
        OwnerReference {
            kind: kind.into(),
            name: name.into(),
            uid: uid.into(),
            controller: Some(true),
            ..OwnerReference::default()
        }
    };
    let words = owners.split(' ').filter(|word| !word.is_empty());
    claim.metadata.owner_references = words.map(owner).collect::<Vec<_>>().into();
    claim
}

/// Who owns the claim of pod 1 in the end, from `before`.
fn told(set: &StatefulSet, before: &str) -> String {
    let names = |owners: &[OwnerReference]| {
        owners.iter().map(|owner| owner.kind.to_string()).collect::<Vec<_>>().join(" ")
    };
    match owners(&claim(before), set, &pod(set, "1 new ready")) {
        Owners::Right => "right".to_owned(),
        Owners::Give(owners) => format!("[{}]", names(&owners)),
        Owners::Conflict(owners) => format!("conflict [{}]", names(&owners)),
    }
}

#[test]
fn the_policy_says_who_owns_the_claims() {
    // How many replicas, when deleted, when scaled; from nobody, from the set, from the pod.
    for (replicas, deleted, scaled, nobody, of_set, of_pod) in [
        (2, "Retain", "Retain", "right", "[]", "[]"),
        (1, "Retain", "Retain", "right", "[]", "[]"),
        (2, "Delete", "Retain", "[StatefulSet]", "right", "[StatefulSet]"),
        (1, "Delete", "Retain", "[StatefulSet]", "right", "[StatefulSet]"),
        (2, "Retain", "Delete", "right", "[]", "[]"),
        (1, "Retain", "Delete", "[Pod]", "[Pod]", "right"),
        (2, "Delete", "Delete", "[StatefulSet]", "right", "[StatefulSet]"),
        (1, "Delete", "Delete", "[Pod]", "[Pod]", "right"),
    ] {
        let set = keeping(replicas, deleted, scaled);
        let found = [told(&set, ""), told(&set, "set"), told(&set, "pod")];
        assert_eq!(found, [nobody, of_set, of_pod], "{replicas} {deleted} {scaled}");
    }
}

#[test]
fn what_others_own_is_theirs() {
    let set = keeping(2, "Delete", "Retain");
    assert_eq!(told(&set, "other"), "right");
    assert_eq!(told(&set, "other set"), "conflict [Backup]");
    assert_eq!(told(&set, "former"), "right", "the garbage collector takes it");
    assert_eq!(told(&keeping(2, "Retain", "Retain"), "other"), "right");
}

#[test]
fn a_new_pod_does_not_take_a_claim_that_goes() {
    let set = keeping(2, "Retain", "Delete");
    let claims = |owners| vec![Arc::new(claim(owners))];
    planned(&set, "0 new ready", claims("former"), expect![""]);
    planned(&set, "0 new ready", claims(""), expect!["create 1"]);
    let kept = keeping(2, "Retain", "Retain");
    planned(&kept, "0 new ready", claims("former"), expect!["create 1"]);
}

#[test]
fn claims_get_their_owners_before_the_pod_goes() {
    let set = keeping(1, "Retain", "Delete");
    let claims = vec![Arc::new(claim(""))];
    planned(&set, "0 new ready, 1 new ready", claims, expect!["retain 1, delete db-1"]);
    assert_eq!(claim("").name(), "data-db-1");
}
