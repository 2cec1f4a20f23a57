//! The addresses of Services as objects: each address that a Service has is an `IPAddress`, so whether one is taken is
//! told by its name (`kubernetes/pkg/registry/core/service/ipallocator`).
//!
//! As upstream, an address is written before the Service that gets it, and goes after the Service has given it back;
//! here all of it is of one step. What upstream's repair loop puts right some time later is put right at once, or with
//! the next request where a hook refused it. Admission is not asked about these writes.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use http::Method;
use serde_json::{Value, json};

use crate::discovery::hash;
use crate::handlers::bootstrap::{ACTOR, own_call};
use crate::handlers::delete;
use crate::history::Verb;
use crate::request::Call;
use crate::request::options::DeleteOptions;
use crate::resource::Resource;
use crate::rng::Rng;
use crate::step::Core;
use crate::storage::{Key, Stored, key};
use crate::turn::{Commit, Halt, Turn};
use crate::{managed, meta};

/// The group of addresses.
pub(crate) const GROUP: &str = "networking.k8s.io";
const PLURAL: &str = "ipaddresses";
const TABLE: &str = "ipaddresses.networking.k8s.io";
/// The resource that has addresses, and its table.
const SERVICES: &str = "services";
/// Labels of addresses, and who manages those of Services.
const FAMILY: &str = "ipaddress.kubernetes.io/ip-family";
const MANAGED_BY: &str = "ipaddress.kubernetes.io/managed-by";
const ALLOCATOR: &str = "ipallocator.k8s.io";

/// The key of a Service, and an address.
pub(crate) type Held = (Key, IpAddr);

/// The object that tells which Service has an address.
pub(crate) fn object(ip: IpAddr, (namespace, name): (&str, &str)) -> Value {
    let family = if ip.is_ipv4() { "IPv4" } else { "IPv6" };
    json!({
        "apiVersion": "networking.k8s.io/v1",
        "kind": "IPAddress",
        "metadata": {
            "name": ip.to_string(),
            "labels": {FAMILY: family, MANAGED_BY: ALLOCATOR},
        },
        "spec": {"parentRef": {"resource": SERVICES, "namespace": namespace, "name": name}},
    })
}

/// Whether an address is another's than that Service's. Who makes an address by hand has it for himself.
pub(super) fn is_taken(core: &Core, ip: &str, service: &Key) -> bool {
    let found = core.store.get(TABLE, ip);
    let is_due = |(holder, due): &Held| holder != service && due.to_string() == ip;
    found.is_some_and(|address| parent(&address.peek()).as_ref() != Some(service))
        || core.addresses_due.iter().any(is_due)
}

/// The first free address at or after a random one.
pub(super) fn free(turn: &mut Turn<'_>) -> Option<String> {
    let range = turn.core.config.service_range;
    let count = range.count();
    let start = u32::try_from(turn.rng.below(u64::from(count))).unwrap_or(0);
    let (store, due) = (&turn.core.store, &turn.core.addresses_due);
    let is_free = |ip: &Ipv4Addr| {
        let is_due = due.iter().any(|(_, due)| due == ip);
        !is_due && store.get(TABLE, &ip.to_string()).is_none()
    };
    let mut all = (0..count).map(|step| range.address((start + step) % count));
    all.find(is_free).map(|ip| ip.to_string())
}

/// Writes down what a Service gets by a write that is about to be stored, and tells what that is.
pub(crate) fn take(
    turn: &mut Turn<'_>,
    call: &Call,
    service: &Value,
    old: Option<&Value>,
) -> Vec<Held> {
    let mut taken = Vec::new();
    if !call.resource.is("", SERVICES) {
        return taken;
    }
    let had = old.map(of).unwrap_or_default();
    for ip in of(service).into_iter().filter(|ip| !had.contains(ip)) {
        // What is there already is its own: another's has been refused.
        if turn.core.store.get(TABLE, &ip.to_string()).is_none() {
            let held = (key_of(service), ip);
            let written = apart(turn, |turn| write(turn, service, ip));
            note(turn, written, held.clone());
            taken.push(held);
        }
    }
    taken
}

/// After a write: what the object had and has no longer is free again. An address that a Service still has comes back,
/// whoever removed it.
pub(crate) fn release(turn: &mut Turn<'_>, call: &Call, old: &Value) {
    if call.resource.is("", SERVICES) {
        let service = key_of(old);
        give_back(turn, of(old).into_iter().map(|ip| (service.clone(), ip)));
    } else if call.resource.is(GROUP, PLURAL) {
        let is_gone = turn.core.store.get(TABLE, meta::name(old)).is_none();
        let held = parent(old).zip(meta::name(old).parse::<IpAddr>().ok());
        give_back(turn, held.filter(|_| is_gone));
    }
}

/// Lets these addresses be there if the Services have them, and only then.
pub(crate) fn give_back(turn: &mut Turn<'_>, all: impl IntoIterator<Item = Held>) {
    for (service, ip) in all {
        let settled = apart(turn, |turn| settle(turn, &service, ip));
        note(turn, settled, (service, ip));
    }
}

/// Does what could not be done before.
pub(crate) fn make_up(turn: &mut Turn<'_>) {
    if !turn.core.addresses_due.is_empty() {
        let due = std::mem::take(&mut turn.core.addresses_due);
        give_back(turn, due);
    }
}

/// What a hook says of a write of the server is not told to the client whose write it belongs to: it is made up for, and
/// there is no reply to it.
fn apart(
    turn: &mut Turn<'_>,
    write: impl FnOnce(&mut Turn<'_>) -> Result<(), Halt>,
) -> Result<(), Halt> {
    let loses_reply = turn.lose_reply;
    let written = write(turn);
    turn.lose_reply = loses_reply;
    written
}

fn note(turn: &mut Turn<'_>, written: Result<(), Halt>, held: Held) {
    if written.is_err() {
        turn.core.addresses_due.insert(held);
    }
}

/// What is to be put right in what was kept: addresses that Services have and that were never written, as older servers
/// did not, and those of Services that do not have them.
pub(crate) fn unsettled(core: &Core) -> BTreeSet<Held> {
    let (store, range) = (&core.store, core.config.service_range);
    let mut due = BTreeSet::new();
    for (service, stored) in store.table(SERVICES).into_iter().flatten() {
        for ip in of(&stored.glimpse(&["spec"])) {
            // What is of another range stays as it is.
            let is_inside = matches!(ip, IpAddr::V4(ip) if range.contains(ip));
            if is_inside && store.get(TABLE, &ip.to_string()).is_none() {
                due.insert((service.clone(), ip));
            }
        }
    }
    for (name, stored) in store.table(TABLE).into_iter().flatten() {
        let parent = parent(&stored.glimpse(&["metadata.labels", "spec"]));
        let Some((service, ip)) = parent.zip(name.parse::<IpAddr>().ok()) else { continue };
        let holder = store.get(SERVICES, &service);
        if !holder.is_some_and(|holder| of(&holder.glimpse(&["spec"])).contains(&ip)) {
            due.insert((service, ip));
        }
    }
    due
}

/// The addresses that a Service has.
fn of(service: &Value) -> Vec<IpAddr> {
    let list = service["spec"]["clusterIPs"].as_array().into_iter().flatten();
    list.filter_map(|ip| ip.as_str()?.parse().ok()).collect()
}

fn key_of(object: &Value) -> Key {
    key(meta::namespace(object), meta::name(object))
}

/// The Service that an address was written for.
fn parent(address: &Value) -> Option<Key> {
    let parent = &address["spec"]["parentRef"];
    let text = |name: &str| parent[name].as_str().unwrap_or_default();
    let is_allocated = address["metadata"]["labels"][MANAGED_BY] == ALLOCATOR;
    let is_service = text("group").is_empty() && text("resource") == SERVICES;
    (is_allocated && is_service).then(|| key(text("namespace"), text("name")))
}

fn resource(core: &Core) -> Option<Arc<Resource>> {
    core.registry.find(GROUP, "v1", PLURAL).cloned()
}

/// Lets an address be there if the Service has it, and only then.
fn settle(turn: &mut Turn<'_>, service: &Key, ip: IpAddr) -> Result<(), Halt> {
    let store = &turn.core.store;
    let address = store.get(TABLE, &ip.to_string()).cloned();
    let holder = store.get(SERVICES, service).map(|stored| stored.value());
    match (holder.filter(|holder| of(holder).contains(&ip)), address) {
        (Some(holder), None) => write(turn, &holder, ip),
        (None, Some(address)) if parent(&address.peek()).as_ref() == Some(service) => {
            erase(turn, &address)
        }
        _ => Ok(()),
    }
}

fn write(turn: &mut Turn<'_>, service: &Value, ip: IpAddr) -> Result<(), Halt> {
    let Some(resource) = resource(turn.core) else { return Ok(()) };
    let mut address = object(ip, (meta::namespace(service), meta::name(service)));
    let (began, revision) = (turn.began, turn.core.store.revision());
    // Others get what the dice would have given them without it.
    let seed = format!("{}/{ip}@{revision}", meta::text(service, "uid"));
    meta::set(&mut address, "uid", Rng::new(hash(seed.as_bytes())).uuid());
    meta::set(&mut address, "creationTimestamp", began.rfc3339());
    let own = own_call(Method::POST, resource, "", &ip.to_string());
    managed::track(turn, None, &mut address, &own, began)?;
    let commit = Commit {
        verb: Verb::Create,
        subresource: "",
        actor: ACTOR,
        table: &own.resource.table,
        key: &own.key(),
        value: address,
        remove: false,
        shown: None,
    };
    turn.commit(commit).map(drop)
}

fn erase(turn: &mut Turn<'_>, address: &Arc<Stored>) -> Result<(), Halt> {
    let Some(resource) = resource(turn.core) else { return Ok(()) };
    let own = own_call(Method::DELETE, resource, "", address.name());
    delete::remove(turn, &own, address, &DeleteOptions::default()).map(drop)
}

#[cfg(test)]
mod tests;
