//! Conditions of jobs, and which of them hold together.

use watchkeeper_schema::{FieldError, Reason};

use super::super::super::{Check, Place};
use super::Job;

/// Which conditions hold.
#[derive(Clone, Copy)]
pub(super) struct States {
    pub(super) complete: bool,
    failed: bool,
    failure_target: bool,
    success_criteria_met: bool,
    /// Complete or failed.
    pub(super) finished: bool,
    pub(super) suspended: bool,
    pub(super) not_suspended: bool,
}

impl States {
    pub(super) fn of(status: &Place<'_>) -> Self {
        let conditions = status.member("conditions").items();
        let has = |kind: &str, state: &str| {
            conditions.iter().any(|condition| {
                condition.member("type").text() == kind
                    && condition.member("status").text() == state
            })
        };
        let (complete, failed) = (has("Complete", "True"), has("Failed", "True"));
        Self {
            complete,
            failed,
            failure_target: has("FailureTarget", "True"),
            success_criteria_met: has("SuccessCriteriaMet", "True"),
            finished: complete || failed,
            suspended: has("Suspended", "True"),
            not_suspended: has("Suspended", "False"),
        }
    }
}

/// Which conditions are told of; upstream shows none of their values.
fn say(check: &mut Check<'_>, is_so: bool, detail: &str) {
    if is_so {
        check.push(FieldError::new(Reason::Invalid, "status.conditions", None, detail));
    }
}

/// A job ends in one way.
pub(super) fn ends(check: &mut Check<'_>, job: &Job<'_>) {
    let (is, was) = (job.is, job.was);
    let completes = is.complete != was.complete;
    say(
        check,
        (completes || is.failed != was.failed) && is.complete && is.failed,
        "cannot set Complete=True and Failed=true conditions",
    );
    say(
        check,
        (completes || is.failure_target != was.failure_target) && is.complete && is.failure_target,
        "cannot set Complete=True and FailureTarget=true conditions",
    );
}

/// Before a job has ended it has said why.
pub(super) fn reasons(check: &mut Check<'_>, job: &Job<'_>) {
    let (is, was) = (job.is, job.was);
    let is_asked = is.failed != was.failed || job.has_changed("failedIndexes");
    say(
        check,
        is_asked && is.failed && !is.failure_target,
        "cannot set Failed=True condition without the FailureTarget=true condition",
    );
    let is_asked =
        is.complete != was.complete || is.success_criteria_met != was.success_criteria_met;
    say(
        check,
        is_asked && is.complete && !is.success_criteria_met,
        "cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
    );
}

/// What succeeds does not fail.
pub(super) fn successes(check: &mut Check<'_>, job: &Job<'_>) {
    let (is, met) = (job.is, job.is.success_criteria_met);
    say(check, met && is.failed, "cannot set SuccessCriteriaMet=True and Failed=true conditions");
    say(
        check,
        met && is.failure_target,
        "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions",
    );
    say(
        check,
        !job.spec.member("successPolicy").is_missing() && !met && is.complete,
        "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True",
    );
}

/// An end is an end.
pub(super) fn terminal(check: &mut Check<'_>, job: &Job<'_>) {
    let (is, was) = (job.is, job.was);
    for (name, was, is) in [
        ("Failed", was.failed, is.failed),
        ("Complete", was.complete, is.complete),
        ("FailureTarget", was.failure_target, is.failure_target),
    ] {
        say(check, was && !is, &format!("cannot disable the terminal {name}=True condition"));
    }
}

pub(super) fn success_stays(check: &mut Check<'_>, job: &Job<'_>) {
    let (is, was) = (job.is, job.was);
    say(
        check,
        was.success_criteria_met && !is.success_criteria_met,
        "cannot disable the SuccessCriteriaMet=True condition",
    );
    say(
        check,
        was.complete && !was.success_criteria_met && is.success_criteria_met,
        "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions",
    );
}
