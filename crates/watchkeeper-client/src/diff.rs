//! Differences of JSON values, and how they are made without losing what our types do not know.

use serde_json::{Map, Value};
use watchkeeper_api::merge::{Member, Members, Merge};

mod items;
pub(crate) mod lists;
pub(crate) mod operations;
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
/// types do not know it, stays: also in items of lists, as far as they can be told to be the same.
/// `members` are those of the object's kind, which say what the items of some lists are told by.
pub(crate) fn graft(raw: Value, before: &Value, after: &Value, members: Option<Members>) -> Value {
    grafted(raw, before, after, Place::root(Added::Whole, members))
}

/// The same of a part of an object, to which no more is added than somebody set: `set` is `after` without
/// what is at its default.
pub(crate) fn graft_part(
    raw: Value,
    before: &Value,
    after: &Value,
    set: &Value,
    members: Option<Members>,
) -> Value {
    grafted(raw, before, after, Place::root(Added::Set(Some(set)), members))
}

/// What is said of a value that was not there before.
#[derive(Clone, Copy)]
enum Added<'a> {
    /// All of it.
    Whole,
    /// This much, at the same place; all of it, where that place is empty.
    Set(Option<&'a Value>),
}

impl Added<'_> {
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

/// What is known of the place of a value.
#[derive(Clone, Copy)]
struct Place<'a> {
    added: Added<'a>,
    /// What tells the items of the list apart that is here.
    key: Option<&'static str>,
    /// The members of the object that is here, or of each item of the list.
    members: Option<Members>,
}

impl<'a> Place<'a> {
    const fn root(added: Added<'a>, members: Option<Members>) -> Self {
        Self { added, key: None, members }
    }

    fn member(self, name: &str) -> Self {
        let known = self.members.map(|members| members.get(name));
        let key = match known {
            Some(Member { merge: Merge::Key(key), .. }) => Some(key),
            _ => None,
        };
        let members = known.and_then(|member| member.within);
        Self { added: self.added_below(|set| set.get(name)), key, members }
    }

    fn item(self, at: usize) -> Self {
        Self { added: self.added_below(|set| set.get(at)), key: None, members: self.members }
    }

    fn added_below(self, inner: impl FnOnce(&'a Value) -> Option<&'a Value>) -> Added<'a> {
        match self.added {
            Added::Whole => Added::Whole,
            Added::Set(set) => Added::Set(set.and_then(inner)),
        }
    }
}

fn grafted(raw: Value, before: &Value, after: &Value, place: Place<'_>) -> Value {
    match (raw, before, after) {
        (Value::Object(mut raw), Value::Object(before), Value::Object(after)) => {
            for name in before.keys().filter(|name| !after.contains_key(*name)) {
                raw.remove(name);
            }
            for (name, value) in after {
                let place = place.member(name);
                let grafted = match (raw.remove(name), before.get(name)) {
                    (Some(raw), Some(before)) => grafted(raw, before, value, place),
                    // The type says what the raw value leaves to its default.
                    (None, Some(before)) if before == value => continue,
                    // What the type says around the change stays unsaid.
                    (None, Some(before)) if place.added.is_part() && before.is_object() => {
                        grafted(Map::new().into(), before, value, place)
                    }
                    _ => place.added.of(value),
                };
                raw.insert(name.clone(), grafted);
            }
            Value::Object(raw)
        }
        (Value::Array(raw), Value::Array(before), Value::Array(after))
            if raw.len() == before.len() =>
        {
            Value::Array(list(raw, before, after, place))
        }
        (raw, before, after) if before == after => raw,
        (_, _, after) => place.added.of(after),
    }
}

/// Each item of `after` from that item of `raw` which it was.
fn list(raw: Vec<Value>, before: &[Value], after: &[Value], place: Place<'_>) -> Vec<Value> {
    let mut left: Vec<Option<Value>> = raw.into_iter().map(Some).collect();
    let origins = items::origins(before, after, place.key);
    let pairs = after.iter().zip(origins).enumerate();
    pairs
        .map(|(at, (value, origin))| {
            let place = place.item(at);
            let raw = origin.and_then(|at| Some((left[at].take()?, &before[at])));
            match raw {
                Some((raw, before)) => grafted(raw, before, value, place),
                None => place.added.of(value),
            }
        })
        .collect()
}
