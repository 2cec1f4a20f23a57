//! What is told of two objects that differ.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::diff;
use crate::core::v1::Secret;
use crate::{Unstructured, object};

fn check(old: &Value, new: &Value, expected: &Expect) {
    expected.assert_eq(&diff(old, new).to_string());
}

#[test]
fn each_difference_is_a_line() {
    check(
        &json!({"a": 1, "b": [1, 2]}),
        &json!({"a": 1, "b": [1, 3, {"c": null}]}),
        &expect![[r#"
        b[1]: 2 -> 3
        b[2]: (absent) -> {}"#]],
    );
    check(&json!({"a": {"x.y": "1"}}), &json!({"a": 5}), &expect![[r#"a: {"x.y": "1"} -> 5"#]]);
    check(
        &json!({"a": {"x.y": "1"}}),
        &json!({"a": {}}),
        &expect![[r#"a["x.y"]: "1" -> (absent)"#]],
    );
    check(&json!(1), &json!(2), &expect!["(all): 1 -> 2"]);
    let long = "x".repeat(1000);
    let shown = diff(&json!({"a": ""}), &json!({"a": long})).to_string();
    assert!(shown.len() < 300 && shown.ends_with("… (1002 bytes)"), "{shown}");
}

#[test]
fn a_test_that_fails_prints_what_differs_and_no_secret() {
    super::assert_same(&json!({"a": 1}), &json!({"a": 1}));
    let secret =
        |value: &str| object!(Secret { metadata: { name: value }, string_data: { "k": value } });
    let failed = std::panic::catch_unwind(|| super::assert_same(&secret("old"), &secret("new")));
    let told = *failed.expect_err("they differ").downcast::<String>().expect("a text");
    expect![[r#"
        they differ:
        metadata.name: "old" -> "new"
        stringData.k: (redacted) -> (redacted)"#]]
    .assert_eq(&told);
}

#[test]
fn logs_have_it_in_a_line() {
    let line = diff(&json!({"a": 1, "b": [1]}), &json!({"a": 2, "b": [3]})).line();
    assert_eq!(line, "a: 1 -> 2; b[0]: 1 -> 3");
    let many = |value: i32| json!({"a": vec![value; 1000]});
    let line = diff(&many(1), &many(2)).line();
    assert!(
        line.starts_with("a[0]: 1 -> 2; ") && line.ends_with("; a[15]: 1 -> 2; and 984 more"),
        "{line}"
    );
}

#[test]
fn elements_go_by_their_names() {
    let list = |names: &[&str]| json!({"l": names.iter().map(|name| json!({"name": name, "v": names.len()})).collect::<Vec<_>>()});
    check(
        &list(&["a", "b"]),
        &list(&["b"]),
        &expect![[r#"
        l[a]: {name: "a", v: 2} -> (absent)
        l[b].v: 2 -> 1"#]],
    );
    check(
        &list(&["a", "b"]),
        &list(&["b", "a"]),
        &expect![[r#"
        l[0].name: "a" -> "b"
        l[1].name: "b" -> "a""#]],
    );
}

#[test]
fn some_paths_can_be_left_out() {
    let (old, new) =
        (json!({"a": {"b": 1, "c": 1}, "ab": 1}), json!({"a": {"b": 2, "c": 2}, "ab": 2}));
    let paths = |without: &[&str]| -> Vec<String> {
        diff(&old, &new).without(without).iter().map(|difference| difference.path.clone()).collect()
    };
    assert_eq!(paths(&[]), ["a.b", "a.c", "ab"]);
    assert_eq!(paths(&["a"]), ["ab"]);
    assert_eq!(paths(&["a.b", "ab"]), ["a.c"]);
}

#[test]
fn secrets_are_never_told() {
    let secret = |password: &str| object!(Secret { metadata: { name: "s" }, string_data: { "password": password } });
    let (old, new) = (secret("hunter2"), secret("hunter3"));
    let told = "stringData.password: (redacted) -> (redacted)";
    assert_eq!(diff(&old, &new).to_string(), told);
    assert_eq!(diff(&Unstructured::encode(&old), &Unstructured::encode(&new)).to_string(), told);
    let mut none = old.clone();
    none.string_data = crate::Map::default();
    assert_eq!(diff(&none, &new).to_string(), "stringData: (absent) -> {password: (redacted)}");
    let list = |secret: &Secret| json!({"kind": "List", "items": [crate::json::to_value(secret)]});
    assert_eq!(diff(&list(&old), &list(&new)).to_string(), format!("items[0].{told}"));
    let other = json!({"kind": "ConfigMap", "stringData": {"password": "x"}});
    let shown = diff(&other, &old).to_string();
    assert!(!shown.contains("hunter2"), "{shown}");
    let whole = diff(&json!({}), &json!({"object": crate::json::to_value(&old)})).to_string();
    assert!(whole.contains("(redacted)") && !whole.contains("hunter2"), "{whole}");
}

#[test]
fn secret_texts_and_bytes_are_never_told() {
    use crate::{ByteString, Map, SecretText};
    let token = |text: &str| -> Map<SecretText> { Map::from([("t", text)]) };
    let key = |text: &str| -> Map<ByteString> { Map::from([("k", text)]) };
    let (old, new) = (token("hunter2"), token("hunter3"));
    assert_eq!(diff(&Map::<SecretText>::default(), &old).to_string(), "t: (absent) -> (redacted)");
    assert_eq!(diff(&old, &new).to_string(), "t: (redacted) -> (redacted)");
    assert!(diff(&old, &old).is_empty());
    assert_eq!(diff(&key("hunter2"), &key("hunter33")).to_string(), "k: (7 bytes) -> (8 bytes)");
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        (0..3_i32).prop_map(Value::from),
        "[ab]?".prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("a|b|name|kind", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn equal_values_and_only_those_do_not_differ(old in value(), new in value()) {
        prop_assert_eq!(diff(&old, &new).is_empty(), old == new);
        prop_assert!(diff(&old, &old).is_empty());
    }
}
