//! From JSON to what rules see, by the schema.

use std::collections::HashMap;
use std::sync::Arc;

use kube_cel::cel::Value as Cel;
use kube_cel::cel::objects::{Key, Map};
use serde_json::{Number, Value};

use crate::cel::escaped;
use crate::interpreter::Interpreter;
use crate::node::{Schema, Type};

/// The value as rules see it. What is malformed is the text that it is: the schema's own checks tell it.
pub(super) fn value(value: &Value, schema: Option<&Schema>, with: &Interpreter) -> Cel {
    let inner = |of: &Value, schema| self::value(of, schema, with);
    match value {
        Value::Null => Cel::Null,
        Value::Bool(flag) => Cel::Bool(*flag),
        Value::Number(of) => number(of, schema),
        Value::String(text) => self::text(text, schema, with),
        Value::Array(items) => {
            let of = schema.and_then(|schema| schema.items.as_deref());
            Cel::List(Arc::new(items.iter().map(|item| inner(item, of)).collect()))
        }
        Value::Object(members) => {
            let values = schema.and_then(|schema| schema.additional.as_deref());
            let mut map = HashMap::new();
            for (name, member) in members {
                let of = schema.and_then(|schema| schema.properties.get(name)).or(values);
                // Keys of a map are data, and no names.
                let name = if values.is_some() { name.clone() } else { escaped(name) };
                map.insert(Key::String(Arc::new(name)), inner(member, of));
            }
            Cel::Map(Map { map: Arc::new(map) })
        }
    }
}

/// Why a value has no form that rules see, if it is of another type than its schema says (apiserver, `pkg/cel/common`).
pub(super) fn mismatch(value: &Value, schema: &Schema) -> Option<String> {
    let kind = match value {
        Value::Null => return None,
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float64",
        Value::Number(_) => "int64",
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    };
    let wanted = match (schema.type_, kind) {
        _ if schema.int_or_string && matches!(kind, "string" | "int64") => return None,
        _ if schema.int_or_string => "expected XIntOrString value to be either a string or integer",
        (Some(Type::Object), _) if !value.is_object() => {
            "expected a map for the provided schema with type=object"
        }
        (Some(Type::Array), _) if !value.is_array() => {
            "expected an array for the provided schema with type=array"
        }
        (Some(Type::String), _) if kind != "string" => "expected string, got ",
        (Some(Type::Number), _) if !value.is_number() => "expected float, got ",
        (Some(Type::Integer), _) if kind != "int64" => "expected int, got ",
        (Some(Type::Boolean), _) if kind != "bool" => "expected bool, got ",
        _ => return None,
    };
    let got = if wanted.ends_with(' ') { kind } else { "" };
    Some(format!("invalid data, {wanted}{got}"))
}

fn number(number: &Number, schema: Option<&Schema>) -> Cel {
    let float = schema.is_some_and(|schema| schema.type_ == Some(Type::Number));
    match number.as_i64().filter(|_| !float) {
        Some(whole) => Cel::Int(whole),
        None => Cel::Float(number.as_f64().unwrap_or(f64::NAN)),
    }
}

fn text(text: &str, schema: Option<&Schema>, with: &Interpreter) -> Cel {
    let plain = Cel::String(Arc::new(text.to_owned()));
    let format = schema.filter(|schema| !schema.int_or_string);
    let (function, text) = match format.and_then(|schema| schema.format.as_deref()) {
        Some("byte") => ("base64.decode", text.to_owned()),
        Some("duration") => ("duration", text.to_owned()),
        Some("date-time") => ("timestamp", text.to_owned()),
        Some("date") => ("timestamp", format!("{text}T00:00:00Z")),
        _ => return plain,
    };
    with.converted(function, text).unwrap_or(plain)
}
