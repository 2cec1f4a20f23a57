//! What follows from a write to a definition: accepted names, conditions, served resources, and
//! the end of the instances when the definition goes.
//!
//! Upstream does this in controllers beside the server (`apiextensions/pkg/controller`); here it
//! happens in the same step, right after the write, so discovery never lags.

use std::sync::Arc;

use http::Method;
use serde_json::{Value, json};
use watchkeeper_schema::error::whole_numbers;

use super::{approval, definition};
use crate::convert::seen;
use crate::convert::webhook::Webhook;
use crate::handlers::bootstrap::{ACTOR, own_call};
use crate::handlers::delete;
use crate::history::Verb;
use crate::registry;
use crate::request::Call;
use crate::request::options::DeleteOptions;
use crate::resource::Resource;
use crate::step::{Core, Output};
use crate::storage::{Key, Stored, TableName};
use crate::turn::{Commit, Halt, Turn};
use crate::{api_services, managed, meta};

/// The finalizer that keeps a definition until its instances are gone.
const CLEANUP: &str = "customresourcecleanup.apiextensions.k8s.io";
/// The table of definitions.
pub(crate) const TABLE: &str = "customresourcedefinitions.apiextensions.k8s.io";

/// Floats without a fraction become whole numbers but in the defaults, which are judged as they were sent.
fn whole_but_in_defaults(value: &mut Value) {
    match value {
        Value::Object(members) => {
            let others = members.iter_mut().filter(|(name, _)| *name != "default");
            others.for_each(|(_, value)| whole_but_in_defaults(value));
        }
        Value::Array(items) => items.iter_mut().for_each(whole_but_in_defaults),
        other => whole_numbers(other),
    }
}

/// Names and conversion that follow from what is written.
pub(crate) fn complete(crd: &mut Value) {
    let spec = &mut crd["spec"];
    whole_but_in_defaults(spec);
    let kind = spec["names"]["kind"].as_str().unwrap_or_default().to_owned();
    let names = [("singular", kind.to_lowercase()), ("listKind", format!("{kind}List"))];
    for (member, name) in names {
        if spec["names"].is_object() && spec["names"][member].as_str().is_none_or(str::is_empty) {
            spec["names"][member] = name.into();
        }
    }
    if spec.is_object() && spec["conversion"].is_null() {
        spec["conversion"] = json!({"strategy": "None"});
    }
}

/// The state of a new definition.
pub(crate) fn prepare(crd: &mut Value) {
    let stored: Vec<Value> = definition::versions(crd)
        .iter()
        .filter(|version| version["storage"] == true)
        .map(|version| version["name"].clone())
        .collect();
    crd["status"] = json!({
        "conditions": null,
        "acceptedNames": {"plural": "", "kind": ""},
        "storedVersions": stored,
    });
}

/// What follows from a write to a definition or to an instance of one.
pub(crate) fn after(turn: &mut Turn<'_>, call: &Call, name: &str) -> Result<(), Halt> {
    if call.resource.is("apiextensions.k8s.io", "customresourcedefinitions") {
        return after_write(turn, name);
    }
    match &call.resource.custom {
        Some(custom) if custom.terminating => after_removal(turn, call),
        _ => Ok(()),
    }
}

/// Serves what the definition says now, or goes on deleting it; then those definitions whose names
/// it may have given up.
fn after_write(turn: &mut Turn<'_>, name: &str) -> Result<(), Halt> {
    match turn.core.store.get(TABLE, name).cloned() {
        None => unregister(turn, name),
        Some(stored) if meta::is_deleting(&stored.value()) => {
            register(turn.core, &stored.value(), &mut turn.later);
            finish_deletion(turn, &stored)?;
        }
        Some(stored) => settle(turn, &stored)?,
    }
    settle_waiting(turn, name)?;
    follow_group(turn, name)
}

/// Of the group of a definition others are told that it is served.
fn follow_group(turn: &mut Turn<'_>, name: &str) -> Result<(), Halt> {
    name.split_once('.').map_or(Ok(()), |(_, group)| api_services::follow(turn, group))
}

/// Looks again at the other definitions whose names were not accepted.
fn settle_waiting(turn: &mut Turn<'_>, name: &str) -> Result<(), Halt> {
    let table = turn.core.store.table(TABLE);
    let others = table.into_iter().flat_map(|table| table.values());
    let waiting: Vec<Key> = others
        .filter(|other| other.name() != name && definition::waits_for_names(&other.peek()))
        .map(|other| other.key.clone())
        .collect();
    for key in waiting {
        if let Some(stored) = turn.core.store.get(TABLE, &key).cloned() {
            settle(turn, &stored)?;
        }
    }
    Ok(())
}

/// Accepts the names of a definition if it can, and serves what it says.
fn settle(turn: &mut Turn<'_>, stored: &Arc<Stored>) -> Result<(), Halt> {
    let mut crd = stored.value().into_value();
    definition::note_stored_version(&mut crd);
    definition::accept_names(&mut crd, turn.core.store.table(TABLE), turn.now);
    if let Some(condition) = approval::of(&crd, turn.now) {
        definition::set_condition(&mut crd, condition);
    }
    if crd["status"] != stored.value()["status"] {
        note_manager(turn, stored, &mut crd)?;
        commit(turn, &stored.key, crd.clone(), "status", false)?;
    }
    register(turn.core, &crd, &mut turn.later);
    Ok(())
}

/// The server manages the status that it writes.
fn note_manager(turn: &mut Turn<'_>, stored: &Stored, crd: &mut Value) -> Result<(), Halt> {
    let path = ("apiextensions.k8s.io", "v1", "customresourcedefinitions");
    let Some(resource) = turn.core.registry.find(path.0, path.1, path.2).cloned() else {
        return Ok(());
    };
    let mut call = own_call(Method::PUT, resource, "", stored.name());
    "status".clone_into(&mut call.subresource);
    let now = turn.now;
    managed::track(turn, Some(&stored.value()), crd, &call, now)
}

/// Marks the definition as going, and keeps it until its instances are gone.
pub(crate) fn before_delete(turn: &Turn<'_>, crd: &mut Value) {
    if meta::is_deleting(crd) {
        return;
    }
    let mut finalizers = meta::finalizers(crd);
    if !finalizers.iter().any(|name| name == CLEANUP) {
        finalizers.push(CLEANUP.to_owned());
        meta::set_finalizers(crd, &finalizers);
    }
    let condition = definition::condition(
        "Terminating",
        "True",
        "InstanceDeletionPending",
        "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
        turn.now,
    );
    definition::set_condition(crd, condition);
}

/// An instance went: the last one takes a terminating definition with it.
fn after_removal(turn: &mut Turn<'_>, call: &Call) -> Result<(), Halt> {
    let Some(custom) = &call.resource.custom else { return Ok(()) };
    let Some(stored) = turn.core.store.get(TABLE, &custom.definition).cloned() else {
        return Ok(());
    };
    if meta::is_deleting(&stored.value()) { finish_deletion(turn, &stored) } else { Ok(()) }
}

fn finish_deletion(turn: &mut Turn<'_>, stored: &Arc<Stored>) -> Result<(), Halt> {
    if !meta::finalizers(&stored.value()).iter().any(|name| name == CLEANUP) {
        return Ok(());
    }
    let table = definition::table(&stored.value());
    delete_instances(turn, &stored.value(), &table)?;
    if turn.core.store.table(&table).is_some_and(|table| !table.is_empty()) {
        return Ok(());
    }
    let mut finalizers = meta::finalizers(&stored.value());
    finalizers.retain(|name| name != CLEANUP);
    if finalizers.is_empty() {
        commit(turn, &stored.key, stored.value().into_value(), "", true)?;
        unregister(turn, stored.name());
        turn.core.watches.end_table(&table, &mut turn.later);
        settle_waiting(turn, stored.name())?;
        return follow_group(turn, stored.name());
    }
    let mut crd = stored.value().into_value();
    meta::set_finalizers(&mut crd, &finalizers);
    commit(turn, &stored.key, crd, "", false)
}

/// Instances go by the stored version, whether or not that is served.
fn delete_instances(turn: &mut Turn<'_>, crd: &Value, table: &TableName) -> Result<(), Halt> {
    let Some(resource) = definition::storage_resource(crd).map(Arc::new) else { return Ok(()) };
    let instances: Vec<Arc<Stored>> = turn
        .core
        .store
        .table(table)
        .into_iter()
        .flat_map(|table| table.values())
        .cloned()
        .collect();
    let is_deleting =
        |stored: &Stored| meta::is_deleting(&stored.glimpse(&["metadata.deletionTimestamp"]));
    for instance in instances.iter().filter(|instance| !is_deleting(instance)) {
        let (namespace, name) = (instance.namespace(), instance.name());
        let call = own_call(Method::DELETE, resource.clone(), namespace, name);
        delete::remove(turn, &call, instance, &DeleteOptions::default())?;
    }
    Ok(())
}

fn commit(
    turn: &mut Turn<'_>,
    key: &Key,
    value: Value,
    subresource: &str,
    remove: bool,
) -> Result<(), Halt> {
    let table = TableName::from(TABLE);
    let verb = if remove { Verb::Delete } else { Verb::Update };
    let (actor, shown) = (ACTOR, None);
    let commit = Commit { verb, subresource, actor, table: &table, key, value, remove, shown };
    turn.commit(commit).map(|_| ())
}

/// Serves what the definitions of a store say that was read back.
pub(crate) fn serve_all(core: &mut Core) {
    let table = core.store.table(TABLE);
    let definitions: Vec<Arc<Stored>> =
        table.into_iter().flat_map(|table| table.values().cloned()).collect();
    for definition in definitions {
        register(core, &definition.value(), &mut Vec::new());
    }
}

/// Makes the served versions of a definition known. Where a webhook converts, watches end with the
/// definition that they began under, as upstream ends all of them.
fn register(core: &mut Core, crd: &Value, out: &mut Vec<Output>) {
    let name = meta::name(crd);
    let before = conversion(core, name);
    let registry = Arc::make_mut(&mut core.registry);
    registry.retain(|resource| !belongs(resource, name));
    if definition::is_established(crd) {
        core.store.reshape(&definition::table(crd), definition::schemas(crd));
        for resource in definition::resources(crd) {
            registry.insert(Arc::new(resource));
        }
    }
    let now = conversion(core, name);
    let same = match (&before, &now) {
        (Some(before), Some(now)) => before.is_same(now),
        (None, None) => true,
        _ => false,
    };
    if !same {
        core.watches.end_table(&definition::table(crd), out);
    }
    note_conversions(core);
}

fn conversion(core: &Core, definition: &str) -> Option<Arc<Webhook>> {
    let found = core.registry.iter().find(|resource| belongs(resource, definition))?;
    seen::webhook(found).cloned()
}

fn note_conversions(core: &mut Core) {
    core.converts = core.registry.iter().any(|resource| seen::webhook(resource).is_some());
}

fn unregister(turn: &mut Turn<'_>, name: &str) {
    let registry = Arc::make_mut(&mut turn.core.registry);
    registry.retain(|resource| !belongs(resource, name));
    note_conversions(turn.core);
}

fn belongs(resource: &Resource, definition: &str) -> bool {
    resource.custom.as_ref().is_some_and(|custom| custom.definition == definition)
}

/// The table of a group's resource.
pub(super) fn table(group: &str, plural: &str) -> TableName {
    registry::table(group, plural)
}

#[cfg(test)]
mod tests;
