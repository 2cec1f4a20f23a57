use serde_json::{Value, json};

use super::{Failed, operations, refusal, undecodable, verify};

fn review(response: &Value) -> Value {
    json!({
        "kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "response": response,
    })
}

/// `VerifyAdmissionResponse` of `apiserver/pkg/admission/plugin/webhook/request`.
#[test]
fn a_patch_has_a_type_and_is_of_who_may_change() {
    let untyped = "webhook returned response.patch but not response.patchType";
    let unpatched = "webhook returned response.patchType but not response.patch";
    let invalid = "webhook returned invalid response.patchType of \"\"";
    let changes = "validating webhook may not return response.patch";
    let typed = "validating webhook may not return response.patchType";
    let (patch, kind) = (json!("W10="), json!("JSONPatch"));
    for (is_mutating, patch, kind, expected) in [
        (true, &patch, &Value::Null, untyped),
        (true, &json!(""), &kind, unpatched),
        (true, &Value::Null, &kind, unpatched),
        (true, &patch, &json!(""), invalid),
        (true, &patch, &kind, ""),
        (true, &json!(""), &Value::Null, ""),
        (false, &patch, &Value::Null, changes),
        (false, &patch, &kind, changes),
        (false, &Value::Null, &kind, typed),
        (false, &json!(""), &kind, typed),
        (false, &json!(""), &Value::Null, ""),
    ] {
        let review = review(&json!({"uid": "u", "patch": patch, "patchType": kind}));
        let told = verify(&review, "u", is_mutating).err().unwrap_or_default();
        assert_eq!(told, expected, "{is_mutating} {review}");
    }
}

#[test]
fn an_answer_is_of_the_kind_that_was_asked_for() {
    let wanted = "expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got";
    for (member, value, expected) in [
        ("kind", "Other", format!("{wanted} admission.k8s.io/v1, Kind=Other")),
        ("apiVersion", "v1", format!("{wanted} /v1, Kind=AdmissionReview")),
        ("other", "v1", String::new()),
    ] {
        let mut review = review(&json!({"uid": "u"}));
        review[member] = value.into();
        assert_eq!(verify(&review, "u", false).err().unwrap_or_default(), expected);
    }
    let other = verify(&review(&json!({"uid": "v"})), "u", false).err();
    assert_eq!(other.as_deref(), Some(r#"expected response.uid="u", got "v""#));
    let absent = verify(&review(&Value::Null), "u", false).err();
    assert_eq!(absent.as_deref(), Some("webhook response was absent"));
}

/// `ToStatusErr` of `apiserver/pkg/admission/plugin/webhook/errors`.
#[test]
fn a_refusal_is_one_whatever_its_code() {
    let denied = "admission webhook \"a\" denied the request";
    for (status, code, message) in [
        (json!(null), 400, format!("{denied} without explanation")),
        (json!({"message": "no", "code": 399}), 400, format!("{denied}: no")),
        (json!({"message": "no", "code": 400}), 400, format!("{denied}: no")),
        (json!({"reason": "Why", "code": 418}), 418, format!("{denied}: Why")),
        (json!({"reason": "Why", "message": "no", "code": 999}), 999, format!("{denied}: no")),
        (json!({"code": 1000}), 400, format!("{denied} without explanation")),
        (json!({"code": 65936}), 400, format!("{denied} without explanation")),
    ] {
        let error = refusal("a", &status);
        assert_eq!((error.code, error.message), (code, message), "{status}");
        assert_eq!(error.reason, status["reason"].as_str().unwrap_or_default());
    }
    let error = refusal("a", &json!({"details": {"name": "x"}}));
    assert_eq!(Value::from(error.details), json!({"name": "x"}));
}

#[test]
fn what_is_no_review_is_told_of_in_gos_words() {
    assert_eq!(
        undecodable(b"no"),
        "couldn't get version/kind; json parse error: invalid character 'o' in literal null \
         (expecting 'u')"
    );
}

#[test]
fn a_patch_is_a_list_or_nothing() {
    let told = |patch: &str| match operations(patch.as_bytes()) {
        Ok(value) => value.to_string(),
        Err(Failed::Calling(why)) => why,
        Err(Failed::Refused(error)) => error.message,
    };
    assert_eq!(told("null"), "[]");
    assert_eq!(told("[1]"), "[1]");
    let wrong = "received undecodable patch in webhook response: json: cannot unmarshal object into \
                 Go value of type jsonpatch.Patch";
    assert_eq!(told("{}"), wrong);
    assert!(told("{").starts_with("received undecodable patch in webhook response: "));
}
