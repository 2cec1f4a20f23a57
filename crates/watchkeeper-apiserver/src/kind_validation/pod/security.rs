//! Security contexts of pods and containers.

use std::collections::BTreeSet;

use watchkeeper_schema::FieldError;

use super::{Check, Place};

/// That of a pod (`validatePodSpecSecurityContext`).
pub(super) fn of_pod(check: &mut Check<'_>, place: &Place<'_>) {
    let (shares, host) = (place.member("shareProcessNamespace"), place.member("hostPID"));
    if [&shares, &host].iter().all(|of| of.value == Some(&true.into())) {
        // Upstream has it in there.
        let path = place.member("securityContext").member("shareProcessNamespace").path;
        let detail = "ShareProcessNamespace and HostPID cannot both be enabled";
        check.push(FieldError::invalid(path, true, detail));
    }
    let mut seen = BTreeSet::new();
    for setting in place.member("securityContext").member("sysctls").items() {
        let name = setting.member("name");
        if name.is_empty() {
            check.push(FieldError::required(&*name.path, ""));
        } else if !seen.insert(name.text()) {
            check.push(FieldError::duplicate(&*name.path, name.text()));
        }
    }
    seccomp(check, place);
}

/// That of a container (`ValidateSecurityContext`).
pub(super) fn of_container(check: &mut Check<'_>, place: &Place<'_>) {
    let mount = place.member("securityContext").member("procMount");
    check.optional(&mount, &["Default", "Unmasked"]);
    seccomp(check, place);
}

/// A profile says of which type it is, and where its file is if it has one.
fn seccomp(check: &mut Check<'_>, place: &Place<'_>) {
    let profile = place.member("securityContext").member("seccompProfile");
    if profile.is_missing() {
        return;
    }
    let (of, file) = (profile.member("type"), profile.member("localhostProfile"));
    let known = ["Localhost", "RuntimeDefault", "Unconfined"];
    if of.is_empty() {
        let detail = "type is required when seccompProfile is set";
        check.push(FieldError::required(&*of.path, detail));
    } else if !known.contains(&of.text()) {
        check.push(FieldError::not_supported(&*of.path, of.text(), known));
    }
    match (of.text() == "Localhost", file.is_missing()) {
        (true, true) => {
            let detail = "must be set when seccomp type is Localhost";
            check.push(FieldError::required(file.path, detail));
        }
        (false, false) => {
            let detail = "can only be set when seccomp type is Localhost";
            let value = profile.value.cloned().unwrap_or_default();
            check.push(FieldError::invalid(file.path, value, detail));
        }
        _ => {}
    }
}
