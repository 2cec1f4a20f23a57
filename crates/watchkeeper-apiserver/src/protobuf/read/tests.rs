//! Numbers that are packed together, and entries that hold no value.

use serde_json::json;
use watchkeeper_api::pb::Writer;

use super::*;

fn items(of: Scalar, bytes: &[u8]) -> Result<Vec<Value>, ReadError> {
    let mut r = Reader::new(bytes);
    let tag = r.tag()?;
    let mut items = Vec::new();
    element(&mut r, tag, &Type::Scalar(of), &mut items)?;
    Ok(items)
}

#[test]
fn numbers_may_be_packed_together() {
    let float = [0_u8, 0, 0, 0, 0, 0, 0xf8, 0x3f];
    for (of, bytes, read) in [
        (Scalar::Int32, vec![0x0a, 3, 1, 0x96, 1], json!([1, 150])),
        (Scalar::Int32, vec![0x08, 7], json!([7])),
        (Scalar::Int64, vec![0x0a, 2, 7, 8], json!([7, 8])),
        (Scalar::Bool, vec![0x0a, 2, 1, 0], json!([true, false])),
        (Scalar::Float64, [&[0x0a, 16][..], &float[..], &float[..]].concat(), json!([1.5, 1.5])),
        (Scalar::Float64, [&[0x09][..], &float[..]].concat(), json!([1.5])),
        (Scalar::String, vec![0x0a, 1, b'x'], json!(["x"])),
        (Scalar::Int32, vec![0x0a, 0], json!([])),
    ] {
        let items = items(of, &bytes).unwrap_or_else(|error| panic!("{bytes:?}: {error}"));
        assert_eq!(Value::from(items), read, "{bytes:?}");
    }
    let error = items(Scalar::Int32, &[0x0a, 3, 1, 1, 0x96]).expect_err("a number is cut");
    assert_eq!(error.offset(), 2);
}

#[test]
fn an_entry_without_a_value_holds_the_one_that_go_would_see() {
    for (of, value) in [
        (Scalar::Bool, json!(false)),
        (Scalar::Int32, json!(0)),
        (Scalar::Int64, json!(0)),
        (Scalar::IntOrString, json!(0)),
        (Scalar::Float64, json!(0.0)),
        (Scalar::String, json!("")),
        (Scalar::Bytes, json!("")),
        (Scalar::Quantity, json!("0")),
        (Scalar::Time, Value::Null),
    ] {
        assert_eq!(zero(&Type::Scalar(of)), value);
    }
    let text = || Box::new(Type::Scalar(Scalar::String));
    assert_eq!(zero(&Type::List(text())), json!([]));
    assert_eq!(zero(&Type::Map(text())), json!({}));
    assert_eq!(zero(&Type::Struct("any".to_owned())), json!({}));
}

/// The next value of a message that is the only one, with its members.
fn message_of(members: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut w = Writer::new();
    let mark = w.len();
    members(&mut w);
    w.close(1, mark);
    w.finish()
}

#[test]
fn times_are_of_years_that_can_be_spelled() {
    let read = |seconds: i64, nanos: i64| {
        let bytes = message_of(|w| {
            w.integer(2, nanos.cast_unsigned());
            w.integer(1, seconds.cast_unsigned());
        });
        let mut r = Reader::new(&bytes);
        let tag = r.tag().expect("a tag");
        moment(&mut r, tag).ok().flatten()
    };
    let (first, last) = (-62_135_596_800, 253_402_300_799);
    assert_eq!(read(first, 1), Some((first, 1)));
    assert_eq!(read(last, 999_999_999), Some((last, 999_999_999)));
    assert_eq!((read(first - 1, 1), read(last + 1, 1)), (None, None));
    assert_eq!(read(1, 1_000_000_000), Some((1, 999_999_999)));
    assert_eq!(read(1, -1), Some((1, 0)));
    let mut r = Reader::new(&[0x0a, 0]);
    let tag = r.tag().expect("a tag");
    assert_eq!(moment(&mut r, tag).expect("no time"), None);
}

#[test]
fn a_number_or_a_text_is_a_text_where_it_says_so() {
    for (kind, expected) in [(0, json!(7)), (1, json!("http")), (2, json!(7))] {
        let bytes = message_of(|w| {
            w.bytes(3, b"http");
            w.integer(2, 7);
            w.integer(1, kind);
        });
        let mut r = Reader::new(&bytes);
        let tag = r.tag().expect("a tag");
        assert_eq!(int_or_string(&mut r, tag).expect("a value"), expected, "{kind}");
    }
}

#[test]
fn what_go_leaves_out_of_json_is_empty() {
    for (value, expected) in [
        (Value::Null, true),
        (json!(false), true),
        (json!(true), false),
        (json!(0), true),
        (json!(0.0), true),
        (json!(1), false),
        (json!(""), true),
        (json!("a"), false),
        (json!([]), false),
        (json!({}), false),
    ] {
        assert_eq!(is_empty(&value), expected, "{value}");
    }
}
