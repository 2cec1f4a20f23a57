//! Filling in defaults, and dropping `null` where it is no value
//! (apiextensions, `pkg/apiserver/schema/defaulting`).

use serde_json::{Map, Value};

use crate::registry::SchemaRef;

#[cfg(test)]
mod tests;

/// How many bytes of defaults are filled in, at most: a list of empty items could ask for any number of copies
/// of a large one.
const MOST_FILLED: usize = 16 << 20;

/// Fills in the defaults of missing members, at every depth of what is there, up to 16 MiB of them.
pub fn default_values(value: &mut Value, schema: SchemaRef<'_>) {
    Filling { left: MOST_FILLED }.value(value, schema);
}

struct Filling {
    /// How many bytes may still be filled in.
    left: usize,
}

impl Filling {
    fn value(&mut self, value: &mut Value, schema: SchemaRef<'_>) {
        match value {
            Value::Object(members) => self.members(members, schema),
            Value::Array(items) => {
                let Some(of) = schema.items() else { return };
                for value in items {
                    self.null(value, of);
                    self.value(value, of);
                }
            }
            _ => {}
        }
    }

    fn members(&mut self, members: &mut Map<String, Value>, schema: SchemaRef<'_>) {
        for (name, of) in schema.properties() {
            let Some(default) = &of.usage.default else { continue };
            if default.is_null() {
                continue;
            }
            let missing = match members.get(name) {
                None => true,
                Some(Value::Null) => !of.node.nullable,
                Some(_) => false,
            };
            if missing && self.takes(default) {
                members.insert(name.to_owned(), default.clone());
            }
        }
        for (name, value) in members {
            if let Some(of) = schema.member(name) {
                self.null(value, of);
                self.value(value, of);
            }
        }
    }

    fn null(&mut self, value: &mut Value, schema: SchemaRef<'_>) {
        if value.is_null()
            && !schema.node.nullable
            && let Some(default) = &schema.usage.default
            && self.takes(default)
        {
            *value = default.clone();
        }
    }

    fn takes(&mut self, default: &Value) -> bool {
        let left = self.left.checked_sub(size(default));
        self.left = left.unwrap_or(0);
        left.is_some()
    }
}

/// How many bytes a value takes, about.
fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size).sum::<usize>() + 2,
        Value::Object(members) => {
            members.iter().map(|(name, value)| name.len() + size(value)).sum::<usize>() + 2
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
    }
}

/// Drops members that are `null` where the schema neither allows `null` nor has a default for it.
pub fn drop_nulls(value: &mut Value, schema: SchemaRef<'_>) {
    match value {
        Value::Object(members) => {
            members.retain(|name, value| {
                let Some(of) = schema.member(name) else { return true };
                if value.is_null() {
                    return of.node.nullable || of.usage.default.is_some();
                }
                drop_nulls(value, of);
                true
            });
        }
        Value::Array(items) => {
            if let Some(of) = schema.items() {
                items.iter_mut().for_each(|value| drop_nulls(value, of));
            }
        }
        _ => {}
    }
}
