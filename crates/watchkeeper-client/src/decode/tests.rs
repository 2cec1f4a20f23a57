//! Events, as servers write them and as they may.

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
