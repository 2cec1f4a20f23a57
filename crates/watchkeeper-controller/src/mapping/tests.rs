//! Which requests changes make.

use std::sync::Arc;

use watchkeeper_api::StaticKind;
use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::core::v1::{Node, Pod};
use watchkeeper_api::meta::v1::OwnerReference;
use watchkeeper_api::object;

use super::*;

fn pod(owners: &[OwnerReference]) -> Arc<Pod> {
    Arc::new(object!(Pod {
        metadata: { name: "web-1", namespace: "shop", owner_references: owners.to_vec() },
    }))
}

fn owner(api_version: &str, kind: &str, name: &str, controller: bool) -> OwnerReference {
    OwnerReference {
        api_version: api_version.into(),
        kind: kind.into(),
        name: name.into(),
        controller: Some(controller),
        ..OwnerReference::default()
    }
}

fn added(pod: Arc<Pod>) -> Change<Pod> {
    Change::Added { new: pod, initial: false }
}

fn keys(requests: &[Request]) -> Vec<String> {
    requests.iter().map(Request::to_string).collect()
}

/// B-04.
#[test]
fn b_04_an_owner_is_known_by_group_and_kind_whatever_its_version() {
    let of = |owner| keys(&controllers(Deployment::static_kind(), &added(pod(&[owner]))));
    assert_eq!(of(owner("apps/v1", "Deployment", "web", true)), ["shop/web"]);
    assert_eq!(of(owner("apps/v1beta2", "Deployment", "web", true)), ["shop/web"]);
    assert!(of(owner("apps/v1", "ReplicaSet", "web", true)).is_empty());
    assert!(of(owner("other/v1", "Deployment", "web", true)).is_empty());
    assert!(of(owner("v1", "Deployment", "web", true)).is_empty());
}

/// B-03.
#[test]
fn b_03_only_the_controller_counts_not_every_owner() {
    let two =
        [owner("apps/v1", "Deployment", "a", false), owner("apps/v1", "Deployment", "b", true)];
    let requests = controllers(Deployment::static_kind(), &added(pod(&two)));
    assert_eq!(keys(&requests), ["shop/b"]);
}

/// B-03: `MatchEveryOwner`.
#[test]
fn b_03_every_owner_of_the_kind_counts_if_that_is_asked_for() {
    let some = [
        owner("apps/v1", "Deployment", "a", false),
        owner("apps/v1", "Deployment", "b", true),
        owner("v1", "Node", "c", false),
    ];
    let of = |kind| keys(&owners(kind, &added(pod(&some))));
    assert_eq!(of(Deployment::static_kind()), ["shop/a", "shop/b"]);
    assert_eq!(of(Node::static_kind()), ["c"]);
}

#[test]
fn an_owner_of_the_cluster_has_no_namespace() {
    let requests =
        controllers(Node::static_kind(), &added(pod(&[owner("v1", "Node", "n1", true)])));
    assert_eq!(keys(&requests), ["n1"]);
}

#[test]
fn b_04_an_object_that_changes_its_owner_concerns_both() {
    let old = pod(&[owner("apps/v1", "Deployment", "a", true)]);
    let new = pod(&[owner("apps/v1", "Deployment", "b", true)]);
    let change = Change::Updated { old: Arc::clone(&old), new };
    assert_eq!(keys(&controllers(Deployment::static_kind(), &change)), ["shop/a", "shop/b"]);
    let change = Change::Updated { old: Arc::clone(&old), new: old };
    assert_eq!(keys(&controllers(Deployment::static_kind(), &change)), ["shop/a"]);
}

#[test]
fn b_04_a_map_may_name_no_key_one_or_many() {
    let change = added(pod(&[]));
    let none = mapped(&|_: &Pod| None::<ObjectKey>, &change);
    assert!(none.is_empty());
    let one = mapped(&|pod: &Pod| Some(pod.key()), &change);
    assert_eq!(keys(&one), ["shop/web-1"]);
    let many = mapped(&|_: &Pod| [("a", "b"), ("a", "c"), ("a", "b")], &change);
    assert_eq!(keys(&many), ["a/b", "a/c"]);
}

#[test]
fn a_change_concerns_the_object_itself_once() {
    let change = Change::Updated { old: pod(&[]), new: pod(&[]) };
    assert_eq!(keys(&itself(&change)), ["shop/web-1"]);
}
