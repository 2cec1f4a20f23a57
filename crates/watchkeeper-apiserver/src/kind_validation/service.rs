//! Services.

use std::collections::BTreeSet;

use serde_json::Value;
use watchkeeper_schema::{FieldError, Reason};

use super::{Check, Place, metadata, names};

pub(super) fn service(check: &mut Check<'_>) {
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
    check.one_of(&check.at("spec.sessionAffinity"), &["ClientIP", "None"]);
    check.one_of(&type_, &["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"]);
    for port in ports.items().iter().map(|port| port.member("nodePort")) {
        if type_.text() == "ClusterIP" && port.number().unwrap_or_default() != 0 {
            let detail = "may not be used when `type` is 'ClusterIP'";
            check.push(FieldError::forbidden(&*port.path, detail));
        }
    }
    duplicates(check, &ports);
    let policy = check.at("spec.externalTrafficPolicy");
    let is_external = matches!(type_.text(), "NodePort" | "LoadBalancer")
        || type_.text() == "ClusterIP" && !check.at("spec.externalIPs").is_empty();
    if !policy.is_empty() && !is_external {
        let detail = "may only be set for externally-accessible services";
        check.push(FieldError::invalid(&*policy.path, policy.text(), detail));
    }
    cluster_ip_stays(check);
}

fn by_type(check: &mut Check<'_>, type_: &str, headless: bool) {
    match type_ {
        "LoadBalancer" | "NodePort" if headless => {
            let detail = format!("may not be set to 'None' for {type_} services");
            check.push(FieldError::invalid("spec.clusterIPs[0]", "None", detail));
        }
        "ExternalName" => {
            let ips = check.at("spec.clusterIPs");
            if !ips.is_empty() {
                let detail = "may not be set for ExternalName services";
                check.push(FieldError::forbidden(&*ips.path, detail));
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

/// An address once given stays, unless the service becomes or was an external name.
fn cluster_ip_stays(check: &mut Check<'_>) {
    let Some(old) = check.old else { return };
    let text = |object: &Value, name: &str| {
        object.pointer(name).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let is_external = |object: &Value| text(object, "/spec/type") == "ExternalName";
    let (before, now) = (text(old, "/spec/clusterIP"), text(check.new, "/spec/clusterIP"));
    if before != now && !before.is_empty() && !is_external(old) && !is_external(check.new) {
        let path = "spec.clusterIPs[0]";
        let detail = "may not change once set";
        check.push(FieldError::invalid(path, vec![now], detail));
    }
}
