//! Filling in defaults, and dropping `null` where it is no value
//! (apiextensions, `pkg/apiserver/schema/defaulting`).

use serde_json::Value;

use crate::registry::SchemaRef;

#[cfg(test)]
mod tests;

/// Fills in the defaults of missing members, at every depth of what is there.
pub fn default_values(value: &mut Value, schema: SchemaRef<'_>) {
    match value {
        Value::Object(members) => {
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
                if missing {
                    members.insert(name.to_owned(), default.clone());
                }
            }
            for (name, value) in members {
                if let Some(of) = schema.member(name) {
                    default_null(value, of);
                    default_values(value, of);
                }
            }
        }
        Value::Array(items) => {
            let Some(of) = schema.items() else { return };
            for value in items {
                default_null(value, of);
                default_values(value, of);
            }
        }
        _ => {}
    }
}

fn default_null(value: &mut Value, schema: SchemaRef<'_>) {
    if value.is_null()
        && !schema.node.nullable
        && let Some(default) = &schema.usage.default
    {
        *value = default.clone();
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
