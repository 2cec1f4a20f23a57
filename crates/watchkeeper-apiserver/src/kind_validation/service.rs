//! Services.

mod stacks;
mod update;

use std::collections::BTreeSet;

use serde_json::Value;
use watchkeeper_schema::error::key;
use watchkeeper_schema::{FieldError, Reason};

use super::{Check, Place, addresses, metadata, names};

pub(crate) use stacks::{is_new, related};

/// Whether ports of nodes lead to a Service, whoever chooses them.
pub(crate) fn has_node_ports(service: &Value) -> bool {
    matches!(service["spec"]["type"].as_str(), Some("NodePort" | "LoadBalancer"))
}

/// Whether what is outside of the cluster reaches a Service.
pub(crate) fn is_external(service: &Value) -> bool {
    let addresses = service["spec"]["externalIPs"].as_array();
    has_node_ports(service)
        || service["spec"]["type"] == "ClusterIP" && addresses.is_some_and(|all| !all.is_empty())
}

/// Whether a port tells load balancers which nodes have what is behind a Service.
pub(crate) fn asks_health(service: &Value) -> bool {
    service["spec"]["type"] == "LoadBalancer" && service["spec"]["externalTrafficPolicy"] == "Local"
}

pub(super) fn service(check: &mut Check<'_>) {
    update::check(check);
    topology(check);
    let type_ = check.at("spec.type");
    let ports = check.at("spec.ports");
    let headless = check.at("spec.clusterIP").text() == "None";
    if ports.is_empty() && !headless && type_.text() != "ExternalName" {
        check.push(FieldError::required(&*ports.path, ""));
    }
    by_type(check, type_.text(), headless);
    let mut seen = BTreeSet::new();
    let several = ports.items().len() > 1;
    for port in ports.items() {
        self::port(check, &port, several, &mut seen);
    }
    metadata::labels(check, &check.at("spec.selector"));
    affinity(check);
    external_addresses(check);
    check.one_of(&type_, &["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"]);
    for port in ports.items().iter().map(|port| port.member("nodePort")) {
        if type_.text() == "ClusterIP" && port.number().unwrap_or_default() != 0 {
            let detail = "may not be used when `type` is 'ClusterIP'";
            check.push(FieldError::forbidden(&*port.path, detail));
        }
    }
    duplicates(check, &ports);
    balancer(check, type_.text());
    traffic(check);
}

/// Two annotations say how near traffic stays, and they say the same.
fn topology(check: &mut Check<'_>) {
    const OLDER: &str = "service.kubernetes.io/topology-aware-hints";
    const NEWER: &str = "service.kubernetes.io/topology-mode";
    let annotations = check.at("metadata.annotations");
    let [older, newer] = [OLDER, NEWER].map(|name| annotations.member(name));
    if !older.is_missing() && !newer.is_missing() && older.text() != newer.text() {
        let detail = format!("must match annotations[{OLDER}] when both are specified");
        let path = key("metadata.annotations", NEWER);
        check.push(FieldError::invalid(path, newer.text(), detail));
    }
}

fn affinity(check: &mut Check<'_>) {
    let affinity = check.at("spec.sessionAffinity");
    check.one_of(&affinity, &["ClientIP", "None"]);
    let config = check.at("spec.sessionAffinityConfig");
    if affinity.text() == "None" && !config.is_missing() {
        let detail = "must not be set when session affinity is None";
        check.push(FieldError::forbidden(&*config.path, detail));
    }
    if affinity.text() != "ClientIP" {
        return;
    }
    let client = config.member("clientIP");
    let seconds = client.member("timeoutSeconds");
    if let Some(missing) = [&config, &client, &seconds].into_iter().find(|of| of.is_missing()) {
        let detail = "when session affinity type is ClientIP";
        return check.push(FieldError::required(&*missing.path, detail));
    }
    if let Some(number) = seconds.number().filter(|number| !(1..=86_400).contains(number)) {
        let detail = "must be greater than 0 and less than 86400";
        check.push(FieldError::invalid(&*seconds.path, number, detail));
    }
}

fn external_addresses(check: &mut Check<'_>) {
    let before = check.old.and_then(|old| old.pointer("/spec/externalIPs")?.as_array());
    for address in check.at("spec.externalIPs").items() {
        let is_old = before.is_some_and(|all| all.iter().any(|one| Some(one) == address.value));
        let told = check.errors.len();
        if !is_old {
            let _ = addresses::address(check, &address);
        }
        if check.errors.len() == told {
            addresses::reachable(check, &address);
        }
    }
}

/// What only load balancers have.
fn balancer(check: &mut Check<'_>, type_: &str) {
    let is_balancer = type_ == "LoadBalancer";
    sources(check, is_balancer);
    let detail = "may only be used when `type` is 'LoadBalancer'";
    let allocates = check.at("spec.allocateLoadBalancerNodePorts");
    if !is_balancer && !allocates.is_missing() {
        check.push(FieldError::forbidden(&*allocates.path, detail));
    }
    balancer_class(check);
}

/// Who may reach a load balancer, told as a list or in an annotation. What has been taken once may
/// stay, and white space is part of the API.
fn sources(check: &mut Check<'_>, is_balancer: bool) {
    const ANNOTATION: &str = "service.beta.kubernetes.io/load-balancer-source-ranges";
    let detail = "may only be used when `type` is 'LoadBalancer'";
    let list = Place {
        path: "spec.LoadBalancerSourceRanges".to_owned(),
        ..check.at("spec.loadBalancerSourceRanges")
    };
    if !list.is_empty() {
        if !is_balancer {
            check.push(FieldError::forbidden(&*list.path, detail));
        }
        let before = check.before().map(|before| before.at("spec.loadBalancerSourceRanges"));
        let before = before.map(|before| before.items()).unwrap_or_default();
        let before: BTreeSet<&str> = before.iter().map(|range| range.text().trim()).collect();
        for range in list.items() {
            let text = range.text().trim();
            if !before.contains(text) {
                let _ = addresses::range(check, &range.path, text);
            }
        }
        return;
    }
    let annotation = check.at("metadata.annotations").member(ANNOTATION);
    if annotation.is_missing() {
        return;
    }
    let path = key("metadata.annotations", ANNOTATION);
    if !is_balancer {
        check.push(FieldError::forbidden(&*path, detail));
    }
    let before = check.before().map(|before| before.at("metadata.annotations").member(ANNOTATION));
    let is_kept = before.is_some_and(|before| before.text() == annotation.text());
    if is_kept || annotation.text().trim().is_empty() {
        return;
    }
    for range in annotation.text().trim().split(',') {
        let _ = addresses::range(check, &path, range.trim());
    }
}

/// Upstream asks this of an update twice.
fn balancer_class(check: &mut Check<'_>) {
    let class = check.at("spec.loadBalancerClass");
    if class.is_missing() {
        return;
    }
    if check.at("spec.type").text() == "LoadBalancer" {
        check.all(&class, class.text(), names::qualified(class.text()));
    } else {
        let detail = "may only be used when `type` is 'LoadBalancer'";
        check.push(FieldError::forbidden(&*class.path, detail));
    }
}

/// Where traffic from outside and from inside goes.
fn traffic(check: &mut Check<'_>) {
    let policies = ["Cluster", "Local"];
    let policy = check.at("spec.externalTrafficPolicy");
    if is_external(check.new) {
        check.one_of(&policy, &policies);
    } else if !policy.is_empty() {
        let detail = "may only be set for externally-accessible services";
        check.push(FieldError::invalid(&*policy.path, policy.text(), detail));
    }
    let port = check.at("spec.healthCheckNodePort");
    let number = port.number().unwrap_or_default();
    if number != 0 && !asks_health(check.new) {
        let detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` \
                      is 'Local'";
        check.push(FieldError::invalid(&*port.path, number, detail));
    } else if number != 0 {
        for message in names::port_number(number) {
            check.push(FieldError::invalid(&*port.path, number, message));
        }
    }
    let inside = check.at("spec.internalTrafficPolicy");
    if !inside.is_missing() && !policies.contains(&inside.text()) {
        check.push(FieldError::not_supported(&*inside.path, inside.text(), policies));
    }
    let distribution = check.at("spec.trafficDistribution");
    let known = ["PreferClose", "PreferSameZone", "PreferSameNode"];
    if !distribution.is_missing() && !known.contains(&distribution.text()) {
        check.push(FieldError::not_supported(&*distribution.path, distribution.text(), known));
    }
}

fn by_type(check: &mut Check<'_>, type_: &str, headless: bool) {
    match type_ {
        "LoadBalancer" | "NodePort" if headless => {
            let detail = format!("may not be set to 'None' for {type_} services");
            check.push(FieldError::invalid("spec.clusterIPs[0]", "None", detail));
        }
        "ExternalName" => {
            // The single address is in the list inside of upstream.
            if ["clusterIPs", "clusterIP"]
                .iter()
                .any(|name| !check.at(&format!("spec.{name}")).is_empty())
            {
                let detail = "may not be set for ExternalName services";
                check.push(FieldError::forbidden("spec.clusterIPs", detail));
            }
            for name in ["ipFamilies", "ipFamilyPolicy"] {
                let place = check.at(&format!("spec.{name}"));
                if !place.is_empty() {
                    let detail = "may not be set for ExternalName services";
                    check.push(FieldError::forbidden(&*place.path, detail));
                }
            }
            let name = check.at("spec.externalName");
            match name.text().strip_suffix('.').unwrap_or(name.text()) {
                "" => check.push(FieldError::required(&*name.path, "")),
                text => check.all(&name, text, names::subdomain(text)),
            }
        }
        _ => {}
    }
}

fn port<'a>(
    check: &mut Check<'_>,
    port: &Place<'a>,
    needs_name: bool,
    seen: &mut BTreeSet<&'a str>,
) {
    let name = port.member("name");
    if name.is_empty() {
        if needs_name {
            check.push(FieldError::required(&*name.path, ""));
        }
    } else {
        check.all(&name, name.text(), names::label(name.text()));
        if !seen.insert(name.text()) {
            check.push(FieldError::duplicate(&*name.path, name.text()));
        }
    }
    let number = port.member("port");
    let value = number.number().unwrap_or_default();
    for message in names::port_number(value) {
        check.push(FieldError::invalid(&*number.path, value, message));
    }
    check.one_of(&port.member("protocol"), &["SCTP", "TCP", "UDP"]);
    let target = port.member("targetPort");
    match target.number() {
        Some(value) => {
            for message in names::port_number(value) {
                check.push(FieldError::invalid(&*target.path, value, message));
            }
        }
        None if !target.is_missing() => {
            check.all(&target, target.text(), names::port_name(target.text()));
        }
        None => {}
    }
    let protocol = port.member("appProtocol");
    if !protocol.is_missing() {
        check.all(&protocol, protocol.text(), names::qualified(protocol.text()));
    }
}

/// No pair of protocol and port, or node port, is there twice.
fn duplicates(check: &mut Check<'_>, ports: &Place<'_>) {
    for member in ["nodePort", "port"] {
        let mut seen = BTreeSet::new();
        for port in ports.items() {
            let place = port.member(member);
            let Some(number) = place.number().filter(|number| *number != 0) else { continue };
            let protocol = port.member("protocol");
            if seen.insert((protocol.text(), number)) {
                continue;
            }
            let error = if member == "port" {
                same_port(port.path.clone(), protocol.text(), number)
            } else {
                FieldError::duplicate(&*place.path, number)
            };
            check.push(error);
        }
    }
}

/// Upstream shows the type that it compares by, with the members and the order that it has inside.
fn same_port(path: String, protocol: &str, number: i64) -> FieldError {
    let shown = format!(
        "{{\"Name\":\"\",\"Protocol\":{},\"AppProtocol\":null,\"Port\":{number},\"TargetPort\":0,\"NodePort\":0}}",
        Value::from(protocol)
    );
    FieldError::new(Reason::Duplicate, path, None, shown)
}
