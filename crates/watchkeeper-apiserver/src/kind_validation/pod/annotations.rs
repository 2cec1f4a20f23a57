//! Annotations that mean something to pods (`ValidatePodSpecificAnnotations`).

use std::collections::BTreeSet;

use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::{child, key, quote};

use super::volumes::files;
use super::{Check, Place, all_containers};

mod profiles;
mod tolerations;

pub(super) use profiles::agree;

/// What the kubelet makes of a pod that it has from a file.
pub(super) const MIRROR: &str = "kubernetes.io/config.mirror";
const DELETION_COST: &str = "controller.kubernetes.io/pod-deletion-cost";
const SECCOMP_POD: &str = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP_CONTAINER: &str = "container.seccomp.security.alpha.kubernetes.io/";
const APP_ARMOR: &str = "container.apparmor.security.beta.kubernetes.io/";

/// What is wrong with the annotations of a pod with this spec.
pub(super) fn check(check: &mut Check<'_>, annotations: &Place<'_>, spec: &Place<'_>) {
    let entries = annotations.entries();
    let say = |check: &mut Check<'_>, name: &str, value: &str, detail: &str| {
        check.push(FieldError::invalid(key(&annotations.path, name), value, detail));
    };
    let mirror = annotations.member(MIRROR);
    if !mirror.is_missing() && spec.member("nodeName").is_empty() {
        let detail = "must set spec.nodeName if mirror pod annotation is set";
        say(check, MIRROR, mirror.text(), detail);
    }
    tolerations::check(check, annotations);
    let cost = annotations.member(DELETION_COST);
    if !cost.is_missing() && !is_cost(cost.text()) {
        say(check, DELETION_COST, cost.text(), "must be a 32bit integer");
    }
    let of_seccomp = |name: &str| name == SECCOMP_POD || name.starts_with(SECCOMP_CONTAINER);
    for (name, value) in entries.iter().filter(|(name, _)| of_seccomp(name)) {
        seccomp(check, child(&annotations.path, name), value);
    }
    if !entries.iter().any(|(name, _)| name.starts_with(APP_ARMOR)) {
        return;
    }
    let of_armor = |(name, value): &(&'_ str, &'_ str)| {
        name.strip_prefix(APP_ARMOR).map(|container| (container.to_owned(), (*value).to_owned()))
    };
    let containers = all_containers(spec);
    let known: BTreeSet<&str> = containers.iter().map(|of| of.member("name").text()).collect();
    for (container, profile) in entries.iter().filter_map(of_armor) {
        let name = format!("{APP_ARMOR}{container}");
        if !known.contains(&*container) {
            say(check, &name, &container, "container not found");
        }
        let is_known = ["", "runtime/default", "unconfined"].contains(&&*profile);
        if !is_known && !profile.starts_with("localhost/") {
            let detail = format!("invalid AppArmor profile name: {}", quote(&profile));
            say(check, &name, &profile, &detail);
        }
    }
}

/// Some stay as they are, and all of what is said of new ones is said again (`ValidatePodSpecificAnnotationUpdates`).
pub(super) fn update(check: &mut Check<'_>, before: &Place<'_>) {
    let now = check.at("metadata.annotations");
    let what = |name: &str| match name {
        MIRROR => Some("mirror pod annotation"),
        _ => name.starts_with(APP_ARMOR).then_some("AppArmor annotations"),
    };
    for (name, value) in before.entries() {
        if let Some(what) =
            what(name).filter(|_| now.member(name).text() != value || !now.has(name))
        {
            let detail = format!("may not remove or update {what}");
            check.push(FieldError::forbidden(key(&now.path, name), detail));
        }
    }
    for (name, _) in now.entries() {
        if let Some(what) = what(name).filter(|_| !before.has(name)) {
            let detail = format!("may not add {what}");
            check.push(FieldError::forbidden(key(&now.path, name), detail));
        }
    }
    self::check(check, &now, &check.at("spec"));
}

/// A number of 32 bits, without a sign of plus or zeros before it.
fn is_cost(text: &str) -> bool {
    let begins = match text.as_bytes() {
        [] | [b'+', ..] => false,
        [b'0', rest @ ..] => rest.is_empty(),
        _ => true,
    };
    begins && text.parse::<i32>().is_ok()
}

fn seccomp(check: &mut Check<'_>, path: String, profile: &str) {
    match profile.strip_prefix("localhost/") {
        Some(file) => {
            let value = file.into();
            files::descending(check, &Place { value: Some(&value), path });
        }
        None if ["runtime/default", "docker/default", "unconfined"].contains(&profile) => {}
        None => {
            check.push(FieldError::invalid(path, profile, "must be a valid seccomp profile"));
        }
    }
}
