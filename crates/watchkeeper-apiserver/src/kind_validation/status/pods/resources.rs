//! How devices and other resources of a pod's containers are.

use std::collections::BTreeSet;

use watchkeeper_schema::FieldError;

use super::super::super::{Check, Place};
use super::{LISTS, named};

const LONGEST_MESSAGE: u64 = 1024;

/// Told of are those that a container asks for, each once.
pub(super) fn check(check: &mut Check<'_>) {
    for (list, containers) in LISTS {
        let containers_of = check.at(containers).items();
        for status in check.at(list).items() {
            let told = status.member("allocatedResourcesStatus");
            if containers == "spec.ephemeralContainers" {
                if !told.is_empty() {
                    let detail = "must not be specified in container status";
                    check.push(FieldError::forbidden(told.path, detail));
                }
                continue;
            }
            let container = named(&containers_of, status.member("name").text());
            for resource in told.items() {
                asked_for(check, &resource.member("name"), container.as_ref());
                health(check, &resource.member("resources"));
            }
        }
    }
}

fn asked_for(check: &mut Check<'_>, name: &Place<'_>, container: Option<&Place<'_>>) {
    let Some(resources) = container.map(|container| container.member("resources")) else { return };
    let (is_asked, detail) = if name.text().starts_with("claim:") {
        let mut claims = resources.member("claims").items().into_iter();
        let is_asked = claims.any(|claim| {
            let (of, request) = (claim.member("name").text(), claim.member("request").text());
            let part = if request.is_empty() { String::new() } else { format!("/{request}") };
            format!("claim:{of}{part}") == name.text()
        });
        let detail = "must match one of the container's resource claims in a format \
                      'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty";
        (is_asked, detail)
    } else {
        let is_asked = resources.member("requests").has(name.text());
        (is_asked, "must match one of the container's resource requests")
    };
    if !is_asked {
        check.push(FieldError::invalid(&*name.path, name.text(), detail));
    }
}

fn health(check: &mut Check<'_>, list: &Place<'_>) {
    let mut seen = BTreeSet::new();
    for resource in list.items() {
        let [health, message, id] =
            ["health", "message", "resourceID"].map(|name| resource.member(name));
        let known = ["Healthy", "Unhealthy", "Unknown"];
        if !known.contains(&health.text()) {
            check.push(FieldError::not_supported(&*health.path, health.text(), known));
        }
        if !message.is_missing() && message.is_empty() {
            check.push(FieldError::required(&*message.path, "must be non-empty if specified"));
        } else if message.text().len() as u64 > LONGEST_MESSAGE {
            check.push(FieldError::too_long(&*message.path, LONGEST_MESSAGE));
        }
        if !seen.insert(id.text()) {
            check.push(FieldError::duplicate(&*id.path, id.text()));
        }
    }
}
