//! Where pods may run, and how they are probed.

use watchkeeper_schema::FieldError;

use super::{Check, Place};

/// A container sleeps no longer than it is waited for.
pub(super) fn lifecycle(check: &mut Check<'_>, place: &Place<'_>, grace: Option<i64>) {
    for name in ["postStart", "preStop"] {
        let handler = place.member(name);
        if handler.is_missing() {
            continue;
        }
        one_handler(check, &handler, ["exec", "httpGet", "tcpSocket", "sleep"]);
        let sleep = handler.member("sleep");
        let seconds = sleep.member("seconds").number().unwrap_or_default();
        let Some(grace) = grace.filter(|_| !sleep.is_missing()) else { continue };
        if seconds < 0 || seconds > grace {
            let detail = format!(
                "must be non-negative and less than terminationGracePeriodSeconds ({grace})"
            );
            check.push(FieldError::invalid(&*sleep.path, seconds, detail));
        }
    }
}

/// A probe has one handler and no negative number.
pub(super) fn probe(check: &mut Check<'_>, probe: &Place<'_>) {
    if probe.is_missing() {
        return;
    }
    one_handler(check, probe, ["exec", "httpGet", "tcpSocket", "grpc"]);
    for number in [
        "initialDelaySeconds",
        "timeoutSeconds",
        "periodSeconds",
        "successThreshold",
        "failureThreshold",
    ] {
        check.not_negative(&probe.member(number));
    }
}

fn one_handler(check: &mut Check<'_>, place: &Place<'_>, names: [&str; 4]) {
    let handlers = names.map(|name| place.member(name));
    let mut given = handlers.iter().filter(|handler| !handler.is_missing());
    if given.next().is_none() {
        check.push(FieldError::required(&*place.path, "must specify a handler type"));
    }
    for handler in given {
        let detail = "may not specify more than 1 handler type";
        check.push(FieldError::forbidden(&*handler.path, detail));
    }
}

/// A toleration says what it tolerates.
pub(super) fn toleration(check: &mut Check<'_>, toleration: &Place<'_>) {
    let [key, operator, effect] = ["key", "operator", "effect"].map(|name| toleration.member(name));
    if key.is_empty() && operator.text() != "Exists" {
        let detail = "operator must be Exists when `key` is empty, which means \"match all values \
                      and all keys\"";
        check.push(FieldError::invalid(&*operator.path, operator.text(), detail));
    }
    if !toleration.member("tolerationSeconds").is_missing() && effect.text() != "NoExecute" {
        let detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
        check.push(FieldError::invalid(&*effect.path, effect.text(), detail));
    }
    if !matches!(operator.text(), "" | "Equal" | "Exists") {
        let known = ["Equal", "Exists"];
        check.push(FieldError::not_supported(&*operator.path, operator.text(), known));
    }
    let known = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
    if !effect.is_empty() && !known.contains(&effect.text()) {
        check.push(FieldError::not_supported(&*effect.path, effect.text(), known));
    }
}
