//! Whole objects within objects: they say what they are.

use serde_json::Value;

use crate::error::{FieldError, child, item, key};
use crate::registry::SchemaRef;

/// What is missing in the whole objects within a value.
pub(super) fn check(value: &Value, schema: SchemaRef<'_>, errors: &mut Vec<FieldError>) {
    walk(value, schema, &Path::Root, errors);
}

/// Where a value is; a text only where something is missing.
enum Path<'a> {
    Root,
    Field(&'a Self, &'a str),
    Key(&'a Self, &'a str),
    Item(&'a Self, usize),
}

impl Path<'_> {
    fn text(&self) -> String {
        match self {
            Self::Root => String::new(),
            Self::Field(outer, name) => child(&outer.text(), name),
            Self::Key(outer, name) => key(&outer.text(), name),
            Self::Item(outer, index) => item(&outer.text(), *index),
        }
    }
}

fn walk(value: &Value, schema: SchemaRef<'_>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    match value {
        Value::Object(members) => {
            if schema.node.embedded_resource {
                for name in ["apiVersion", "kind"] {
                    if members.get(name).and_then(Value::as_str).is_none_or(str::is_empty) {
                        errors.push(FieldError::required(child(&path.text(), name), ""));
                    }
                }
            }
            for (name, value) in members {
                if let Some(of) = schema.property(name) {
                    walk(value, of, &Path::Field(path, name), errors);
                } else if let Some(of) = schema.additional() {
                    walk(value, of, &Path::Key(path, name), errors);
                }
            }
        }
        Value::Array(items) => {
            if let Some(of) = schema.items() {
                for (index, value) in items.iter().enumerate() {
                    walk(value, of, &Path::Item(path, index), errors);
                }
            }
        }
        _ => {}
    }
}
