//! References and refusals.

use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::core::v1::{Node, Pod};
use watchkeeper_api::object;

use super::*;

fn deployment(namespace: &str, uid: &str) -> Deployment {
    object!(Deployment { metadata: { name: "web", namespace: namespace, uid: uid } })
}

fn pod() -> Pod {
    object!(Pod { metadata: { name: "web-1", namespace: "shop" } })
}

#[test]
fn a_controller_is_named_by_kind_and_uid_and_holds_its_deletion_up() {
    let reference = controlled_by(&deployment("shop", "1"));
    assert_eq!((&*reference.api_version, &*reference.kind), ("apps/v1", "Deployment"));
    assert_eq!((&*reference.name, &*reference.uid), ("web", "1"));
    assert_eq!(reference.controller, Some(true));
    assert_eq!(reference.block_owner_deletion, Some(true));
}

#[test]
fn one_object_has_one_controller_and_any_number_of_owners() {
    let (mine, other) = (deployment("shop", "1"), deployment("shop", "2"));
    let mut pod = pod();
    set_controller(&mine, &mut pod).unwrap();
    set_controller(&mine, &mut pod).unwrap();
    assert_eq!(pod.metadata.owner_references.len(), 1);
    assert!(pod.is_controlled_by(&mine));

    let refused = set_controller(&other, &mut pod).unwrap_err();
    assert!(refused.is_already_owned());
    assert_eq!(refused.to_string(), "Pod shop/web-1 is already controlled by Deployment web");
    add_owner(&other, &mut pod).unwrap();
    assert_eq!(pod.metadata.owner_references.len(), 2);
    assert!(!pod.is_controlled_by(&other));
}

#[test]
fn a_controller_need_not_hold_its_deletion_up() {
    let (mine, other) = (deployment("shop", "1"), deployment("shop", "2"));
    let mut pod = pod();
    set_controller(&mine, &mut pod).unwrap();
    set_controller_without_blocking(&mine, &mut pod).unwrap();
    assert_eq!(pod.metadata.owner_references.len(), 1, "its reference is renewed");
    assert!(pod.is_controlled_by(&mine));
    assert_eq!(pod.metadata.owner_references[0].block_owner_deletion, Some(false));
    assert!(set_controller_without_blocking(&other, &mut pod).unwrap_err().is_already_owned());
    assert!(
        set_controller_without_blocking(&deployment("bank", "1"), &mut pod).is_err(),
        "in another namespace"
    );
}

#[test]
fn an_owner_lives_in_the_namespace_of_what_it_owns_or_in_none() {
    let mut pod = pod();
    let refused = add_owner(&deployment("bank", "1"), &mut pod).unwrap_err();
    assert!(!refused.is_already_owned());
    assert_eq!(
        refused.to_string(),
        "Deployment bank/web cannot own Pod shop/web-1: an owner lives in the namespace of what it owns, or in none"
    );
    let mut node = object!(Node { metadata: { name: "n1" } });
    assert!(add_owner(&deployment("shop", "1"), &mut node).is_err());
    add_owner(&node, &mut pod).unwrap();
    assert_eq!(&*pod.metadata.owner_references[0].kind, "Node");
}

#[test]
fn owners_are_taken_away_one_by_one() {
    let (mine, other) = (deployment("shop", "1"), deployment("shop", "2"));
    let mut pod = pod();
    set_controller(&mine, &mut pod).unwrap();
    add_owner(&other, &mut pod).unwrap();
    assert!(has_owner(&mine, &pod) && has_owner(&other, &pod));
    assert!(!remove_controller(&other, &mut pod), "it does not control it");
    assert!(has_owner(&other, &pod));
    assert!(remove_owner(&other, &mut pod));
    assert!(has_owner(&mine, &pod) && !has_owner(&other, &pod));
    assert!(!remove_owner(&other, &mut pod));
    assert!(remove_controller(&mine, &mut pod));
    assert!(pod.metadata.owner_references.is_empty());
}
