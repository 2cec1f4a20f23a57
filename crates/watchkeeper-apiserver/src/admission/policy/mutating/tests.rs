use serde_json::{Value, json};

use super::{applied, patched, said};

/// `JSONPatch` of upstream: a test that fails leaves the object as it is, all else that fails is an error.
#[test]
fn a_patch_whose_test_fails_changes_nothing() {
    let seen = json!({"a": 1});
    let add = json!({"op": "add", "path": "/b", "value": 2});
    let (good, bad) = (
        json!({"op": "test", "path": "/a", "value": 1}),
        json!({"op": "test", "path": "/a", "value": 2}),
    );
    let remove = json!({"op": "remove", "path": "/none"});
    let told = |operations: &Value| patched(&seen, operations);
    assert_eq!(told(&json!([add])), Ok(json!({"a": 1, "b": 2})));
    assert_eq!(told(&json!([good, add])), Ok(json!({"a": 1, "b": 2})));
    assert_eq!(told(&json!([add, bad])), Ok(seen.clone()));
    let failed = told(&json!([add, remove])).expect_err("it is not there");
    assert!(failed.starts_with("JSON Patch: "), "{failed}");
    let why = "type mismatch: JSONPatchType.expression should evaluate to array";
    assert_eq!(told(&add), Err(why.to_owned()));
}

#[test]
fn a_configuration_is_an_object() {
    let maps = crate::registry::builtin("", "v1", "ConfigMap").expect("config maps");
    let seen = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": {"a": "1"},
    });
    let laid = applied(&seen, json!({"data": {"b": "2"}}), &maps).expect("an object");
    assert_eq!(laid["data"], json!({"a": "1", "b": "2"}));
    let why = "unsupported return type from ApplyConfiguration expression";
    assert_eq!(applied(&seen, json!([]), &maps), Err(why.to_owned()));
}

#[test]
fn a_policy_is_told_with_its_binding_if_there_is_one() {
    assert_eq!(said("p", Some("b"), "no"), "policy 'p' with binding 'b' denied request: no");
    assert_eq!(said("p", None, "no"), "policy \"p\" denied request: no");
}
