//! Differences of JSON values, and how they are made without losing what our types do not know.

use serde_json::{Map, Value};

#[cfg(test)]
mod tests;

/// What turns `before` into `after`, as a JSON merge patch (RFC 7396); `None` if nothing does. Lists are
/// replaced as a whole.
pub(crate) fn merge_patch(before: &Value, after: &Value) -> Option<Value> {
    let (Value::Object(old), Value::Object(new)) = (before, after) else {
        return (before != after).then(|| after.clone());
    };
    let removed = old.keys().filter(|name| !new.contains_key(*name));
    let mut patch: Map<_, _> = removed.map(|name| (name.clone(), Value::Null)).collect();
    for (name, value) in new {
        let change = match old.get(name) {
            Some(old) => merge_patch(old, value),
            None => Some(value.clone()),
        };
        patch.extend(change.map(|change| (name.clone(), change)));
    }
    (!patch.is_empty()).then_some(Value::Object(patch))
}

/// `raw` changed as `before` was to become `after`. What `raw` holds and `before` does not, because the
/// types do not know it, stays: also in elements of lists, as far as they can be told to be the same.
pub(crate) fn graft(raw: Value, before: &Value, after: &Value) -> Value {
    grafted(raw, before, after, Added::Whole)
}

/// The same of a part of an object, to which no more is added than somebody set: `set` is `after` without
/// what is at its default.
pub(crate) fn graft_part(raw: Value, before: &Value, after: &Value, set: &Value) -> Value {
    grafted(raw, before, after, Added::Set(Some(set)))
}

/// What is said of a value that was not there before.
#[derive(Clone, Copy)]
enum Added<'a> {
    /// All of it.
    Whole,
    /// This much, at the same place; all of it, where that place is empty.
    Set(Option<&'a Value>),
}

impl<'a> Added<'a> {
    fn below(self, inner: impl FnOnce(&'a Value) -> Option<&'a Value>) -> Self {
        match self {
            Self::Whole => Self::Whole,
            Self::Set(set) => Self::Set(set.and_then(inner)),
        }
    }

    const fn is_part(self) -> bool {
        matches!(self, Self::Set(_))
    }

    fn of(self, value: &Value) -> Value {
        match self {
            Self::Set(Some(set)) => set.clone(),
            Self::Whole | Self::Set(None) => value.clone(),
        }
    }
}

fn grafted(raw: Value, before: &Value, after: &Value, added: Added<'_>) -> Value {
    match (raw, before, after) {
        (Value::Object(mut raw), Value::Object(before), Value::Object(after)) => {
            for name in before.keys().filter(|name| !after.contains_key(*name)) {
                raw.remove(name);
            }
            for (name, value) in after {
                let added = added.below(|set| set.get(name));
                let grafted = match (raw.remove(name), before.get(name)) {
                    (Some(raw), Some(before)) => grafted(raw, before, value, added),
                    // The type says what the raw value leaves to its default.
                    (None, Some(before)) if before == value => continue,
                    // What the type says around the change stays unsaid.
                    (None, Some(before)) if added.is_part() && before.is_object() => {
                        grafted(Map::new().into(), before, value, added)
                    }
                    _ => added.of(value),
                };
                raw.insert(name.clone(), grafted);
            }
            Value::Object(raw)
        }
        (Value::Array(raw), Value::Array(before), Value::Array(after))
            if raw.len() == before.len() =>
        {
            Value::Array(elements(raw, before, after, added))
        }
        (raw, before, after) if before == after => raw,
        (_, _, after) => added.of(after),
    }
}

/// Each element of `after` from that element of `raw` which it was.
fn elements(raw: Vec<Value>, before: &[Value], after: &[Value], added: Added<'_>) -> Vec<Value> {
    let mut left: Vec<Option<Value>> = raw.into_iter().map(Some).collect();
    let same_length = before.len() == after.len();
    let origin = |(at, value): (usize, &Value)| {
        let equal = before.iter().position(|old| old == value);
        let is_named = |old: &Value| name_of(old).is_some() && name_of(old) == name_of(value);
        let named = || before.iter().position(is_named);
        let in_place = || (same_length && name_of(value).is_none()).then_some(at);
        equal.or_else(named).or_else(in_place)
    };
    let origins: Vec<_> = after.iter().enumerate().map(origin).collect();
    let pairs = after.iter().zip(origins).enumerate();
    pairs
        .map(|(at, (value, origin))| {
            let added = added.below(|set| set.get(at));
            let raw = origin.and_then(|at| Some((left[at].take()?, &before[at])));
            match raw {
                Some((raw, before)) => grafted(raw, before, value, added),
                None => added.of(value),
            }
        })
        .collect()
}

/// What most lists of Kubernetes are keyed by.
fn name_of(value: &Value) -> Option<&str> {
    ["name", "key", "type", "ip", "uid"].iter().find_map(|key| value[*key].as_str())
}
