//! APIServices: who answers for a group in a version. What this server answers for itself has one as upstream:
//! built-in groups from the first moment, those of definitions while they are served
//! (`kube-aggregator/pkg/controllers/autoregister`, `kubernetes/pkg/controlplane/controller/crdregistration`).
//!
//! Nothing is handed on to the services of others, so of these nobody tells whether they are available.

use std::collections::BTreeSet;
use std::sync::Arc;

use http::Method;
use serde_json::{Value, json};

use crate::clock::Now;
use crate::crd::{definition, sync};
use crate::handlers::bootstrap::{ACTOR, own_call};
use crate::handlers::create::{self, Managed};
use crate::history::Verb;
use crate::request::Call;
use crate::step::Core;
use crate::storage::{Stored, TableName};
use crate::turn::{Commit, Halt, Turn};
use crate::{managed, meta, schemas};

/// Their group.
pub(crate) const GROUP: &str = "apiregistration.k8s.io";
/// Their table.
pub(crate) const TABLE: &str = "apiservices.apiregistration.k8s.io";
/// Those of the built-in groups.
pub(crate) const BOOTSTRAP: &str = include_str!("api_services/bootstrap.json");
/// What says that a server looks after one: `onstart` when it starts, `true` always.
const MANAGED: &str = "kube-aggregator.kubernetes.io/automanaged";

/// The port of another server that names none (`SetDefaults_ServiceReference`).
pub(crate) fn complete(object: &mut Value) {
    let service = object.get_mut("spec").and_then(|spec| spec.get_mut("service"));
    if let Some(service) = service.and_then(Value::as_object_mut) {
        service.entry("port").or_insert_with(|| 443.into());
    }
}

/// The state of a new one: whoever is no other server is there.
pub(crate) fn begin(object: &mut Value, now: Now) {
    object["status"] = match object["spec"]["service"].is_object() {
        true => json!({}),
        false => json!({"conditions": [{
            "type": "Available",
            "status": "True",
            "lastTransitionTime": now.rfc3339(),
            "reason": "Local",
            "message": "Local APIServices are always available",
        }]}),
    };
}

/// That of a group that definitions make.
pub(crate) fn of_definitions(group: &str, version: &str) -> Value {
    json!({
        "kind": "APIService",
        "apiVersion": "apiregistration.k8s.io/v1",
        "metadata": {"name": named(group, version), "labels": {MANAGED: "true"}},
        "spec": {
            "group": group,
            "version": version,
            "groupPriorityMinimum": 1_000,
            "versionPriority": 100,
        },
    })
}

fn named(group: &str, version: &str) -> String {
    format!("{version}.{group}")
}

/// What follows from a write to one of them: what the server looks after is as it was.
pub(crate) fn after(turn: &mut Turn<'_>, call: &Call, name: &str) -> Result<(), Halt> {
    match name.split_once('.') {
        Some((_, group)) if call.resource.is(GROUP, "apiservices") => follow(turn, group),
        _ => Ok(()),
    }
}

/// Has one for each version that definitions serve of a group, and none of those that it made for others.
pub(crate) fn follow(turn: &mut Turn<'_>, group: &str) -> Result<(), Halt> {
    let served = served(turn.core, group);
    for known in looked_after(turn.core, group) {
        let value = known.value();
        if !served.contains(value["spec"]["version"].as_str().unwrap_or_default()) {
            commit(turn, &known, value.into_value(), true)?;
        }
    }
    for version in served {
        let wanted = of_definitions(group, &version);
        match turn.core.store.get(TABLE, meta::name(&wanted)).cloned() {
            None => make(turn, wanted)?,
            Some(known) if is_looked_after(&known) => {
                let mut value = known.value().into_value();
                if value["spec"] != wanted["spec"] {
                    value["spec"] = wanted["spec"].clone();
                    note_manager(turn, &known, &mut value)?;
                    commit(turn, &known, value, false)?;
                }
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// The groups and versions that definitions serve, for a store that was read back.
pub(crate) fn of_store(core: &Core) -> BTreeSet<(String, String)> {
    let definitions = core.store.table(sync::TABLE).into_iter().flat_map(|table| table.values());
    let groups = definitions.filter_map(|stored| stored.name().split_once('.').map(|(_, g)| g));
    let groups: BTreeSet<&str> = groups.collect();
    let all = groups.into_iter().flat_map(|group| {
        served(core, group).into_iter().map(move |version| (group.to_owned(), version))
    });
    all.collect()
}

/// The versions that definitions of a group serve, whether or not their names are accepted.
fn served(core: &Core, group: &str) -> BTreeSet<String> {
    let definitions = core.store.table(sync::TABLE).into_iter().flat_map(|table| table.values());
    let of_group = definitions
        .filter(|stored| stored.name().split_once('.').is_some_and(|(_, own)| own == group));
    let versions = of_group.flat_map(|stored| {
        let value = stored.peek();
        let served =
            definition::versions(&value).iter().filter(|version| version["served"] == true);
        let names = served.filter_map(|version| version["name"].as_str().map(str::to_owned));
        names.collect::<Vec<_>>()
    });
    versions.collect()
}

fn looked_after(core: &Core, group: &str) -> Vec<Arc<Stored>> {
    let all = core.store.table(TABLE).into_iter().flat_map(|table| table.values());
    let of_group =
        all.filter(|stored| stored.name().split_once('.').is_some_and(|(_, own)| own == group));
    of_group.filter(|stored| is_looked_after(stored)).cloned().collect()
}

fn is_looked_after(stored: &Stored) -> bool {
    stored.value()["metadata"]["labels"][MANAGED] == "true"
}

fn make(turn: &mut Turn<'_>, mut object: Value) -> Result<(), Halt> {
    let Some(resource) = turn.core.registry.find(GROUP, "v1", "apiservices").cloned() else {
        return Ok(());
    };
    schemas::fill_defaults(&resource, &mut object);
    let call = own_call(Method::POST, resource, "", "");
    create::store_new(turn, &call, object, Managed::Update).map(|_| ())
}

/// The server manages what it mends.
fn note_manager(turn: &mut Turn<'_>, stored: &Stored, value: &mut Value) -> Result<(), Halt> {
    let Some(resource) = turn.core.registry.find(GROUP, "v1", "apiservices").cloned() else {
        return Ok(());
    };
    let call = own_call(Method::PUT, resource, "", stored.name());
    let now = turn.now;
    managed::track(turn, Some(&stored.value()), value, &call, now)
}

fn commit(turn: &mut Turn<'_>, stored: &Stored, value: Value, remove: bool) -> Result<(), Halt> {
    let table = TableName::from(TABLE);
    let verb = if remove { Verb::Delete } else { Verb::Update };
    let (actor, key) = (ACTOR, &stored.key);
    let commit =
        Commit { verb, subresource: "", actor, table: &table, key, value, remove, shown: None };
    turn.commit(commit).map(|_| ())
}
