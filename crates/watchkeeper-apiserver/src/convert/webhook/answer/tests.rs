use serde_json::{Value, json};

use super::{Wrong, accept, objects};

fn review(version: &str, response: &Value) -> Vec<u8> {
    let kind = "ConversionReview";
    json!({"kind": kind, "apiVersion": version, "response": response}).to_string().into_bytes()
}

fn told(body: &[u8], version: &str) -> String {
    objects(body, version, "u").map_or_else(|why| why, |objects| Value::from(objects).to_string())
}

#[test]
fn an_answer_is_of_the_version_and_the_uid_that_was_asked_with() {
    let response =
        |uid: &str| json!({"uid": uid, "result": {"status": "Success"}, "convertedObjects": [1]});
    let (one, old) = ("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1");
    let expected = r#"expected response.uid="u", got "x""#;
    for (sent, version, uid, expected) in [
        (one, "v1", "u", "[1]"),
        (one, "v1", "x", expected),
        (old, "v1beta1", "u", "[1]"),
        (old, "v1beta1", "x", "[1]"),
        (
            old,
            "v1",
            "u",
            "converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown conversion",
        ),
        (
            "",
            "v1",
            "u",
            "expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, \
             Kind=ConversionReview",
        ),
        (
            "other/v1",
            "v1",
            "u",
            "no kind \"ConversionReview\" is registered for version \"other/v1\" in scheme \
             \"pkg/runtime/scheme.go:111\"",
        ),
    ] {
        assert_eq!(told(&review(sent, &response(uid)), version), expected, "{sent} {version}");
    }
}

#[test]
fn a_response_that_is_no_success_says_why() {
    let one = "apiextensions.k8s.io/v1";
    for (response, expected) in [
        (json!(null), "no response provided"),
        (json!({"uid": "u"}), "response.result.status was '', not 'Success'"),
        (
            json!({"uid": "u", "result": {"status": "Failure"}}),
            "response.result.status was 'Failure', not 'Success'",
        ),
        (json!({"uid": "u", "result": {"status": "Failure", "message": "no"}}), "no"),
        (json!({"uid": "u", "result": {"status": "Success", "message": "no"}}), "[]"),
    ] {
        assert_eq!(told(&review(one, &response), "v1"), expected);
    }
}

#[test]
fn what_comes_back_is_an_object_of_the_kind_and_the_version() {
    let original = json!({
        "apiVersion": "a.b/v1", "kind": "Ship", "metadata": {"name": "a", "namespace": "n"},
    });
    let object = |version: &str, kind: &str, metadata: &Value| json!({"apiVersion": version, "kind": kind, "metadata": metadata});
    let same = json!({"name": "a", "namespace": "n"});
    for (converted, expected) in [
        (Value::Null, Wrong::Unreadable("unexpected end of JSON input".to_owned())),
        (json!({"a": 1}), Wrong::Unreadable("Object 'Kind' is missing in '{\"a\":1}'".to_owned())),
        (
            object("a.b/v1", "Ship", &same),
            Wrong::Type("invalid groupVersion (expected a.b/v2, received a.b/v1)".to_owned()),
        ),
        (
            object("a.b/v2", "Boat", &same),
            Wrong::Type("invalid kind (expected Ship, received Boat)".to_owned()),
        ),
        (
            object("a.b/v2", "Ship", &json!({"name": "a", "namespace": "m"})),
            Wrong::Object("must have the same namespace: n != m".to_owned()),
        ),
        (
            object(
                "a.b/v2",
                "Ship",
                &json!({"name": "a", "namespace": "n", "labels": {"a b": "c", "d e": "f"}}),
            ),
            Wrong::Metadata(String::new()),
        ),
    ] {
        let wrong = accept(&original, converted, "a.b/v2").expect_err("it is wrong");
        match (&wrong, &expected) {
            (Wrong::Metadata(why), Wrong::Metadata(_)) => {
                assert!(why.starts_with("[metadata.labels: ") && why.ends_with(']'), "{why}");
            }
            _ => assert_eq!(wrong, expected),
        }
    }
    let good = accept(&original, object("a.b/v2", "Ship", &same), "a.b/v2");
    assert_eq!(good, Ok(object("a.b/v2", "Ship", &same)));
}
