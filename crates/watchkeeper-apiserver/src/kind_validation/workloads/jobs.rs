//! Jobs (`pkg/apis/batch/validation`).

use serde_json::{Value, json};
use watchkeeper_schema::error::key;
use watchkeeper_schema::{FieldError, Reason};

use super::super::{Check, Place, changed, internal, metadata, pod, selector};
use super::{labels_of, unselected};

const POD_SPEC: &str = "io.k8s.api.core.v1.PodSpec";
const TEMPLATE: &str = "io.k8s.api.core.v1.PodTemplateSpec";
const SELECTOR: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector";

/// What is left of the name of a job when the time is written behind that of its cron job.
const MOST_LETTERS: usize = 52;

pub(in super::super) fn job(check: &mut Check<'_>) {
    generated_selector(check);
    let told = check.errors.len();
    selected_job(check);
    if check.old.is_none() {
        return;
    }
    // Upstream judges an update as a new job, too, and says all of it again.
    let again = check.errors[told..].to_vec();
    metadata::update_again(check);
    again.into_iter().for_each(|error| check.push(error));
    let was_indexed = |old: &Value| old.pointer("/spec/completionMode") == Some(&json!("Indexed"));
    if !check.old.is_some_and(was_indexed) {
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

/// A selector that was not made by hand takes the pods that are labelled as those of the job, and its template labels
/// them so. Jobs made before there were labels with a prefix need none of those.
fn generated_selector(check: &mut Check<'_>) {
    let selector = check.at("spec.selector");
    let is_manual = check.at("spec.manualSelector").value == Some(&Value::Bool(true));
    if is_manual || selector.is_missing() {
        return;
    }
    let (uid, name) = (check.at("metadata.uid").text(), check.at("metadata.name").text());
    let had = |label: &str| {
        let labels = check.old.and_then(|old| old.pointer("/spec/template/metadata/labels"));
        check.old.is_none() || labels.is_some_and(|labels| labels.get(label).is_some())
    };
    let has_prefixes =
        had("batch.kubernetes.io/job-name") && had("batch.kubernetes.io/controller-uid");
    let of_old = [("controller-uid", uid), ("job-name", name)];
    let prefixed =
        [("batch.kubernetes.io/controller-uid", uid), ("batch.kubernetes.io/job-name", name)];
    let expected: Vec<(&str, &str)> =
        of_old.into_iter().chain(prefixed.into_iter().filter(|_| has_prefixes)).collect();
    for (label, value) in &expected {
        labelled(check, label, value);
    }
    let labels: Value =
        expected.iter().map(|(label, value)| ((*label).to_owned(), json!(value))).collect();
    let labels = Place { value: Some(&labels), path: String::new() };
    if selector::can_be_used(&selector) && !selector::matches(&selector, &labels) {
        let shown = internal::shown(SELECTOR, selector.value);
        let detail = format!("{shown}: `selector` not auto-generated");
        check.push(FieldError::new(Reason::Invalid, &*selector.path, None, detail));
    }
}

fn labelled(check: &mut Check<'_>, label: &str, value: &str) {
    let labels = labels_of(&check.at("spec.template"));
    let path = key(&labels.path, label);
    let detail = format!("must be '{value}'");
    match labels.member(label).value {
        None => check.push(FieldError::required(path, detail)),
        Some(is) if is != value => {
            let all = labels.value.cloned().unwrap_or_default();
            check.push(FieldError::invalid(path, all, detail));
        }
        Some(_) => {}
    }
}

/// A job with the selector of its pods.
fn selected_job(check: &mut Check<'_>) {
    let spec = check.at("spec");
    job_spec(check, &spec);
    let selector = spec.member("selector");
    if selector.is_missing() {
        check.push(FieldError::required(&*selector.path, ""));
    }
    let labels = labels_of(&spec.member("template"));
    let is_valid = selector::is_valid(check, &selector);
    if is_valid && (selector.is_missing() || !selector::matches(&selector, &labels)) {
        unselected(check, &labels);
    }
}

/// What the pods of a job are made from stays, but for what they need while none has run.
fn template_stays(check: &mut Check<'_>) {
    let Some(old) = check.old else { return };
    if old.pointer("/spec/suspend") != Some(&Value::Bool(true)) {
        return check.struct_stays("spec.template", TEMPLATE);
    }
    let started = old.pointer("/status/startTime").is_some_and(|time| !time.is_null());
    let condition = |of: &Value| of["type"] == "Suspended" && of["status"] == "True";
    let conditions = old.pointer("/status/conditions").and_then(Value::as_array);
    let was_suspended = conditions.is_some_and(|all| all.iter().any(condition));
    let is_active = old.pointer("/status/active").and_then(Value::as_i64).is_some_and(|of| of > 0);
    if is_active || started && !was_suspended {
        return check.struct_stays("spec.template", TEMPLATE);
    }
    let place = check.at("spec.template.spec");
    if open_template(old) != open_template(check.new) {
        check.push(changed(&place.path, POD_SPEC, place.value));
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

pub(in super::super) fn cron_job(check: &mut Check<'_>) {
    let schedule = check.at("spec.schedule");
    if schedule.is_empty() {
        check.push(FieldError::required(&*schedule.path, ""));
    }
    check.not_negative(&check.at("spec.startingDeadlineSeconds"));
    check.one_of(&check.at("spec.concurrencyPolicy"), &["Allow", "Forbid", "Replace"]);
    job_template(check);
    check.not_negative(&check.at("spec.successfulJobsHistoryLimit"));
    check.not_negative(&check.at("spec.failedJobsHistoryLimit"));
    let name = check.at("metadata.name");
    if check.old.is_none() && name.text().len() > MOST_LETTERS {
        let detail = format!("must be no more than {MOST_LETTERS} characters");
        check.push(FieldError::invalid(&*name.path, name.text(), detail));
    }
}

/// Selectors of jobs that are made from a template are never made by hand.
fn job_template(check: &mut Check<'_>) {
    let spec = check.at("spec.jobTemplate.spec");
    job_spec(check, &spec);
    let (selector, manual) = (spec.member("selector"), spec.member("manualSelector"));
    if !selector.is_missing() {
        let shown = internal::shown(SELECTOR, selector.value);
        let detail = format!("{shown}: `selector` will be auto-generated");
        check.push(FieldError::new(Reason::Invalid, &*selector.path, None, detail));
    }
    if manual.value == Some(&Value::Bool(true)) {
        check.push(FieldError::not_supported(&*manual.path, true, ["nil", "false"]));
    }
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
    pod::template(check, &template, &pod::Whose::default());
    let restart = template.member("spec").member("restartPolicy");
    if restart.text() == "Always" {
        let detail = "valid values: \"OnFailure\", \"Never\"";
        check.push(FieldError::required(&*restart.path, detail));
    }
}
