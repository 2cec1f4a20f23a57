//! Endpoints (`ValidateEndpoints` in `pkg/apis/core/validation`).

use watchkeeper_schema::FieldError;

use super::{Check, Place, addresses, names};

/// Where what is behind a Service can be reached. What has been taken once may stay.
pub(super) fn endpoints(check: &mut Check<'_>) {
    let subsets = check.at("subsets");
    if check.before().is_some_and(|before| before.at("subsets").value == subsets.value) {
        return;
    }
    for subset in subsets.items() {
        self::subset(check, &subset);
    }
}

fn subset(check: &mut Check<'_>, subset: &Place<'_>) {
    let lists = ["addresses", "notReadyAddresses"].map(|name| subset.member(name));
    if lists.iter().all(Place::is_empty) {
        let detail = "must specify `addresses` or `notReadyAddresses`";
        check.push(FieldError::required(&*subset.path, detail));
    }
    for address in lists.iter().flat_map(Place::items) {
        self::address(check, &address);
    }
    let ports = subset.member("ports").items();
    for port in &ports {
        self::port(check, port, ports.len() > 1);
    }
}

fn address(check: &mut Check<'_>, place: &Place<'_>) {
    let [ip, host, node] = ["ip", "hostname", "nodeName"].map(|name| place.member(name));
    let _ = addresses::address(check, &ip);
    if !host.is_empty() {
        check.all(&host, host.text(), names::label(host.text()));
    }
    if !node.is_missing() {
        check.all(&node, node.text(), names::subdomain(node.text()));
    }
    addresses::reachable(check, &ip);
}

fn port(check: &mut Check<'_>, port: &Place<'_>, needs_name: bool) {
    let [name, number, protocol, app] =
        ["name", "port", "protocol", "appProtocol"].map(|name| port.member(name));
    if !name.is_empty() {
        check.all(&name, name.text(), names::label(name.text()));
    } else if needs_name {
        check.push(FieldError::required(&*name.path, ""));
    }
    let value = number.number().unwrap_or_default();
    for message in names::port_number(value) {
        check.push(FieldError::invalid(&*number.path, value, message));
    }
    check.one_of(&protocol, &["SCTP", "TCP", "UDP"]);
    if !app.is_missing() {
        check.all(&app, app.text(), names::qualified(app.text()));
    }
}
