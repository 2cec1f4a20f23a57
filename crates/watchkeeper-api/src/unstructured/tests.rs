//! Reading by path against serde_json, and round trips.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::Unstructured;
use crate::{Kind, Object, Scope};

#[test]
fn the_kind_is_known_or_guessed() {
    let kind = |value: Value| Unstructured::from_value(&value).unwrap().kind().clone();
    let meta = json!({"name": "a"});
    let policy =
        kind(json!({"apiVersion": "x.io/v1", "kind": "Policy", "metadata": {"namespace": "b"}}));
    assert_eq!(policy, Kind::new("x.io", "v1", "Policy", "policies", Scope::Namespaced));
    let class = kind(json!({"apiVersion": "x.io/v1", "kind": "Class", "metadata": meta}));
    assert_eq!(class, Kind::new("x.io", "v1", "Class", "classes", Scope::Cluster));
    assert_eq!(kind(json!({})).plural, "");
}

#[cfg(feature = "core")]
#[test]
fn built_in_kinds_come_from_the_registry() {
    let endpoints = Unstructured::from_value(&json!({"apiVersion": "v1", "kind": "Endpoints"}));
    assert_eq!(endpoints.unwrap().kind().plural, "endpoints");
    let namespace = Unstructured::from_value(&json!({"apiVersion": "v1", "kind": "Namespace"}));
    assert_eq!(namespace.unwrap().kind().scope, Scope::Cluster);
}

#[test]
fn set_and_remove() {
    let kind = Kind::new("x.io", "v1", "Foo", "foos", Scope::Namespaced);
    let mut foo = Unstructured::new(&kind, "a", "b");
    foo.set("/spec/deep/er", &1).unwrap();
    foo.set("/spec/a~1b", &true).unwrap();
    assert_eq!(foo.get("/spec/a~1b"), Some("true"));
    assert!(foo.remove("/spec/deep/er") && !foo.remove("/spec/deep/er"));
    assert_eq!(foo.to_value()["spec"], json!({"deep": {}, "a/b": true}));
    for (pointer, why) in [
        ("spec", "it does not start with `/`"),
        ("/metadata/name", "apiVersion, kind and metadata are set apart"),
        ("", "apiVersion, kind and metadata are set apart"),
        ("/spec/a~1b/c", "a value on the way is neither object nor list"),
    ] {
        let error = foo.set(pointer, &1).unwrap_err();
        assert_eq!(error.message(), format!("cannot set {pointer:?}: {why}"));
    }
    assert!(foo.remove("/spec"));
    assert_eq!(foo, Unstructured::new(&kind, "a", "b"));
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<i32>().prop_map(Value::from),
        ".{0,3}".prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[ab/~\"]{0,2}", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn paths_find_what_serde_json_finds(spec in value(), steps in prop::collection::vec("[ab012/~\"]{0,2}", 0..3)) {
        let whole = json!({"apiVersion": "x.io/v1", "kind": "Foo", "metadata": {"name": "a"}, "spec": spec});
        let foo = Unstructured::from_value(&whole).unwrap();
        let escaped = steps.iter().map(|step| format!("/{}", step.replace('~', "~0").replace('/', "~1")));
        let pointer: String = std::iter::once("/spec".to_owned()).chain(escaped).collect();
        let found = foo.get(&pointer).map(|text| serde_json::from_str::<Value>(text).unwrap());
        prop_assert_eq!(found.as_ref(), whole.pointer(&pointer));
        prop_assert_eq!(foo.to_value(), whole);
    }
}

#[test]
fn an_index_with_leading_zeros_or_a_sign_is_none() {
    let object: Unstructured = crate::json::from_slice(
        br#"{"apiVersion":"v1","kind":"X","metadata":{"name":"a"},"spec":[7,8]}"#,
    )
    .expect("an object");
    assert!(object.get("/spec/1").is_some());
    for pointer in ["/spec/01", "/spec/00", "/spec/+1", "/spec/-"] {
        assert!(object.get(pointer).is_none(), "{pointer}");
    }
}

/// Deeper than `serde_json` reads by default, and as deep as ours does.
#[test]
fn an_object_that_nests_deep_is_edited_and_not_lost() {
    let deep = format!("{}1{}", r#"{"a":"#.repeat(180), "}".repeat(180));
    let text = format!(r#"{{"apiVersion":"x.io/v1","kind":"Foo","spec":{{"deep":{deep},"b":1}}}}"#);
    let mut foo: Unstructured = crate::json::from_str(&text).unwrap();
    assert!(foo.to_value()["spec"]["deep"].is_object());
    foo.set("/spec/b", &2).unwrap();
    assert_eq!((foo.get("/spec/b"), foo.get("/spec/deep")), (Some("2"), Some(&*deep)));
    assert!(foo.remove("/spec/b"));
    assert_eq!(foo.get("/spec/deep"), Some(&*deep));
}

/// No tree is made, so a number that no float holds is no obstacle.
#[test]
fn what_is_beside_an_edit_keeps_its_spelling() {
    let text = r#"{"apiVersion":"x.io/v1","kind":"Foo","spec":{"huge":1e400,"b":1,"c":2.50}}"#;
    let mut foo: Unstructured = crate::json::from_str(text).unwrap();
    foo.set("/spec/b", &2).unwrap();
    assert_eq!(foo.get("/spec"), Some(r#"{"huge":1e400,"b":2,"c":2.50}"#));
    assert!(foo.remove("/spec/b"));
    assert_eq!(foo.get("/spec"), Some(r#"{"huge":1e400,"c":2.50}"#));
}

#[test]
fn what_would_nest_too_deep_is_not_set() {
    let mut foo: Unstructured =
        crate::json::from_str(r#"{"apiVersion":"x.io/v1","kind":"Foo","spec":1}"#).unwrap();
    let error = foo.set(&"/a".repeat(500), &1).unwrap_err();
    assert!(error.message().ends_with("values are nested too deeply"), "{error}");
    assert_eq!(foo.get("/spec"), Some("1"));
}

#[test]
fn clones_share_what_nobody_edits() {
    let foo: Unstructured =
        crate::json::from_str(r#"{"apiVersion":"x.io/v1","kind":"Foo","spec":{"a":1}}"#).unwrap();
    let mut other = foo.clone();
    let place = |foo: &Unstructured| foo.get("/spec").map(str::as_ptr);
    assert_eq!(place(&foo), place(&other));
    other.set("/spec/a", &2).unwrap();
    assert_eq!((foo.get("/spec/a"), other.get("/spec/a")), (Some("1"), Some("2")));
}

/// What a tree of serde_json would be after the same edit.
fn edited(tree: &mut Value, steps: &[String], value: Value) -> bool {
    let mut place = tree;
    for step in steps {
        if place.is_null() {
            *place = json!({});
        }
        place = match place {
            Value::Object(members) => members.entry(step.clone()).or_insert(Value::Null),
            Value::Array(elements) => {
                let index = super::path::index_of(step);
                match index.and_then(|index| elements.get_mut(index)) {
                    Some(element) => element,
                    None => return false,
                }
            }
            _ => return false,
        };
    }
    *place = value;
    true
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn edits_of_the_text_are_edits_of_the_tree(spec in value(), steps in prop::collection::vec("[ab012/~\"]{0,2}", 0..4), new in value()) {
        let whole = json!({"apiVersion": "x.io/v1", "kind": "Foo", "metadata": {"name": "a"}, "spec": spec});
        let mut foo = Unstructured::from_value(&whole).unwrap();
        let escaped = steps.iter().map(|step| format!("/{}", step.replace('~', "~0").replace('/', "~1")));
        let pointer: String = std::iter::once("/spec".to_owned()).chain(escaped).collect();
        let mut tree = whole.clone();
        if edited(&mut tree["spec"], &steps, new.clone()) {
            foo.set(&pointer, &new).unwrap();
            prop_assert_eq!(foo.to_value(), tree.clone());
            prop_assert!(foo.remove(&pointer));
            let (parent, last) = pointer.rsplit_once('/').unwrap();
            match tree.pointer_mut(parent) {
                Some(Value::Object(members)) => { members.remove(&last.replace("~1", "/").replace("~0", "~")); }
                Some(Value::Array(elements)) => { elements.remove(last.parse().unwrap()); }
                _ => unreachable!("it was set"),
            }
            prop_assert_eq!(foo.to_value(), tree);
        } else {
            prop_assert!(foo.set(&pointer, &new).is_err());
            prop_assert_eq!(foo.to_value(), whole);
        }
    }
}
