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
    check.immutable("spec.selector");
    selected_template(check, "daemonset");
    check.not_negative(&check.at("spec.minReadySeconds"));
    check.not_negative(&check.at("spec.revisionHistoryLimit"));
}

/// A selector that is there, not empty, and takes the pods of the template.
fn selected_template(check: &mut Check<'_>, kind: &str) {
    let selector = check.at("spec.selector");
    let template = check.at("spec.template");
    if selector.is_missing() {
        // Of a daemon set without one it is only said that it selects nothing.
        if kind != "daemonset" {
            check.push(FieldError::required(&*selector.path, ""));
        }
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
    let told = check.errors.len();
    selected_job(check);
    if check.old.is_none() {
        return;
    }
    // Upstream judges an update as a new job, too, and says all of it again.
    check.errors.extend_from_within(told..);
    if check.old.is_some_and(|old| old.pointer("/spec/completionMode") != Some(&json!("Indexed"))) {
        check.immutable("spec.completions");
    }
    check.immutable("spec.selector");
    template_stays(check);
    for name in
        ["completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy"]
    {
        check.immutable(&format!("spec.{name}"));
    }
}

/// A job with the selector of its pods.
fn selected_job(check: &mut Check<'_>) {
    let spec = check.at("spec");
    job_spec(check, &spec);
    let selector = spec.member("selector");
    let labels = spec.member("template").member("metadata").member("labels");
    if selector.is_missing() {
        // One that the server makes is made later.
        if check.old.is_none() {
            return;
        }
        check.push(FieldError::required(&*selector.path, ""));
    } else {
        selector::check(check, &selector);
    }
    let fits = is_empty_selector(&selector) || selector::matches(&selector, &labels);
    if selector.is_missing() || !fits {
        let value = labels.value.cloned().unwrap_or_default();
        let detail = "`selector` does not match template `labels`";
        check.push(FieldError::invalid(&*labels.path, value, detail));
    }
}

/// What the pods of a job are made from stays, but for what they need while none has run.
fn template_stays(check: &mut Check<'_>) {
    let Some(old) = check.old else { return };
    if old.pointer("/spec/suspend") != Some(&Value::Bool(true)) {
        return check.immutable("spec.template");
    }
    let started = old.pointer("/status/startTime").is_some_and(|time| !time.is_null());
    let condition = |of: &Value| of["type"] == "Suspended" && of["status"] == "True";
    let conditions = old.pointer("/status/conditions").and_then(Value::as_array);
    let was_suspended = conditions.is_some_and(|all| all.iter().any(condition));
    let is_active = old.pointer("/status/active").and_then(Value::as_i64).is_some_and(|of| of > 0);
    if is_active || started && !was_suspended {
        return check.immutable("spec.template");
    }
    let place = check.at("spec.template.spec");
    if open_template(old) != open_template(check.new) {
        let value = place.value.cloned().unwrap_or_default();
        check.push(FieldError::invalid(&*place.path, value, "field is immutable"));
    }
}

/// The template of a job without what may change while none of its pods has run: where they run and what they take.
fn open_template(job: &Value) -> Value {
    let mut spec = job.pointer("/spec/template/spec").cloned().unwrap_or_default();
    let Some(members) = spec.as_object_mut() else { return spec };
    for name in ["nodeSelector", "tolerations", "schedulingGates"] {
        members.remove(name);
    }
    if let Some(Value::Object(affinity)) = members.get_mut("affinity") {
        affinity.remove("nodeAffinity");
        if affinity.is_empty() {
            members.remove("affinity");
        }
    }
    for list in ["containers", "initContainers"] {
        let containers = members.get_mut(list).and_then(Value::as_array_mut);
        for container in containers.into_iter().flatten().filter_map(Value::as_object_mut) {
            container.remove("resources");
        }
    }
    spec
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
