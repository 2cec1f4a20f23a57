//! What a manager owns of an object (upstream: `applyconfigurations`' `ExtractDeployment` and its like).

use serde_json::{Map, Value, json};
use watchkeeper_api::json as codec;
use watchkeeper_api::{Error, Object, Result, Writable};

use super::Api;
use crate::diff::graft_part;
use crate::options::ApplyOptions;
use crate::patch::said;
use crate::request::Verb;

#[cfg(test)]
mod tests;

/// What a manager applied of an object: to look at, to [`edit`](Self::edit), and to apply again by
/// [`Api::apply_extracted`].
///
/// It holds more than the type can say: members newer than the type stay the manager's, and members that
/// the type cannot leave out do not become its own.
#[derive(Clone)]
pub struct Extracted<K> {
    object: K,
    owned: Value,
    subresource: String,
}

impl<K> Extracted<K> {
    /// What the type can say of it. Members that it cannot leave out are zero here when they are not owned.
    #[must_use]
    pub const fn object(&self) -> &K {
        &self.object
    }
}

impl<K: Writable + Clone> Extracted<K> {
    /// Changes it. What is set becomes the manager's, and no member beside it. What is removed is given up:
    /// with no other owner, the server removes it, too.
    ///
    /// # Errors
    /// An object that cannot be written.
    pub fn edit(&mut self, change: impl FnOnce(&mut K)) -> Result<()> {
        let before = said_value(&self.object, false)?;
        let mut object = self.object.clone();
        change(&mut object);
        // What is owned may be set to its default, what is new may not be there for the type's sake alone.
        let (after, set) = (said_value(&object, false)?, said_value(&object, true)?);
        self.owned = graft_part(self.owned.take(), &before, &after, &set);
        self.object = object;
        Ok(())
    }
}

/// Tells what the type shows of itself: the rest may be secret.
impl<K: std::fmt::Debug> std::fmt::Debug for Extracted<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Extracted")
            .field("object", &self.object)
            .field("subresource", &self.subresource)
            .finish_non_exhaustive()
    }
}

fn said_value<K: Writable>(object: &K, part: bool) -> Result<Value> {
    codec::from_slice(&said(object, part)).map_err(|error| Error::other(error.to_string()))
}

impl<K: Object> Api<K> {
    /// What `manager` applied of an object: to change a little of it and apply it again. `None` if it
    /// applied nothing.
    ///
    /// Reads the object itself, as caches drop what this is made from.
    ///
    /// ```
    /// # use watchkeeper_api::{apps::v1::Deployment, Result};
    /// # use watchkeeper_client::{ApplyOptions, Client};
    /// # async fn f(client: Client) -> Result<()> {
    /// let deployments = client.field_manager("autoscaler").apps().v1().deployments("shop");
    /// if let Some(mut mine) = deployments.extract("web", "autoscaler").await? {
    ///     mine.edit(|web| web.spec.replicas = Some(3))?;
    ///     deployments.apply_extracted(&mine, &ApplyOptions::forced()).await?;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As of [`get`](Self::get); when what is owned is no `K`.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request.
    pub async fn extract(&self, name: &str, manager: &str) -> Result<Option<Extracted<K>>> {
        self.extract_subresource(name, manager, "").await
    }

    /// The same for what was applied through a subresource, such as `status`.
    ///
    /// # Errors
    /// As of [`extract`](Self::extract).
    ///
    /// # Cancel safety
    /// Dropping the future drops the request.
    pub async fn extract_subresource(
        &self,
        name: &str,
        manager: &str,
        subresource: &str,
    ) -> Result<Option<Extracted<K>>> {
        let object = self.get_value(name).await?;
        let Some(owned) = owned_by(&object, manager, subresource) else { return Ok(None) };
        let subject = self.subject(Verb::Get, name);
        let object = self.read(&owned.to_string().into());
        let object = object.map_err(|why| why.into_error(&subject))?;
        Ok(Some(Extracted { object, owned, subresource: subresource.to_owned() }))
    }
}

impl<K: Writable> Api<K> {
    /// Applies what was extracted, where it was extracted: members that the type does not know included.
    ///
    /// # Errors
    /// As of [`apply`](Self::apply).
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether it was carried out is then unknown.
    pub async fn apply_extracted(
        &self,
        extracted: &Extracted<K>,
        options: &ApplyOptions,
    ) -> Result<K> {
        let Extracted { object, owned, subresource } = extracted;
        self.apply_text(object, owned.to_string().into_bytes(), subresource, options).await
    }
}

/// The part of an object that a manager applied, with what says which object it is.
fn owned_by(object: &Value, manager: &str, subresource: &str) -> Option<Value> {
    let entries = object["metadata"]["managedFields"].as_array()?;
    let at = entries.iter().position(|entry| {
        entry["manager"] == manager
            && entry["operation"] == "Apply"
            && entry["subresource"].as_str().unwrap_or("") == subresource
    })?;
    let others = entries.iter().enumerate().filter(|(other, _)| *other != at);
    let others: Vec<_> = others.map(|(_, entry)| &entry["fieldsV1"]).collect();
    let owned = extract(object, &entries[at]["fieldsV1"], &others);
    let mut owned = owned.unwrap_or_else(|| json!({}));
    for member in ["apiVersion", "kind"] {
        owned[member] = object[member].clone();
    }
    for member in ["name", "namespace"] {
        if !object["metadata"][member].is_null() {
            owned["metadata"][member] = object["metadata"][member].clone();
        }
    }
    Some(owned)
}

/// The part of `value` that `fields` names (upstream: `fieldpath.Set` as `FieldsV1`). No fields name the
/// whole value, unless other entries own something in it: then the manager said that it is there, and
/// nothing of what is in it.
fn extract(value: &Value, fields: &Value, others: &[&Value]) -> Option<Value> {
    let fields = fields.as_object()?;
    let is_shared = || others.iter().any(|fields| names_members(fields));
    match value {
        _ if fields.is_empty() && !is_shared() => Some(value.clone()),
        Value::Object(members) => Some(Value::Object(of_object(members, fields, others))),
        Value::Array(items) => Some(Value::Array(of_list(items, fields, others))),
        other => Some(other.clone()),
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

fn of_object(
    members: &Map<String, Value>,
    fields: &Map<String, Value>,
    others: &[&Value],
) -> Map<String, Value> {
    let named = fields.iter().filter_map(|(field, inner)| {
        let name = field.strip_prefix("f:")?;
        Some((name.to_owned(), extract(members.get(name)?, inner, &below(others, field))?))
    });
    named.collect()
}

/// In the list's order; of items with keys these too.
fn of_list(items: &[Value], fields: &Map<String, Value>, others: &[&Value]) -> Vec<Value> {
    let of_item = |(at, item): (usize, &Value)| {
        fields.iter().find_map(|(field, inner)| match field.split_once(':')? {
            ("k", keys) => {
                let keys: Map<String, Value> = codec::from_slice(keys.as_bytes())
                    .ok()
                    .and_then(|keys: Value| keys.as_object().cloned())?;
                let is_it = keys.iter().all(|(name, value)| same(&item[name], value));
                let mut owned =
                    is_it.then(|| extract(item, inner, &below(others, field))).flatten()?;
                let owned_members = owned.as_object_mut()?;
                owned_members.extend(keys.into_iter().filter(|(name, _)| !item[name].is_null()));
                Some(owned)
            }
            ("v", text) => {
                let value: Value = codec::from_slice(text.as_bytes()).ok()?;
                (value == *item).then(|| item.clone())
            }
            ("i", index) => {
                let is_it = index.parse() == Ok(at);
                is_it.then(|| extract(item, inner, &below(others, field))).flatten()
            }
            _ => None,
        })
    };
    items.iter().enumerate().filter_map(of_item).collect()
}

/// A key that was defaulted may be absent from the item: the protocol of a port.
fn same(found: &Value, key: &Value) -> bool {
    found == key || found.is_null()
}
