//! What a pod tells of its containers: those that have ended for good stay so.

use watchkeeper_schema::FieldError;

use super::super::super::{Check, Place};
use super::{LISTS, named};

const MOST_ID: i64 = i32::MAX as i64;
const RESTART_ALL: &str = "RestartAllContainers";

/// No container that is not to be started again goes on after its end (`ValidateContainerStateTransition` and those of
/// the other lists). Upstream tells of it by its place in the status before.
pub(super) fn transitions(check: &mut Check<'_>) {
    let Some(before) = check.before() else { return };
    let spec = before.at("spec");
    for (list, containers) in LISTS {
        let is_ephemeral = containers == "spec.ephemeralContainers";
        if !is_ephemeral && may_all_restart(&spec) {
            continue;
        }
        let (now, containers) = (check.at(list).items(), before.at(containers).items());
        for was in before.at(list).items() {
            let Some(code) = exit_code(&was) else { continue };
            let name = was.member("name").text();
            let goes_on = named(&now, name).is_some_and(|now| exit_code(&now).is_none());
            let restarts = || {
                let container = named(&containers, name);
                container.is_some_and(|container| is_restarted(&container, &spec, code))
            };
            if goes_on && (is_ephemeral || !restarts()) {
                let detail = "may not be transitioned to non-terminated state";
                check.push(FieldError::forbidden(was.member("state").path, detail));
            }
        }
    }
}

/// How a container that has ended did so.
fn exit_code(status: &Place<'_>) -> Option<i64> {
    let terminated = status.member("state").member("terminated");
    (!terminated.is_missing()).then(|| terminated.member("exitCode").number().unwrap_or_default())
}

/// Whether the end of one container may start all of them again.
fn may_all_restart(spec: &Place<'_>) -> bool {
    let lists = ["initContainers", "containers"].map(|list| spec.member(list).items());
    let mut rules = lists.iter().flatten().flat_map(|of| of.member("restartPolicyRules").items());
    rules.any(|rule| rule.member("action").text() == RESTART_ALL)
}

/// Whether a container is started again after it has ended in this way: its rules say so before its own policy, and
/// that before the one of the pod.
fn is_restarted(container: &Place<'_>, spec: &Place<'_>, code: i64) -> bool {
    let own = container.member("restartPolicy");
    let rules = container.member("restartPolicyRules").items();
    let rule = rules.iter().find(|rule| is_met(rule, code)).filter(|_| !own.is_missing());
    if rule.is_some_and(|rule| ["Restart", RESTART_ALL].contains(&rule.member("action").text())) {
        return true;
    }
    let by_policy = |policy: &str| match policy {
        "Always" => Some(true),
        "OnFailure" => Some(code != 0),
        "Never" => Some(false),
        _ => None,
    };
    by_policy(own.text()).or_else(|| by_policy(spec.member("restartPolicy").text())).unwrap_or(true)
}

fn is_met(rule: &Place<'_>, code: i64) -> bool {
    let codes = rule.member("exitCodes");
    let has_code = codes.member("values").items().iter().any(|value| value.number() == Some(code));
    match codes.member("operator").text() {
        "In" => has_code,
        "NotIn" => !has_code,
        _ => false,
    }
}

/// As whom containers run: as nobody of Linux on Windows, and on Linux as somebody that there may be.
pub(super) fn users(check: &mut Check<'_>) {
    let system = check.at("spec.os.name");
    for (list, _) in LISTS {
        for status in check.at(list).items() {
            let user = status.member("user").member("linux");
            match system.text() {
                "windows" if !user.is_missing() => {
                    let detail = "cannot be set for a windows pod";
                    check.push(FieldError::forbidden(user.path, detail));
                }
                "" | "linux" if !user.is_missing() => linux_user(check, &user),
                _ => {}
            }
        }
    }
}

fn linux_user(check: &mut Check<'_>, user: &Place<'_>) {
    let mut ids = vec![user.member("uid"), user.member("gid")];
    ids.extend(user.member("supplementalGroups").items());
    for id in ids {
        if let Some(number) = id.number().filter(|number| !(0..=MOST_ID).contains(number)) {
            let detail = format!("must be between 0 and {MOST_ID}, inclusive");
            check.push(FieldError::invalid(&*id.path, number, detail));
        }
    }
}
