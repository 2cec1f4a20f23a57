//! What jobs may say of themselves.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::check_object;

fn job_status(conditions: &[&str]) -> Value {
    let each = conditions.iter().map(|of| json!({"type": of, "status": "True"}));
    json!({"conditions": each.collect::<Vec<_>>()})
}

fn check_job(before: Value, change: Value, expected: Expect) {
    let spec = json!({"completions": 5, "parallelism": 2, "template": {"spec": {}}});
    check_object("batch", "Job", &json!({"spec": spec, "status": before}), change, expected);
}

#[test]
fn jobs() {
    check_job(
        json!({}),
        json!({"active": 1, "ready": 1, "startTime": "2026-01-01T00:00:00Z"}),
        expect![[""]],
    );
    check_job(
        json!({"failed": 2, "succeeded": 3}),
        json!({"active": -1, "ready": 1, "terminating": -1, "failed": 1, "succeeded": 2,
            "uncountedTerminatedPods": {"succeeded": ["a", ""], "failed": ["a"]}}),
        expect![[r#"
            status.active: Invalid value: -1: must be greater than or equal to 0
            status.terminating: Invalid value: -1: must be greater than or equal to 0
            status.uncountedTerminatedPods.succeeded[1]: Invalid value: "": must not be empty
            status.uncountedTerminatedPods.failed[0]: Duplicate value: "a"
            status.ready: Invalid value: 1: cannot set more ready pods than active
            status.failed: Invalid value: 1: cannot decrease the failed counter
            status.succeeded: Invalid value: 2: cannot decrease the succeeded counter"#]],
    );
    check_job(
        json!({}),
        job_status(&["Complete"]),
        expect![[r#"
        status.completionTime: Required value: completionTime is required for Complete jobs
        status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition
        status.startTime: Required value: startTime is required for finished job"#]],
    );
    check_job(
        json!({}),
        job_status(&["Failed"]),
        expect![[r#"
        status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition
        status.startTime: Required value: startTime is required for finished job"#]],
    );
    check_job(
        json!({}),
        job_status(&["Complete", "Failed", "FailureTarget", "SuccessCriteriaMet"]),
        expect![[r#"
            status.conditions: Invalid value: cannot set Complete=True and Failed=true conditions
            status.conditions: Invalid value: cannot set Complete=True and FailureTarget=true conditions
            status.completionTime: Required value: completionTime is required for Complete jobs
            status.startTime: Required value: startTime is required for finished job
            status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and Failed=true conditions
            status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and FailureTarget=true conditions"#]],
    );
    check_job(
        job_status(&["Failed", "FailureTarget"]),
        job_status(&[]),
        expect![[r#"
        status.conditions: Invalid value: cannot disable the terminal Failed=True condition
        status.conditions: Invalid value: cannot disable the terminal FailureTarget=True condition"#]],
    );
    check_job(
        job_status(&["Complete"]),
        job_status(&["Complete", "SuccessCriteriaMet"]),
        expect![
            "status.conditions: Invalid value: cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions"
        ],
    );
    check_job(
        job_status(&["SuccessCriteriaMet"]),
        job_status(&[]),
        expect![
            "status.conditions: Invalid value: cannot disable the SuccessCriteriaMet=True condition"
        ],
    );
}

#[test]
fn jobs_that_have_ended() {
    let mut ended = job_status(&["Complete", "SuccessCriteriaMet"]);
    ended["startTime"] = "2026-01-01T00:00:01Z".into();
    ended["completionTime"] = "2026-01-01T00:00:02Z".into();
    check_job(json!({}), ended.clone(), expect![[""]]);
    check_job(
        ended,
        json!({"startTime": null, "completionTime": "2026-01-01T00:00:00Z", "active": 1, "terminating": 1,
            "uncountedTerminatedPods": {"failed": ["a"]}}),
        expect![[r#"
            status.active: Invalid value: 1: active>0 is invalid for finished job
            status.startTime: Required value: startTime is required for finished job
            status.uncountedTerminatedPods: Invalid value: {"Succeeded":null,"Failed":["a"]}: must be empty for finished job
            status.terminating: Invalid value: 1: terminating>0 is invalid for finished job
            status.completionTime: Invalid value: "2026-01-01T00:00:00Z": field is immutable
            status.startTime: Invalid value: null: field is immutable for unsuspended job once set"#]],
    );
    check_job(
        json!({}),
        json!({"completionTime": "2026-01-01T00:00:00Z"}),
        expect![[
            r#"status.completionTime: Invalid value: "2026-01-01T00:00:00Z": cannot set completionTime when there is no Complete=True condition"#
        ]],
    );
}

#[test]
fn indexes_of_jobs() {
    let spec = json!({"completions": 9, "parallelism": 9, "completionMode": "Indexed", "backoffLimitPerIndex": 1, "template": {"spec": {}}});
    let job = json!({"spec": spec, "status": {"succeeded": 3}});
    let check = |completed: &str, failed: &str, expected: Expect| {
        let change =
            json!({"completedIndexes": completed, "failedIndexes": failed, "succeeded": 1});
        check_object("batch", "Job", &job, change, expected);
    };
    check("0,2-4", "1,5-8", expect![[""]]);
    check("", "", expect![[""]]);
    check(
        "2-4,3",
        "5-5",
        expect![[r#"
        status.completedIndexes: Invalid value: "2-4,3": error parsing completedIndexes: non-increasing order, previous: 4, current: 3
        status.failedIndexes: Invalid value: "5-5": error parsing failedIndexes: non-increasing order, previous: 5, current: 5"#]],
    );
    check(
        "9",
        "x",
        expect![[r#"
        status.completedIndexes: Invalid value: "9": error parsing completedIndexes: too large index: "9"
        status.failedIndexes: Invalid value: "x": error parsing failedIndexes: cannot convert string to integer for index: "x""#]],
    );
    check(
        "1-2-3",
        ",",
        expect![[r#"
        status.completedIndexes: Invalid value: "1-2-3": error parsing completedIndexes: the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by '-'
        status.failedIndexes: Invalid value: ",": error parsing failedIndexes: cannot convert string to integer for index: """#]],
    );
    check(
        "0,2-4",
        "1,4-8",
        expect![[
            r#"status.failedIndexes: Invalid value: "1,4-8": failedIndexes and completedIndexes overlap at index: 4"#
        ]],
    );
    check_job(
        json!({}),
        json!({"completedIndexes": "1", "failedIndexes": "2"}),
        expect![[r#"
        status.completedIndexes: Invalid value: "1": cannot set non-empty completedIndexes when non-indexed completion mode
        status.failedIndexes: Invalid value: "2": cannot set non-null failedIndexes when backoffLimitPerIndex is null"#]],
    );
}

#[test]
fn starts_of_jobs() {
    let start = |seconds: u8| format!("2026-01-01T00:00:0{seconds}Z");
    check_job(
        json!({"startTime": start(1)}),
        json!({"startTime": start(2)}),
        expect![[
            r#"status.startTime: Invalid value: "2026-01-01T00:00:02Z": field is immutable for unsuspended job once set"#
        ]],
    );
    let suspended = |status: &str| json!([{"type": "Suspended", "status": status}]);
    check_job(
        json!({"startTime": start(1), "conditions": suspended("True")}),
        json!({"startTime": start(2), "conditions": suspended("False")}),
        expect![[""]],
    );
}

fn ended(conditions: &[&str]) -> Value {
    let mut status = job_status(conditions);
    status["startTime"] = "2026-01-01T00:00:01Z".into();
    status["completionTime"] = "2026-01-01T00:00:02Z".into();
    status
}

/// Which conditions hold together is asked when one of them changes, whichever it is.
#[test]
fn a_job_that_has_completed_does_not_begin_to_fail() {
    let done = || ended(&["Complete", "SuccessCriteriaMet"]);
    let fails = || ended(&["Complete", "SuccessCriteriaMet", "FailureTarget"]);
    check_job(
        done(),
        fails(),
        expect![[r#"
            status.conditions: Invalid value: cannot set Complete=True and FailureTarget=true conditions
            status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and FailureTarget=true conditions"#]],
    );
    check_job(
        fails(),
        fails(),
        expect![
            "status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and FailureTarget=true conditions"
        ],
    );
    check_job(
        done(),
        ended(&["Complete", "SuccessCriteriaMet", "Failed"]),
        expect![[r#"
            status.conditions: Invalid value: cannot set Complete=True and Failed=true conditions
            status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition
            status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and Failed=true conditions"#]],
    );
    let failed = || ended(&["Complete", "SuccessCriteriaMet", "Failed"]);
    check_job(
        failed(),
        failed(),
        expect![
            "status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and Failed=true conditions"
        ],
    );
}

/// What was written without a reason stays so until something of it changes.
#[test]
fn why_a_job_ended_is_asked_again_when_that_changes() {
    check_job(job_status(&["Failed"]), json!({"active": 0}), expect![[""]]);
    check_job(
        job_status(&["Failed"]),
        json!({"failedIndexes": "1"}),
        expect![[r#"
            status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition
            status.failedIndexes: Invalid value: "1": cannot set non-null failedIndexes when backoffLimitPerIndex is null"#]],
    );
    check_job(job_status(&["Complete"]), json!({"active": 0}), expect![[""]]);
    check_job(
        job_status(&["Complete", "SuccessCriteriaMet"]),
        job_status(&["Complete"]),
        expect![[r#"
            status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition
            status.conditions: Invalid value: cannot disable the SuccessCriteriaMet=True condition"#]],
    );
    check_job(
        job_status(&["Complete"]),
        job_status(&[]),
        expect![
            "status.conditions: Invalid value: cannot disable the terminal Complete=True condition"
        ],
    );
}
