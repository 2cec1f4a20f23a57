//! Ingresses and network policies (`pkg/apis/networking/validation`).

use std::collections::BTreeSet;

use serde_json::Value;
use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::child;

use super::addresses::{self, Range};
use super::{Check, Place, names, selector};

const DIRECTIONS: [(&str, &str); 2] = [("ingress", "from"), ("egress", "to")];
const TRANSPORTS: [&str; 3] = ["TCP", "UDP", "SCTP"];

/// The annotation that told the class before there was a member for it.
const OLDER_CLASS: &str = "kubernetes.io/ingress.class";

/// What no path of a rule has in it, and what none ends with.
const NOT_IN_PATHS: [&str; 6] = ["//", "/./", "/../", "%2f", "%2F", "\n"];
const NOT_AT_ENDS: [&str; 2] = ["/..", "/."];

pub(super) fn ingress(check: &mut Check<'_>) {
    let spec = check.at("spec");
    let (rules, backend) = (spec.member("rules"), spec.member("defaultBackend"));
    if rules.is_empty() && backend.is_missing() {
        let detail = "either `defaultBackend` or `rules` must be specified";
        check.push(FieldError::invalid(&*spec.path, Value::Null, detail));
    }
    if !backend.is_missing() {
        self::backend(check, &backend);
    }
    for rule in rules.items() {
        self::rule(check, &rule);
    }
    for tls in spec.member("tls").items() {
        for host in tls.member("hosts").items() {
            host_name(check, &host);
        }
        let secret = tls.member("secretName");
        if !secret.is_empty() {
            check.all(&secret, secret.text(), names::subdomain(secret.text()));
        }
    }
    let class = spec.member("ingressClassName");
    if !class.is_missing() {
        check.all(&class, class.text(), names::subdomain(class.text()));
    }
    let older = check.at("metadata.annotations").member(OLDER_CLASS);
    let is_other = !older.is_missing() && !class.is_missing() && older.text() != class.text();
    if check.old.is_none() && is_other {
        let detail = "must match `ingressClassName` when both are specified";
        check.push(FieldError::invalid(child("annotations", OLDER_CLASS), older.text(), detail));
    }
}

fn host_name(check: &mut Check<'_>, place: &Place<'_>) {
    let host = place.text();
    let wrong = if host.contains('*') { names::wildcard(host) } else { names::subdomain(host) };
    check.all(place, host, wrong);
}

fn rule(check: &mut Check<'_>, rule: &Place<'_>) {
    let host = rule.member("host");
    if !host.is_empty() {
        if addresses::lenient(host.text()).is_some() {
            let detail = "must be a DNS name, not an IP address";
            check.push(FieldError::invalid(&*host.path, host.text(), detail));
        }
        host_name(check, &host);
    }
    let http = rule.member("http");
    if http.is_missing() {
        return;
    }
    let paths = http.member("paths");
    if paths.is_empty() {
        check.push(FieldError::required(&*paths.path, ""));
    }
    for path in paths.items() {
        self::path(check, &path);
    }
}

fn path(check: &mut Check<'_>, place: &Place<'_>) {
    let (kind, path) = (place.member("pathType"), place.member("path"));
    if kind.is_missing() {
        return check.push(FieldError::required(&*kind.path, "pathType must be specified"));
    }
    let invalid = |detail: String| FieldError::invalid(&*path.path, path.text(), detail);
    let is_absolute = path.text().starts_with('/');
    match kind.text() {
        "Exact" | "Prefix" => {
            if !is_absolute {
                check.push(invalid("must be an absolute path".to_owned()));
            }
            for wrong in NOT_IN_PATHS.into_iter().filter(|wrong| path.text().contains(wrong)) {
                check.push(invalid(format!("must not contain '{wrong}'")));
            }
            for wrong in NOT_AT_ENDS.into_iter().filter(|wrong| path.text().ends_with(wrong)) {
                check.push(invalid(format!("cannot end with '{wrong}'")));
            }
        }
        "ImplementationSpecific" => {
            if !path.is_empty() && !is_absolute {
                check.push(invalid("must be an absolute path".to_owned()));
            }
        }
        other => {
            let known = ["Exact", "ImplementationSpecific", "Prefix"];
            check.push(FieldError::not_supported(&*kind.path, other, known));
        }
    }
    backend(check, &place.member("backend"));
}

fn backend(check: &mut Check<'_>, place: &Place<'_>) {
    let (resource, service) = (place.member("resource"), place.member("service"));
    let whole = |detail: &str| FieldError::invalid(&*place.path, "", detail);
    match (resource.is_missing(), service.is_missing()) {
        (false, false) => check.push(whole("cannot set both resource and service backends")),
        (false, true) => typed_reference(check, &resource),
        (true, false) => backend_service(check, place, &service),
        (true, true) => check.push(whole("resource or service backend is required")),
    }
}

fn backend_service(check: &mut Check<'_>, place: &Place<'_>, service: &Place<'_>) {
    let name = service.member("name");
    check.name(&name, "", names::label);
    let port = service.member("port");
    let (name, number) = (port.member("name"), port.member("number"));
    let is_numbered = number.number().unwrap_or_default() != 0;
    match (name.is_empty(), is_numbered) {
        (false, true) => {
            let detail = "cannot set both port name & port number";
            check.push(FieldError::invalid(&*place.path, "", detail));
        }
        (false, false) => check.all(&name, name.text(), names::port_name(name.text())),
        (true, true) => {
            let value = number.number().unwrap_or_default();
            for message in names::port_number(value) {
                check.push(FieldError::invalid(&*number.path, value, message));
            }
        }
        (true, false) => {
            check.push(FieldError::required(&*place.path, "port name or number is required"));
        }
    }
}

fn typed_reference(check: &mut Check<'_>, place: &Place<'_>) {
    let group = place.member("apiGroup");
    if !group.is_missing() {
        check.all(&group, group.text(), names::subdomain(group.text()));
    }
    for name in ["kind", "name"] {
        let place = place.member(name);
        check.name(&place, "", names::path_segment);
    }
}

/// Which traffic of pods there is.
pub(super) fn network_policy(check: &mut Check<'_>) {
    let spec = check.at("spec");
    let taken = check.before().map(|before| ranges(&before.at("spec"))).unwrap_or_default();
    selector::check(check, &spec.member("podSelector"));
    for (direction, peers) in DIRECTIONS {
        for rule in spec.member(direction).items() {
            for port in rule.member("ports").items() {
                policy_port(check, &port);
            }
            for peer in rule.member(peers).items() {
                self::peer(check, &peer, &taken);
            }
        }
    }
    let types = spec.member("policyTypes");
    if types.items().len() > 2 {
        let value = types.value.cloned().unwrap_or_default();
        let detail = "may not specify more than two policyTypes";
        return check.push(FieldError::invalid(&*types.path, value, detail));
    }
    let known = ["Ingress", "Egress"];
    for kind in types.items().iter().filter(|kind| !known.contains(&kind.text())) {
        check.push(FieldError::not_supported(&*kind.path, kind.text(), known));
    }
}

/// The ranges that a policy has, which may stay whatever they are.
fn ranges<'a>(spec: &Place<'a>) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    for (direction, peers) in DIRECTIONS {
        let rules = spec.member(direction).items();
        for peer in rules.iter().flat_map(|rule| rule.member(peers).items()) {
            let block = peer.member("ipBlock");
            if !block.is_missing() {
                found.insert(block.member("cidr").text());
                found.extend(block.member("except").items().iter().map(Place::text));
            }
        }
    }
    found
}

fn policy_port(check: &mut Check<'_>, place: &Place<'_>) {
    let (protocol, port, end) =
        (place.member("protocol"), place.member("port"), place.member("endPort"));
    if !protocol.is_missing() && !TRANSPORTS.contains(&protocol.text()) {
        check.push(FieldError::not_supported(&*protocol.path, protocol.text(), TRANSPORTS));
    }
    let last = end.number();
    match (port.number(), last) {
        (Some(number), last) => {
            for message in names::port_number(number) {
                check.push(FieldError::invalid(&*port.path, number, message));
            }
            let Some(last) = last else { return };
            if last < number {
                let detail = "must be greater than or equal to `port`";
                check.push(FieldError::invalid(&*end.path, number, detail));
            }
            for message in names::port_number(last) {
                check.push(FieldError::invalid(&*end.path, last, message));
            }
        }
        (None, last) if !port.is_missing() => {
            if let Some(last) = last {
                let detail = "may not be specified when `port` is non-numeric";
                check.push(FieldError::invalid(&*end.path, last, detail));
            }
            check.all(&port, port.text(), names::port_name(port.text()));
        }
        (None, Some(last)) => {
            let detail = "may not be specified when `port` is not specified";
            check.push(FieldError::invalid(&*end.path, last, detail));
        }
        (None, None) => {}
    }
}

fn peer(check: &mut Check<'_>, place: &Place<'_>, taken: &BTreeSet<&str>) {
    let (pods, namespaces, block) =
        (place.member("podSelector"), place.member("namespaceSelector"), place.member("ipBlock"));
    for selector in [&pods, &namespaces] {
        selector::check(check, selector);
    }
    if !block.is_missing() {
        self::block(check, &block, taken);
    }
    let others = [&pods, &namespaces].iter().filter(|place| !place.is_missing()).count();
    if others == 0 && block.is_missing() {
        check.push(FieldError::required(&*place.path, "must specify a peer"));
    } else if others > 0 && !block.is_missing() {
        let detail = "may not specify both ipBlock and another peer";
        check.push(FieldError::forbidden(&*place.path, detail));
    }
}

/// Addresses without some of them (`ValidateIPBlock`).
fn block(check: &mut Check<'_>, block: &Place<'_>, taken: &BTreeSet<&str>) {
    let whole = block.member("cidr");
    if whole.is_empty() {
        return check.push(FieldError::required(&*whole.path, ""));
    }
    let judge = |check: &mut Check<'_>, place: &Place<'_>| {
        if !taken.contains(place.text()) {
            let _ = addresses::range(check, &place.path, place.text());
        }
        Range::read(place.text())
    };
    let Some(range) = judge(check, &whole) else { return };
    for except in block.member("except").items() {
        let Some(inner) = judge(check, &except) else { continue };
        if !range.holds(inner) {
            let detail = "must be a strict subset of `cidr`";
            check.push(FieldError::invalid(&*except.path, except.text(), detail));
        }
    }
}
