//! Pods and pod templates.

use std::collections::BTreeSet;

use watchkeeper_api::Quantity;
use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::key;

use super::{Check, Place, metadata, names};

mod environment;
mod handler;
mod network;
pub(super) mod placing;
pub(super) mod running;
mod security;
mod update;
mod volumes;

/// Whose pods are looked at.
#[derive(Default)]
pub(super) struct Whose<'a> {
    /// The name of a pod that is made from no template.
    pub(super) pod: Option<&'a str>,
    /// The names of claims that a controller adds to the volumes of the template.
    pub(super) claimed: &'a [&'a str],
    /// Whether a controller gives each pod a host name and a domain, whatever the template says.
    pub(super) names_hosts: bool,
}

pub(super) fn pod(check: &mut Check<'_>) {
    let place = check.at("spec");
    let name = check.at("metadata.name").text();
    spec(check, &place, &Whose { pod: Some(name), ..Whose::default() });
    alone(check, &place);
    if let Some(old) = check.old {
        update::update(check, old);
    } else if !place.member("nodeName").is_empty() && !place.member("schedulingGates").is_empty() {
        let detail = "cannot be set until all schedulingGates have been cleared";
        check.push(FieldError::forbidden(place.member("nodeName").path, detail));
    }
}

/// What holds for pods and not for their templates: tokens are those of an account, and images have no space around.
fn alone(check: &mut Check<'_>, spec: &Place<'_>) {
    if spec.member("serviceAccountName").is_empty() {
        no_tokens(check, spec);
    }
    for list in ["containers", "initContainers"] {
        for container in spec.member(list).items() {
            let image = container.member("image");
            if image.text().trim() != image.text() {
                let detail = "must not have leading or trailing whitespace";
                check.push(FieldError::invalid(&*image.path, image.text(), detail));
            }
        }
    }
}

fn no_tokens(check: &mut Check<'_>, spec: &Place<'_>) {
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

/// A pod template: labels, annotations and spec. Upstream leaves out that the first two are in the metadata.
pub(super) fn template(check: &mut Check<'_>, place: &Place<'_>, whose: &Whose<'_>) {
    template_marks(check, place);
    spec(check, &place.member("spec"), whose);
}

pub(super) fn template_marks(check: &mut Check<'_>, place: &Place<'_>) {
    let marks = place.member("metadata");
    let told = |name: &str| Place { path: place.member(name).path, ..marks.member(name) };
    metadata::labels(check, &told("labels"));
    metadata::annotations(check, told("annotations"));
}

fn spec(check: &mut Check<'_>, place: &Place<'_>, whose: &Whose<'_>) {
    let volumes = volumes::check(check, &place.member("volumes"), whose);
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
    network::ports_of_node(check, place, whose.pod.is_some());
    check.one_of(&place.member("restartPolicy"), &["Always", "OnFailure", "Never"]);
    let policies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
    check.one_of(&place.member("dnsPolicy"), &policies);
    metadata::labels(check, &place.member("nodeSelector"));
    security::of_pod(check, place);
    placing::affinity(check, &place.member("affinity"));
    network::resolver(check, place);
    placing::gates(check, place);
    placing::spread(check, &place.member("topologySpreadConstraints"));
    named(check, place, "serviceAccountName", names::subdomain);
    named(check, place, "nodeName", names::subdomain);
    deadline(check, &place.member("activeDeadlineSeconds"));
    if !whose.names_hosts {
        named(check, place, "hostname", names::label);
        named(check, place, "subdomain", names::label);
    }
    for toleration in place.member("tolerations").items() {
        running::toleration(check, &toleration);
    }
    running::aliases(check, &place.member("hostAliases"));
    named(check, place, "priorityClassName", names::subdomain);
    running::class(check, place);
    running::system(check, &place.member("os"));
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

fn container(check: &mut Check<'_>, place: &Place<'_>, volumes: &BTreeSet<&str>) {
    let name = place.member("name");
    check.name(&name, "", names::label);
    let image = place.member("image");
    if image.is_empty() {
        check.push(FieldError::required(&*image.path, ""));
    }
    let policies = ["File", "FallbackToLogsOnError"];
    check.one_of(&place.member("terminationMessagePolicy"), &policies);
    ports(check, &place.member("ports"));
    environment::check(check, place);
    mounts(check, &place.member("volumeMounts"), volumes);
    devices(check, &place.member("volumeDevices"), volumes);
    check.one_of(&place.member("imagePullPolicy"), &["Always", "IfNotPresent", "Never"]);
    resources(check, &place.member("resources"));
    security::of_container(check, place);
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

/// A device is of a volume, and has a path of its own (`ValidateVolumeDevices`).
fn devices(check: &mut Check<'_>, place: &Place<'_>, volumes: &BTreeSet<&str>) {
    let (mut seen, mut paths) = (BTreeSet::new(), BTreeSet::new());
    for device in place.items() {
        let (name, path) = (device.member("name"), device.member("devicePath"));
        let unique = |check: &mut Check<'_>, place: &Place<'_>, is_there: bool| {
            if is_there {
                check.push(FieldError::invalid(&*place.path, place.text(), "must be unique"));
            }
        };
        if name.is_empty() {
            check.push(FieldError::required(&*name.path, ""));
        }
        unique(check, &name, !name.is_empty() && !seen.insert(name.text()));
        if !volumes.contains(name.text()) {
            check.push(FieldError::not_found(&*name.path, name.text()));
        }
        if path.is_empty() {
            check.push(FieldError::required(&*path.path, ""));
        }
        unique(check, &path, !paths.insert(path.text()));
    }
}
