//! From managed fields to the part of an object that they name.

use serde_json::{Map, Value, json};
use watchkeeper_api::json as codec;

use super::shape::{Node, Shape};

/// What a manager applied of an object, as its managed fields say.
pub(super) struct Entry<'a> {
    object: &'a Value,
    entry: &'a Value,
    others: Vec<&'a Value>,
}

/// A part of an object.
pub(super) struct Part {
    pub(super) value: Value,
    /// Whether something in it is owned as a whole only if the schema says so, which is not known.
    pub(super) unsure: bool,
    /// The first field that is owned and not there.
    pub(super) missing: Option<String>,
}

impl<'a> Entry<'a> {
    pub(super) fn find(object: &'a Value, manager: &str, subresource: &str) -> Option<Self> {
        let entries = object["metadata"]["managedFields"].as_array()?;
        let at = entries.iter().position(|entry| {
            entry["manager"] == manager
                && entry["operation"] == "Apply"
                && entry["subresource"].as_str().unwrap_or("") == subresource
        })?;
        let others = entries.iter().enumerate().filter(|(other, _)| *other != at);
        let others = others.map(|(_, entry)| &entry["fieldsV1"]).collect();
        Some(Self { object, entry: &entries[at], others })
    }

    /// The version that it was applied in, if the object came in another.
    pub(super) fn other_version(&self) -> Option<&'a str> {
        let version = self.entry["apiVersion"].as_str()?;
        (self.object["apiVersion"] != version).then_some(version)
    }

    /// The part, with what says which object it is of.
    pub(super) fn part(&self, shape: &Shape) -> Part {
        let mut taking = Taking::default();
        let owned = taking.value(self.object, &self.entry["fieldsV1"], &self.others, shape.root());
        let mut owned = owned.unwrap_or_else(|| json!({}));
        for member in ["apiVersion", "kind"] {
            owned[member] = self.object[member].clone();
        }
        for member in ["name", "namespace"] {
            if !self.object["metadata"][member].is_null() {
                owned["metadata"][member] = self.object["metadata"][member].clone();
            }
        }
        Part { value: owned, unsure: taking.unsure, missing: taking.missing }
    }
}

#[derive(Default)]
struct Taking {
    path: Vec<String>,
    unsure: bool,
    missing: Option<String>,
}

impl Taking {
    /// The part of `value` that `fields` names (upstream: `fieldpath.Set` as `FieldsV1`). No fields name the
    /// whole value, unless its members are owned one by one: then the manager said that it is there, and
    /// nothing of what is in it.
    fn value(
        &mut self,
        value: &Value,
        fields: &Value,
        others: &[&Value],
        node: Node<'_>,
    ) -> Option<Value> {
        let fields = fields.as_object()?;
        let is_shared = || others.iter().any(|fields| names_members(fields));
        match value {
            Value::Object(members) if fields.is_empty() => {
                let whole = members.is_empty() || !is_shared() && self.is_whole(node);
                Some(if whole { value.clone() } else { json!({}) })
            }
            _ if fields.is_empty() && !is_shared() => Some(value.clone()),
            Value::Object(members) => Some(self.of_object(members, fields, others, node)),
            Value::Array(items) => Some(self.of_list(items, fields, others, node)),
            other => Some(other.clone()),
        }
    }

    /// Whether an object belongs to one manager as a whole, as far as is known.
    fn is_whole(&mut self, node: Node<'_>) -> bool {
        node.is_atomic().unwrap_or_else(|| {
            self.unsure = true;
            true
        })
    }

    fn of_object(
        &mut self,
        members: &Map<String, Value>,
        fields: &Map<String, Value>,
        others: &[&Value],
        node: Node<'_>,
    ) -> Value {
        let mut owned = Map::new();
        for (field, inner) in fields {
            let Some(name) = field.strip_prefix("f:") else { continue };
            self.path.push(name.to_owned());
            match members.get(name) {
                Some(member) => {
                    let part = self.value(member, inner, &below(others, field), node.member(name));
                    owned.extend(part.map(|part| (name.to_owned(), part)));
                }
                None => self.miss(),
            }
            self.path.pop();
        }
        Value::Object(owned)
    }

    fn miss(&mut self) {
        self.missing.get_or_insert_with(|| self.path.join("."));
    }

    /// In the list's order; of items with keys these too.
    fn of_list(
        &mut self,
        items: &[Value],
        fields: &Map<String, Value>,
        others: &[&Value],
        node: Node<'_>,
    ) -> Value {
        let of_item = |(at, item): (usize, &Value)| {
            fields.iter().find_map(|(field, inner)| match field.split_once(':')? {
                ("k", keys) => {
                    let keys: Map<String, Value> = codec::from_slice(keys.as_bytes())
                        .ok()
                        .and_then(|keys: Value| keys.as_object().cloned())?;
                    if !keys.iter().all(|(name, value)| same(&item[name], value)) {
                        return None;
                    }
                    let mut owned = self.value(item, inner, &below(others, field), node.items())?;
                    let owned_members = owned.as_object_mut()?;
                    owned_members
                        .extend(keys.into_iter().filter(|(name, _)| !item[name].is_null()));
                    Some(owned)
                }
                ("v", text) => {
                    let value: Value = codec::from_slice(text.as_bytes()).ok()?;
                    (value == *item).then(|| item.clone())
                }
                ("i", index) => {
                    let is_it = index.parse() == Ok(at);
                    let part = || self.value(item, inner, &below(others, field), node.items());
                    is_it.then(part).flatten()
                }
                _ => None,
            })
        };
        items.iter().enumerate().filter_map(of_item).collect()
    }
}

/// Whether something below is named: `.` is the value itself.
fn names_members(fields: &Value) -> bool {
    fields.as_object().is_some_and(|fields| fields.keys().any(|field| field != "."))
}

/// What others own of a member or an item.
fn below<'a>(others: &[&'a Value], field: &str) -> Vec<&'a Value> {
    others.iter().filter_map(|fields| fields.get(field)).collect()
}

/// A key that was defaulted may be absent from the item: the protocol of a port.
fn same(found: &Value, key: &Value) -> bool {
    found == key || found.is_null()
}
