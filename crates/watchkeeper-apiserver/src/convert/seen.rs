//! Objects in the version of a request, where a webhook converts between versions.
//!
//! What must be asked first ends the try with [`Halt::Ask`]; the next one finds the answers. Kinds
//! without such a webhook pay for looking whether there is one.

use std::sync::Arc;

use serde_json::Value;
use watchkeeper_schema::{Schemas, defaults};

use super::webhook::{Batch, Webhook};
use crate::error::ApiError;
use crate::resource::{Resource, api_version};
use crate::storage::{Stored, Version, key, shape};
use crate::turn::{Halt, Shown, Turn};

/// The webhook that converts the objects of a resource.
pub(crate) fn webhook(resource: &Resource) -> Option<&Arc<Webhook>> {
    resource.custom.as_ref()?.conversion.as_ref()
}

/// The stored object as the resource shows it, without asking anybody.
///
/// # Errors
///
/// What is said of an object whose version the definition no longer has.
pub(crate) fn known(
    resource: &Resource,
    stored: &Arc<Stored>,
) -> Result<Option<Arc<Stored>>, ApiError> {
    let Some(webhook) = webhook(resource) else { return Ok(Some(Arc::clone(stored))) };
    let wanted = resource.api_version();
    let own = stored.api_version();
    if own == wanted {
        return Ok(Some(Arc::clone(stored)));
    }
    let version = Version { api_version: wanted, generation: webhook.generation };
    if let Some(state) = stored.derived.state(&version) {
        return Ok(Some(state));
    }
    if webhook.schemas.contains_key(&own) {
        return Ok(None);
    }
    Err(failed(format!("request to convert CR from an invalid group/version: {own}")))
}

/// The stored object as the resource shows it.
///
/// # Errors
///
/// The question to the webhook, or why it has no answer.
pub(crate) fn seen(
    turn: &mut Turn<'_>,
    resource: &Resource,
    stored: &Arc<Stored>,
) -> Result<Arc<Stored>, Halt> {
    if webhook(resource).is_none() {
        return Ok(Arc::clone(stored));
    }
    match asked(turn, resource, stored)? {
        Some(state) => Ok(state),
        None => Err(ask(turn, resource, vec![Arc::clone(stored)])),
    }
}

/// As [`seen`], of many.
///
/// # Errors
///
/// The questions to the webhook, or why it has no answer.
pub(crate) fn all_seen(
    turn: &mut Turn<'_>,
    resource: &Resource,
    stored: &[Arc<Stored>],
) -> Result<Vec<Arc<Stored>>, Halt> {
    let (mut states, mut missing) = (Vec::with_capacity(stored.len()), Vec::new());
    for stored in stored {
        match asked(turn, resource, stored)? {
            Some(state) => states.push(state),
            None => missing.push(Arc::clone(stored)),
        }
    }
    if missing.is_empty() { Ok(states) } else { Err(ask(turn, resource, missing)) }
}

/// What is known of an object, what earlier tries learned included.
///
/// # Errors
///
/// Why the webhook has no answer.
pub(crate) fn asked(
    turn: &Turn<'_>,
    resource: &Resource,
    stored: &Arc<Stored>,
) -> Result<Option<Arc<Stored>>, Halt> {
    if let Some(state) = known(resource, stored)? {
        return Ok(Some(state));
    }
    let Some(webhook) = webhook(resource) else { return Ok(None) };
    Ok(learned(turn, webhook, &resource.api_version(), stored)?)
}

/// The object under a key as an earlier try of this read saw it.
pub(crate) fn earlier(turn: &Turn<'_>, resource: &Resource, key: &str) -> Option<Arc<Stored>> {
    let (webhook, wanted) = (webhook(resource)?, resource.api_version());
    turn.known.conversions.iter().rev().find_map(|one| one.at(webhook, &wanted, key))
}

/// The questions about objects that are not yet known in the version of a resource.
pub(crate) fn ask(turn: &mut Turn<'_>, resource: &Resource, objects: Vec<Arc<Stored>>) -> Halt {
    match webhook(resource) {
        Some(webhook) => question(turn, webhook, &resource.api_version(), objects),
        None => failed(format!("nobody converts {}", resource.qualified())).into(),
    }
}

fn question(
    turn: &mut Turn<'_>,
    webhook: &Arc<Webhook>,
    desired: &str,
    objects: Vec<Arc<Stored>>,
) -> Halt {
    match Batch::questions(webhook, desired, objects, turn.rng) {
        Ok(questions) => Halt::Ask(questions),
        Err(why) => failed(why).into(),
    }
}

fn learned(
    turn: &Turn<'_>,
    webhook: &Webhook,
    desired: &str,
    stored: &Arc<Stored>,
) -> Result<Option<Arc<Stored>>, ApiError> {
    let mut tried = turn.known.conversions.iter().rev();
    tried.find_map(|one| one.of(webhook, desired, stored)).transpose().map_err(failed)
}

fn failed(why: String) -> ApiError {
    ApiError::new(500, "", why)
}

/// An object of one version in another one.
///
/// # Errors
///
/// The question to the webhook, or why it has no answer.
pub(crate) fn between(
    turn: &mut Turn<'_>,
    from: &Resource,
    to: &Resource,
    object: &Value,
) -> Result<Value, Halt> {
    match webhook(to) {
        Some(webhook) => in_version(turn, &Arc::clone(webhook), &to.api_version(), object),
        None => Ok(super::between(from, to, object)),
    }
}

/// A value in a version.
///
/// # Errors
///
/// The question to the webhook, or why it has no answer.
pub(crate) fn in_version(
    turn: &mut Turn<'_>,
    webhook: &Arc<Webhook>,
    desired: &str,
    object: &Value,
) -> Result<Value, Halt> {
    if object["apiVersion"] == *desired {
        return Ok(object.clone());
    }
    let object = Arc::new(Stored::unstored(key("", ""), object.clone()));
    match learned(turn, webhook, desired, &object)? {
        Some(state) => Ok(state.value().into_value()),
        None => Err(question(turn, webhook, desired, vec![object])),
    }
}

/// What is to be stored of an object, and what the client sees of that.
pub(crate) struct Written {
    pub(crate) value: Value,
    /// The value read back, where a webhook converts.
    pub(crate) shown: Option<Shown>,
}

impl Written {
    /// What the client sees.
    pub(crate) fn seen(&self) -> &Value {
        self.shown.as_ref().map_or(&self.value, |shown| &shown.value)
    }

    /// What the client sees of what is not stored.
    pub(crate) fn into_seen(self) -> Value {
        self.shown.map_or(self.value, |shown| shown.value)
    }
}

/// The object of a request in the version that is stored, and back again: what is answered is what a
/// read would give.
///
/// # Errors
///
/// The question to the webhook, or why it has no answer.
pub(crate) fn written(
    turn: &mut Turn<'_>,
    resource: &Resource,
    object: Value,
) -> Result<Written, Halt> {
    let storage = storage_version(resource);
    let (Some(webhook), true) = (webhook(resource), object["apiVersion"] != *storage) else {
        return Ok(Written { value: renamed(resource, object), shown: None });
    };
    let webhook = Arc::clone(webhook);
    let mut value = in_version(turn, &webhook, &storage, &object)?;
    if let Some(schema) = webhook.schemas.get(&storage) {
        defaults::default_values(&mut value, Schemas::builtin().at(schema));
    }
    let wanted = resource.api_version();
    let back = in_version(turn, &webhook, &wanted, &value)?;
    Ok(Written { value, shown: Some(Shown { version: webhook.version(&wanted), value: back }) })
}

/// The object in the version that is stored, where nobody need be asked; of another one it is what the schema of
/// that version leaves of it.
fn renamed(resource: &Resource, object: Value) -> Value {
    let mut value = super::to_stored(resource, object);
    if let Some(custom) = resource.custom.as_ref().filter(|_| is_other(resource))
        && let Some(schema) = custom.schemas.get(&storage_version(resource))
    {
        shape(&mut value, schema);
    }
    value
}

/// Whether what is sent of a custom resource is stored in another version.
pub(crate) fn is_other(resource: &Resource) -> bool {
    resource.custom.as_ref().is_some_and(|custom| custom.storage_version != resource.version)
}

/// The `apiVersion` that objects of a custom resource are stored in; empty for built-in kinds.
fn storage_version(resource: &Resource) -> String {
    let version = resource.custom.as_ref().map(|custom| &*custom.storage_version);
    version.map(|version| api_version(&resource.group, version)).unwrap_or_default()
}

/// Whether an object is stored in a version that its definition has given up as storage version, so
/// that the next write stores it anew even without a change (storage version migration).
pub(crate) fn is_outdated(resource: &Resource, stored: &Stored) -> bool {
    resource.custom.is_some() && stored.api_version() != storage_version(resource)
}

/// An object that was just stored, as the client of that write sees it.
pub(crate) fn just_stored(resource: &Resource, stored: &Arc<Stored>) -> Arc<Stored> {
    known(resource, stored).ok().flatten().unwrap_or_else(|| Arc::clone(stored))
}
