//! Slices of endpoints (`pkg/apis/discovery/validation`).

use std::collections::BTreeSet;
use std::net::IpAddr;

use watchkeeper_schema::FieldError;

use super::{Check, Place, addresses, names};

const MOST_ENDPOINTS: u64 = 1000;
const MOST_ADDRESSES: u64 = 100;
const MOST_PORTS: u64 = 20_000;

/// All addresses of a slice are of one type, and stay of that.
pub(super) fn endpoint_slice(check: &mut Check<'_>) {
    let of = check.at("addressType");
    check.one_of(&of, &["FQDN", "IPv4", "IPv6"]);
    ports(check, &check.at("ports"));
    let all = check.at("endpoints");
    // What has been taken once may stay.
    if check.before().is_none_or(|before| before.at("endpoints").value != all.value) {
        endpoints(check, &all, of.text());
    }
    check.immutable_text("addressType");
}

fn ports(check: &mut Check<'_>, place: &Place<'_>) {
    let ports = place.items();
    if ports.len() as u64 > MOST_PORTS {
        return check.push(FieldError::too_many(&*place.path, ports.len() as u64, MOST_PORTS));
    }
    let mut seen = BTreeSet::new();
    for port in ports {
        let [name, protocol, app] =
            ["name", "protocol", "appProtocol"].map(|name| port.member(name));
        if !name.is_empty() {
            check.all(&name, name.text(), names::label(name.text()));
        }
        if !seen.insert(name.text()) {
            check.push(FieldError::duplicate(&*name.path, name.text()));
        }
        let known = ["SCTP", "TCP", "UDP"];
        if protocol.is_missing() {
            check.push(FieldError::required(&*protocol.path, ""));
        } else if !known.contains(&protocol.text()) {
            check.push(FieldError::not_supported(&*protocol.path, protocol.text(), known));
        }
        if !app.is_missing() {
            check.all(&app, app.text(), names::qualified(app.text()));
        }
    }
}

fn endpoints(check: &mut Check<'_>, place: &Place<'_>, of: &str) {
    let endpoints = place.items();
    if endpoints.len() as u64 > MOST_ENDPOINTS {
        let count = endpoints.len() as u64;
        return check.push(FieldError::too_many(&*place.path, count, MOST_ENDPOINTS));
    }
    for endpoint in endpoints {
        let addresses = endpoint.member("addresses");
        let each = addresses.items();
        let count = each.len() as u64;
        if count == 0 {
            let detail = "must contain at least 1 address";
            check.push(FieldError::required(&*addresses.path, detail));
        } else if count > MOST_ADDRESSES {
            check.push(FieldError::too_many(&*addresses.path, count, MOST_ADDRESSES));
        }
        for address in &each {
            self::address(check, &addresses, address, of);
        }
        let (node, host) = (endpoint.member("nodeName"), endpoint.member("hostname"));
        if !node.is_missing() {
            check.all(&node, node.text(), names::subdomain(node.text()));
        }
        if !host.is_missing() {
            check.all(&host, host.text(), names::label(host.text()));
        }
    }
}

/// Of an address of the wrong family upstream does not tell which it is.
fn address(check: &mut Check<'_>, all: &Place<'_>, place: &Place<'_>, of: &str) {
    if !["IPv4", "IPv6"].contains(&of) {
        return;
    }
    let Some(address) = addresses::address(check, place) else { return };
    if matches!(address, IpAddr::V4(_)) != (of == "IPv4") {
        let detail = format!("must be an {of} address");
        check.push(FieldError::invalid(&*all.path, place.text(), detail));
    }
    addresses::reachable(check, place);
}
