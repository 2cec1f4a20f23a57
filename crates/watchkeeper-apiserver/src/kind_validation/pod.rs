//! Pods and pod templates.

use std::collections::BTreeSet;

use serde_json::Value;
use watchkeeper_api::Quantity;
use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::key;

use super::{Check, Place, metadata, names};

mod running;

/// The parts of a pod's spec that updates may change.
const UPDATABLE: &str = "`spec.containers[*].image`,`spec.initContainers[*].image`,\
    `spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),\
    `spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

pub(super) fn pod(check: &mut Check<'_>) {
    let place = check.at("spec");
    spec(check, &place, &[]);
    if let Some(old) = check.old {
        update(check, old);
    }
}

/// A pod template: labels and spec. Its pods have volumes of these names beside their own.
pub(super) fn template(check: &mut Check<'_>, place: &Place<'_>, claimed: &[&str]) {
    metadata::labels(check, &place.member("metadata").member("labels"));
    spec(check, &place.member("spec"), claimed);
}

fn spec(check: &mut Check<'_>, place: &Place<'_>, claimed: &[&str]) {
    let mut volumes = volumes(check, &place.member("volumes"));
    volumes.extend(claimed);
    let list = place.member("containers");
    if list.is_empty() {
        check.push(FieldError::required(&*list.path, ""));
    }
    let mut seen = BTreeSet::new();
    for list in [list, place.member("initContainers")] {
        for container in list.items() {
            self::container(check, &container, &volumes);
            let name = container.member("name");
            if !name.is_empty() && !seen.insert(name.text()) {
                check.push(FieldError::duplicate(&*name.path, name.text()));
            }
        }
    }
    check.one_of(&place.member("restartPolicy"), &["Always", "OnFailure", "Never"]);
    let policies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
    check.one_of(&place.member("dnsPolicy"), &policies);
    metadata::labels(check, &place.member("nodeSelector"));
    for toleration in place.member("tolerations").items() {
        running::toleration(check, &toleration);
    }
    for (name, form) in [
        ("serviceAccountName", names::subdomain as fn(&str) -> Vec<String>),
        ("nodeName", names::subdomain),
        ("hostname", names::label),
        ("subdomain", names::label),
        ("priorityClassName", names::subdomain),
    ] {
        let place = place.member(name);
        if !place.is_empty() {
            check.all(&place, place.text(), form(place.text()));
        }
    }
    let deadline = place.member("activeDeadlineSeconds");
    if let Some(number) = deadline.number().filter(|n| !(1..=i64::from(i32::MAX)).contains(n)) {
        let detail = "must be between 1 and 2147483647, inclusive";
        check.push(FieldError::invalid(&*deadline.path, number, detail));
    }
}

/// The names of the volumes.
fn volumes<'a>(check: &mut Check<'_>, place: &Place<'a>) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    for volume in place.items() {
        let name = volume.member("name");
        if name.is_empty() {
            check.push(FieldError::required(&*name.path, ""));
            continue;
        }
        check.all(&name, name.text(), names::label(name.text()));
        if !seen.insert(name.text()) {
            check.push(FieldError::duplicate(&*name.path, name.text()));
        }
    }
    seen
}

fn container(check: &mut Check<'_>, place: &Place<'_>, volumes: &BTreeSet<&str>) {
    let name = place.member("name");
    if name.is_empty() {
        check.push(FieldError::required(&*name.path, ""));
    } else {
        check.all(&name, name.text(), names::label(name.text()));
    }
    let image = place.member("image");
    if image.is_empty() {
        check.push(FieldError::required(&*image.path, ""));
    } else if image.text().trim() != image.text() {
        let detail = "must not have leading or trailing whitespace";
        check.push(FieldError::invalid(&*image.path, image.text(), detail));
    }
    for name in ["livenessProbe", "readinessProbe", "startupProbe"] {
        running::probe(check, &place.member(name));
    }
    let policies = ["File", "FallbackToLogsOnError"];
    check.one_of(&place.member("terminationMessagePolicy"), &policies);
    ports(check, &place.member("ports"));
    for variable in place.member("env").items() {
        let name = variable.member("name");
        if name.is_empty() {
            check.push(FieldError::required(&*name.path, ""));
        } else if !name.text().bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'=') {
            let detail = "a valid environment variable name must consist only of printable ASCII \
                          characters other than '='";
            check.push(FieldError::invalid(&*name.path, name.text(), detail));
        }
    }
    mounts(check, &place.member("volumeMounts"), volumes);
    check.one_of(&place.member("imagePullPolicy"), &["Always", "IfNotPresent", "Never"]);
    resources(check, &place.member("resources"));
}

/// No amount is below zero, and no request above its limit.
fn resources(check: &mut Check<'_>, place: &Place<'_>) {
    let (limits, requests) = (place.member("limits"), place.member("requests"));
    for list in [&limits, &requests] {
        for (name, text) in list.entries() {
            if Quantity::from(text) < Quantity::from("0") {
                let detail = "must be greater than or equal to 0";
                check.push(FieldError::invalid(key(&list.path, name), text, detail));
            }
        }
    }
    for (name, text) in requests.entries() {
        let limit = limits.member(name);
        if !limit.is_missing() && Quantity::from(text) > Quantity::from(limit.text()) {
            let detail = format!("must be less than or equal to {name} limit of {}", limit.text());
            check.push(FieldError::invalid(&*requests.path, text, detail));
        }
    }
}

fn ports(check: &mut Check<'_>, place: &Place<'_>) {
    let mut seen = BTreeSet::new();
    for port in place.items() {
        let name = port.member("name");
        if !name.is_empty() {
            let wrong = names::port_name(name.text());
            if wrong.is_empty() && !seen.insert(name.text()) {
                check.push(FieldError::duplicate(&*name.path, name.text()));
            }
            check.all(&name, name.text(), wrong);
        }
        for (member, required) in [("containerPort", true), ("hostPort", false)] {
            let place = port.member(member);
            match place.number().unwrap_or_default() {
                0 if required => check.push(FieldError::required(&*place.path, "")),
                0 => {}
                number => {
                    for message in names::port_number(number) {
                        check.push(FieldError::invalid(&*place.path, number, message));
                    }
                }
            }
        }
        check.one_of(&port.member("protocol"), &["SCTP", "TCP", "UDP"]);
    }
}

fn mounts(check: &mut Check<'_>, place: &Place<'_>, volumes: &BTreeSet<&str>) {
    let mut seen = BTreeSet::new();
    for mount in place.items() {
        let (name, path) = (mount.member("name"), mount.member("mountPath"));
        if name.is_empty() {
            check.push(FieldError::required(&*name.path, ""));
        }
        if !volumes.contains(name.text()) {
            check.push(FieldError::not_found(&*name.path, name.text()));
        }
        if path.is_empty() {
            check.push(FieldError::required(&*path.path, ""));
        }
        if !seen.insert(path.text()) {
            check.push(FieldError::invalid(&*path.path, path.text(), "must be unique"));
        }
    }
}

fn update(check: &mut Check<'_>, old: &Value) {
    let before = Check { new: old, old: None, errors: Vec::new() };
    for list in ["spec.containers", "spec.initContainers"] {
        if check.at(list).items().len() != before.at(list).items().len() {
            let detail = "pod updates may not add or remove containers";
            check.push(FieldError::forbidden(list, detail));
            return;
        }
    }
    let (Some(new), Some(old)) = (check.at("spec").value, before.at("spec").value) else { return };
    if fixed_part(new) != fixed_part(old) {
        let detail = format!("pod updates may not change fields other than {UPDATABLE}");
        check.push(FieldError::forbidden("spec", detail));
    }
}

/// A pod's spec without what updates may change.
fn fixed_part(spec: &Value) -> Value {
    let mut fixed = spec.clone();
    if let Value::Object(members) = &mut fixed {
        for name in ["activeDeadlineSeconds", "tolerations", "schedulingGates"] {
            members.remove(name);
        }
        for list in ["containers", "initContainers"] {
            let containers = members.get_mut(list).and_then(Value::as_array_mut);
            for container in containers.into_iter().flatten().filter_map(Value::as_object_mut) {
                container.remove("image");
            }
        }
    }
    fixed
}
