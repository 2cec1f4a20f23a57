//! Jobs (`pkg/apis/batch/validation`).

use serde_json::{Value, json};
use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::key;

use super::super::{Check, Place, changed, metadata, names, selector};
use super::{SELECTOR, labels_of, pointer_stays, unselected, wrong};

pub(in crate::kind_validation) mod indexes;
mod policies;
mod spec;

pub(super) use spec::job_spec;

const POD_SPEC: &str = "io.k8s.api.core.v1.PodSpec";
const TEMPLATE: &str = "io.k8s.api.core.v1.PodTemplateSpec";
const FAILURE_POLICY: &str = "io.k8s.api.batch.v1.PodFailurePolicy";
const SUCCESS_POLICY: &str = "io.k8s.api.batch.v1.SuccessPolicy";

/// `ValidateJob`, and of an update `ValidateJobUpdate` after it, which judges the spec as that of a
/// new job once more.
pub(in super::super) fn job(check: &mut Check<'_>) {
    generated_selector(check);
    let told = check.errors.len();
    selected_job(check);
    let again = check.errors[told..].to_vec();
    host_names(check);
    if check.old.is_none() {
        return;
    }
    metadata::update_again(check);
    again.into_iter().for_each(|error| check.push(error));
    completions_stay(check);
    pointer_stays(check, "spec.selector", SELECTOR);
    template_stays(check);
    check.immutable("spec.completionMode");
    pointer_stays(check, "spec.podFailurePolicy", FAILURE_POLICY);
    check.immutable("spec.backoffLimitPerIndex");
    check.immutable("spec.managedBy");
    pointer_stays(check, "spec.successPolicy", SUCCESS_POLICY);
}

/// A selector that was not made by hand takes the pods that are labelled as those of the job, and
/// its template labels them so. Jobs made before there were labels with a prefix need none of
/// those.
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
        check.push(wrong(&selector, SELECTOR, "`selector` not auto-generated"));
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

/// A job with the selector of its pods (`ValidateJobSpec`).
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

/// The pods of an indexed job have its name and their index for a host name.
fn host_names(check: &mut Check<'_>) {
    let (name, spec) = (check.at("metadata.name"), check.at("spec"));
    let completions = spec.member("completions").number().filter(|number| *number > 0);
    let Some(completions) = completions.filter(|_| is_indexed(&spec)) else { return };
    let last = format!("{}-{}", name.text(), completions - 1);
    if !names::label(&last).is_empty() {
        let detail = format!("will not able to create pod with invalid DNS label: {last}");
        check.push(FieldError::invalid(&*name.path, name.text(), detail));
    }
}

fn is_indexed(spec: &Place<'_>) -> bool {
    spec.member("completionMode").text() == "Indexed"
}

/// An indexed job grows and shrinks as a whole (`validateCompletions`).
fn completions_stay(check: &mut Check<'_>) {
    let spec = check.at("spec");
    let now = spec.member("completions");
    if !is_indexed(&spec) {
        return check.immutable("spec.completions");
    }
    let before = check.before().and_then(|before| before.at("spec.completions").value);
    let parallelism = spec.member("parallelism").number();
    let number = now.number().filter(|number| Some(*number) != parallelism);
    if let Some(number) = number.filter(|_| before != now.value) {
        let detail = "can only be modified in tandem with spec.parallelism";
        check.push(FieldError::invalid(&*now.path, number, detail));
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
        let now = check.as_sent(&place.path, place.value);
        check.push(changed(&place.path, POD_SPEC, now.as_ref()));
    }
}

/// The template of a job without what may change while none of its pods has run: where they run and
/// what they take.
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
