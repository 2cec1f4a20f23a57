//! Types, numbers, text and enumerations.

use serde_json::{Number, Value};

use super::effort::Effort;
use super::patterns::Patterns;
use super::{body, format, type_invalid, type_message, type_names};
use crate::error::FieldError;
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

/// Every integer, and of floats those that are surely meant as one.
fn is_whole(value: &Value) -> bool {
    value.is_i64()
        || value.as_f64().is_some_and(|number| number.fract() == 0.0 && number.abs() <= 9e15)
}

pub(super) fn type_of(value: &Value, node: &Schema, path: &str, errors: &mut Vec<FieldError>) {
    let Some(expected) = type_names(node) else { return };
    let (actual, actual_format) = kind_of(value);
    let fits = match (node.type_, value) {
        _ if node.int_or_string => actual == "string" || is_whole(value),
        (Some(Type::Integer), Value::Number(_)) => is_whole(value),
        (Some(Type::Number), Value::Number(_)) => true,
        (Some(type_), _) => type_.name() == actual,
        (None, _) => true,
    };
    if fits {
        return;
    }
    let listed = matches!(value, Value::String(_) | Value::Array(_));
    let (expected, shown) = match format::known(node) {
        Some(_) if listed && !numeric(node) => return,
        Some(format) if !listed => (format.to_owned(), actual_format),
        _ => (expected, actual),
    };
    errors.push(type_invalid(path, shown, type_message(path, &expected, shown)));
}

fn numeric(node: &Schema) -> bool {
    matches!(node.type_, Some(Type::Integer | Type::Number))
}

pub(super) fn enumeration(value: &Value, node: &Schema, path: &str, errors: &mut Vec<FieldError>) {
    if node.enum_values.is_empty() || node.enum_values.contains(value) {
        return;
    }
    let allowed = node.enum_values.iter().map(|allowed| match allowed {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    errors.push(FieldError::not_supported(path, value.clone(), allowed));
}

pub(super) fn number(number: &Number, node: &Schema, path: &str, errors: &mut Vec<FieldError>) {
    let bounds = &node.bounds;
    let value = number.as_f64().unwrap_or_default();
    // Upstream compares a whole number with whole ones, whatever the schema says.
    let is_whole = number.is_i64() || number.is_u64();
    let bound = |bound: f64| if is_whole { bound.trunc() } else { bound };
    let mut fail = |shown: Value, detail: String| {
        errors.push(FieldError::invalid(path, shown, detail));
    };
    let shown = || Value::Number(number.clone());
    match bounds.multiple_of.map(bound) {
        Some(factor) if factor <= 0.0 => {
            let detail =
                format!("factor MultipleOf declared for {path} must be positive: {factor}");
            fail(factor.to_string().parse().unwrap_or_default(), detail);
        }
        Some(factor) if (value / factor).fract() != 0.0 => {
            fail(shown(), format!("{} should be a multiple of {factor}", body(path)));
        }
        _ => {}
    }
    if let Some(most) = bounds.maximum.map(bound) {
        if bounds.exclusive_maximum && value >= most {
            fail(shown(), format!("{} should be less than {most}", body(path)));
        } else if value > most {
            fail(shown(), format!("{} should be less than or equal to {most}", body(path)));
        }
    }
    if let Some(least) = bounds.minimum.map(bound) {
        if bounds.exclusive_minimum && value <= least {
            fail(shown(), format!("{} should be greater than {least}", body(path)));
        } else if value < least {
            fail(shown(), format!("{} should be greater than or equal to {least}", body(path)));
        }
    }
    range(number, node, path, errors);
}

/// Integers fit their format.
fn range(number: &Number, node: &Schema, path: &str, errors: &mut Vec<FieldError>) {
    if node.type_ != Some(Type::Integer) {
        return;
    }
    let is_int32 = node.format.as_deref() == Some("int32");
    let whole = number.as_i64().or_else(|| number.as_f64().and_then(whole));
    let fits = whole.is_some_and(|whole| !is_int32 || i32::try_from(whole).is_ok());
    if !fits {
        let format = node.format.as_deref().filter(|format| !format.is_empty());
        let format = format.map_or_else(
            || "(default format)".to_owned(),
            |format| format!("with format {format}"),
        );
        let detail = format!("Checked value must be of type integer {format} in {path}");
        errors.push(FieldError::invalid("<nil>", "", detail));
    }
}

/// A number without a fraction, as `1.0` is.
fn whole(number: f64) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and small")]
    let whole = number as i64;
    (number.fract() == 0.0 && number.abs() <= 9e15).then_some(whole)
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
    let compiled = patterns.compiled(pattern, |states| effort.take(states / 4))?;
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
