//! Events and heads, as servers write them and as they may.

use serde_json::json;

use super::*;

fn event(line: &str) -> Result<(String, String), ReadError> {
    let event = event_of(line.as_bytes())?;
    Ok((event.type_.to_owned(), String::from_utf8(event.object.to_vec()).unwrap()))
}

#[test]
fn an_event_is_taken_apart_in_any_order() {
    let expected = ("ADDED".to_owned(), r#"{"a":"}"}"#.to_owned());
    for line in [
        r#"{"type":"ADDED","object":{"a":"}"}}"#,
        "{\"type\":\"ADDED\",\"object\":{\"a\":\"}\"}}\r",
        r#" { "object" : {"a":"}"} , "more": [1], "type" : "ADDED" } "#,
    ] {
        assert_eq!(event(line).unwrap(), expected, "{line}");
    }
    for line in ["", "{", "[]", r#"{"type":"ADDED"} {}"#, "\u{fffd}"] {
        event(line).unwrap_err();
    }
}

#[test]
fn what_a_delete_left_is_told() {
    let gone = |answer: Value| head_of(answer.to_string().as_bytes()).unwrap().is_gone();
    assert!(gone(json!({ "apiVersion": "v1", "kind": "Status", "status": "Success" })));
    assert!(gone(json!({ "metadata": { "name": "x" } })));
    let deleting = "2026-01-01T00:00:00Z";
    assert!(gone(
        json!({ "metadata": { "deletionTimestamp": deleting, "deletionGracePeriodSeconds": 0 } })
    ));
    assert!(!gone(
        json!({ "metadata": { "deletionTimestamp": deleting, "deletionGracePeriodSeconds": 30 } })
    ));
    assert!(!gone(json!({ "metadata": { "deletionTimestamp": deleting, "finalizers": ["a/b"] } })));
    assert!(!gone(json!({ "kind": "Status", "apiVersion": "example.com/v1", "metadata": {
        "deletionTimestamp": deleting, "finalizers": ["a/b"],
    } })));
}

#[test]
fn a_head_tells_nothing_of_what_is_no_json() {
    let error = head_of(b"{\"metadata\": hunter2").unwrap_err();
    assert!(error.starts_with("not JSON (line 1") && !error.contains("hunter2"), "{error}");
}
