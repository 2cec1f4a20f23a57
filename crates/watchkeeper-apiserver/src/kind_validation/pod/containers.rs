//! The containers of a pod: those that run, those before them, and those that are added.

use std::collections::BTreeSet;

use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::item;

use super::mounts::Volumes;
use super::{Check, Place, amounts, environment, handler, mounts, names, security};

mod restarts;

/// What containers are looked at with.
pub(super) struct Around<'a> {
    /// The volumes of the pod.
    pub(super) volumes: Volumes<'a>,
    /// Its claims for devices.
    pub(super) claims: BTreeSet<&'a str>,
    /// Whether they begin again.
    pub(super) restart: &'a str,
    /// Whether its users are those of the node.
    pub(super) has_users_of_node: bool,
    /// How long they are waited for.
    pub(super) grace: Option<i64>,
}

/// All containers of a pod, in the order in which upstream visits them.
pub(super) fn all_containers<'a>(spec: &Place<'a>) -> Vec<Place<'a>> {
    let lists = ["initContainers", "containers", "ephemeralContainers"];
    lists.iter().flat_map(|list| spec.member(list).items()).collect()
}

/// What is wrong with the containers of a pod.
pub(super) fn check(check: &mut Check<'_>, spec: &Place<'_>, around: &Around<'_>) {
    let [list, first, added] =
        ["containers", "initContainers", "ephemeralContainers"].map(|name| spec.member(name));
    if list.is_empty() {
        check.push(FieldError::required(&*list.path, ""));
    }
    let mut seen = BTreeSet::new();
    for container in list.items() {
        common(check, &container, around);
        let name = container.member("name");
        if !seen.insert(name.text()) {
            check.push(FieldError::duplicate(&*name.path, name.text()));
        }
        handler::of_container(check, &container, around.grace);
        restarts::rules(check, &container);
    }
    host_ports(check, &list.items());
    for container in first.items() {
        init(check, &container, &first, around, &mut seen);
    }
    let others = seen.clone();
    for container in added.items() {
        common(check, &container, around);
        ephemeral(check, &container, &others, &mut seen);
    }
}

/// One that runs before the others: to its end, or beside them if it always begins again (`validateInitContainers`).
fn init<'a>(
    check: &mut Check<'_>,
    container: &Place<'a>,
    list: &Place<'_>,
    around: &Around<'_>,
    seen: &mut BTreeSet<&'a str>,
) {
    common(check, container, around);
    let name = container.member("name");
    restarts::rules_before_others(check, container);
    if seen.contains(name.text()) {
        check.push(FieldError::duplicate(&*name.path, name.text()));
    } else if !name.is_empty() {
        seen.insert(name.text());
    }
    // Upstream looks at each as if it were the first of its list.
    let alone = Place { path: item(&list.path, 0), ..container.clone() };
    host_ports(check, std::slice::from_ref(&alone));
    if container.member("restartPolicy").text() == "Always" {
        return handler::of_container(check, container, around.grace);
    }
    handler::none_before_others(check, container);
    for policy in container.member("resizePolicy").items() {
        let restart = policy.member("restartPolicy");
        if restart.text() == "RestartContainer" {
            let detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
            check.push(FieldError::invalid(&*restart.path, restart.text(), detail));
        }
    }
}

/// What the running pod gets for somebody to look around: nothing that it could rely on (`validateEphemeralContainers`).
fn ephemeral<'a>(
    check: &mut Check<'_>,
    container: &Place<'a>,
    others: &BTreeSet<&str>,
    seen: &mut BTreeSet<&'a str>,
) {
    const REFUSED: [&str; 9] = [
        "ports",
        "resources",
        "resizePolicy",
        "restartPolicy",
        "restartPolicyRules",
        "livenessProbe",
        "readinessProbe",
        "startupProbe",
        "lifecycle",
    ];
    const DETAIL: &str = "cannot be set for an Ephemeral Container";
    image(check, container);
    let (name, target) = (container.member("name"), container.member("targetContainerName"));
    if !seen.insert(name.text()) {
        check.push(FieldError::duplicate(&*name.path, name.text()));
    }
    if !target.is_empty() && !others.contains(target.text()) {
        check.push(FieldError::not_found(&*target.path, target.text()));
    }
    for place in REFUSED.map(|name| container.member(name)) {
        if !place.is_empty() {
            check.push(FieldError::forbidden(place.path, DETAIL));
        }
    }
    for mount in container.member("volumeMounts").items() {
        for place in ["subPath", "subPathExpr"].map(|name| mount.member(name)) {
            if !place.is_empty() {
                check.push(FieldError::forbidden(place.path, DETAIL));
            }
        }
    }
}

/// An image of a pod has no space around it; of a template that was never asked.
pub(super) fn image(check: &mut Check<'_>, container: &Place<'_>) {
    let image = container.member("image");
    if image.text().trim() != image.text() {
        let detail = "must not have leading or trailing whitespace";
        check.push(FieldError::invalid(&*image.path, image.text(), detail));
    }
}

/// What is asked of every container (`validateContainerCommon`).
fn common(check: &mut Check<'_>, place: &Place<'_>, around: &Around<'_>) {
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
    mounts::check(check, place, &around.volumes);
    check.one_of(&place.member("imagePullPolicy"), &["Always", "IfNotPresent", "Never"]);
    amounts::of_container(check, &place.member("resources"), &around.claims);
    restarts::resizes(check, &place.member("resizePolicy"), around.restart);
    security::of_container(check, place, around.has_users_of_node);
}

/// No two containers of a list want one port of the node.
fn host_ports(check: &mut Check<'_>, list: &[Place<'_>]) {
    let mut seen = BTreeSet::new();
    for port in list.iter().flat_map(|container| container.member("ports").items()) {
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
