//! Every list is cut the same, however it arrives.

use super::*;

const LIST: &str = r#"{"kind":"PodList","items2":["x"],"metadata":{"items":[1,{}],"resourceVersion":"7"},
 "items" : [ {"metadata":{"name":"a\"]}"}} ,{"items":[{"b":[]}]},
 {}],"tail":"items"} "#;

fn cut(text: &str, size: usize) -> (Vec<String>, Result<String, ReadError>) {
    let mut frames = ListFrames::default();
    let mut items = Vec::new();
    for chunk in text.as_bytes().chunks(size) {
        let pushed =
            frames.push(chunk, |item| items.push(String::from_utf8(item.to_vec()).unwrap()));
        if let Err(error) = pushed {
            return (items, Err(error));
        }
    }
    (items, frames.finish().map(|envelope| String::from_utf8(envelope).unwrap()))
}

#[test]
fn a_list_is_cut_the_same_however_it_arrives() {
    for size in 1..=LIST.len() {
        let (items, envelope) = cut(LIST, size);
        let expected = [r#"{"metadata":{"name":"a\"]}"}}"#, r#"{"items":[{"b":[]}]}"#, "{}"];
        assert_eq!(items, expected, "chunks of {size}");
        let value: serde_json::Value = serde_json::from_str(&envelope.unwrap()).unwrap();
        assert_eq!(value["items"], serde_json::json!([]));
        assert_eq!(value["metadata"]["resourceVersion"], "7");
        assert_eq!(value["tail"], "items");
    }
}

#[test]
fn what_is_no_list_is_refused() {
    let refused = [
        (r#"{"items":[{"a":1}"#, "the list ended in the middle (at byte 17)"),
        ("", "the answer is empty (at byte 0)"),
        (" \n", "the answer is empty (at byte 2)"),
        ("[]", "the answer is no JSON object (at byte 0)"),
        ("<html>{}</html>", "the answer is no JSON object (at byte 0)"),
        (r#""items""#, "the answer is no JSON object (at byte 0)"),
        (r#"{"items":[1]}"#, "an item of the list is not an object (at byte 10)"),
        (r#"{"items":[]}{"#, "text after the list (at byte 12)"),
    ];
    for (text, why) in refused {
        for size in 1..=text.len().max(1) {
            assert_eq!(cut(text, size).1.unwrap_err().to_string(), why, "{text}");
        }
    }
}

#[test]
fn null_items_are_none() {
    let (items, envelope) = cut(r#"{"items":null,"metadata":{}}"#, 4);
    assert!(items.is_empty());
    assert_eq!(envelope.unwrap(), r#"{"items":null,"metadata":{}}"#);
}

#[test]
fn lines_come_whole() {
    let text = "one\n\ntwo\r\n  \nthree";
    for size in 1..=text.len() {
        let mut lines = Lines::default();
        let mut seen = Vec::new();
        for chunk in text.as_bytes().chunks(size) {
            lines.push(Bytes::copy_from_slice(chunk)).unwrap();
            while let Some(line) = lines.next() {
                seen.push(String::from_utf8(line.trim_ascii().to_vec()).unwrap());
            }
        }
        assert_eq!(seen, ["one", "two"]);
        assert!(lines.is_cut());
    }
}

#[test]
fn the_first_of_two_bytes_is_found_wherever_it_stands() {
    for length in 0..40 {
        let plain: Vec<u8> =
            (0..length).map(|at| [0, 1, 0x21, 0x23, 0x5b, 0x5d, 0xa2, 0xff][at % 8]).collect();
        assert_eq!(before(b'"', b'\\', &plain), length);
        for at in 0..length {
            let later = plain.len() - at;
            let text = [&plain[..at], &b"\"\\".repeat(later)[..later]].concat();
            assert_eq!(before(b'"', b'\\', &text), at);
        }
    }
}
