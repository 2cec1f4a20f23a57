//! The kinds of apps (`pkg/apis/apps/validation`), and what was there before them.

mod cron;
mod jobs;
mod schedule;
mod stateful;
mod strategies;
mod zones;

pub(super) use cron::cron_job;
pub(super) use jobs::indexes;
pub(super) use jobs::job;
pub(super) use stateful::stateful_set;

use watchkeeper_schema::{FieldError, Reason};

use super::{Check, Place, internal, pod, selector};

const SELECTOR: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector";
/// The annotation that is the member `rollbackTo` of a deployment inside.
const ROLLBACK: &str = "deprecated.deployment.rollback.to";

/// `ValidateDeploymentSpec`.
pub(super) fn deployment(check: &mut Check<'_>) {
    check.not_negative(&check.at("spec.replicas"));
    selected_template(check, "deployment");
    strategies::of_deployment(check);
    check.not_negative(&check.at("spec.minReadySeconds"));
    check.not_negative(&check.at("spec.revisionHistoryLimit"));
    rollback(check);
    let deadline = check.at("spec.progressDeadlineSeconds");
    check.not_negative(&deadline);
    let ready = check.at("spec.minReadySeconds").number().unwrap_or_default();
    if let Some(seconds) = deadline.number().filter(|seconds| *seconds <= ready) {
        let detail = "must be greater than minReadySeconds";
        check.push(FieldError::invalid(&*deadline.path, seconds, detail));
    }
    pointer_stays(check, "spec.selector", SELECTOR);
}

/// `ValidateRollback`; upstream tells of a member that is called otherwise.
fn rollback(check: &mut Check<'_>) {
    let asked = check.at("metadata.annotations").member(ROLLBACK);
    if let Some(revision) = asked.text().parse::<i64>().ok().filter(|revision| *revision < 0) {
        let detail = "must be greater than or equal to 0";
        check.push(FieldError::invalid("spec.rollback.version", revision, detail));
    }
}

/// `ValidateReplicaSetSpec`, which speaks of deployments.
pub(super) fn replica_set(check: &mut Check<'_>) {
    check.not_negative(&check.at("spec.replicas"));
    check.not_negative(&check.at("spec.minReadySeconds"));
    selected_template(check, "deployment");
    pointer_stays(check, "spec.selector", SELECTOR);
}

/// As old as its selector, which is no more than labels (`ValidateReplicationControllerSpec`).
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

/// `ValidateDaemonSetUpdate`. The generation of the template is counted by the server before this
/// is asked, so nothing can be wrong with it.
pub(super) fn daemon_set(check: &mut Check<'_>) {
    pointer_stays(check, "spec.selector", SELECTOR);
    selected_template(check, "daemonset");
    check.not_negative(&check.at("spec.minReadySeconds"));
    strategies::of_daemon_set(check);
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
        return check.push(wrong(&selector, SELECTOR, "invalid label selector"));
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
        let detail = format!("empty selector is invalid for {kind}");
        check.push(wrong(selector, SELECTOR, &detail));
    }
}

/// Of a part that upstream has a pointer to: what is wrong with it.
fn wrong(place: &Place<'_>, model: &str, detail: &str) -> FieldError {
    let shown =
        place.value.map_or_else(|| "null".to_owned(), |value| internal::shown(model, Some(value)));
    let detail = if detail.is_empty() { shown } else { format!("{shown}: {detail}") };
    FieldError::new(Reason::Invalid, &*place.path, None, detail)
}

/// A part that upstream has a pointer to, and that no update changes (`ValidateImmutableField`).
fn pointer_stays(check: &mut Check<'_>, path: &str, model: &str) {
    let Some(before) = check.before() else { return };
    let now = check.at(path);
    if before.at(path).value != now.value {
        let sent = check.as_sent(path, now.value);
        let now = Place { value: sent.as_ref(), path: now.path };
        check.push(wrong(&now, model, "field is immutable"));
    }
}

fn labels_of<'a>(template: &Place<'a>) -> Place<'a> {
    template.member("metadata").member("labels")
}

fn unselected(check: &mut Check<'_>, labels: &Place<'_>) {
    let value = check.plain_as_sent(&labels.path, labels.value);
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
