//! Numbers that are packed together, and entries that hold no value.

use serde_json::json;

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
