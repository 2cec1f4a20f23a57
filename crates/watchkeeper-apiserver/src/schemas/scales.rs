//! What is wrong with the places of a custom resource that its scale shows, in the words of `ValidateScaleSpec` and
//! `ValidateScaleStatus` (apiextensions, `pkg/registry/customresource`). What is of another type is told of here as
//! well, after the schema has said so.

use serde_json::Value;
use watchkeeper_schema::FieldError;

use crate::crd::ScalePaths;
use crate::go::{go_type, go_value};

/// What is wrong with them; who writes a status is told of what is in it.
pub(super) fn judged(object: &Value, paths: &ScalePaths, is_status: bool) -> Vec<FieldError> {
    let spec = if is_status { None } else { count(object, &paths.spec) };
    let selector = paths.selector.as_ref().and_then(|path| selector(object, path));
    spec.into_iter().chain(count(object, &paths.status)).chain(selector).collect()
}

fn count(object: &Value, path: &[String]) -> Option<FieldError> {
    let value = match nested(object, path) {
        Ok(value) => value?,
        Err(detail) => return Some(FieldError::invalid(joined(path), 0, detail)),
    };
    let Some(count) = value.as_i64() else {
        return Some(FieldError::invalid(joined(path), 0, other_type(path, value, "int64")));
    };
    let detail = match count {
        ..0 => "should be a non-negative integer".to_owned(),
        count if count > i64::from(i32::MAX) => {
            format!("should be less than or equal to {}", i32::MAX)
        }
        _ => return None,
    };
    Some(FieldError::invalid(joined(path), count, detail))
}

fn selector(object: &Value, path: &[String]) -> Option<FieldError> {
    let detail = match nested(object, path) {
        Ok(value) => {
            value.filter(|value| !value.is_string()).map(|v| other_type(path, v, "string"))?
        }
        Err(detail) => detail,
    };
    Some(FieldError::invalid(joined(path), "", detail))
}

/// What is there (`NestedFieldNoCopy` of apimachinery): nothing below a null, and nothing can be below anything else
/// than an object.
fn nested<'a>(object: &'a Value, path: &[String]) -> Result<Option<&'a Value>, String> {
    let mut place = object;
    for (depth, key) in path.iter().enumerate() {
        place = match place {
            Value::Null => return Ok(None),
            Value::Object(members) => match members.get(key) {
                Some(value) => value,
                None => return Ok(None),
            },
            other => return Err(other_type(&path[..=depth], other, "map[string]interface{}")),
        };
    }
    Ok(Some(place))
}

fn other_type(path: &[String], value: &Value, expected: &str) -> String {
    let (shown, kind) = (go_value(value), go_type(value));
    format!("{} accessor error: {shown} is of the type {kind}, expected {expected}", joined(path))
}

fn joined(path: &[String]) -> String {
    format!(".{}", path.join("."))
}
