//! What a manager owns of an object (upstream: `applyconfigurations`' `ExtractDeployment` and its like).

use serde_json::{Map, Value, json};
use watchkeeper_api::json as codec;
use watchkeeper_api::{Error, Object, Result};

use super::Api;

#[cfg(test)]
mod tests;

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
    ///     mine.spec.replicas = Some(3);
    ///     deployments.apply(&mine, &ApplyOptions::forced()).await?;
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
    pub async fn extract(&self, name: &str, manager: &str) -> Result<Option<K>> {
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
    ) -> Result<Option<K>> {
        let object = self.get_value(name).await?;
        let Some(owned) = owned_by(&object, manager, subresource) else { return Ok(None) };
        let owned = self.read(&owned.to_string().into());
        owned
            .map(Some)
            .map_err(|_| Error::other(format!("what {manager} owns of {name} is no whole")))
    }
}

/// The part of an object that a manager applied, with what says which object it is.
fn owned_by(object: &Value, manager: &str, subresource: &str) -> Option<Value> {
    let entries = object["metadata"]["managedFields"].as_array()?;
    let entry = entries.iter().find(|entry| {
        entry["manager"] == manager
            && entry["operation"] == "Apply"
            && entry["subresource"].as_str().unwrap_or("") == subresource
    })?;
    let mut owned = extract(object, &entry["fieldsV1"]).unwrap_or_else(|| json!({}));
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
/// whole value.
fn extract(value: &Value, fields: &Value) -> Option<Value> {
    let fields = fields.as_object()?;
    if fields.is_empty() {
        return Some(value.clone());
    }
    match value {
        Value::Object(members) => Some(Value::Object(of_object(members, fields))),
        Value::Array(items) => Some(Value::Array(of_list(items, fields))),
        other => Some(other.clone()),
    }
}

fn of_object(members: &Map<String, Value>, fields: &Map<String, Value>) -> Map<String, Value> {
    let named = fields.iter().filter_map(|(field, inner)| {
        let name = field.strip_prefix("f:")?;
        Some((name.to_owned(), extract(members.get(name)?, inner)?))
    });
    named.collect()
}

/// In the list's order; of items with keys these too.
fn of_list(items: &[Value], fields: &Map<String, Value>) -> Vec<Value> {
    let of_item = |(at, item): (usize, &Value)| {
        fields.iter().find_map(|(field, inner)| match field.split_once(':')? {
            ("k", keys) => {
                let keys: Map<String, Value> = codec::from_slice(keys.as_bytes())
                    .ok()
                    .and_then(|keys: Value| keys.as_object().cloned())?;
                let is_it = keys.iter().all(|(name, value)| same(&item[name], value));
                let mut owned = extract(item, inner).filter(|_| is_it)?;
                let owned_members = owned.as_object_mut()?;
                owned_members.extend(keys.into_iter().filter(|(name, _)| !item[name].is_null()));
                Some(owned)
            }
            ("v", text) => {
                let value: Value = codec::from_slice(text.as_bytes()).ok()?;
                (value == *item).then(|| item.clone())
            }
            ("i", index) => (index.parse() == Ok(at)).then(|| extract(item, inner)).flatten(),
            _ => None,
        })
    };
    items.iter().enumerate().filter_map(of_item).collect()
}

/// A key that was defaulted may be absent from the item: the protocol of a port.
fn same(found: &Value, key: &Value) -> bool {
    found == key || found.is_null()
}
