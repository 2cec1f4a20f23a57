//! Values as server-side apply sees them: scalars, maps and lists, atomic or not.

pub(super) mod fit;

use serde_json::{Map, Value};
use watchkeeper_schema::error::whole_numbers;
use watchkeeper_schema::{ListType, MapType, SchemaRef};

use crate::access::rule::quoted_list;
use crate::fields::PathElement;

/// The schema of a value, as far as one is known.
pub(super) type Of<'a> = Option<SchemaRef<'a>>;

/// Whether an object is one value.
pub(super) fn atomic_map(of: Of<'_>) -> bool {
    of.is_some_and(|schema| schema.map_type() == Some(MapType::Atomic))
}

/// Whether a list is one value; lists that say nothing else are.
pub(super) fn atomic_list(of: Of<'_>) -> bool {
    !matches!(of.and_then(SchemaRef::list_type), Some(ListType::Map | ListType::Set))
}

/// The schema of a member.
pub(super) fn member<'a>(of: Of<'a>, name: &str) -> Of<'a> {
    of.and_then(|schema| schema.member(name))
}

/// Whether the member has a schema of its own.
pub(super) fn declared(of: Of<'_>, name: &str) -> bool {
    of.is_some_and(|schema| schema.property(name).is_some())
}

/// The schema of items.
pub(super) fn items(of: Of<'_>) -> Of<'_> {
    of.and_then(SchemaRef::items)
}

/// The members of an object; `None` for anything else.
pub(super) fn map(value: Option<&Value>) -> Option<&Map<String, Value>> {
    value.and_then(Value::as_object)
}

/// The items of a list; `None` for anything else.
pub(super) fn list(value: Option<&Value>) -> Option<&Vec<Value>> {
    value.and_then(Value::as_array)
}

/// How an item of a list that is not atomic is found again.
///
/// # Errors
///
/// What is wrong with the item.
pub(super) fn item_element(list: Of<'_>, item: &Value) -> Result<PathElement, String> {
    if list.and_then(SchemaRef::list_type) == Some(ListType::Set) {
        return set_element(item);
    }
    let Value::Object(members) = item else {
        let what = if item.is_null() { "a null element" } else { "non-map elements" };
        return Err(format!("associative list with keys may not have {what}"));
    };
    let keys = list.map(SchemaRef::list_keys).unwrap_or_default();
    let mut values: Vec<(String, Value)> = Vec::new();
    for key in keys {
        let default = || member(items(list), key).and_then(|of| of.usage.default.clone());
        if let Some(mut value) = members.get(key).cloned().or_else(default) {
            whole_numbers(&mut value);
            values.push((key.clone(), value));
        }
    }
    if values.is_empty() {
        let keys = quoted_list(keys);
        return Err(format!(
            "associative list with keys has an element that omits all key fields {keys} (and \
             doesn't have default values for any key fields)"
        ));
    }
    values.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(PathElement::Key(values))
}

fn set_element(item: &Value) -> Result<PathElement, String> {
    match item {
        Value::Object(_) => {
            Err("associative list without keys has an element that's a map type".to_owned())
        }
        Value::Array(_) => Err("not supported: associative list with lists as elements".to_owned()),
        Value::Null => {
            Err("associative list without keys has an element that's an explicit null".to_owned())
        }
        scalar => Ok(PathElement::Value(scalar.clone())),
    }
}

/// The places of what can only be replaced as a whole.
pub(super) fn atomics(path: &str, of: Of<'_>, value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            if atomic_map(of) {
                found.push(path.to_owned());
            }
            for (name, value) in members.iter().filter(|(name, _)| declared(of, name)) {
                atomics(&format!("{path}.{name}"), member(of, name), value, found);
            }
        }
        Value::Array(all) => {
            if of.is_some() && atomic_list(of) {
                found.push(path.to_owned());
            }
            for (index, value) in all.iter().enumerate() {
                atomics(&format!("{path}[{index}]"), items(of), value, found);
            }
        }
        _ => {}
    }
}
