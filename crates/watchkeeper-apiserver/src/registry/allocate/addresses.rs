//! The addresses of Services as objects: each address that a Service has is an `IPAddress`, so whether one is taken is
//! told by its name (`kubernetes/pkg/registry/core/service/ipallocator`).
//!
//! As upstream, an address is written before the Service that gets it, and goes after the Service has given it back;
//! here all of it is of one step. What upstream's repair loop puts right some time later is put right at once, or with
//! the next request where a hook refused it. Admission is not asked about these writes.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr};
use std::ops::Range;
use std::sync::Arc;

use http::Method;
use serde_json::{Value, json};

use crate::discovery::hash;
use crate::error::{ApiError, Cause};
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
/// The key of the Service `kubernetes`.
const OWN: &str = "default/kubernetes";

/// The key of a Service, and an address.
pub(crate) type Held = (Key, IpAddr);

/// The object that tells which Service has an address.
pub(crate) fn object(ip: IpAddr, (namespace, name): (&str, &str)) -> Value {
    json!({
        "apiVersion": "networking.k8s.io/v1",
        "kind": "IPAddress",
        "metadata": {
            "name": ip.to_string(),
            "labels": {FAMILY: family(ip), MANAGED_BY: ALLOCATOR},
        },
        "spec": {"parentRef": {"resource": SERVICES, "namespace": namespace, "name": name}},
    })
}

fn family(ip: IpAddr) -> &'static str {
    if ip.is_ipv4() { "IPv4" } else { "IPv6" }
}

/// Why an address of the range cannot be written for the Service of a call.
pub(super) fn unwritable(core: &Core, call: &Call, ip: &str, name: &str) -> Option<String> {
    let (service, is_new) = (key(&call.namespace, name), call.method == Method::POST);
    let is_taken = || is_taken(core, ip, &service, is_new);
    let taken = || is_taken().then(|| "provided IP is already allocated".to_owned());
    refusal(ip, name).or_else(taken)
}

/// Why an address cannot be written for a Service of that name: upstream writes it before it judges the Service.
pub(super) fn refusal(ip: &str, name: &str) -> Option<String> {
    let cause = Cause::required("spec.parentRef.name", "");
    let refused = || ApiError::invalid(GROUP, "IPAddress", ip, vec![cause]).message;
    name.is_empty().then(refused)
}

/// Whether an address is not to be had by a Service: it is due to another, or it is there. As upstream, who makes one
/// by hand has it for himself, and a new Service does not get what is there, whoever it names.
fn is_taken(core: &Core, ip: &str, service: &Key, is_new: bool) -> bool {
    let keeps = match core.store.get(SERVICES, service) {
        Some(_) => !is_new && ip.parse().is_ok_and(|ip| has(core, service, ip)),
        // Its address is there before it is.
        None => **service == *OWN,
    };
    let is_its = |address: &Stored| keeps && refers(&address.peek()).as_ref() == Some(service);
    let is_due = |(holder, due): &Held| holder != service && due.to_string() == ip;
    core.store.get(TABLE, ip).is_some_and(|address| !is_its(address))
        || core.addresses_due.iter().any(is_due)
}

/// A free address: of the upper part of the range, or of the lower one when nothing else is left
/// (`allocateNextService`, KEP-3070).
pub(super) fn free(turn: &mut Turn<'_>) -> Option<String> {
    let range = turn.core.config.service_range;
    let (first, end) = (range.reserved(), range.count());
    first_free(turn, first..end).or_else(|| first_free(turn, 0..first))
}

/// The first free address of a part of the range at or after a random one.
fn first_free(turn: &mut Turn<'_>, part: Range<u32>) -> Option<String> {
    let (range, count) = (turn.core.config.service_range, part.end - part.start);
    let start = u32::try_from(turn.rng.below(u64::from(count))).unwrap_or(0);
    let (store, due) = (&turn.core.store, &turn.core.addresses_due);
    let is_free = |ip: &Ipv4Addr| {
        let is_due = due.iter().any(|(_, due)| due == ip);
        !is_due && store.get(TABLE, &ip.to_string()).is_none()
    };
    let mut all = (0..count).map(|step| range.address(part.start + (start + step) % count));
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
        // What is there already is that of `kubernetes`: all else has been refused.
        if turn.core.store.get(TABLE, &ip.to_string()).is_none() {
            let held = (key_of(service), ip);
            let written = apart(turn, |turn| write(turn, service, ip));
            note(turn, written, held.clone());
            taken.push(held);
        }
    }
    taken
}

/// After a write: what the object had and has no longer is free again. An address that a Service still has comes back
/// as it is to be, whoever removed or changed it.
pub(crate) fn release(turn: &mut Turn<'_>, call: &Call, old: &Value) {
    if call.resource.is("", SERVICES) {
        let service = key_of(old);
        give_back(turn, of(old).into_iter().map(|ip| (service.clone(), ip)));
    } else if call.resource.is(GROUP, PLURAL) {
        let held = refers(old).zip(meta::name(old).parse::<IpAddr>().ok());
        // What no Service has is of whoever made it.
        let held = held.filter(|(service, ip)| has(turn.core, service, *ip));
        give_back(turn, held);
    }
}

/// Lets these addresses be there as they are to be if the Services have them, and only then.
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
/// did not, or have lost their labels, and those that were written for Services that do not have them. That those are
/// not made by hand is told by their labels alone.
pub(crate) fn unsettled(core: &Core) -> BTreeSet<Held> {
    let (store, range) = (&core.store, core.config.service_range);
    let mut due = BTreeSet::new();
    for (service, stored) in store.table(SERVICES).into_iter().flatten() {
        for ip in of(&stored.glimpse(&["spec"])) {
            // What is of another range stays as it is.
            let is_inside = matches!(ip, IpAddr::V4(ip) if range.contains(ip));
            let address = store.get(TABLE, &ip.to_string());
            let is_wrong = |address: &Arc<Stored>| {
                is_edited(&address.glimpse(&["metadata", "spec"]), service, ip)
            };
            if is_inside && address.is_none_or(is_wrong) {
                due.insert((service.clone(), ip));
            }
        }
    }
    for (name, stored) in store.table(TABLE).into_iter().flatten() {
        let parent = parent(&stored.glimpse(&["metadata.labels", "spec"]));
        let Some((service, ip)) = parent.zip(name.parse::<IpAddr>().ok()) else { continue };
        if !has(core, &service, ip) {
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

/// Whether that Service is stored and has this address.
fn has(core: &Core, service: &Key, ip: IpAddr) -> bool {
    let holder = core.store.get(SERVICES, service);
    holder.is_some_and(|holder| of(&holder.glimpse(&["spec"])).contains(&ip))
}

fn key_of(object: &Value) -> Key {
    key(meta::namespace(object), meta::name(object))
}

/// The Service that an address was written for.
fn parent(address: &Value) -> Option<Key> {
    let is_allocated = address["metadata"]["labels"][MANAGED_BY] == ALLOCATOR;
    refers(address).filter(|_| is_allocated)
}

/// The Service that an address tells of, whoever wrote it.
fn refers(address: &Value) -> Option<Key> {
    let parent = &address["spec"]["parentRef"];
    let text = |name: &str| parent[name].as_str().unwrap_or_default();
    let is_service = text("group").is_empty() && text("resource") == SERVICES;
    is_service.then(|| key(text("namespace"), text("name")))
}

/// Whether an address of that Service has not the labels of one (`verifyIPAddressLabels`). What goes anyway comes back
/// with them.
fn is_edited(address: &Value, service: &Key, ip: IpAddr) -> bool {
    let labels = &address["metadata"]["labels"];
    let is_labelled = labels[MANAGED_BY] == ALLOCATOR && labels[FAMILY] == family(ip);
    let is_its = refers(address).as_ref() == Some(service);
    is_its && !is_labelled && !meta::is_deleting(address)
}

fn resource(core: &Core) -> Option<Arc<Resource>> {
    core.registry.find(GROUP, "v1", PLURAL).cloned()
}

/// Lets an address be there as it is to be if the Service has it, and only then. What it tells decides whose it is, not
/// its labels, which anybody may change.
fn settle(turn: &mut Turn<'_>, service: &Key, ip: IpAddr) -> Result<(), Halt> {
    let store = &turn.core.store;
    let address = store.get(TABLE, &ip.to_string()).cloned();
    let holder = store.get(SERVICES, service).map(|stored| stored.value());
    match (holder.filter(|holder| of(holder).contains(&ip)), address) {
        (Some(holder), None) => write(turn, &holder, ip),
        // As upstream, it is made anew: it is written once it is gone.
        (Some(_), Some(address)) if is_edited(&address.peek(), service, ip) => {
            erase(turn, &address)
        }
        (None, Some(address)) if refers(&address.peek()).as_ref() == Some(service) => {
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
