//! What a pod may say of itself (`ValidatePodStatusUpdate` in `pkg/apis/core/validation`).

use std::collections::BTreeSet;
use std::net::IpAddr;

use watchkeeper_schema::error::child;
use watchkeeper_schema::{FieldError, Reason};

use super::super::{Check, Place, addresses, internal, names};

mod containers;
mod extended;
mod resources;

pub(super) fn pod(check: &mut Check<'_>) {
    conditions(check);
    nominated(check);
    not_negative(check, &check.at("status.observedGeneration"));
    check.immutable_text("status.qosClass");
    containers::transitions(check);
    claims(check);
    extended::check(check);
    let [address, node_address] = ["status.podIPs", "status.hostIPs"].map(|list| check.at(list));
    of_each_family(check, &address, "PodIP");
    if let Some(first) = node_address.items().first().map(|item| item.member("ip"))
        && first.text() != check.at("status.hostIP").text()
    {
        check.push(FieldError::invalid(&*first.path, first.text(), "must be equal to `hostIP`"));
    }
    of_each_family(check, &node_address, "HostIP");
    containers::users(check);
    resources::check(check);
}

/// Conditions of others than Kubernetes have names with a domain. Upstream has the type under its name in Go.
fn conditions(check: &mut Check<'_>) {
    for condition in check.at("status.conditions").items() {
        not_negative(check, &condition.member("observedGeneration"));
        let of = condition.member("type");
        if !["PodScheduled", "Ready", "Initialized"].contains(&of.text()) {
            let place = Place { path: child(&condition.path, "Type"), ..of };
            check.all(&place, place.text(), names::qualified(place.text()));
        }
    }
}

fn not_negative(check: &mut Check<'_>, place: &Place<'_>) {
    if let Some(number) = place.number().filter(|number| *number < 0) {
        check.push(FieldError::invalid(&*place.path, number, "must be a non-negative integer"));
    }
}

/// The node that a pod waits for has a name, and no pod that has its node waits for another.
fn nominated(check: &mut Check<'_>) {
    let place = check.at("status.nominatedNodeName");
    let Some(before) = check.before() else { return };
    let has_changed = before.at("status.nominatedNodeName").text() != place.text();
    if !has_changed || place.is_empty() {
        return;
    }
    check.all(&place, place.text(), names::subdomain(place.text()));
    if !before.at("spec.nodeName").is_empty() {
        let detail = "may not be set on pods that are already bound to a node";
        check.push(FieldError::forbidden(&*place.path, detail));
    }
}

/// The claims that were made for a pod are of those that it asks for.
fn claims(check: &mut Check<'_>) {
    let wanted = check.at("spec.resourceClaims").items();
    let mut seen = BTreeSet::new();
    for claim in check.at("status.resourceClaimStatuses").items() {
        let (name, made) = (claim.member("name"), claim.member("resourceClaimName"));
        if !wanted.iter().any(|wanted| wanted.member("name").text() == name.text()) {
            let detail = "must match the name of an entry in `spec.resourceClaims`";
            check.push(FieldError::invalid(&*name.path, name.text(), detail));
        }
        if !seen.insert(name.text()) {
            check.push(FieldError::duplicate(&*name.path, name.text()));
        }
        if !made.is_missing() {
            check.all(&made, made.text(), names::subdomain(made.text()));
        }
    }
}

/// One address, or one of each family. One that was there before stays, however it is written.
fn of_each_family(check: &mut Check<'_>, list: &Place<'_>, model: &str) {
    let before = check.before().map(|before| before.at(&list.path).items()).unwrap_or_default();
    let before: BTreeSet<&str> = before.iter().map(|item| item.member("ip").text()).collect();
    let items = list.items();
    for item in &items {
        let address = Place { path: item.path.clone(), ..item.member("ip") };
        if !before.contains(address.text()) {
            let _ = addresses::address(check, &address);
        }
    }
    if items.len() < 2 {
        return;
    }
    let read = items.iter().map(|item| addresses::lenient(item.member("ip").text()));
    let read: Vec<Option<IpAddr>> = read.collect();
    if let Some(at) = read.iter().position(Option::is_none) {
        let text = items[at].member("ip").text();
        let detail = format!("failed to check for dual stack with error:invalid IP[{at}]: {text}");
        check.push(FieldError::new(Reason::Internal, &*list.path, None, detail));
    }
    let families: BTreeSet<bool> = read.iter().flatten().map(IpAddr::is_ipv4).collect();
    let is_pair = families.len() == 2 && read.iter().all(Option::is_some) && items.len() == 2;
    if !is_pair {
        let detail = "may specify no more than one IP for each IP family";
        let detail = format!("{}: {detail}", shown(model, &items));
        check.push(FieldError::new(Reason::Invalid, &*list.path, None, detail));
    }
}

fn shown(model: &str, items: &[Place<'_>]) -> String {
    let model = format!("io.k8s.api.core.v1.{model}");
    let shown = |item: &Place<'_>| internal::shown(&model, item.value);
    format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(","))
}

/// The containers of a spec under a name.
fn named<'a>(list: &[Place<'a>], name: &str) -> Option<Place<'a>> {
    list.iter().find(|container| container.member("name").text() == name).cloned()
}

/// The lists in which a status tells of containers, and where these are in the spec.
const LISTS: [(&str, &str); 3] = [
    ("status.containerStatuses", "spec.containers"),
    ("status.initContainerStatuses", "spec.initContainers"),
    ("status.ephemeralContainerStatuses", "spec.ephemeralContainers"),
];
