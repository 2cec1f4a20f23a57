//! What a schema says, one question a function.

use std::borrow::Cow;

use serde_json::Value;

/// Members that the schema does not name are kept.
pub(super) const KEEPS: &str = "x-kubernetes-preserve-unknown-fields";

/// The one component that a schema stands for; the server wraps it where it adds a description.
pub(super) fn reference(schema: &Value) -> Option<&str> {
    let direct = schema.get("$ref").and_then(Value::as_str);
    direct.or_else(|| match schema.get("allOf").and_then(Value::as_array)?.as_slice() {
        [one] if schema.get("type").is_none() && schema.get("properties").is_none() => {
            one.get("$ref").and_then(Value::as_str)
        }
        _ => None,
    })
}

/// The type, also of those that have `null` beside it, as OpenAPI 3.1 writes it.
pub(super) fn type_name(schema: &Value) -> Option<&str> {
    match schema.get("type")? {
        Value::String(name) => Some(name).filter(|name| !name.is_empty()).map(String::as_str),
        Value::Array(names) => {
            let mut names = names.iter().filter_map(Value::as_str).filter(|name| *name != "null");
            names.next().filter(|_| names.next().is_none())
        }
        _ => None,
    }
}

pub(super) fn is_set(schema: &Value, flag: &str) -> bool {
    schema.get(flag).and_then(Value::as_bool) == Some(true)
}

/// It takes every value, in either of the ways to say so. What is only said of the value is no type.
pub(super) fn is_any(schema: &Value) -> bool {
    let says_no_type = |name: &String| matches!(name.as_str(), KEEPS | "description" | "nullable");
    match schema {
        Value::Bool(any) => *any,
        Value::Object(members) => {
            members.is_empty() || is_set(schema, KEEPS) && members.keys().all(says_no_type)
        }
        _ => false,
    }
}

/// It says of the value neither what it is, nor what it is made of.
pub(super) fn says_nothing(schema: &Value) -> bool {
    const ABOUT: [&str; 6] =
        ["description", "title", "nullable", "default", "example", "externalDocs"];
    schema.as_object().is_none_or(|members| members.keys().all(|name| ABOUT.contains(&&**name)))
}

/// A list or map with something in it.
pub(super) fn is_filled(value: &Value) -> bool {
    match value {
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        _ => false,
    }
}

/// Members that the schema does not name are kept.
pub(super) fn keeps_others(schema: &Value) -> bool {
    is_set(schema, KEEPS)
        || !matches!(schema.get("additionalProperties"), None | Some(Value::Bool(false)))
}

/// The items of a list: what they hold that their schema does not name is kept where the list says so.
pub(super) fn keeping_as<'a>(list: &Value, items: &'a Value) -> Cow<'a, Value> {
    if !is_set(list, KEEPS) || is_set(items, KEEPS) {
        return Cow::Borrowed(items);
    }
    let mut items = items.clone();
    if let Some(members) = items.as_object_mut() {
        members.insert(KEEPS.to_owned(), Value::Bool(true));
    }
    Cow::Owned(items)
}

/// A name that stands in JSON as it is.
pub(super) fn is_plain(name: &str) -> bool {
    !name.contains(['"', '\\']) && !name.contains(char::is_control)
}

pub(super) fn description(schema: Option<&Value>) -> Option<String> {
    let text = schema?.get("description")?.as_str()?.trim();
    Some(text.to_owned()).filter(|text| !text.is_empty())
}
