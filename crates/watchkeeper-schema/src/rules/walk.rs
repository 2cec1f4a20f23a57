//! From an object to the values that rules are asked about, each with its old value.

use kube_cel::KubeCelExt as _;
use kube_cel::cel::Context;
use serde_json::Value;

use super::{Rules, convert, inner_place, member_place, run};
use crate::error::{FieldError, child, item, key};
use crate::node::{ListType, Schema, Type};

/// Where in an object we are.
#[derive(Clone, Default)]
pub(super) struct At {
    /// As errors name it.
    pub(super) path: String,
    /// As the rules are found by.
    pub(super) place: String,
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
pub(super) struct Judge<'a> {
    rules: &'a Rules,
    context: Context<'static>,
    pub(super) errors: Vec<FieldError>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(rules: &'a Rules) -> Self {
        Self { rules, context: Context::default().with_all(), errors: Vec::new() }
    }

    /// Asks the rules of a value, then those of what is in it.
    pub(super) fn value(&mut self, value: &Value, before: Before<'_>, schema: &Schema, at: At) {
        // What is null is as good as not there.
        if value.is_null() {
            return;
        }
        let is_unchanged = before.is_unchanged(value, schema);
        self.ask(value, before.value, is_unchanged, schema, &at);
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    let old = before.inside(is_unchanged, |old| old.get(name));
                    if let Some(of) = schema.properties.get(name) {
                        let place = member_place(&at.place, name);
                        self.value(member, old, of, At { path: child(&at.path, name), place });
                    } else if let Some(of) = &schema.additional {
                        let path = key(&at.path, name);
                        self.value(member, old, of, At { path, place: inner_place(&at.place) });
                    }
                }
            }
            Value::Array(items) => {
                let Some(of) = &schema.items else { return };
                for (index, value) in items.iter().enumerate() {
                    let old = before.inside(is_unchanged, |old| older(value, old, schema));
                    let path = item(&at.path, index);
                    self.value(value, old, of, At { path, place: inner_place(&at.place) });
                }
            }
            _ => {}
        }
    }

    fn ask(
        &mut self,
        value: &Value,
        old: Option<&Value>,
        is_unchanged: bool,
        schema: &Schema,
        at: &At,
    ) {
        let rules = self.rules.at(&at.place);
        if rules.is_empty() {
            return;
        }
        let this = convert::value(value, Some(schema), &self.context);
        let was = old.filter(|old| !old.is_null());
        let was = was.map(|old| convert::value(old, Some(schema), &self.context));
        // Of lists and objects only what they are is shown.
        let shown = match schema.type_ {
            Some(Type::Object) => "object".into(),
            Some(Type::Array) => "array".into(),
            _ => value.clone(),
        };
        for compiled in rules {
            let wrong = run::run(compiled, &self.context, &this, was.as_ref(), &shown, &at.path);
            // A rule that does not run is told whatever has changed.
            let is_forgiven =
                |wrong: &run::Wrong| is_unchanged && !compiled.transition && wrong.is_false;
            self.errors.extend(wrong.filter(|wrong| !is_forgiven(wrong)).map(|wrong| wrong.error));
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
            let same =
                |value| older(value, old, schema).is_some_and(|old| unchanged(value, old, of));
            items.len() == olds.len() && items.iter().all(same)
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

/// The old item of the same keys.
fn older<'v>(item: &Value, old: &'v Value, list: &Schema) -> Option<&'v Value> {
    if !is_keyed(list) {
        return None;
    }
    let same = |other: &&Value| list.list_keys.iter().all(|key| other.get(key) == item.get(key));
    old.as_array()?.iter().find(same)
}
