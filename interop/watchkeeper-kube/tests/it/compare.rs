//! What two texts of one object may differ in, and where they differ in more.

use serde_json::{Map, Value};
use watchkeeper_schema::facts::{Facts, Presence, Struct, Type};

/// Takes out of an object what its writers may or may not write: null members, managed fields,
/// structs, lists and maps that Go holds by value and of which nothing is said (the lean types never
/// write those, so that an apply claims no more than was said), and what Go leaves out when it is empty
/// (k8s-openapi writes it where the schema requires it).
pub(crate) fn normal(value: &mut Value, of: &Struct, facts: &Facts) {
    if let Value::Object(members) = value {
        members_of(members, of, facts);
    }
}

/// Says whether all that is left is Go's zero value.
fn members_of(members: &mut Map<String, Value>, of: &Struct, facts: &Facts) -> bool {
    if of.model.ends_with(".ObjectMeta") {
        members.remove("managedFields");
    }
    let mut is_zero = true;
    for field in &of.fields {
        if field.presence == Presence::Inline {
            let inner = field.ty.model().and_then(|model| facts.get(model));
            is_zero &= inner.is_none_or(|inner| members_of(members, inner, facts));
            continue;
        }
        let Some(value) = members.get_mut(&field.json) else { continue };
        let says_nothing = typed(value, &field.ty, facts);
        let is_by_value = !matches!(field.presence, Presence::Pointer | Presence::PointerOrNull);
        let may_miss = field.ty.scalar().is_none() || field.presence != Presence::Always;
        if value.is_null() || is_by_value && may_miss && says_nothing {
            members.remove(&field.json);
        } else {
            is_zero &= is_by_value && says_nothing;
        }
    }
    is_zero
}

/// As [`members_of`], of any value.
fn typed(value: &mut Value, ty: &Type, facts: &Facts) -> bool {
    match (ty, value) {
        (Type::Struct(model), Value::Object(members)) => {
            facts.get(model).is_some_and(|of| members_of(members, of, facts))
        }
        (Type::List(item), Value::Array(items)) => {
            for value in items.iter_mut() {
                typed(value, item, facts);
            }
            items.is_empty()
        }
        (Type::Map(of), Value::Object(entries)) => {
            for value in entries.values_mut() {
                typed(value, of, facts);
            }
            entries.is_empty()
        }
        (_, Value::Null) => true,
        (_, Value::Bool(value)) => !*value,
        (_, Value::Number(number)) => number.as_f64() == Some(0.0),
        (_, Value::String(text)) => text.is_empty(),
        (_, Value::Array(_) | Value::Object(_)) => false,
    }
}

/// The first path at which two values differ.
pub(crate) fn difference(a: &Value, b: &Value) -> Option<String> {
    let mut found = Vec::new();
    differences(a, b, "", &mut found);
    found.into_iter().next()
}

/// The paths at which two values differ. One number may be spelled in several ways.
pub(crate) fn differences(a: &Value, b: &Value, path: &str, found: &mut Vec<String>) {
    match (a, b) {
        (Value::Object(x), Value::Object(y)) => {
            for name in x.keys().chain(y.keys().filter(|name| !x.contains_key(*name))) {
                let path = format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"));
                match (x.get(name), y.get(name)) {
                    (Some(x), Some(y)) => differences(x, y, &path, found),
                    _ => found.push(path),
                }
            }
        }
        (Value::Array(x), Value::Array(y)) if x.len() == y.len() => {
            for (index, (x, y)) in x.iter().zip(y).enumerate() {
                differences(x, y, &format!("{path}/{index}"), found);
            }
        }
        (Value::Number(x), Value::Number(y)) => {
            let differ = x != y && (x.is_i64() && y.is_i64() || x.as_f64() != y.as_f64());
            found.extend(differ.then(|| path.to_owned()));
        }
        _ if a != b => found.push(path.to_owned()),
        _ => {}
    }
}

/// The paths of all values without members.
pub(crate) fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            members.iter().for_each(|(name, value)| {
                leaves(
                    value,
                    &format!("{path}/{}", name.replace('~', "~0").replace('/', "~1")),
                    found,
                );
            });
        }
        Value::Array(items) if !items.is_empty() => {
            items.iter().enumerate().for_each(|(i, v)| leaves(v, &format!("{path}/{i}"), found));
        }
        _ => found.push(path.to_owned()),
    }
}
