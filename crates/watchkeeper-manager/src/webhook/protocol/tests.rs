//! Bodies of requests, and what is answered to them.

use serde_json::{Value, json};

use super::*;

fn refused(body: &str) -> (i32, String) {
    let refused = read(body.as_bytes()).expect_err("it is no review");
    (refused.status().code, refused.status().message.to_string())
}

#[test]
fn what_is_no_review_is_answered_with_400_and_why() {
    for body in ["", "[]", "{", "null", "\u{0}", "{\"request\": 1}", "{\"kind\": {}}"] {
        assert_eq!(refused(body).0, 400, "{body:?}");
    }
    let (_, why) = refused("{\"kind\": \"Pod\", \"apiVersion\": \"v1\", \"request\": {}}");
    assert_eq!(why, "expected AdmissionReview of admission.k8s.io/v1, got Pod of v1");
    let (_, why) = refused("{}");
    assert_eq!(why, "the AdmissionReview has no request");
    let deep = "[".repeat(100_000);
    let (_, why) = refused(&format!("{{\"request\": {{\"object\": {deep}}}}}"));
    assert!(why.contains("deep"), "{why}");
}

#[test]
fn an_answer_has_the_version_and_the_uid_of_its_question() {
    for version in ["admission.k8s.io/v1", "admission.k8s.io/v1beta1"] {
        let body = json!({
            "kind": "AdmissionReview", "apiVersion": version, "request": {"uid": "u-1", "new": 1},
        });
        let Asked { version: asked, review } = read(body.to_string().as_bytes()).expect("a review");
        let answer = written(asked, &review.uid, Reviewed::allowed());
        let answer: Value = serde_json::from_slice(&answer).expect("JSON");
        let expected = json!({
            "kind": "AdmissionReview", "apiVersion": version,
            "response": {
                "uid": "u-1", "allowed": true,
                "status": {"kind": "Status", "apiVersion": "v1", "code": 200},
            },
        });
        assert_eq!(answer, expected);
    }
}

#[test]
fn an_answer_tells_all_that_was_said() {
    let operations = [json!({"op": "remove", "path": "/spec"})];
    let reviewed = Reviewed::patched(operations.clone()).warning("a").audit_annotation("k", "v");
    let answer = written(Version::default(), &"u".into(), reviewed);
    let answer: Value = serde_json::from_slice(&answer).expect("JSON");
    let response = &answer["response"];
    let patch = watchkeeper_api::ByteString::from_base64(response["patch"].as_str().expect("one"));
    let patch: Value = serde_json::from_slice(&patch.expect("base64")).expect("JSON");
    assert_eq!(patch, Value::from(operations.to_vec()));
    assert_eq!(response["patchType"], "JSONPatch");
    assert_eq!(response["warnings"], json!(["a"]));
    assert_eq!(response["auditAnnotations"], json!({"k": "v"}));
    // A server refuses answers of validating webhooks that name a type of patches.
    let answer = written(Version::default(), &"u".into(), Reviewed::denied("no"));
    let answer: Value = serde_json::from_slice(&answer).expect("JSON");
    assert_eq!(answer["response"].get("patchType"), None);
    assert_eq!(answer["response"]["status"]["reason"], "Forbidden");
}
