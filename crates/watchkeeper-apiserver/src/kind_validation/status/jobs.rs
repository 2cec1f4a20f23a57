//! What a job may say of itself (`ValidateJobStatusUpdate` in `pkg/apis/batch/validation`, with the options that the
//! strategy of jobs gives it): a rule about a part is asked when the part changes.

use std::collections::BTreeSet;

use serde_json::Value;
use watchkeeper_schema::{FieldError, Reason};

use super::super::{Check, Place, internal};
use states::States;

mod indexes;
mod states;

/// What the rules look at.
struct Job<'a> {
    status: Place<'a>,
    before: Place<'a>,
    spec: Place<'a>,
    /// Which conditions hold.
    is: States,
    was: States,
}

pub(super) fn job(check: &mut Check<'_>) {
    let before = check.before().map(|before| before.at("status"));
    let (status, spec) = (check.at("status"), check.at("spec"));
    let before = before.unwrap_or_else(|| Place { value: None, path: String::new() });
    let (is, was) = (States::of(&status), States::of(&before));
    let job = Job { status, before, spec, is, was };
    counts(check, &job);
    states::ends(check, &job);
    times(check, &job);
    states::reasons(check, &job);
    finished(check, &job);
    indexes::check(check, &job);
    under_way(check, &job);
    states::successes(check, &job);
    stays(check, &job);
}

impl Job<'_> {
    fn has_changed(&self, name: &str) -> bool {
        self.status.member(name).value != self.before.member(name).value
    }

    fn has_ended_otherwise(&self) -> bool {
        self.is.finished != self.was.finished
    }

    fn count(&self, name: &str) -> i64 {
        self.status.member(name).number().unwrap_or_default()
    }

    fn uncounted(&self) -> Place<'_> {
        self.status.member("uncountedTerminatedPods")
    }
}

fn counts(check: &mut Check<'_>, job: &Job<'_>) {
    for name in ["active", "succeeded", "failed", "ready", "terminating"] {
        check.not_negative(&job.status.member(name));
    }
    let mut seen = BTreeSet::new();
    for list in ["succeeded", "failed"] {
        for pod in job.uncounted().member(list).items() {
            if pod.is_empty() {
                check.push(FieldError::invalid(pod.path, "", "must not be empty"));
            } else if !seen.insert(pod.text().to_owned()) {
                check.push(FieldError::duplicate(&*pod.path, pod.text()));
            }
        }
    }
}

/// Only a complete job has a time of its completion, which is not before its start. Times are compared as texts: they
/// have one form.
fn times(check: &mut Check<'_>, job: &Job<'_>) {
    let (start, completion) = (job.status.member("startTime"), job.status.member("completionTime"));
    let has_changed = job.has_changed("completionTime");
    if job.is.complete != job.was.complete || has_changed {
        if !completion.is_missing() && !job.is.complete {
            let detail = "cannot set completionTime when there is no Complete=True condition";
            check.push(FieldError::invalid(&*completion.path, completion.text(), detail));
        }
        if completion.is_missing() && job.is.complete {
            let detail = "completionTime is required for Complete jobs";
            check.push(FieldError::required(status_path("completionTime"), detail));
        }
    }
    let are_there = !start.is_missing() && !completion.is_missing();
    if (has_changed || job.has_changed("startTime"))
        && are_there
        && completion.text() < start.text()
    {
        let detail = "must be equal to or after `startTime`";
        check.push(FieldError::invalid(&*completion.path, completion.text(), detail));
    }
}

/// A job that has ended began once, and has neither pods at work nor such that are not counted.
fn finished(check: &mut Check<'_>, job: &Job<'_>) {
    let (active, start) = (job.count("active"), job.status.member("startTime"));
    let has_ended = job.has_ended_otherwise();
    if !job.is.finished {
        return;
    }
    if (has_ended || job.has_changed("active")) && active > 0 {
        let detail = "active>0 is invalid for finished job";
        check.push(FieldError::invalid(status_path("active"), active, detail));
    }
    let is_idle = job.spec.member("suspend").value == Some(&Value::Bool(true))
        && job.spec.member("completions").number() == Some(0);
    if (has_ended || job.has_changed("startTime")) && !is_idle && start.is_missing() {
        let detail = "startTime is required for finished job";
        check.push(FieldError::required(start.path, detail));
    }
    let uncounted = job.uncounted();
    let is_counted = ["failed", "succeeded"].iter().all(|list| uncounted.member(list).is_empty());
    if (has_ended || job.has_changed("uncountedTerminatedPods")) && !is_counted {
        let shown = internal::shown("io.k8s.api.batch.v1.UncountedTerminatedPods", uncounted.value);
        let detail = format!("{shown}: must be empty for finished job");
        check.push(FieldError::new(Reason::Invalid, &*uncounted.path, None, detail));
    }
}

/// Pods that end, and pods that are ready.
fn under_way(check: &mut Check<'_>, job: &Job<'_>) {
    let terminating = job.count("terminating");
    let is_asked = job.has_ended_otherwise() || job.has_changed("terminating");
    if is_asked && terminating > 0 && job.is.finished {
        let detail = "terminating>0 is invalid for finished job";
        check.push(FieldError::invalid(status_path("terminating"), terminating, detail));
    }
    let ready = job.status.member("ready").number();
    let is_asked = job.has_changed("ready") || job.has_changed("active");
    if let Some(ready) = ready.filter(|ready| is_asked && *ready > job.count("active")) {
        let detail = "cannot set more ready pods than active";
        check.push(FieldError::invalid(status_path("ready"), ready, detail));
    }
}

/// What no update takes back. An indexed job that runs all of its pods at a time may be made smaller, and has succeeded
/// less often then.
fn stays(check: &mut Check<'_>, job: &Job<'_>) {
    states::terminal(check, job);
    let [completions, parallelism] =
        ["completions", "parallelism"].map(|name| job.spec.member(name).value);
    let may_shrink = indexes::is_indexed(job) && completions == parallelism;
    for (name, is_asked) in [("failed", true), ("succeeded", !may_shrink)] {
        let before = job.before.member(name).number().unwrap_or_default();
        if is_asked && job.count(name) < before {
            let detail = format!("cannot decrease the {name} counter");
            check.push(FieldError::invalid(status_path(name), job.count(name), detail));
        }
    }
    let (now, was) = (job.status.member("completionTime"), job.before.member("completionTime"));
    if !now.is_missing() && !was.is_missing() && now.value != was.value {
        check.push(FieldError::invalid(&*now.path, now.text(), "field is immutable"));
    }
    start_stays(check, job);
    states::success_stays(check, job);
}

/// A job that goes on after it was suspended starts anew.
fn start_stays(check: &mut Check<'_>, job: &Job<'_>) {
    let (now, was) = (job.status.member("startTime"), job.before.member("startTime"));
    let goes_on = job.was.suspended && job.is.not_suspended;
    let is_suspended = job.spec.member("suspend").value == Some(&Value::Bool(true));
    if now.value != was.value && !was.is_missing() && !goes_on && !is_suspended {
        let value = now.value.cloned().unwrap_or(Value::Null);
        let detail = "field is immutable for unsuspended job once set";
        check.push(FieldError::invalid(now.path, value, detail));
    }
}

fn status_path(name: &str) -> String {
    format!("status.{name}")
}
