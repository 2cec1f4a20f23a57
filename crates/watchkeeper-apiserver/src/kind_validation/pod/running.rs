//! Where pods may run.

use watchkeeper_schema::FieldError;

use super::{Check, Place, names, windows};
use crate::kind_validation::addresses;

/// A toleration says what it tolerates.
pub(in crate::kind_validation) fn toleration(check: &mut Check<'_>, toleration: &Place<'_>) {
    let [key, operator, effect, value] =
        ["key", "operator", "effect", "value"].map(|name| toleration.member(name));
    if !key.is_empty() {
        check.all(&key, key.text(), names::qualified(key.text()));
    }
    if key.is_empty() && operator.text() != "Exists" {
        let detail = "operator must be Exists when `key` is empty, which means \"match all values \
                      and all keys\"";
        check.push(FieldError::invalid(&*operator.path, operator.text(), detail));
    }
    if !toleration.member("tolerationSeconds").is_missing() && effect.text() != "NoExecute" {
        let detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
        check.push(FieldError::invalid(&*effect.path, effect.text(), detail));
    }
    tolerated(check, &operator, &value);
    let known = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
    if !effect.is_empty() && !known.contains(&effect.text()) {
        check.push(FieldError::not_supported(&*effect.path, effect.text(), known));
    }
}

/// What is tolerated is a value, or any.
fn tolerated(check: &mut Check<'_>, operator: &Place<'_>, value: &Place<'_>) {
    match operator.text() {
        "" | "Equal" => {
            let wrong = names::label_value(value.text());
            if !wrong.is_empty() {
                check.push(FieldError::invalid(&*operator.path, value.text(), wrong.join(";")));
            }
        }
        "Exists" if value.is_empty() => {}
        "Exists" => {
            let detail = "value must be empty when `operator` is 'Exists'";
            check.push(FieldError::invalid(&*operator.path, value.text(), detail));
        }
        // Comparisons are of a feature that is off.
        compares @ ("Lt" | "Gt") => {
            let known = ["Equal", "Exists", "Lt", "Gt"];
            check.push(FieldError::not_supported(&*operator.path, compares, known));
        }
        other => {
            let known = ["Equal", "Exists"];
            check.push(FieldError::not_supported(&*operator.path, other, known));
        }
    }
}

/// Names of other hosts (`ValidateHostAliases`).
pub(super) fn aliases(check: &mut Check<'_>, list: &Place<'_>) {
    for alias in list.items() {
        let _ = addresses::address(check, &alias.member("ip"));
        for name in alias.member("hostnames").items() {
            check.all(&name, name.text(), names::subdomain(name.text()));
        }
    }
}

/// What a pod is run with, and whether others give way to it.
pub(super) fn class(check: &mut Check<'_>, spec: &Place<'_>) {
    let class = spec.member("runtimeClassName");
    if !class.is_missing() {
        check.all(&class, class.text(), names::subdomain(class.text()));
    }
    preemption(check, &spec.member("preemptionPolicy"));
}

/// Whether others give way (`ValidatePreemptionPolicy`).
pub(in crate::kind_validation) fn preemption(check: &mut Check<'_>, policy: &Place<'_>) {
    if !policy.is_missing() {
        check.one_of(policy, &["PreemptLowerPriority", "Never"]);
    }
}

/// A system that is asked for is one that there is, and the pod asks for nothing that only the other has.
pub(super) fn system(check: &mut Check<'_>, spec: &Place<'_>) {
    let system = spec.member("os");
    let name = system.member("name");
    match name.text() {
        _ if system.is_missing() => {}
        "" => check.push(FieldError::required(&*name.path, "")),
        "linux" => windows::not_in_linux(check, spec),
        "windows" => windows::nothing_of_linux(check, spec),
        other => {
            let known = ["linux", "windows"];
            check.push(FieldError::not_supported(&*system.path, other, known));
        }
    }
}
