//! The form that a built-in object takes on its way through a kube-apiserver.
//!
//! Upstream decodes into Go structs and encodes them again: structs by value are always there,
//! empty values marked `omitempty` and nulls go. Ownership of fields, no-op detection and what
//! clients see depend on it. Custom resources keep the form they come in.

use serde_json::{Map, Value, json};
use watchkeeper_schema::{Presence, SchemaRef, Type, builtin, prune};

pub(crate) use special::{schema_within, schemas_in};

mod special;

#[cfg(test)]
mod tests;

/// Brings a value of a built-in type into the form that Go would give it.
pub fn normalize(value: &mut Value, schema: SchemaRef<'_>) {
    if let Some(model) = schema.name() {
        special::canonical(value, model);
    }
    if schema.usage.format.as_deref() == Some("byte") {
        return special::bytes(value);
    }
    if let Some(inner) = schema_within(schema) {
        special::each_schema(value, &mut |value| {
            // Nobody is told of what is dropped here: these types decode themselves.
            let _unknown = prune::prune(value, inner, false);
            normalize(value, inner);
        });
        return;
    }
    match value {
        Value::Object(members) => {
            for (name, of) in schema.properties() {
                member(members, name, of);
            }
            if let Some(of) = schema.additional() {
                members.values_mut().for_each(|value| element(value, of));
            }
        }
        Value::Array(items) => {
            if let Some(of) = schema.items() {
                items.iter_mut().for_each(|value| element(value, of));
            }
        }
        _ => {}
    }
}

/// The object of a kind that has nothing set: what a new object is compared with.
#[must_use]
pub fn empty(api_version: &str, kind: &str, schema: SchemaRef<'_>) -> Value {
    let mut value = json!({"apiVersion": api_version, "kind": kind});
    if schema.property("metadata").is_some_and(|of| of.usage.presence != Presence::AsIs) {
        normalize(&mut value, schema);
    }
    value
}

/// An item of a list or an entry of a map: always there.
fn element(value: &mut Value, of: SchemaRef<'_>) {
    if value.is_null() {
        // No bytes are stored as a text without any.
        let is_bytes = of.usage.format.as_deref() == Some("byte");
        *value = if is_bytes { "".into() } else { zero(of) };
    }
    normalize(value, of);
}

fn member(members: &mut Map<String, Value>, name: &str, of: SchemaRef<'_>) {
    let presence = of.usage.presence;
    let by_value = match presence {
        Presence::Always => true,
        Presence::OmitEmpty => is_struct(of),
        _ => false,
    };
    let missing = members.get(name).is_none_or(Value::is_null);
    if missing && by_value {
        members.insert(name.to_owned(), zero(of));
    }
    if missing && presence == Presence::PointerOrNull {
        members.insert(name.to_owned(), Value::Null);
    }
    if let Some(value) = members.get_mut(name) {
        normalize(value, of);
    }
    let is_gone = |value: &Value| match presence {
        Presence::Pointer => value.is_null(),
        // An empty list there is a wish: to be forgotten by all managers.
        Presence::OmitEmpty if name == "managedFields" => value.is_null(),
        Presence::OmitEmpty => !is_struct(of) && is_empty(value),
        Presence::OmitZero => is_zero(value, of),
        Presence::AsIs | Presence::Always | Presence::PointerOrNull => false,
    };
    if members.get(name).is_some_and(is_gone) {
        members.remove(name);
    }
}

/// Makes `null` of the empty lists that Go always writes, wherever they are: protobuf does not tell them from none.
pub fn forget_empty_lists(value: &mut Value, schema: SchemaRef<'_>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                let Some(of) = schema.member(name) else { continue };
                if of.usage.presence == Presence::Always && *value == json!([]) {
                    *value = Value::Null;
                }
                forget_empty_lists(value, of);
            }
        }
        Value::Array(items) => {
            if let Some(of) = schema.items() {
                items.iter_mut().for_each(|value| forget_empty_lists(value, of));
            }
        }
        _ => {}
    }
}

/// Go's `omitempty`.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(flag) => !flag,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
    }
}

fn is_zero(value: &Value, of: SchemaRef<'_>) -> bool {
    if is_struct(of) { value.is_null() || *value == zero(of) } else { is_empty(value) }
}

/// The model of a struct or of a type that writes itself.
fn model(of: SchemaRef<'_>) -> Option<&str> {
    of.usage.reference.as_deref()
}

fn is_struct(of: SchemaRef<'_>) -> bool {
    model(of).is_some()
}

/// The zero value as Go writes it.
fn zero(of: SchemaRef<'_>) -> Value {
    match model(of) {
        Some(builtin::QUANTITY) => "0".into(),
        Some(builtin::INT_OR_STRING) => 0.into(),
        Some(builtin::DURATION) => "0s".into(),
        Some(builtin::TIME | builtin::MICRO_TIME | builtin::RAW | builtin::FIELDS_V1) => {
            Value::Null
        }
        Some(_) if of.node.properties.is_empty() && of.preserves_unknown() => Value::Null,
        Some(_) => {
            let mut value = json!({});
            normalize(&mut value, of);
            value
        }
        None => zero_scalar(of),
    }
}

fn zero_scalar(of: SchemaRef<'_>) -> Value {
    match (of.type_(), of.usage.format.as_deref()) {
        (Some(Type::String), Some("byte")) => Value::Null,
        (Some(Type::String), _) => "".into(),
        (Some(Type::Integer | Type::Number), _) => 0.into(),
        (Some(Type::Boolean), _) => false.into(),
        _ => Value::Null,
    }
}
