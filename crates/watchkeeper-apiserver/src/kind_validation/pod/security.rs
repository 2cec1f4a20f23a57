//! Security contexts of pods and containers.

use std::collections::BTreeSet;

use watchkeeper_schema::{FieldError, Reason};

use super::volumes::files;
use super::{Check, Place, names, windows};
use crate::kind_validation::internal;

mod profiles;

const CONTEXT: &str = "io.k8s.api.core.v1.SecurityContext";

/// That of a pod (`validatePodSpecSecurityContext`).
pub(super) fn of_pod(check: &mut Check<'_>, place: &Place<'_>) {
    let context = place.member("securityContext");
    for name in ["fsGroup", "runAsUser", "runAsGroup"] {
        id(check, &context.member(name));
    }
    for group in context.member("supplementalGroups").items() {
        id(check, &group);
    }
    let (shares, host) = (place.member("shareProcessNamespace"), place.member("hostPID"));
    if [&shares, &host].iter().all(|of| of.value == Some(&true.into())) {
        // Upstream has it in there.
        let path = context.member("shareProcessNamespace").path;
        let detail = "ShareProcessNamespace and HostPID cannot both be enabled";
        check.push(FieldError::invalid(path, true, detail));
    }
    settings(check, place, &context.member("sysctls"));
    check.optional(&context.member("fsGroupChangePolicy"), &["Always", "OnRootMismatch"]);
    profiles::seccomp(check, &context.member("seccompProfile"));
    windows::options(check, &context.member("windowsOptions"));
    profiles::app_armor(check, &context.member("appArmorProfile"));
    check.optional(&context.member("supplementalGroupsPolicy"), &["Merge", "Strict"]);
    check.optional(&context.member("seLinuxChangePolicy"), &["MountOption", "Recursive"]);
}

/// That of a container (`ValidateSecurityContext`).
pub(super) fn of_container(check: &mut Check<'_>, place: &Place<'_>, has_users_of_node: bool) {
    let context = place.member("securityContext");
    for name in ["runAsUser", "runAsGroup"] {
        id(check, &context.member(name));
    }
    let mount = context.member("procMount");
    check.optional(&mount, &["Default", "Unmasked"]);
    if has_users_of_node && mount.text() == "Unmasked" {
        let detail = "`hostUsers` must be false to use `Unmasked`";
        check.push(FieldError::invalid(&*mount.path, mount.text(), detail));
    }
    profiles::seccomp(check, &context.member("seccompProfile"));
    escalation(check, &context);
    windows::options(check, &context.member("windowsOptions"));
    profiles::app_armor(check, &context.member("appArmorProfile"));
}

/// The number of a user or group.
fn id(check: &mut Check<'_>, place: &Place<'_>) {
    if let Some(number) = place.number().filter(|n| !(0..=i64::from(i32::MAX)).contains(n)) {
        let detail = "must be between 0 and 2147483647, inclusive";
        check.push(FieldError::invalid(&*place.path, number, detail));
    }
}

/// Who may all has nothing more to gain.
fn escalation(check: &mut Check<'_>, context: &Place<'_>) {
    if context.member("allowPrivilegeEscalation").value != Some(&false.into()) {
        return;
    }
    let mut say = |detail: &str| {
        if check.is_full() {
            return;
        }
        let sent = check.as_sent(&context.path, context.value);
        let shown = internal::shown(CONTEXT, sent.as_ref());
        let detail =
            format!("{shown}: cannot set `allowPrivilegeEscalation` to false and {detail}");
        check.push(FieldError::new(Reason::Invalid, &*context.path, None, detail));
    };
    if context.member("privileged").value == Some(&true.into()) {
        say("`privileged` to true");
    }
    for capability in context.member("capabilities").member("add").items() {
        if capability.text() == "CAP_SYS_ADMIN" {
            say("`capabilities.Add` CAP_SYS_ADMIN");
        }
    }
}

/// Settings of the kernel, which are of the pod alone (`validateSysctls`).
fn settings(check: &mut Check<'_>, spec: &Place<'_>, list: &Place<'_>) {
    let mut seen = BTreeSet::new();
    for setting in list.items() {
        let name = setting.member("name");
        if name.is_empty() {
            check.push(FieldError::required(&*name.path, ""));
        } else if !is_setting(name.text()) {
            let detail = r"must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
            check.push(FieldError::invalid(&*name.path, name.text(), detail));
        } else if seen.contains(name.text()) {
            check.push(FieldError::duplicate(&*name.path, name.text()));
        }
        of_node(check, spec, &name);
        seen.insert(name.text());
    }
}

/// Parts with dots or slashes between.
fn is_setting(name: &str) -> bool {
    name.len() <= 253 && name.split(['.', '/']).all(names::is_label_with_underscores)
}

/// What a pod shares with its node it does not set (`ValidateHostSysctl`).
fn of_node(check: &mut Check<'_>, spec: &Place<'_>, name: &Place<'_>) {
    const OF_MESSAGES: [&str; 10] = [
        "kernel.msg",
        "kernel.msgmax",
        "kernel.msgmnb",
        "kernel.msgmni",
        "kernel.sem",
        "kernel.shm",
        "kernel.shm_rmid_forced",
        "kernel.shmall",
        "kernel.shmmax",
        "kernel.shmmni",
    ];
    let dotted = dotted(name.text());
    let shares = |what: &str| spec.member(what).value == Some(&true.into());
    let is_of_messages = OF_MESSAGES.contains(&&*dotted) || dotted.starts_with("fs.mqueue.");
    let what = if dotted.starts_with("net.") && shares("hostNetwork") {
        "hostNetwork"
    } else if is_of_messages && shares("hostIPC") {
        "hostIPC"
    } else {
        return;
    };
    let detail = format!("may not be specified when '{what}' is true");
    check.push(FieldError::invalid(&*name.path, name.text(), detail));
}

/// A name with dots between its parts: where the first sign between parts is a slash, slashes and dots are the other way
/// round.
fn dotted(name: &str) -> String {
    let is_slashed = name.find(['.', '/']).is_some_and(|at| name.as_bytes().get(at) == Some(&b'/'));
    let turn = |c: char| match c {
        '/' => '.',
        '.' => '/',
        other => other,
    };
    let name = name.split('*').next().unwrap_or_default();
    if is_slashed { name.chars().map(turn).collect() } else { name.to_owned() }
}
