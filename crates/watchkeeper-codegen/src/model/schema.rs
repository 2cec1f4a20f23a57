//! What the facts add to the schema that follows from a field's type.

use watchkeeper_schema::facts::{Facts, Field, ListType, MapType, Type};

/// Calls of `Member`'s methods, as text.
pub(super) fn additions(facts: &Facts, field: &Field) -> Vec<String> {
    let mut calls = Vec::new();
    // OpenAPI gives every value that Go does not omit its zero as a default, which says nothing.
    let zero = |text: &&String| matches!(text.as_str(), "{}" | "\"\"" | "0" | "false" | "null");
    if let Some(default) = field.default.as_ref().filter(|text| !zero(text)) {
        calls.push(format!("default_json({default:?})"));
    } else if field.required {
        calls.push("required()".to_owned());
    }
    match field.list {
        Some(ListType::Map) => calls.push(format!("list_map(&{:?})", field.list_keys)),
        Some(ListType::Set) => calls.push("list_set()".to_owned()),
        Some(ListType::Atomic) => calls.push("list_atomic()".to_owned()),
        None => {}
    }
    let atomic_struct = match &field.ty {
        Type::Struct(model) => facts.get(model).is_some_and(|of| of.atomic),
        _ => false,
    };
    match field.map {
        Some(MapType::Granular) => calls.push("map_granular()".to_owned()),
        Some(MapType::Atomic) => calls.push("map_atomic()".to_owned()),
        None if atomic_struct => calls.push("map_atomic()".to_owned()),
        None => {}
    }
    calls
}
