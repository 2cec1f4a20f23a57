//! Each rule of a kind beside what it just allows: where something is wrong, and in which way.

use super::*;
use crate::kind_validation::told::MOST_TOLD;

mod data;
mod definitions;
mod devices;
mod flows;
mod jobs;
mod networks;
mod others;
mod services;
mod slices;
mod statuses;
mod workloads;

/// The group of a kind and its name.
type Kind = (&'static str, &'static str);

fn short(errors: &[FieldError]) -> String {
    let one = |error: &FieldError| format!("{} {:?}", error.field, error.reason);
    errors.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// What is wrong with a new object.
fn wrong(kind: Kind, new: Value) -> String {
    short(&validate(kind.0, kind.1, &completed(kind.0, kind.1, new), None))
}

/// What is wrong with a new object whose defaults are not filled in.
fn wrong_bare(kind: Kind, new: &Value) -> String {
    short(&validate(kind.0, kind.1, new, None))
}

/// What is wrong with an update.
fn wrong_update(kind: Kind, old: &Value, new: &Value) -> String {
    let [old, new] = [old, new].map(|value| completed(kind.0, kind.1, value.clone()));
    short(&validate(kind.0, kind.1, &new, Some(&old)))
}

/// What is wrong with a status that an object is given.
fn wrong_status(kind: Kind, old: &Value, change: &Value) -> String {
    let new = crate::patch::merge(old, &json!({ "status": change }));
    let [old, new] = [old.clone(), new].map(|value| completed(kind.0, kind.1, value));
    short(&status(kind.0, kind.1, &new, &old))
}

/// Each of these is wrong in this way.
fn hold<const N: usize>(kind: Kind, object: impl Fn(Value) -> Value, cases: [(Value, &str); N]) {
    for (part, expected) in cases {
        assert_eq!(wrong(kind, object(part.clone())), expected, "{part}");
    }
}

#[test]
fn members_are_put_back_as_they_were_before() {
    let (mut to, from) = (json!({"a": 1, "b": 2, "c": 3}), json!({"a": 4}));
    put_back(&mut to, &from, &["a", "b"]);
    assert_eq!(to, json!({"a": 4, "c": 3}));
}

#[test]
fn what_is_told_ends_when_it_is_much() {
    let object = Value::Null;
    let mut check = Check::of(&object, None);
    let long = "x".repeat(MOST_TOLD / 2 - 110);
    check.push(FieldError::invalid("a", "b", &*long));
    assert_eq!((check.told, check.is_full()), (MOST_TOLD / 2 - 8, false));
    check.push(FieldError::invalid("a", &*long, "b"));
    assert!(!check.is_full());
    check.push(FieldError::required("a", ""));
    assert!(check.is_full());
    assert_eq!(check.errors.len(), 2);
    let mut check = Check::of(&object, None);
    check.push(FieldError::required("a", "x".repeat(MOST_TOLD - 101)));
    assert!(check.is_full());
    assert_eq!(check.errors.len(), 1, "one mistake is always told");
}

#[test]
fn a_place_is_empty_without_items_members_or_text() {
    let object =
        json!({"a": [], "b": {}, "c": "", "d": [1], "e": {"f": 1}, "g": "h", "i": 0, "j": null});
    let check = Check::of(&object, None);
    for name in ["a", "b", "c", "j", "k"] {
        assert!(check.at(name).is_empty(), "{name}");
    }
    for name in ["d", "e", "g", "i"] {
        assert!(!check.at(name).is_empty(), "{name}");
    }
    let missing = ["a", "j", "k"].map(|name| check.at(name).is_missing());
    assert_eq!(missing, [false, true, true]);
    let whole = Place { value: Some(&object), path: String::new() };
    assert_eq!(["a", "j", "k"].map(|name| whole.has(name)), [true, false, false]);
}

#[test]
fn a_group_that_is_protected_needs_an_approval() {
    let kind = ("apiextensions.k8s.io", "CustomResourceDefinition");
    let crd = |(group, approval): (&str, &str)| {
        json!({"metadata": {"name": format!("foos.{group}"),
                "annotations": {"api-approved.kubernetes.io": approval}},
            "spec": {"group": group, "scope": "Namespaced", "names": {"plural": "foos", "kind": "Foo"},
                "versions": [{"name": "v1", "served": true, "storage": true,
                    "schema": {"openAPIV3Schema": {"type": "object"}}}]}})
    };
    let at = "metadata.annotations[api-approved.kubernetes.io]";
    let (invalid, required) = (format!("{at} Invalid"), format!("{at} Required"));
    for (of, expected) in [
        (("a.k8s.io", "https://a/1"), ""),
        (("a.k8s.io", "unapproved, because"), ""),
        (("a.k8s.io", "because"), invalid.as_str()),
        (("a.kubernetes.io", "because"), invalid.as_str()),
        (("a.k8s.io", ""), required.as_str()),
        (("k8s.io", ""), required.as_str()),
        (("not-k8s.io", ""), ""),
        (("a.io", "because"), ""),
    ] {
        assert_eq!(wrong(kind, crd(of)), expected, "{of:?}");
    }
    let [bad, worse] = ["because", "why not"].map(|approval| crd(("a.k8s.io", approval)));
    assert_eq!(wrong_update(kind, &bad, &bad), "");
    assert_eq!(wrong_update(kind, &bad, &worse), invalid);
}

#[test]
fn lists_in_a_set_are_atomic() {
    let kind = ("apiextensions.k8s.io", "CustomResourceDefinition");
    let crd = |items: Value| {
        let list = json!({"type": "array", "x-kubernetes-list-type": "set", "items": items});
        json!({"metadata": {"name": "foos.g.io"}, "spec": {"group": "g.io", "scope": "Namespaced",
            "names": {"plural": "foos", "kind": "Foo", "singular": "foo", "listKind": "FooList"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
                {"type": "object", "properties": {"l": list}}}}]}})
    };
    let texts = json!({"type": "string"});
    let at = "spec.validation.openAPIV3Schema.properties[l].items.x-kubernetes-list-type Invalid";
    hold(
        kind,
        crd,
        [
            (json!({"type": "array", "items": texts}), ""),
            (json!({"type": "array", "items": texts, "x-kubernetes-list-type": "atomic"}), ""),
            (json!({"type": "array", "items": texts, "x-kubernetes-list-type": "set"}), at),
        ],
    );
}
