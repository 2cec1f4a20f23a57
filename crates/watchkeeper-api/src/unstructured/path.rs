//! JSON pointers (RFC 6901) into texts and trees.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::json::{self, ReadError, Reader};

/// The text of the value at `pointer` in a valid JSON text.
pub(super) fn find<'t>(text: &'t str, pointer: &str) -> Option<&'t str> {
    let mut found = text;
    for step in steps(pointer)? {
        found = child(found, &step)?;
    }
    Some(found)
}

/// The steps of a pointer; `None` when it does not start with a slash. The empty one has none.
fn steps(pointer: &str) -> Option<impl Iterator<Item = Cow<'_, str>>> {
    let rest = match pointer {
        "" => None,
        pointer => Some(pointer.strip_prefix('/')?),
    };
    Some(rest.into_iter().flat_map(|rest| rest.split('/')).map(unescape))
}

fn unescape(step: &str) -> Cow<'_, str> {
    if step.contains('~') {
        Cow::Owned(step.replace("~1", "/").replace("~0", "~"))
    } else {
        Cow::Borrowed(step)
    }
}

fn child<'t>(text: &'t str, step: &str) -> Option<&'t str> {
    let mut found = None;
    let mut reader = Reader::new(text).ok()?;
    if text.starts_with('{') {
        let members = reader.members(&mut |r, name| {
            let value = r.raw()?;
            if name == step {
                found = Some(value);
            }
            Ok(())
        });
        members.ok()?;
    } else if text.starts_with('[') {
        let wanted = index_of(step)?;
        let mut index = 0;
        let elements = reader.list(&mut |r| {
            let value = r.raw()?;
            if index == wanted {
                found = Some(value);
            }
            index += 1;
            Ok(())
        });
        elements.ok()?;
    }
    found
}

/// A list index as RFC 6901 spells it: decimal digits without leading zeros.
fn index_of(step: &str) -> Option<usize> {
    let leads_with_zero = step.len() > 1 && step.starts_with('0');
    let digits = !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
    if digits && !leads_with_zero { step.parse().ok() } else { None }
}

/// # Errors
/// When the text holds a number that a tree cannot.
pub(super) fn tree(text: &str) -> Result<Value, ReadError> {
    json::from_str(text)
}

pub(super) fn text(tree: &Value) -> Box<str> {
    match tree.as_object() {
        Some(members) if members.is_empty() => Box::default(),
        _ => tree.to_string().into(),
    }
}

pub(super) fn set(tree: &mut Value, pointer: &str, value: Value) -> Result<(), ReadError> {
    let wrong = |why: &str| ReadError::new(format!("cannot set {pointer:?}: {why}"), 0);
    let steps: Vec<_> =
        steps(pointer).ok_or_else(|| wrong("it does not start with `/`"))?.collect();
    if let None | Some("apiVersion" | "kind" | "metadata") = steps.first().map(|step| &**step) {
        return Err(wrong("apiVersion, kind and metadata are set apart"));
    }
    let mut place = tree;
    for step in steps {
        if place.is_null() {
            *place = Value::Object(Map::new());
        }
        place = match place {
            Value::Object(members) => members.entry(step).or_insert(Value::Null),
            Value::Array(elements) => {
                let index = index_of(&step);
                let element = index.and_then(|index| elements.get_mut(index));
                element.ok_or_else(|| wrong("a list on the way has no such index"))?
            }
            _ => return Err(wrong("a value on the way is neither object nor list")),
        };
    }
    *place = value;
    Ok(())
}

pub(super) fn remove(tree: &mut Value, pointer: &str) -> bool {
    let Some((parent, last)) = pointer.rsplit_once('/') else { return false };
    match tree.pointer_mut(parent) {
        Some(Value::Object(members)) => members.remove(&*unescape(last)).is_some(),
        Some(Value::Array(elements)) => {
            let index = index_of(last).filter(|index| *index < elements.len());
            index.map(|index| elements.remove(index)).is_some()
        }
        _ => false,
    }
}
