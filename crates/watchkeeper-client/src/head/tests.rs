//! Heads, as servers write them and as they may.

use serde_json::{Value, json};

use super::*;

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
    let error = head_of(b"{\"metadata\": hunter2").unwrap_err().to_string();
    assert!(error.starts_with("not JSON (at byte 1") && !error.contains("hunter2"), "{error}");
    // Each of the bytes that are no text is shown by three.
    let cut = [&b"{\"a\": \""[..], &[0xff; 40], b"\", hunter2"].concat();
    assert!(head_of(&cut).unwrap_err().offset() <= cut.len());
}

#[test]
fn a_head_is_read_however_deep_the_rest_is() {
    let deep = format!("{}1{}", r#"{"a":["#.repeat(100_000), "]}".repeat(100_000));
    let text = format!(
        r#" {{"spec": {deep}, "metadata":{{"deep":{deep},"name":"a","namespace":"b","labels":7,"uid":8,
        "annotations":{{"x":1,"k8s.io/initial-events-end":"true"}},"resourceVersion":"5"}}}} "#
    );
    let head = head_of(text.as_bytes()).unwrap();
    let told = (&*head.namespace, &*head.name, head.uid(), &*head.resource_version);
    assert_eq!((told, head.initial_events_end), (("b", "a", "", "5"), true));
    head_of(&text.as_bytes()[..text.len() - 3]).unwrap_err();
}

#[test]
fn a_list_tells_what_its_items_are() {
    let items = |text: &str| head_of(text.as_bytes()).unwrap().items;
    assert_eq!(items("{}"), Items::None);
    for text in [r#"{"items":null}"#, r#"{"items":[ ]}"#, r#"{"items":[]}"#] {
        assert_eq!(items(text), Items::List, "{text}");
    }
    for text in [r#"{"items":{}}"#, r#"{"items":"x"}"#, r#"{"items":[1]}"#] {
        assert_eq!(items(text), Items::Other, "{text}");
    }
}

/// Bytes that are no text cost the key only where they are in it.
#[test]
fn a_name_is_never_made_up() {
    let object = |name: &[u8], data: &[u8]| {
        let parts: [&[u8]; 5] =
            [br#"{"metadata":{"name":""#, name, br#""},"data":""#, data, br#""}"#];
        head_of(&parts.concat()).map(|head| head.name)
    };
    assert_eq!(object(b"a", b"\xff"), Ok("a".to_owned()));
    assert!(object(b"a\xff", b"x").is_err());
}

/// The metadata comes first; what follows may be broken.
#[test]
fn a_message_is_read_as_far_as_its_metadata() {
    let metadata = b"\x0a\x01a\x1a\x01b\x2a\x01u\x32\x015";
    let message = [&[0x0a, metadata.len() as u8][..], metadata, b"\x12\x7f"].concat();
    let head = head_of_message(&message).unwrap();
    assert_eq!((&*head.namespace, &*head.name, head.version_of("a")), ("b", "a", Some(("u", "5"))));
    assert!(head.is_gone());
    head_of_message(&message[..4]).unwrap_err();
}

#[test]
fn a_message_tells_what_holds_it_back() {
    let gone = |metadata: &[u8]| {
        let message = [&[0x0a, metadata.len() as u8][..], metadata].concat();
        let head = head_of_message(&message).unwrap();
        (head.is_gone(), head.initial_events_end)
    };
    assert_eq!(gone(b"\x4a\x00"), (true, false));
    assert_eq!(gone(b"\x4a\x00\x50\x1e"), (false, false));
    assert_eq!(gone(b"\x4a\x00\x50\x00\x72\x01f"), (false, false));
    let key = INITIAL_EVENTS_END.as_bytes();
    let entry = [&[0x0a, key.len() as u8][..], key, b"\x12\x04true"].concat();
    let annotations = [&[0x62, entry.len() as u8][..], &entry].concat();
    assert_eq!(gone(&annotations), (true, true));
}
