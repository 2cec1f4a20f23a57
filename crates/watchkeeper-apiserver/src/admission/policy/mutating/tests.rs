use http::Method;
use serde_json::{Value, json};

use super::{applied, patched, refusal, said};
use crate::admission::attributes::{Attributes, Operation};
use crate::handlers::bootstrap::own_call;

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

/// The code is that of what is forbidden, whatever the reason.
#[test]
fn all_policies_that_refuse_are_told_and_the_first_is_the_reason() {
    let maps = crate::registry::builtin("", "v1", "ConfigMap").expect("config maps");
    let call = own_call(Method::POST, maps, "a", "x");
    let attributes = Attributes::write(&call, Operation::Create, "x", json!({}), None);
    let errors = vec![("one".to_owned(), "Invalid"), ("two".to_owned(), "Forbidden")];
    let error = refusal(&attributes, errors);
    assert_eq!((error.code, &*error.reason, &*error.message), (403, "Invalid", "one"));
    let causes = json!([{"message": "one"}, {"message": "two"}]);
    assert_eq!(error.details.get("causes"), Some(&causes));
}
