//! What is written is what is read.

use proptest::prelude::*;
use serde_json::{Number, json};

use super::*;

/// Numbers that a server stores, among them those that are easily made something else.
fn number() -> impl Strategy<Value = Value> {
    let odd = [0.0, -0.0, 1.0, -1.0, 1e15, 1e16, 1e21, 5e-324, f64::MAX, f64::MIN_POSITIVE, 0.1];
    prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_filter_map("JSON has it", Number::from_f64).prop_map(Value::Number),
        proptest::sample::select(odd.to_vec()).prop_map(Value::from),
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::sample::select(vec!["kind", "apiVersion", "metadata", "labels", "a", "b", ""])
            .prop_map(str::to_owned),
        "\\PC{0,8}",
        any::<String>(),
    ]
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number(),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(name(), inner, 0..6)
                .prop_map(|of| { Value::Object(of.into_iter().collect()) }),
        ]
    })
}

fn object() -> impl Strategy<Value = Value> {
    prop::collection::btree_map(name(), any_value(), 0..6)
        .prop_map(|of| Value::Object(of.into_iter().collect()))
}

/// What is at a path of a tree.
fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').filter(|name| !name.is_empty()).try_fold(value, |value, name| value.get(name))
}

proptest! {
    #[test]
    fn what_was_written_is_read_back_and_written_alike(value in object()) {
        let (head, tail) = (head(&value), tail(&value));
        let read = read(&head, &tail);
        prop_assert_eq!(&read, &value);
        prop_assert_eq!(super::tail(&read), &tail);
        prop_assert_eq!(super::head(&read), head);
        // Equal numbers may be written in two ways.
        prop_assert_eq!(read.to_string(), value.to_string());
    }

    #[test]
    fn a_part_is_what_the_tree_has_there(value in object(), names in prop::collection::vec(name(), 1..4)) {
        let path = names.join(".");
        let of_tail = !path.split('.').find(|name| !name.is_empty()).is_none_or(is_type_meta);
        let parts = parts(&tail(&value), &[&path]);
        if let Some(parts) = parts.filter(|_| of_tail) {
            prop_assert_eq!(at(&parts, &path), at(&value, &path));
        }
    }
}

#[test]
fn several_parts_are_read_together() {
    let value = json!({"kind": "Foo", "metadata": {"labels": {"a": "b", "c": "d\"}"}, "name": "x"},
        "spec": {"list": [1, {"x": "]"}], "text": "a,b", "node": "n"}, "status": null});
    let tail = tail(&value);
    let read = |paths: &[&str]| parts(&tail, paths);
    assert_eq!(
        read(&["metadata.labels", "spec.node", "spec.text", "spec.absent", "status", "absent"]),
        Some(json!({"metadata": {"labels": {"a": "b", "c": "d\"}"}},
            "spec": {"node": "n", "text": "a,b"}, "status": null}))
    );
    assert_eq!(read(&["spec.list.x", "spec.text.x", "status.x"]), Some(json!({})));
    assert_eq!(
        read(&["spec.list", "metadata.name"]).map(|of| of["spec"]["list"][1]["x"].clone()),
        Some("]".into())
    );
    assert_eq!(
        read(&["a\"b"]),
        None,
        "names that are spelled otherwise in JSON are not looked for"
    );
}

#[test]
fn heads_tell_versions() {
    let head = head(&json!({"kind": "Pod", "apiVersion": "v1", "metadata": {}}));
    assert_eq!(head, r#"{"apiVersion":"v1","kind":"Pod""#);
    assert_eq!(api_version(&head), "v1");
    assert_eq!(api_version(""), "");
    assert_eq!(super::head(&json!({"metadata": {}})), "");
    assert_eq!(read("", b"}"), json!({}));
    assert_eq!(read("", br#","a":1}"#), json!({"a": 1}));
    assert_eq!(read(&head, b"}"), json!({"apiVersion": "v1", "kind": "Pod"}));
}
