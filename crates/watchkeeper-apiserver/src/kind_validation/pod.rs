//! Pods and pod templates.

use std::collections::BTreeSet;

use serde_json::Value;
use watchkeeper_api::Quantity;
use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::key;

use super::{Check, Place, metadata, names};

mod environment;
mod handler;
mod placing;
mod running;
mod security;

/// The parts of a pod's spec that updates may change.
const UPDATABLE: &str = "`spec.containers[*].image`,`spec.initContainers[*].image`,\
    `spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),\
    `spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

pub(super) fn pod(check: &mut Check<'_>) {
    let place = check.at("spec");
    spec(check, &place, &[]);
    alone(check, &place);
    if let Some(old) = check.old {
        update(check, old);
    } else if !place.member("nodeName").is_empty() && !place.member("schedulingGates").is_empty() {
        let detail = "cannot be set until all schedulingGates have been cleared";
        check.push(FieldError::forbidden(place.member("nodeName").path, detail));
    }
}

/// What holds for pods and not for their templates: tokens are those of an account.
fn alone(check: &mut Check<'_>, spec: &Place<'_>) {
    if !spec.member("serviceAccountName").is_empty() {
        return;
    }
    for volume in spec.member("volumes").items() {
        for source in volume.member("projected").member("sources").items() {
            let token = source.member("serviceAccountToken");
            if !token.is_missing() {
                let detail = "must not be specified when serviceAccountName is not set";
                check.push(FieldError::forbidden(&*token.path, detail));
            }
        }
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
    let grace = place.member("terminationGracePeriodSeconds").number();
    for (list, is_first) in [(list, false), (place.member("initContainers"), true)] {
        for container in list.items() {
            self::container(check, &container, &volumes);
            let name = container.member("name");
            if !name.is_empty() && !seen.insert(name.text()) {
                check.push(FieldError::duplicate(&*name.path, name.text()));
            }
            let is_before_others = is_first && container.member("restartPolicy").text() != "Always";
            if is_before_others {
                handler::none_before_others(check, &container);
            } else {
                handler::lifecycle(check, &container.member("lifecycle"), grace);
                handler::probes(check, &container);
            }
        }
        host_ports(check, &list);
    }
    check.one_of(&place.member("restartPolicy"), &["Always", "OnFailure", "Never"]);
    let policies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
    check.one_of(&place.member("dnsPolicy"), &policies);
    metadata::labels(check, &place.member("nodeSelector"));
    security::seccomp(check, place);
    placing::affinity(check, &place.member("affinity"));
    placing::gates(check, place);
    placing::spread(check, &place.member("topologySpreadConstraints"));
    named(check, place, "serviceAccountName", names::subdomain);
    named(check, place, "nodeName", names::subdomain);
    deadline(check, &place.member("activeDeadlineSeconds"));
    named(check, place, "hostname", names::label);
    named(check, place, "subdomain", names::label);
    for toleration in place.member("tolerations").items() {
        running::toleration(check, &toleration);
    }
    named(check, place, "priorityClassName", names::subdomain);
}

/// A name that may be left out.
fn named(check: &mut Check<'_>, place: &Place<'_>, name: &str, form: fn(&str) -> Vec<String>) {
    let place = place.member(name);
    if !place.is_empty() {
        check.all(&place, place.text(), form(place.text()));
    }
}

fn deadline(check: &mut Check<'_>, deadline: &Place<'_>) {
    if let Some(number) = deadline.number().filter(|n| !(1..=i64::from(i32::MAX)).contains(n)) {
        let detail = "must be between 1 and 2147483647, inclusive";
        check.push(FieldError::invalid(&*deadline.path, number, detail));
    }
}

/// What volumes are made of, in the order in which upstream looks.
const SOURCES: [&str; 29] = [
    "emptyDir",
    "hostPath",
    "gitRepo",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "secret",
    "nfs",
    "iscsi",
    "glusterfs",
    "flocker",
    "persistentVolumeClaim",
    "rbd",
    "cinder",
    "cephfs",
    "quobyte",
    "downwardAPI",
    "fc",
    "azureFile",
    "configMap",
    "vsphereVolume",
    "azureDisk",
    "storageos",
    "photonPersistentDisk",
    "projected",
    "scaleIO",
    "portworxVolume",
    "csi",
    "ephemeral",
    "image",
];

/// The names of the volumes.
fn volumes<'a>(check: &mut Check<'_>, place: &Place<'a>) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    for volume in place.items() {
        let name = volume.member("name");
        let mut given = SOURCES.iter().map(|source| volume.member(source));
        let mut given = given.by_ref().filter(|source| !source.is_missing()).skip(1).peekable();
        let is_torn = given.peek().is_some();
        for source in given {
            let detail = "may not specify more than 1 volume type";
            // So upstream spells it here.
            let path = source.path.replace("downwardAPI", "downwarAPI");
            check.push(FieldError::forbidden(path, detail));
        }
        if is_torn {
            continue;
        }
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
    check.name(&name, "", names::label);
    let image = place.member("image");
    if image.is_empty() {
        check.push(FieldError::required(&*image.path, ""));
    } else if image.text().trim() != image.text() {
        let detail = "must not have leading or trailing whitespace";
        check.push(FieldError::invalid(&*image.path, image.text(), detail));
    }
    let policies = ["File", "FallbackToLogsOnError"];
    check.one_of(&place.member("terminationMessagePolicy"), &policies);
    ports(check, &place.member("ports"));
    environment::check(check, place);
    mounts(check, &place.member("volumeMounts"), volumes);
    check.one_of(&place.member("imagePullPolicy"), &["Always", "IfNotPresent", "Never"]);
    resources(check, &place.member("resources"));
    security::seccomp(check, place);
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
        let (request, most) = (Quantity::from(text), Quantity::from(limit.text()));
        if limit.is_missing() {
            if !is_overcommitted(name) {
                let detail = "Limit must be set for non overcommitable resources";
                check.push(FieldError::required(&*limits.path, detail));
            }
        } else if request != most && !is_overcommitted(name) {
            let detail = format!("must be equal to {name} limit of {}", limit.text());
            check.push(FieldError::invalid(&*requests.path, text, detail));
        } else if request > most {
            let detail = format!("must be less than or equal to {name} limit of {}", limit.text());
            check.push(FieldError::invalid(&*requests.path, text, detail));
        }
    }
}

/// Whether more of a resource may be promised than there is: of those of Kubernetes, but for huge pages.
fn is_overcommitted(name: &str) -> bool {
    let is_native = name.split_once('/').is_none_or(|(domain, _)| domain.contains("kubernetes.io"));
    is_native && !name.starts_with("hugepages-")
}

/// No two containers of a list want one port of the node.
fn host_ports(check: &mut Check<'_>, list: &Place<'_>) {
    let mut seen = BTreeSet::new();
    for port in list.items().iter().flat_map(|container| container.member("ports").items()) {
        let place = port.member("hostPort");
        let Some(number) = place.number().filter(|number| *number != 0) else { continue };
        let text = |name: &str| port.member(name).text();
        let shown = format!("{}/{}/{number}", text("protocol"), text("hostIP"));
        if seen.contains(&shown) {
            check.push(FieldError::duplicate(&*place.path, shown));
        } else {
            seen.insert(shown);
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

fn without_seconds(toleration: Option<&Value>) -> Value {
    let mut toleration = toleration.cloned().unwrap_or_default();
    toleration.as_object_mut().map(|members| members.remove("tolerationSeconds"));
    toleration
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
    let (new, had) = (check.at("spec.tolerations"), before.at("spec.tolerations").items());
    let kept: Vec<Value> = new.items().iter().map(|new| without_seconds(new.value)).collect();
    let is_kept = |old: &Place<'_>| kept.contains(&without_seconds(old.value));
    if new.value != before.at("spec.tolerations").value && !had.iter().all(is_kept) {
        let detail = "existing toleration can not be modified except its tolerationSeconds";
        check.push(FieldError::forbidden(&*new.path, detail));
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
