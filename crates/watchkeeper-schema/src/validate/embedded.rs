//! Whole objects within objects: they say what they are.

use serde_json::{Map, Value};

use crate::error::{FieldError, child, item, key};
use crate::registry::SchemaRef;

/// What is missing in the whole objects within a value.
pub(super) fn check(value: &Value, schema: SchemaRef<'_>, errors: &mut Vec<FieldError>) {
    walk(value, schema, &Path::Root, &mut |members, path| of_types(members, path, errors));
}

/// The metadata of the whole objects within a value, with their places.
pub(super) fn metadata<'v>(value: &'v Value, schema: SchemaRef<'_>) -> Vec<(String, &'v Value)> {
    let mut found = Vec::new();
    walk(value, schema, &Path::Root, &mut |members, path| {
        let metadata = members.get("metadata");
        found.extend(metadata.map(|metadata| (child(&path.text(), "metadata"), metadata)));
    });
    found
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

/// Both are there before either is judged.
fn of_types(members: &Map<String, Value>, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    for name in ["apiVersion", "kind"] {
        if !members.contains_key(name) {
            errors.push(FieldError::required(child(&path.text(), name), ""));
        }
    }
    for (name, judge) in
        [("apiVersion", wrong_version as fn(&str) -> Option<String>), ("kind", wrong_kind)]
    {
        let Some(value) = members.get(name) else { continue };
        let detail = match value.as_str() {
            None => Some("must be a string".to_owned()),
            Some("") => Some("must not be empty".to_owned()),
            Some(text) => judge(text),
        };
        let place = || child(&path.text(), name);
        errors.extend(detail.map(|detail| FieldError::invalid(place(), value.clone(), detail)));
    }
}

/// What is wrong with a version, if anything is.
fn wrong_version(text: &str) -> Option<String> {
    let is_wrong = text.matches('/').count() > 1;
    is_wrong.then(|| format!("unexpected GroupVersion string: {text}"))
}

/// What is wrong with a kind, if anything is.
fn wrong_kind(text: &str) -> Option<String> {
    const FORM: &str = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an \
                        alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', \
                        regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
    let mut wrong = Vec::new();
    let bytes = text.as_bytes();
    let is_formed = bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.last().is_some_and(u8::is_ascii_alphanumeric)
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-');
    if text.len() > 63 {
        wrong.push("must be no more than 63 characters");
    }
    if !is_formed {
        wrong.push(FORM);
    }
    let all = wrong.join(",");
    (!wrong.is_empty()).then(|| format!("may have mixed case, but should otherwise match: {all}"))
}

/// Shows `found` each whole object, and where it is.
fn walk<'v>(
    value: &'v Value,
    schema: SchemaRef<'_>,
    path: &Path<'_>,
    found: &mut dyn FnMut(&'v Map<String, Value>, &Path<'_>),
) {
    match value {
        Value::Object(members) => {
            if schema.node.embedded_resource {
                found(members, path);
            }
            for (name, value) in members {
                if let Some(of) = schema.property(name) {
                    walk(value, of, &Path::Field(path, name), found);
                } else if let Some(of) = schema.additional() {
                    walk(value, of, &Path::Key(path, name), found);
                }
            }
        }
        Value::Array(items) => {
            if let Some(of) = schema.items() {
                for (index, value) in items.iter().enumerate() {
                    walk(value, of, &Path::Item(path, index), found);
                }
            }
        }
        _ => {}
    }
}
