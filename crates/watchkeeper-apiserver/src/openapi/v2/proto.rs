//! The document as the messages of gnostic (`OpenAPIv2.proto`), which client-go asks for.
//!
//! Of each message there is a table of the members that documents of ours have. What has no fixed shape,
//! such as extensions, is text there: YAML, of which JSON is a part.

use bytes::Bytes;
use serde_json::Value;
use watchkeeper_api::pb::Writer;

mod tables;

use tables::{BODY, DOCUMENT, PLACE, QUERY, SCHEMA};

/// Members by their names in JSON with their numbers, and the number of extensions.
struct Message {
    members: &'static [(&'static str, u32, Form)],
    extensions: u32,
}

/// What a member is.
enum Form {
    Text,
    Texts,
    Flag,
    Whole,
    Number,
    /// Without a fixed shape.
    Any,
    Anys,
    /// A message in others that hold nothing else, by their numbers from the outside.
    In(&'static [u32], &'static Message),
    /// Messages by name: the number of entries, what is around each message, and the messages.
    Entries(u32, &'static [u32], &'static Message),
    /// The type of a schema, of which gnostic allows several.
    Type,
    /// A schema, or whether anything may be there.
    SchemaOrFlag,
    Parameters,
    Requirements,
}

/// A document as a message.
///
/// ```
/// use serde_json::json;
/// use watchkeeper_apiserver::openapi::v2;
///
/// let bytes = v2::encode(&v2::of(&json!({"info": {"title": "Kubernetes", "version": "v1.36"}})));
/// assert!(bytes.windows(5).any(|bytes| bytes == b"v1.36"));
/// ```
#[must_use]
pub fn encode(document: &Value) -> Bytes {
    let mut w = Writer::new();
    message(&mut w, &DOCUMENT, document);
    Bytes::from(w.finish())
}

/// Lists are written from their ends, as the writer wants it; the order of members means nothing.
fn message(w: &mut Writer, of: &Message, value: &Value) {
    for (name, extension) in value.as_object().into_iter().flatten().rev() {
        if name.starts_with("x-") {
            nest(w, &[of.extensions], |w| {
                nest(w, &[2], |w| any(w, extension));
                w.bytes(1, name.as_bytes());
            });
        }
    }
    for (name, number, form) in of.members {
        if let Some(value) = value.get(name) {
            member(w, *number, form, value);
        }
    }
}

fn member(w: &mut Writer, number: u32, form: &Form, value: &Value) {
    let list = || value.as_array().into_iter().flatten().rev();
    match form {
        Form::Text => w.bytes(number, text(value)),
        Form::Texts => list().for_each(|one| w.bytes(number, text(one))),
        Form::Flag => w.integer(number, u64::from(value == true)),
        Form::Whole => w.integer(number, value.as_i64().unwrap_or_default().cast_unsigned()),
        Form::Number => w.fixed64(number, value.as_f64().unwrap_or_default().to_bits()),
        Form::Any => nest(w, &[number], |w| any(w, value)),
        Form::Anys => list().for_each(|one| nest(w, &[number], |w| any(w, one))),
        Form::In(around, of) => {
            nest(w, &[number], |w| nest(w, around, |w| message(w, of, value)));
        }
        Form::Entries(entry, around, of) => nest(w, &[number], |w| {
            for (name, value) in value.as_object().into_iter().flatten().rev() {
                nest(w, &[*entry], |w| {
                    nest(w, &[2], |w| nest(w, around, |w| message(w, of, value)));
                    w.bytes(1, name.as_bytes());
                });
            }
        }),
        Form::Type => nest(w, &[number], |w| w.bytes(1, text(value))),
        Form::SchemaOrFlag => match value {
            Value::Bool(flag) => nest(w, &[number], |w| w.integer(2, u64::from(*flag))),
            schema => nest(w, &[number, 1], |w| message(w, &SCHEMA, schema)),
        },
        Form::Parameters => list().for_each(|one| parameter(w, number, one)),
        Form::Requirements => list().for_each(|one| requirement(w, number, one)),
    }
}

/// Writes a message into others, by their numbers from the outside.
fn nest(w: &mut Writer, around: &[u32], write: impl FnOnce(&mut Writer)) {
    let mark = w.len();
    write(w);
    for number in around.iter().rev() {
        w.close(*number, mark);
    }
}

fn text(value: &Value) -> &[u8] {
    value.as_str().unwrap_or_default().as_bytes()
}

fn any(w: &mut Writer, value: &Value) {
    w.bytes(2, format!("{value}\n").as_bytes());
}

/// `ParametersItem`, by where the parameter is.
fn parameter(w: &mut Writer, number: u32, value: &Value) {
    let (around, of): (&[u32], _) = match value["in"].as_str() {
        Some("body") => (&[number, 1, 1], &BODY),
        Some("path") => (&[number, 1, 2, 4], &PLACE),
        _ => (&[number, 1, 2, 3], &QUERY),
    };
    nest(w, around, |w| message(w, of, value));
}

/// `SecurityRequirement`: names with the scopes that are needed, here none.
fn requirement(w: &mut Writer, number: u32, value: &Value) {
    nest(w, &[number], |w| {
        for (name, _) in value.as_object().into_iter().flatten().rev() {
            nest(w, &[1], |w| {
                nest(w, &[2], |_| {});
                w.bytes(1, name.as_bytes());
            });
        }
    });
}
