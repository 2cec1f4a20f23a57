//! How large values may be, by their schema and by what a request may have
//! (apiserver, `pkg/cel/common/schemas.go`, `pkg/cel/limits.go`).

use std::cell::RefCell;
use std::collections::HashMap;

use serde_json::Value;

use super::device::Device;
use crate::cel::escaped;
use crate::node::{Schema, Type};

/// How many bytes a request may have.
pub(super) const REQUEST: u64 = 3 << 20;
/// The longest text that a request may have, within its quotes.
const TEXT: u64 = REQUEST - 2;

/// A step from a value to one in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A member, by the name that CEL has for it; or the variable with which a path begins.
    Name(String),
    Items,
    Values,
    Keys,
    Indices,
}

/// What is declared of a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Declared<'a> {
    /// By a schema; the root of a resource has more members than it says.
    Schema(&'a Schema, bool),
    /// The keys of maps, of which nothing is said.
    Key,
    /// A text of any length.
    Text,
    /// What is seen of metadata.
    Metadata,
    /// A part of a device, of which more is known than a schema says.
    Device(Device),
}

impl<'a> Declared<'a> {
    pub(super) fn of(schema: &'a Schema) -> Self {
        Self::Schema(schema, schema.embedded_resource)
    }

    /// What is declared of a value that is in it.
    pub(super) fn inner(self, step: &Step) -> Option<Self> {
        match (self, step) {
            (Self::Schema(schema, resource), Step::Name(name)) => member(schema, resource, name),
            (Self::Schema(schema, _), Step::Items | Step::Values) => {
                let inner = schema.items.as_deref().or(schema.additional.as_deref())?;
                Some(Self::of(inner))
            }
            (Self::Schema(schema, _), Step::Keys) if schema.additional.is_some() => Some(Self::Key),
            (Self::Metadata, Step::Name(name)) => {
                matches!(&**name, "name" | "generateName").then_some(Self::Text)
            }
            (Self::Device(part), step) => part.inner(step).map(Self::Device),
            _ => None,
        }
    }
}

/// The sizes of one schema's values, each reckoned once.
#[derive(Debug, Default)]
pub(in super::super) struct Sizes(RefCell<HashMap<*const Schema, u64>>);

impl Sizes {
    /// How long a text, how many items or members; 0 where nothing is declared of it.
    pub(super) fn most(&self, of: Declared<'_>) -> u64 {
        match of {
            Declared::Text => TEXT,
            Declared::Key | Declared::Metadata => 0,
            Declared::Device(part) => part.most(),
            Declared::Schema(schema, _) => self.most_of(schema),
        }
    }

    /// How many bytes a value has at least.
    pub(super) fn least_bytes(&self, schema: &Schema) -> u64 {
        let known = self.0.borrow().get(&std::ptr::from_ref(schema)).copied();
        known.unwrap_or_else(|| {
            let least = self.least_of(schema);
            self.0.borrow_mut().insert(std::ptr::from_ref(schema), least);
            least
        })
    }

    fn most_of(&self, schema: &Schema) -> u64 {
        let bounds = &schema.bounds;
        let length = |times: u64| bounds.max_length.map(|length| length.saturating_mul(times));
        if schema.int_or_string {
            return length(4).unwrap_or(TEXT);
        }
        match (schema.type_, schema.format.as_deref()) {
            (Some(Type::Array), _) => bounds.max_items.unwrap_or_else(|| {
                let least = schema.items.as_deref().map_or(0, |items| self.least_bytes(items));
                (REQUEST - 2) / (least + 1)
            }),
            (Some(Type::Object), _) => schema.additional.as_deref().map_or(0, |values| {
                bounds.max_properties.unwrap_or((REQUEST - 2) / (self.least_bytes(values) + 6))
            }),
            (Some(Type::String), Some("byte")) => length(1).unwrap_or(TEXT),
            (Some(Type::String), Some("duration" | "date-time")) => 32,
            (Some(Type::String), Some("date")) => 12,
            // A character has up to four bytes.
            (Some(Type::String), _) => length(4).unwrap_or_else(|| longest_of(&schema.enum_values)),
            _ => 0,
        }
    }

    fn least_of(&self, schema: &Schema) -> u64 {
        if schema.int_or_string {
            return 1;
        }
        match (schema.type_, schema.format.as_deref()) {
            (Some(Type::Boolean), _) => 4,
            (Some(Type::Integer | Type::Number), _) => 1,
            (Some(Type::String), Some("duration")) => 3,
            (Some(Type::String), Some("date")) => 12,
            (Some(Type::String), Some("date-time")) => 21,
            (Some(Type::Object), _) if schema.additional.is_none() => {
                // Its braces, and what must be in it: quotes, a colon, a comma.
                let required = schema.required.iter().filter_map(|name| {
                    let property = schema.properties.get(name)?;
                    let counts = property.default.is_none() && is_seen(property);
                    counts.then(|| name.len() as u64 + self.least_bytes(property) + 4)
                });
                required.fold(2, u64::saturating_add)
            }
            _ => 2,
        }
    }
}

fn member<'a>(schema: &'a Schema, resource: bool, name: &str) -> Option<Declared<'a>> {
    match name {
        "apiVersion" | "kind" if resource => return Some(Declared::Text),
        "metadata" if resource => return Some(Declared::Metadata),
        _ => {}
    }
    if schema.additional.is_some() {
        return None;
    }
    let mut properties = schema.properties.iter();
    let (_, property) = properties.find(|(property, _)| escaped(property) == name)?;
    is_seen(property).then(|| Declared::of(property))
}

/// Whether rules can see values of a schema.
fn is_seen(schema: &Schema) -> bool {
    let inner = schema.items.as_deref().or(schema.additional.as_deref());
    match schema.type_ {
        _ if schema.int_or_string => true,
        None => false,
        Some(Type::Array) => inner.is_some_and(is_seen),
        Some(Type::Object) => inner.is_none_or(is_seen),
        Some(_) => true,
    }
}

fn longest_of(values: &[Value]) -> u64 {
    let lengths = values.iter().filter_map(|value| Some(value.as_str()?.len() as u64));
    if values.is_empty() { TEXT } else { lengths.max().unwrap_or_default() }
}
