//! The kinds of apps and batch.

use serde_json::{Value, json};
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
    let labels = template.member("metadata").member("labels");
    let is_matched = selector
        .entries()
        .iter()
        .all(|(key, value)| labels.member(key).value == Some(&(*value).into()));
    if !selector.is_empty() && !is_matched {
        let value = labels.value.cloned().unwrap_or_default();
        let detail = "`selector` does not match template `labels`";
        check.push(FieldError::invalid(&*labels.path, value, detail));
    }
    pod::template(check, &template, &[]);
}

pub(super) fn stateful_set(check: &mut Check<'_>) {
    let policies = ["OrderedReady", "Parallel"];
    check.one_of(&check.at("spec.podManagementPolicy"), &policies);
    check.not_negative(&check.at("spec.replicas"));
    check.not_negative(&check.at("spec.minReadySeconds"));
    selected_template(check, "statefulset");
    let fixed = |object: &Value| {
        let mut spec = object.get("spec").cloned().unwrap_or_default();
        if let Value::Object(members) = &mut spec {
            for name in [
                "replicas",
                "ordinals",
                "template",
                "updateStrategy",
                "revisionHistoryLimit",
                "persistentVolumeClaimRetentionPolicy",
                "minReadySeconds",
            ] {
                members.remove(name);
            }
        }
        spec
    };
    if check.old.is_some_and(|old| fixed(old) != fixed(check.new)) {
        check.push(FieldError::forbidden(
            "spec",
            "updates to statefulset spec for fields other than 'replicas', 'ordinals', \
             'template', 'updateStrategy', 'revisionHistoryLimit', \
             'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
        ));
    }
}

pub(super) fn daemon_set(check: &mut Check<'_>) {
    selected_template(check, "daemonset");
    check.not_negative(&check.at("spec.minReadySeconds"));
    check.not_negative(&check.at("spec.revisionHistoryLimit"));
    check.immutable("spec.selector");
}

/// A selector that is there, not empty, and takes the pods of the template.
fn selected_template(check: &mut Check<'_>, kind: &str) {
    let selector = check.at("spec.selector");
    let template = check.at("spec.template");
    if selector.is_missing() {
        check.push(FieldError::required(&*selector.path, ""));
    } else {
        selector::check(check, &selector);
        if is_empty_selector(&selector) {
            let value = selector.value.cloned().unwrap_or_default();
            let detail = format!("empty selector is invalid for {kind}");
            check.push(FieldError::invalid(&*selector.path, value, detail));
        }
    }
    let labels = template.member("metadata").member("labels");
    // No selector selects nothing, and the empty one everything.
    let fits = is_empty_selector(&selector) || selector::matches(&selector, &labels);
    if selector.is_missing() || !fits {
        let value = labels.value.cloned().unwrap_or_default();
        let detail = "`selector` does not match template `labels`";
        check.push(FieldError::invalid(&*labels.path, value, detail));
    }
    // Each claim of a stateful set is a volume of its pods.
    let claims = check.at("spec.volumeClaimTemplates").items();
    let claims = claims.iter().map(|claim| claim.member("metadata").member("name").text());
    let claimed: Vec<&str> = claims.collect();
    pod::template(check, &template, &claimed);
    let restart = template.member("spec").member("restartPolicy");
    if restart.text() != "Always" {
        check.push(FieldError::not_supported(&*restart.path, restart.text(), ["Always"]));
    }
    let deadline = template.member("spec").member("activeDeadlineSeconds");
    if !deadline.is_missing() {
        let detail = "activeDeadlineSeconds in ReplicaSet is not Supported";
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

pub(super) fn job(check: &mut Check<'_>) {
    let spec = check.at("spec");
    job_spec(check, &spec);
    for path in ["spec.completionMode", "spec.podFailurePolicy", "spec.backoffLimitPerIndex"] {
        check.immutable(path);
    }
    let suspended = |object: &Value| object.pointer("/spec/suspend") == Some(&Value::Bool(true));
    if check.old.is_some_and(|old| !suspended(old)) {
        check.immutable("spec.template");
    }
    if check.old.is_some_and(|old| old.pointer("/spec/completionMode") != Some(&json!("Indexed"))) {
        check.immutable("spec.completions");
    }
    check.immutable("spec.selector");
}

pub(super) fn cron_job(check: &mut Check<'_>) {
    let schedule = check.at("spec.schedule");
    if schedule.is_empty() {
        check.push(FieldError::required(&*schedule.path, ""));
    }
    check.one_of(&check.at("spec.concurrencyPolicy"), &["Allow", "Forbid", "Replace"]);
    check.not_negative(&check.at("spec.startingDeadlineSeconds"));
    check.not_negative(&check.at("spec.successfulJobsHistoryLimit"));
    check.not_negative(&check.at("spec.failedJobsHistoryLimit"));
    let spec = check.at("spec.jobTemplate.spec");
    job_spec(check, &spec);
}

fn job_spec(check: &mut Check<'_>, spec: &Place<'_>) {
    for name in [
        "parallelism",
        "completions",
        "activeDeadlineSeconds",
        "backoffLimit",
        "ttlSecondsAfterFinished",
    ] {
        check.not_negative(&spec.member(name));
    }
    let template = spec.member("template");
    pod::template(check, &template, &[]);
    let restart = template.member("spec").member("restartPolicy");
    if restart.text() == "Always" {
        let detail = "valid values: \"OnFailure\", \"Never\"";
        check.push(FieldError::required(&*restart.path, detail));
    }
}
