//! The kinds of apps (`pkg/apis/apps/validation`), and what was there before them.

mod jobs;
mod stateful;

pub(super) use jobs::{cron_job, job};
pub(super) use stateful::stateful_set;

use watchkeeper_schema::FieldError;

use super::{Check, Place, pod, selector};

pub(super) fn deployment(check: &mut Check<'_>) {
    check.not_negative(&check.at("spec.replicas"));
    selected_template(check, "deployment");
    strategy(check);
    check.not_negative(&check.at("spec.minReadySeconds"));
    check.not_negative(&check.at("spec.revisionHistoryLimit"));
    let deadline = check.at("spec.progressDeadlineSeconds");
    check.not_negative(&deadline);
    let ready = check.at("spec.minReadySeconds").number().unwrap_or_default();
    if let Some(seconds) = deadline.number().filter(|seconds| *seconds <= ready) {
        let detail = "must be greater than minReadySeconds";
        check.push(FieldError::invalid(&*deadline.path, seconds, detail));
    }
    check.immutable("spec.selector");
}

pub(super) fn replica_set(check: &mut Check<'_>) {
    check.not_negative(&check.at("spec.replicas"));
    check.not_negative(&check.at("spec.minReadySeconds"));
    selected_template(check, "deployment");
    check.immutable("spec.selector");
}

/// As old as its selector, which is no more than labels.
pub(super) fn replication_controller(check: &mut Check<'_>) {
    check.not_negative(&check.at("spec.minReadySeconds"));
    let (selector, template) = (check.at("spec.selector"), check.at("spec.template"));
    if selector.is_empty() {
        check.push(FieldError::required(&*selector.path, ""));
    }
    check.not_negative(&check.at("spec.replicas"));
    if template.is_missing() {
        return check.push(FieldError::required(&*template.path, ""));
    }
    let labels = labels_of(&template);
    let is_matched = selector
        .entries()
        .iter()
        .all(|(key, value)| labels.member(key).value == Some(&(*value).into()));
    if !selector.is_empty() && !is_matched {
        unselected(check, &labels);
    }
    pod::template(check, &template, &pod::Whose::default());
    runs_always(check, &template, "ReplicationController");
}

pub(super) fn daemon_set(check: &mut Check<'_>) {
    check.immutable("spec.selector");
    selected_template(check, "daemonset");
    check.not_negative(&check.at("spec.minReadySeconds"));
    check.not_negative(&check.at("spec.revisionHistoryLimit"));
}

/// A selector that is there, not empty, and takes the pods of the template.
fn selected_template(check: &mut Check<'_>, kind: &str) {
    let (selector, template) = (check.at("spec.selector"), check.at("spec.template"));
    let is_daemon_set = kind == "daemonset";
    let is_valid = match is_daemon_set {
        // Of a daemon set without a selector it is only said that it selects nothing.
        true => selector::is_valid(check, &selector),
        false => required_selector(check, &selector, kind),
    };
    // No selector selects nothing, and the empty one everything.
    if is_valid && (selector.is_missing() || !selector::matches(&selector, &labels_of(&template))) {
        unselected(check, &labels_of(&template));
    }
    if is_daemon_set {
        not_empty(check, &selector, kind);
    } else if !is_valid {
        let value = selector.value.cloned().unwrap_or_default();
        let detail = "invalid label selector";
        return check.push(FieldError::invalid(&*selector.path, value, detail));
    }
    pod::template(check, &template, &pod::Whose::default());
    runs_always(check, &template, if is_daemon_set { "DaemonSet" } else { "ReplicaSet" });
}

/// Whether a selector that must be there can be used.
fn required_selector(check: &mut Check<'_>, selector: &Place<'_>, kind: &str) -> bool {
    if selector.is_missing() {
        check.push(FieldError::required(&*selector.path, ""));
    }
    let is_valid = selector::is_valid(check, selector);
    not_empty(check, selector, kind);
    is_valid
}

fn not_empty(check: &mut Check<'_>, selector: &Place<'_>, kind: &str) {
    if !selector.is_missing() && is_empty_selector(selector) {
        let value = selector.value.cloned().unwrap_or_default();
        let detail = format!("empty selector is invalid for {kind}");
        check.push(FieldError::invalid(&*selector.path, value, detail));
    }
}

fn labels_of<'a>(template: &Place<'a>) -> Place<'a> {
    template.member("metadata").member("labels")
}

fn unselected(check: &mut Check<'_>, labels: &Place<'_>) {
    let value = labels.value.cloned().unwrap_or_default();
    let detail = "`selector` does not match template `labels`";
    check.push(FieldError::invalid(&*labels.path, value, detail));
}

/// Pods that are to be there come back, and have no time to end.
fn runs_always(check: &mut Check<'_>, template: &Place<'_>, kind: &str) {
    let restart = template.member("spec").member("restartPolicy");
    if restart.text() != "Always" {
        check.push(FieldError::not_supported(&*restart.path, restart.text(), ["Always"]));
    }
    let deadline = template.member("spec").member("activeDeadlineSeconds");
    if !deadline.is_missing() {
        let detail = format!("activeDeadlineSeconds in {kind} is not Supported");
        check.push(FieldError::forbidden(&*deadline.path, detail));
    }
}

fn is_empty_selector(place: &Place<'_>) -> bool {
    place.member("matchLabels").is_empty() && place.member("matchExpressions").is_empty()
}

fn strategy(check: &mut Check<'_>) {
    let place = check.at("spec.strategy");
    let rolling = place.member("rollingUpdate");
    match place.member("type").text() {
        "Recreate" if !rolling.is_missing() => {
            let detail = "may not be specified when strategy `type` is 'Recreate'";
            check.push(FieldError::forbidden(&*rolling.path, detail));
        }
        "Recreate" => {}
        "RollingUpdate" => rolling_update(check, &rolling),
        _ => {
            let value = place.value.cloned().unwrap_or_default();
            let allowed = ["Recreate", "RollingUpdate"];
            check.push(FieldError::not_supported(&*place.path, value, allowed));
        }
    }
}

fn rolling_update(check: &mut Check<'_>, place: &Place<'_>) {
    let unavailable = place.member("maxUnavailable");
    let surge = place.member("maxSurge");
    let (most, more) = (int_or_percent(check, &unavailable), int_or_percent(check, &surge));
    let value = || unavailable.value.cloned().unwrap_or_default();
    if most == Some(0) && more == Some(0) {
        let detail = "may not be 0 when `maxSurge` is 0";
        check.push(FieldError::invalid(&*unavailable.path, value(), detail));
    }
    if unavailable.text().ends_with('%') && most > Some(100) {
        let detail = "must not be greater than 100%";
        check.push(FieldError::invalid(&*unavailable.path, value(), detail));
    }
}

/// The number, of percents or of things.
fn int_or_percent(check: &mut Check<'_>, place: &Place<'_>) -> Option<i64> {
    check.not_negative(place);
    if let Some(number) = place.number() {
        return Some(number);
    }
    let percent = place.text().strip_suffix('%').and_then(|digits| digits.parse::<u32>().ok());
    if percent.is_none() && !place.is_missing() {
        let detail = "a valid percent string must be a numeric string followed by an ending '%' \
                      (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
        check.push(FieldError::invalid(&*place.path, place.text(), detail));
    }
    percent.map(i64::from)
}
