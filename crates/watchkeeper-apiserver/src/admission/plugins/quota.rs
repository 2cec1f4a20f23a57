//! `ResourceQuota`: how much a namespace may hold.
//!
//! What is used is counted from what is stored, at each write: there is nothing that runs behind.
//! The status of a quota follows in the same step, as a kube-apiserver and its controller manager
//! write it between them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use watchkeeper_api::quantity::Amount;

use super::amounts::{Amounts, amount, one, taken_by};
use super::{Asked, forbidden, within};
use crate::admission::attributes::Operation;
use crate::error::ApiError;
use crate::handlers::bootstrap::ACTOR;
use crate::history::Verb;
use crate::resource::Resource;
use crate::storage::{Stored, key};
use crate::turn::{Commit, Halt, Turn};

mod scopes;

use scopes::selects;

const TABLE: &str = "resourcequotas";
/// What each container must say when it is limited.
const SAID: [&str; 6] =
    ["cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"];

/// Whether a write leaves room within the quotas of its namespace.
///
/// # Errors
///
/// 403 for the first quota that is exceeded, or that wants containers to say more.
pub(crate) fn judge(turn: &Turn<'_>, asked: Asked<'_>, object: &Value) -> Result<(), ApiError> {
    let call = asked.call;
    if turn.by_itself || !call.subresource.is_empty() || !call.resource.namespaced {
        return Ok(());
    }
    for quota in within(turn, TABLE, &call.namespace) {
        let hard = Amounts::read(&quota.value()["spec"]["hard"]);
        if !selects(&quota.value(), &call.resource, object) {
            continue;
        }
        let mut more = usage(&call.resource, object);
        more.0.retain(|name, _| hard.0.contains_key(name));
        if asked.operation == Operation::Create && call.resource.is("", "pods") {
            said(&hard, object).map_err(|why| {
                forbidden(asked, object, &format!("failed quota: {}: {why}", quota.name()))
            })?;
        }
        // What comes into the scopes of the quota only now has not been counted.
        if let Some(old) = asked.old.filter(|old| selects(&quota.value(), &call.resource, old)) {
            let was = usage(&call.resource, old);
            for (name, amount) in &mut more.0 {
                let before = was.get(name).map_or(0, Amount::nanos);
                let grown = (amount.nanos() - before).max(0);
                *amount = Amount::from_nanos(grown, amount.format());
            }
        }
        more.0.retain(|_, amount| !amount.is_zero());
        let used = used(turn, &quota.value(), &hard);
        exceeded(&hard, &used, &more).map_or(Ok(()), |why| {
            let why = format!("exceeded quota: {}, {why}", quota.name());
            Err(forbidden(asked, object, &why))
        })?;
    }
    Ok(())
}

fn exceeded(hard: &Amounts, used: &Amounts, more: &Amounts) -> Option<String> {
    let over = |name: &String| {
        let nanos = |list: &Amounts| list.get(name).map_or(0, Amount::nanos);
        nanos(used).saturating_add(nanos(more)) > nanos(hard)
    };
    let names: BTreeSet<&String> = more.0.keys().filter(|name| over(name)).collect();
    if names.is_empty() {
        return None;
    }
    let of = |list: &Amounts| {
        let kept = list.0.iter().filter(|(name, _)| names.contains(name));
        Amounts(kept.map(|(name, amount)| (name.clone(), *amount)).collect()).line()
    };
    Some(format!("requested: {}, used: {}, limited: {}", of(more), of(used), of(hard)))
}

/// What the containers of a pod must say because it is limited.
fn said(hard: &Amounts, pod: &Value) -> Result<(), String> {
    if pod["spec"]["resources"].as_object().is_some_and(|of| !of.is_empty()) {
        return Ok(());
    }
    let mut missing: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for list in ["containers", "initContainers"] {
        for container in pod["spec"][list].as_array().into_iter().flatten() {
            for name in SAID.into_iter().filter(|name| hard.0.contains_key(*name)) {
                let (part, of) = name.split_once('.').unwrap_or(("requests", name));
                if container["resources"][part].get(of).is_none() {
                    let container = container["name"].as_str().unwrap_or_default();
                    missing.entry(name).or_default().insert(container.to_owned());
                }
            }
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let parts = missing.into_iter().map(|(name, containers)| {
        let containers: Vec<String> = containers.into_iter().collect();
        format!("{name} for: {}", containers.join(","))
    });
    Err(format!("must specify {}", parts.collect::<Vec<_>>().join("; ")))
}

/// What one object takes.
fn usage(resource: &Resource, object: &Value) -> Amounts {
    let mut usage = Amounts::default();
    let group = if resource.group.is_empty() { "" } else { "." };
    usage.set(&format!("count/{}{group}{}", resource.plural, resource.group), one());
    if !resource.group.is_empty() {
        return usage;
    }
    match &*resource.plural {
        "pods" if !has_ended(object) => pod(object, &mut usage),
        "services" => service(object, &mut usage),
        "persistentvolumeclaims" => claim(object, &mut usage),
        "configmaps" | "secrets" | "replicationcontrollers" | "resourcequotas" => {
            usage.set(&resource.plural, one());
        }
        _ => {}
    }
    usage
}

fn has_ended(pod: &Value) -> bool {
    matches!(pod["status"]["phase"].as_str(), Some("Failed" | "Succeeded"))
}

fn pod(pod: &Value, usage: &mut Amounts) {
    usage.set("pods", one());
    let counted = |name: &str| {
        matches!(name, "cpu" | "memory" | "ephemeral-storage") || name.starts_with("hugepages-")
    };
    for (name, amount) in taken_by(pod, "requests").0 {
        if counted(&name) {
            usage.set(&name, amount);
        }
        usage.set(&format!("requests.{name}"), amount);
    }
    for (name, amount) in taken_by(pod, "limits").0 {
        if counted(&name) {
            usage.set(&format!("limits.{name}"), amount);
        }
    }
}

fn service(service: &Value, usage: &mut Amounts) {
    usage.set("services", one());
    let spec = &service["spec"];
    let balanced = spec["type"] == "LoadBalancer";
    if balanced {
        usage.set("services.loadbalancers", one());
    }
    if spec["type"] == "NodePort" || balanced {
        // Where none are allocated those count that were asked for.
        let only_asked = balanced && spec["allocateLoadBalancerNodePorts"] == false;
        let ports = spec["ports"].as_array().map(Vec::as_slice).unwrap_or_default();
        let counts =
            |port: &&Value| !only_asked || port["nodePort"].as_i64().is_some_and(|port| port != 0);
        if let Some(ports) = amount(&json!(ports.iter().filter(counts).count())) {
            usage.set("services.nodeports", ports);
        }
    }
}

fn claim(claim: &Value, usage: &mut Amounts) {
    usage.set("persistentvolumeclaims", one());
    let class = claim["spec"]["storageClassName"].as_str().unwrap_or_default();
    let of_class = |what: &str| format!("{class}.storageclass.storage.k8s.io/{what}");
    if !class.is_empty() {
        usage.set(&of_class("persistentvolumeclaims"), one());
    }
    if let Some(storage) = amount(&claim["spec"]["resources"]["requests"]["storage"]) {
        usage.set("requests.storage", storage);
        if !class.is_empty() {
            usage.set(&of_class("requests.storage"), storage);
        }
    }
}

/// What is used of what a quota limits.
fn used(turn: &Turn<'_>, quota: &Value, hard: &Amounts) -> Amounts {
    let zero = |name: &String| Some((name.clone(), amount(&json!(0))?));
    let mut used = Amounts(hard.0.keys().filter_map(zero).collect());
    let namespace = crate::meta::namespace(quota);
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let counted: Vec<_> = turn.core.registry.iter().cloned().collect();
    for resource in counted.iter().filter(|resource| resource.namespaced) {
        if !is_limited(resource, hard) || !seen.insert(resource.table.to_string()) {
            continue;
        }
        for stored in within(turn, &resource.table, namespace) {
            let value = stored.peek();
            if selects(quota, resource, &value) {
                let mut usage = usage(resource, &value);
                usage.0.retain(|name, _| hard.0.contains_key(name));
                used.add(&usage);
            }
        }
    }
    used
}

/// Whether objects of a resource may count.
fn is_limited(resource: &Resource, hard: &Amounts) -> bool {
    let group = if resource.group.is_empty() { "" } else { "." };
    let count = format!("count/{}{group}{}", resource.plural, resource.group);
    let own = |name: &String| match &*resource.plural {
        "pods" => {
            let of = name.split_once('.').map_or(&**name, |(part, _)| part);
            matches!(of, "pods" | "cpu" | "memory" | "ephemeral-storage" | "requests" | "limits")
                || of.starts_with("hugepages-")
        }
        "services" => name.starts_with("services"),
        "persistentvolumeclaims" => {
            name.ends_with("persistentvolumeclaims") || name.ends_with("requests.storage")
        }
        plural => name == plural,
    };
    hard.0.keys().any(|name| *name == count || resource.group.is_empty() && own(name))
}

/// Writes what is used into the quotas of a namespace, where that has changed. What a hook says of
/// this server's own write is not told to the client whose write is stored: it is made up for.
pub(crate) fn follow(turn: &mut Turn<'_>, namespace: &str) {
    let (loses_reply, by_itself) = (turn.lose_reply, turn.by_itself);
    turn.by_itself = true;
    if write_used(turn, namespace).is_err() {
        turn.core.quotas_due.insert(namespace.to_owned());
    }
    // There is no reply to these writes, and what the request writes is its own again.
    (turn.lose_reply, turn.by_itself) = (loses_reply, by_itself);
}

/// Writes what could not be written before.
pub(crate) fn make_up(turn: &mut Turn<'_>) {
    for namespace in std::mem::take(&mut turn.core.quotas_due) {
        follow(turn, &namespace);
    }
}

fn write_used(turn: &mut Turn<'_>, namespace: &str) -> Result<(), Halt> {
    let quotas: Vec<Stored> = within(turn, TABLE, namespace).into_iter().cloned().collect();
    for quota in quotas {
        let hard = Amounts::read(&quota.value()["spec"]["hard"]);
        let used = used(turn, &quota.value(), &hard);
        let status = json!({"hard": hard.json(), "used": used.json()});
        if hard.0.is_empty() || quota.value()["status"] == status {
            continue;
        }
        let mut value = quota.value().into_value();
        value["status"] = status;
        turn.commit(Commit {
            verb: Verb::Update,
            subresource: "status",
            actor: ACTOR,
            table: &TABLE.into(),
            key: &key(namespace, quota.name()),
            value,
            remove: false,
            shown: None,
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
