//! Whole objects within objects: they say what they are.

use serde_json::Value;

use crate::error::{FieldError, child, item, key};
use crate::registry::SchemaRef;

pub(super) fn check(
    value: &Value,
    schema: SchemaRef<'_>,
    path: &str,
    errors: &mut Vec<FieldError>,
) {
    match value {
        Value::Object(members) => {
            if schema.node.embedded_resource {
                for name in ["apiVersion", "kind"] {
                    if members.get(name).and_then(Value::as_str).is_none_or(str::is_empty) {
                        errors.push(FieldError::required(child(path, name), ""));
                    }
                }
            }
            for (name, value) in members {
                if let Some(of) = schema.property(name) {
                    check(value, of, &child(path, name), errors);
                } else if let Some(of) = schema.additional() {
                    check(value, of, &key(path, name), errors);
                }
            }
        }
        Value::Array(items) => {
            if let Some(of) = schema.items() {
                for (index, value) in items.iter().enumerate() {
                    check(value, of, &item(path, index), errors);
                }
            }
        }
        _ => {}
    }
}
