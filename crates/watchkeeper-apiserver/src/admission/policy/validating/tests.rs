use http::Method;
use serde_json::{Value, json};

use super::{forbidden, refusal};
use crate::admission::attributes::{Attributes, Operation};
use crate::handlers::bootstrap::own_call;
use crate::registry::builtin;

#[test]
fn a_refusal_has_the_code_of_its_reason() {
    let maps = builtin("", "v1", "ConfigMap").expect("config maps");
    let call = own_call(Method::POST, maps, "a", "x");
    let attributes = Attributes::write(&call, Operation::Create, "x", json!({}), None);
    for (reason, code, told) in [
        ("Forbidden", 403, "Forbidden"),
        ("RequestEntityTooLarge", 413, "RequestEntityTooLarge"),
        ("Invalid", 422, "Invalid"),
        ("", 422, "Invalid"),
    ] {
        let error = refusal(&attributes, ("p", Some("b")), "no", reason);
        assert_eq!((error.code, &*error.reason), (code, told));
        let why = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no";
        assert_eq!(error.message, format!("configmaps \"x\" is forbidden: {why}"));
        let causes = json!([{"message": why}]);
        assert_eq!(error.details.get("causes"), Some(&causes));
    }
    let error = refusal(&attributes, ("p", None), "no", "");
    assert!(error.message.ends_with("Policy 'p' denied request: no"), "{}", error.message);
    assert_eq!(Value::from(error.details)["name"], "x");
}

#[test]
fn what_is_refused_is_told_by_the_name_that_it_is_to_have() {
    let maps = builtin("", "v1", "ConfigMap").expect("config maps");
    let call = own_call(Method::POST, maps, "a", "");
    for (name, metadata, told) in [
        ("x", json!({"name": "y"}), "x"),
        ("", json!({"name": "y", "generateName": "z-"}), "y"),
        ("", json!({"generateName": "z-"}), "z-"),
        ("", json!({}), "Unknown"),
    ] {
        let object = json!({"metadata": metadata});
        let attributes = Attributes::write(&call, Operation::Create, name, object, None);
        let error = forbidden(&attributes, "no");
        assert_eq!(error.message, format!("configmaps \"{told}\" is forbidden: no"));
    }
}
