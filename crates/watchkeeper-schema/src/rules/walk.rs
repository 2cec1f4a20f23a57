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
    pub(super) fn value(&mut self, value: &Value, old: Option<&Value>, schema: &Schema, at: At) {
        // What is null is as good as not there.
        if value.is_null() {
            return;
        }
        self.ask(value, old, schema, &at);
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    let old = old.and_then(|old| old.get(name));
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
                    let old = old.and_then(|old| older(value, old, schema));
                    let path = item(&at.path, index);
                    self.value(value, old, of, At { path, place: inner_place(&at.place) });
                }
            }
            _ => {}
        }
    }

    fn ask(&mut self, value: &Value, old: Option<&Value>, schema: &Schema, at: &At) {
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
            if !compiled.transition && old == Some(value) {
                continue;
            }
            let wrong = run::run(compiled, &self.context, &this, was.as_ref(), &shown, &at.path);
            self.errors.extend(wrong);
        }
    }
}

/// Whether items are told apart by keys.
pub(super) fn is_keyed(list: &Schema) -> bool {
    list.list_type == Some(ListType::Map)
}

/// The old item of the same keys.
fn older<'v>(item: &Value, old: &'v Value, list: &Schema) -> Option<&'v Value> {
    if !is_keyed(list) {
        return None;
    }
    let same = |other: &&Value| list.list_keys.iter().all(|key| other.get(key) == item.get(key));
    old.as_array()?.iter().find(same)
}
