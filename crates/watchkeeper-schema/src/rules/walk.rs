//! From an object to the values that rules are asked about, each with its old value.

use std::collections::BTreeMap;

use serde_json::Value;

use super::run::{Asked, Runner, Wrong};
use super::{Found, Judgement, convert};
use crate::error::{child, item, key};
use crate::node::{ListType, Schema, Type};

/// Where in an object we are.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) found: &'a Found,
    pub(super) schema: &'a Schema,
    /// As errors name it.
    pub(super) path: &'a str,
}

/// What an update leaves as it is, and with that forgives: what rules without `oldSelf` say of it.
#[derive(Clone, Copy)]
pub(super) struct Before<'v> {
    /// What the value was, if that can be found.
    value: Option<&'v Value>,
    /// Whether the nearest value around it that can be found is as it was.
    around: bool,
}

impl<'v> Before<'v> {
    pub(super) const fn new(old: Option<&'v Value>) -> Self {
        Self { value: old, around: false }
    }

    fn is_unchanged(self, value: &Value, schema: &Schema) -> bool {
        self.value.map_or(self.around, |old| unchanged(value, old, schema))
    }

    /// The same of what is in it. What cannot be found has nothing in it that can be.
    fn inside(self, is_unchanged: bool, find: impl FnOnce(&'v Value) -> Option<&'v Value>) -> Self {
        match self.value {
            Some(old) => Self { value: find(old), around: is_unchanged },
            None => self,
        }
    }
}

/// Asks all rules.
pub(super) struct Judge {
    runner: Runner,
    pub(super) said: Judgement,
}

impl Judge {
    pub(super) fn new() -> Self {
        Self { runner: Runner::new(), said: Judgement::default() }
    }

    /// Asks the rules of a value, then those of what is in it.
    pub(super) fn value(&mut self, value: &Value, before: Before<'_>, at: At<'_>) {
        // What is null is as good as not there.
        if value.is_null() || self.runner.is_over {
            return;
        }
        let is_unchanged = before.is_unchanged(value, at.schema);
        self.ask(value, before.value, is_unchanged, at);
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    let old = before.inside(is_unchanged, |old| old.get(name));
                    let of = (at.found.members.get(name), at.schema.properties.get(name));
                    if let (Some(found), Some(schema)) = of {
                        let path = child(at.path, name);
                        self.value(member, old, At { found, schema, path: &path });
                    } else if let (None, Some(found), Some(schema)) =
                        (of.1, &at.found.inner, &at.schema.additional)
                    {
                        let path = key(at.path, name);
                        self.value(member, old, At { found, schema, path: &path });
                    }
                }
            }
            Value::Array(items) => {
                let (Some(found), Some(schema)) = (&at.found.inner, &at.schema.items) else {
                    return;
                };
                let olds = Olds::new(before.value, at.schema);
                for (index, value) in items.iter().enumerate() {
                    let old = before.inside(is_unchanged, |_| olds.of(value));
                    let path = item(at.path, index);
                    self.value(value, old, At { found, schema, path: &path });
                }
            }
            _ => {}
        }
    }

    fn ask(&mut self, value: &Value, old: Option<&Value>, is_unchanged: bool, at: At<'_>) {
        if at.found.rules.is_empty() {
            return;
        }
        let seen = |of: &Value| convert::value(of, Some(at.schema), &self.runner.interpreter);
        let type_ = at.schema.type_;
        let asked = Asked {
            this: seen(value),
            old: old.filter(|old| !old.is_null()).map(seen),
            value: (!matches!(type_, Some(Type::Object | Type::Array))).then_some(value),
            type_name: type_.map_or("", Type::name),
            path: at.path,
            mismatch: convert::mismatch(value, at.schema),
        };
        for compiled in &at.found.rules {
            let Some(Wrong { error, is_false }) = self.runner.run(compiled, &asked) else {
                continue;
            };
            // A rule that does not run is told whatever has changed.
            if is_unchanged && !compiled.transition && is_false {
                self.said.forgiven.push(error);
            } else {
                self.said.errors.push(error);
            }
            if self.runner.is_over {
                return;
            }
        }
    }
}

/// Whether items are told apart by keys.
pub(super) fn is_keyed(list: &Schema) -> bool {
    list.list_type == Some(ListType::Map)
}

/// Whether a value is what it was, as servers compare: items by their keys; and what the schema says
/// nothing of is never what it was.
fn unchanged(value: &Value, old: &Value, schema: &Schema) -> bool {
    match (value, old) {
        (Value::Array(items), Value::Array(olds)) if is_keyed(schema) && !items.is_empty() => {
            let Some(of) = schema.items.as_deref() else { return false };
            if items.len() != olds.len() {
                return false;
            }
            let olds = Olds::new(Some(old), schema);
            items.iter().all(|value| olds.of(value).is_some_and(|old| unchanged(value, old, of)))
        }
        (Value::Object(members), Value::Object(olds)) => {
            let of = |name: &str| schema.properties.get(name).or(schema.additional.as_deref());
            let same = |(name, value): (&String, &Value)| {
                let (Some(of), Some(old)) = (of(name), olds.get(name)) else { return false };
                unchanged(value, old, of)
            };
            members.len() == olds.len() && members.iter().all(same)
        }
        _ => value == old,
    }
}

/// The items that a list had, by their keys; none of a list whose items have none.
struct Olds<'v> {
    keys: &'v [String],
    items: BTreeMap<Vec<Option<String>>, &'v Value>,
}

impl<'v> Olds<'v> {
    fn new(old: Option<&'v Value>, list: &'v Schema) -> Self {
        let keys = if is_keyed(list) { list.list_keys.as_slice() } else { &[] };
        let mut olds = Self { keys, items: BTreeMap::new() };
        let items = old.and_then(Value::as_array).filter(|_| is_keyed(list));
        for item in items.into_iter().flatten() {
            olds.items.entry(olds.keys_of(item)).or_insert(item);
        }
        olds
    }

    /// The old item of the same keys.
    fn of(&self, item: &Value) -> Option<&'v Value> {
        self.items.get(&self.keys_of(item)).copied()
    }

    fn keys_of(&self, item: &Value) -> Vec<Option<String>> {
        self.keys.iter().map(|key| item.get(key).map(ToString::to_string)).collect()
    }
}
