//! Parts of a running pod that are written by paths of their own: containers that are added to it, and what its
//! containers may take.

use std::collections::BTreeMap;

use serde_json::Value;
use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::{item, quote};

use super::{Check, Place, annotations, pod_and_spec};
use crate::kind_validation::internal;

const EPHEMERAL: &str = "io.k8s.api.core.v1.EphemeralContainer";
const COUNTED: [&str; 2] = ["cpu", "memory"];

/// What was added stays as it is (`ValidatePodEphemeralContainersUpdate`).
pub(in crate::kind_validation) fn ephemeral(check: &mut Check<'_>) {
    pod_and_spec(check);
    let Some(before) = check.before() else { return };
    let marks = before.at("metadata.annotations");
    annotations::update(check, &marks);
    if marks.has(annotations::MIRROR) {
        return nothing_else(check, "static pods do not support ephemeral containers");
    }
    let list = check.at("spec.ephemeralContainers");
    let now = list.items();
    let now: BTreeMap<&str, &Place<'_>> =
        now.iter().map(|of| (of.member("name").text(), of)).collect();
    for was in before.at("spec.ephemeralContainers").items() {
        let name = was.member("name").text();
        let what = format!("existing ephemeral containers {}", quote(name));
        let detail = match now.get(name) {
            None => format!("{what} may not be removed\n"),
            Some(now) if now.value != was.value => {
                let changes = internal::changes(EPHEMERAL, was.value, now.value);
                format!("{what} may not be changed{changes}")
            }
            Some(_) => continue,
        };
        check.push(FieldError::forbidden(&*list.path, detail));
    }
}

/// Only this is wrong, and of no part in particular.
fn nothing_else(check: &mut Check<'_>, detail: &str) {
    check.errors.clear();
    check.push(FieldError::forbidden("", detail));
}

/// Containers get other amounts of processors and memory, and nothing else (`ValidatePodResize`). `qos` is what a spec is
/// worth to its node.
pub(in crate::kind_validation) fn resize(check: &mut Check<'_>, qos: fn(&Value) -> &'static str) {
    pod_and_spec(check);
    let Some(before) = check.before() else { return };
    if before.at("metadata.annotations").has(annotations::MIRROR) {
        return nothing_else(check, "static pods cannot be resized");
    }
    if before.at("spec.os.name").text() == "windows" {
        return nothing_else(check, "windows pods cannot be resized");
    }
    let (spec, was) = (check.at("spec"), before.at("spec"));
    let worth = |of: &Place<'_>| of.value.map(qos).unwrap_or_default();
    if worth(&spec) != before.at("status.qosClass").text() {
        let class = check.at("status.qosClass").text();
        let detail = "Pod QOS Class may not change as a result of resizing";
        check.push(FieldError::invalid(&*spec.path, class, detail));
    }
    if !can_be_resized(&before) {
        let detail = "Pod running on node without support for resize";
        check.push(FieldError::forbidden(&*spec.path, detail));
    }
    let (now_whole, whole) = (spec.member("resources"), was.member("resources"));
    let is_said =
        |of: &Place<'_>| ["requests", "limits"].iter().any(|name| !of.member(name).is_empty());
    if is_said(&now_whole) || is_said(&whole) {
        of_whole(check, &now_whole, &whole);
    }
    if in_order(check, &spec, &was) {
        each(check, &spec, &was);
    }
}

/// A running container that does not tell what it has is on a node that knows nothing of this.
fn can_be_resized(before: &Check<'_>) -> bool {
    let containers = before.at("status.containerStatuses").items();
    let running = containers.iter().find(|of| of.member("state").has("running"));
    running.is_none_or(|of| of.has("resources"))
}

/// The containers are the same, in the same order.
fn in_order(check: &mut Check<'_>, spec: &Place<'_>, was: &Place<'_>) -> bool {
    let told = check.errors.len();
    for name in ["containers", "initContainers"] {
        let (list, had) = (spec.member(name), was.member(name).items());
        let now = list.items();
        if now.len() != had.len() {
            let detail = format!("{name} may not be added or removed on resize");
            check.push(FieldError::forbidden(&*list.path, detail));
            continue;
        }
        for (now, had) in now.iter().zip(&had) {
            if now.member("name").text() != had.member("name").text() {
                let detail = format!("{name} may not be renamed or reordered on resize");
                check.push(FieldError::forbidden(now.member("name").path, detail));
            }
        }
    }
    check.errors.len() == told
}

fn of_whole(check: &mut Check<'_>, now: &Place<'_>, was: &Place<'_>) {
    if !was.is_missing() && now.is_missing() {
        let detail = "pod-level resources cannot be removed";
        return check.push(FieldError::forbidden(&*now.path, detail));
    }
    gone(check, now, was, "pod-level resource");
    let rest = without_counted(now.value, was.value);
    let has_rest = rest.as_object().is_some_and(|rest| !rest.values().all(is_nothing));
    if was.value.map_or(has_rest, |was| *was != rest) {
        let detail = "only cpu and memory resources are mutable at pod-level";
        check.push(FieldError::forbidden("spec", detail));
    }
}

/// A list or a map of nothing.
fn is_nothing(part: &Value) -> bool {
    part.as_object().is_some_and(serde_json::Map::is_empty)
        || part.as_array().is_some_and(Vec::is_empty)
}

/// What was asked for or limited stays so, by some amount.
fn gone(check: &mut Check<'_>, now: &Place<'_>, was: &Place<'_>, what: &str) {
    for name in ["requests", "limits"] {
        let list = now.member(name);
        if was.member(name).entries().iter().any(|(resource, _)| !list.has(resource)) {
            let detail = format!("{what} {name} cannot be removed");
            check.push(FieldError::forbidden(list.path, detail));
        }
    }
}

fn each(check: &mut Check<'_>, spec: &Place<'_>, was: &Place<'_>) {
    let lists = |name: &str| (spec.member(name).items(), was.member(name).items());
    for name in ["initContainers", "containers"] {
        let (now, had) = lists(name);
        for (now, had) in now.iter().zip(&had) {
            gone(check, &now.member("resources"), &had.member("resources"), "resource");
        }
    }
    for name in ["containers", "initContainers"] {
        let (now, had) = lists(name);
        for (index, (now, had)) in now.iter().zip(&had).enumerate() {
            let (place, detail) = match name {
                "containers" => (spec.path.clone(), "only cpu and memory resources are mutable"),
                _ => (
                    item(&spec.member(name).path, index),
                    "only cpu and memory resources for init or sidecar containers are mutable",
                ),
            };
            if put_back(now.value, had.value) != had.value.cloned().unwrap_or_default() {
                check.push(FieldError::forbidden(&*place, detail));
            }
            if name == "initContainers" && now.value != had.value {
                stays_before_others(check, now, place);
            }
        }
    }
}

/// What runs before the others to its end does not begin again with more.
fn stays_before_others(check: &mut Check<'_>, container: &Place<'_>, place: String) {
    if container.member("restartPolicy").text() == "Always" {
        return;
    }
    let policies = container.member("resizePolicy").items();
    let restarts = |of: &&Place<'_>| of.member("restartPolicy").text() == "RestartContainer";
    for _ in policies.iter().filter(restarts) {
        let detail = "non-sidecar init containers with a resize policy of RestartContainer cannot be \
                      resized";
        check.push(FieldError::forbidden(&*place, detail));
    }
}

/// A container with the processors and memory that it had, and as upstream has it, without its claims.
fn put_back(now: Option<&Value>, was: Option<&Value>) -> Value {
    let mut container = now.cloned().unwrap_or_default();
    let had = was.and_then(|was| was.get("resources"));
    let mut resources = without_counted(container.get("resources"), had);
    resources.as_object_mut().map(|members| members.remove("claims"));
    if let Some(members) = container.as_object_mut() {
        match (resources.is_null(), had) {
            (true, None) => members.remove("resources"),
            _ => members.insert("resources".to_owned(), resources),
        };
    }
    container
}

/// Resources with the processors and memory of others.
fn without_counted(now: Option<&Value>, was: Option<&Value>) -> Value {
    let mut resources = now.or(was).cloned().unwrap_or_default();
    let Some(members) = resources.as_object_mut() else { return resources };
    for name in ["limits", "requests"] {
        let had = was.and_then(|was| was.get(name)).and_then(Value::as_object);
        let mut list = members.get(name).and_then(Value::as_object).cloned().unwrap_or_default();
        for resource in COUNTED {
            match had.and_then(|had| had.get(resource)) {
                Some(amount) => list.insert(resource.to_owned(), amount.clone()),
                None => list.remove(resource),
            };
        }
        match list.is_empty() && had.is_none() {
            true => members.remove(name),
            false => members.insert(name.to_owned(), list.into()),
        };
    }
    resources
}
