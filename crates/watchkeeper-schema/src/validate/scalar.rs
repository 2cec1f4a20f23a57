//! Types, numbers, text and enumerations.

use serde_json::{Number, Value};

use super::effort::Effort;
use super::patterns::Patterns;
use super::{body, format, type_invalid, type_message, type_names};
use crate::error::{FieldError, go_float};
use crate::node::{Schema, Type};

/// The JSON type as messages name it, and the format that Go's decoder gives it.
fn kind_of(value: &Value) -> (&'static str, &'static str) {
    match value {
        Value::Null => ("null", ""),
        Value::Bool(_) => ("boolean", ""),
        Value::String(_) => ("string", ""),
        Value::Array(_) => ("array", ""),
        Value::Object(_) => ("object", ""),
        Value::Number(n) if n.is_i64() || n.is_u64() => ("integer", "int64"),
        Value::Number(_) => ("number", "float64"),
    }
}

/// A float that is surely meant as an integer: of a product that should be one the last digits may be wrong
/// (go-openapi's `swag`, `IsFloat64AJSONInteger`).
fn is_whole(number: f64) -> bool {
    const MOST: f64 = 9_007_199_254_740_991.0;
    const RELATIVE_ERROR: f64 = 1e-9;
    let below = number.trunc();
    let difference = (number - below).abs();
    number.abs() <= MOST
        && (difference == 0.0
            || (below > 0.0 && difference / (number.abs() + below) < RELATIVE_ERROR))
}

/// Of a format that the value's type does not have it is told before the type itself.
pub(super) fn type_of(value: &Value, node: &Schema, path: &str, errors: &mut Vec<FieldError>) {
    let (actual, actual_format) = kind_of(value);
    let allows = |name: &str| match node.type_ {
        _ if node.int_or_string => matches!(name, "integer" | "string"),
        Some(type_) => type_.name() == name,
        None => false,
    };
    let whole = actual == "number" && value.as_f64().is_some_and(is_whole) && allows("integer");
    let fits = allows(actual) || whole || (actual == "integer" && allows("number"));
    if fits {
        return;
    }
    let is_listed = matches!(value, Value::String(_) | Value::Array(_));
    let (expected, shown) = match (type_names(node), format::known(node)) {
        (_, Some(_)) if is_listed && !numeric(node) => return,
        (_, Some(format)) if !is_listed && format == actual_format => return,
        (_, Some(format)) if !is_listed => (format.to_owned(), actual_format),
        (Some(types), _) => (types, actual),
        (None, _) => return,
    };
    errors.push(type_invalid(path, shown, type_message(path, &expected, shown)));
}

fn numeric(node: &Schema) -> bool {
    matches!(node.type_, Some(Type::Integer | Type::Number))
}

pub(super) fn enumeration(value: &Value, node: &Schema, path: &str, errors: &mut Vec<FieldError>) {
    let float = value.as_f64().filter(|_| value.is_f64());
    let is_it =
        |allowed: &Value| allowed == value || float.is_some_and(|f| allowed.as_f64() == Some(f));
    if node.enum_values.is_empty() || node.enum_values.iter().any(is_it) {
        return;
    }
    let allowed = node.enum_values.iter().map(|allowed| match allowed {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    errors.push(FieldError::not_supported(path, value.clone(), allowed));
}

/// The range of the type first, then what the number is a multiple of, and its bounds.
pub(super) fn number(number: &Number, node: &Schema, path: &str, errors: &mut Vec<FieldError>) {
    let value = number.as_f64().unwrap_or_default();
    errors.extend(out_of_range(number.as_i64(), value, "Checked", node, path));
    if let Some(factor) = node.bounds.multiple_of {
        errors.extend(out_of_range(None, factor, "MultipleOf", node, path));
        errors.extend(multiple(number, bound(number, factor, node), path));
    }
    let mut bounds = Vec::new();
    if let Some(least) = node.bounds.minimum {
        bounds.extend(out_of_range(None, least, "Minimum boundary", node, path));
        let least = bound(number, least, node);
        let words = match node.bounds.exclusive_minimum {
            true if value <= least => Some("greater than"),
            false if value < least => Some("greater than or equal to"),
            _ => None,
        };
        bounds.extend(words.map(|words| outside(number, words, least, path)));
    }
    if let Some(most) = node.bounds.maximum {
        bounds.extend(out_of_range(None, most, "Maximum boundary", node, path));
        let most = bound(number, most, node);
        let words = match node.bounds.exclusive_maximum {
            true if value >= most => Some("less than"),
            false if value > most => Some("less than or equal to"),
            _ => None,
        };
        bounds.extend(words.map(|words| outside(number, words, most, path)));
    }
    errors.extend(bounds);
}

/// Upstream compares a whole number with whole ones, unless the schema's own number is none of its type.
fn bound(number: &Number, bound: f64, node: &Schema) -> f64 {
    let is_whole = number.is_i64() || number.is_u64();
    if is_whole && in_range(None, bound, node) { bound.trunc() } else { bound }
}

/// A bound, written as the number that it is compared with.
fn beside(number: &Number, bound: f64) -> String {
    if number.is_f64() { go_float(bound) } else { bound.to_string() }
}

fn outside(number: &Number, words: &str, bound: f64, path: &str) -> FieldError {
    let detail = format!("{} should be {words} {}", body(path), beside(number, bound));
    FieldError::invalid(path, Value::Number(number.clone()), detail)
}

fn multiple(number: &Number, factor: f64, path: &str) -> Option<FieldError> {
    if factor <= 0.0 {
        let shown = beside(number, factor);
        let detail = format!("factor MultipleOf declared for {path} must be positive: {shown}");
        return Some(FieldError::invalid(path, factor, detail));
    }
    let value = number.as_f64().unwrap_or_default();
    let times = if factor < 1.0 { 1.0 / factor * value } else { value / factor };
    let is_multiple = if number.is_f64() || factor.fract() != 0.0 {
        is_whole(times)
    } else {
        times.fract() == 0.0
    };
    let detail = || format!("{} should be a multiple of {}", body(path), beside(number, factor));
    let shown = || Value::Number(number.clone());
    (!is_multiple).then(|| FieldError::invalid(path, shown(), detail()))
}

/// Whether the type and format of a schema have a number; `whole` where it is an integer.
fn in_range(whole: Option<i64>, number: f64, node: &Schema) -> bool {
    if node.type_ == Some(Type::Number) && node.format.as_deref() == Some("float") {
        return number.abs() <= f64::from(f32::MAX);
    }
    if node.type_ != Some(Type::Integer) || node.int_or_string {
        return true;
    }
    let bits = if node.format.as_deref() == Some("int32") { 31 } else { 63 };
    let most = 2.0_f64.powi(bits);
    let number = whole.map_or(number, |whole| whole as f64);
    whole.is_some_and(|_| bits == 63) || (number.fract() == 0.0 && (-most..most).contains(&number))
}

fn out_of_range(
    whole: Option<i64>,
    number: f64,
    what: &str,
    node: &Schema,
    path: &str,
) -> Option<FieldError> {
    if in_range(whole, number, node) {
        return None;
    }
    let format = format::known(node)
        .map_or_else(|| "(default format)".to_owned(), |format| format!("with format {format}"));
    let type_ = node.type_.map_or("", Type::name);
    let detail = format!("{what} value must be of type {type_} {format} in {path}");
    Some(FieldError::invalid("<nil>", "", detail))
}

pub(super) fn text(
    text: &str,
    node: &Schema,
    path: &str,
    asked: (&Patterns, &Effort),
    errors: &mut Vec<FieldError>,
) {
    errors.extend(length_or_pattern(text, node, path, asked));
    if let Some(name) = format::known(node)
        && !numeric(node)
        && !format::fits(name, text)
    {
        errors.push(type_invalid(path, text, type_message(path, name, text)));
    }
}

/// Too long, too short or of another pattern: only the first of these is told.
fn length_or_pattern(
    text: &str,
    node: &Schema,
    path: &str,
    (patterns, effort): (&Patterns, &Effort),
) -> Option<FieldError> {
    let bounds = &node.bounds;
    let length = text.chars().count() as u64;
    if let Some(most) = bounds.max_length.filter(|most| length > *most) {
        return Some(FieldError::too_long(path, most));
    }
    if let Some(least) = bounds.min_length.filter(|least| length < *least) {
        let detail = format!("{} should be at least {least} chars long", body(path));
        return Some(FieldError::invalid(path, text, detail));
    }
    let pattern = node.pattern.as_ref()?;
    let compiled = patterns.compiled(pattern, |work| effort.take(work))?;
    let detail = match &*compiled {
        Ok(pattern) if !effort.take_states(pattern.states, text.len()) => return None,
        Ok(pattern) if pattern.is_match(text) => return None,
        Ok(_) => format!("{} should match '{pattern}'", body(path)),
        Err(error) => {
            format!("{} should match '{pattern}, but pattern is invalid: {error}'", body(path))
        }
    };
    Some(FieldError::invalid(path, text, detail))
}
