use std::sync::Arc;

use super::{Registry, builtin, priority, table};
use crate::resource::Resource;

mod claims;

#[test]
fn versions_are_ordered_as_kubernetes_orders_them() {
    for (version, expected) in [
        ("v1", (3, 1, 0)),
        ("v12", (3, 12, 0)),
        ("v1beta2", (2, 1, 2)),
        ("v3alpha4", (1, 3, 4)),
        ("v1beta", (0, 0, 0)),
        ("vbeta1", (0, 0, 0)),
        ("v1alphax", (0, 0, 0)),
        ("v", (0, 0, 0)),
        ("vx", (0, 0, 0)),
        ("1", (0, 0, 0)),
        ("foo", (0, 0, 0)),
    ] {
        assert_eq!(priority(version), expected, "{version}");
    }
}

fn versioned(version: &str) -> Arc<Resource> {
    let pods = builtin("", "v1", "Pod").expect("pods");
    Arc::new(Resource {
        group: "example.com".to_owned(),
        version: version.to_owned(),
        ..(*pods).clone()
    })
}

#[test]
fn the_versions_of_a_group_are_told_in_the_order_of_preference_and_once() {
    let mut registry = Registry::default();
    for version in ["v1", "v2beta1", "v2", "v1alpha1", "v1beta1", "other"] {
        registry.insert(versioned(version));
    }
    registry.insert(Arc::new(Resource { plural: "more".to_owned(), ..(*versioned("v1")).clone() }));
    let groups = registry.groups();
    let versions = ["v2", "v1", "v2beta1", "v1beta1", "v1alpha1", "other"];
    assert_eq!(groups["example.com"], versions);
    assert_eq!(groups.len(), 1);
}

#[test]
fn what_is_served_is_found_by_its_path_and_its_kind() {
    let mut registry = Registry::default();
    registry.insert(versioned("v1"));
    registry.insert(Arc::new(Resource { kind: "Box".to_owned(), ..(*versioned("v1")).clone() }));
    assert_eq!(registry.iter().count(), 1, "the newer is in place of the older");
    let kind = |kind: &str| registry.find_kind("example.com", "v1", kind).is_some();
    assert_eq!((kind("Pod"), kind("Box")), (false, true));
    assert!(registry.find_kind("", "v1", "Box").is_none());
    assert!(registry.find_kind("example.com", "v2", "Box").is_none());
    let found = |group: &str, version: &str| {
        (registry.find(group, version, "pods").is_some(), registry.has_version(group, version))
    };
    assert_eq!(found("example.com", "v1"), (true, true));
    for (group, version) in [("example.com", "v0"), ("example.com", "v2"), ("", "v1")] {
        assert_eq!(found(group, version), (false, false), "{group} {version}");
    }
    registry.retain(|one| one.kind != "Box");
    assert_eq!(registry.iter().count(), 0);
}

#[test]
fn tables_have_names_of_their_own_but_for_events() {
    for (group, plural, expected) in [
        ("", "pods", "pods"),
        ("events.k8s.io", "events", "events"),
        ("events.k8s.io", "others", "others.events.k8s.io"),
        ("apps", "events", "events.apps"),
    ] {
        assert_eq!(&*table(group, plural), expected);
    }
}

#[test]
fn kinds_know_where_they_live_and_what_is_below_them() {
    let pods = builtin("", "v1", "Pod").expect("pods");
    assert_eq!((pods.namespaced, &*pods.list_kind, &*pods.singular), (true, "PodList", "pod"));
    let eviction = pods.subresource("eviction").expect("evictions");
    let place = (&*eviction.group, &*eviction.version, &*eviction.kind);
    assert_eq!(place, ("policy", "v1", "Eviction"));
    assert_eq!(eviction.verbs, ["create"]);
    assert!(!builtin("", "v1", "Node").expect("nodes").namespaced);
    assert!(builtin("", "v1", "Nobody").is_none());
}
