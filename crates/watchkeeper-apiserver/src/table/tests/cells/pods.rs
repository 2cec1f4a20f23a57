//! What a row tells of a pod.

use super::*;

/// The readiness, the state and the restarts of a pod.
fn pod(spec: Value, status: Value) -> [Value; 3] {
    ["Ready", "Status", "Restarts"]
        .map(|column| cell("", "Pod", column, json!({"spec": spec, "status": status})))
}

#[test]
fn a_pod_whose_containers_have_ended_says_how() {
    let spec = json!({"containers": [{"name": "a"}, {"name": "b"}]});
    let ended = |code: i64, reason: &str| json!({"restartCount": 1, "state": {"terminated": {"exitCode": code, "reason": reason}}});
    let runs = |ready: bool| json!({"ready": ready, "state": {"running": {}}});
    let told = |statuses: Value, ready: &str| {
        let conditions = json!([{"type": "Ready", "status": ready}]);
        let status =
            json!({"phase": "Running", "containerStatuses": statuses, "conditions": conditions});
        let [ready, state, restarts] = pod(spec.clone(), status);
        [ready, state, restarts].map(|cell| cell.as_str().expect("text").to_owned()).join(" ")
    };
    let done = || ended(0, "Completed");
    assert_eq!(told(json!([done(), done()]), "False"), "0/2 Completed 2");
    assert_eq!(told(json!([done(), runs(true)]), "True"), "1/2 Running 1");
    assert_eq!(told(json!([done(), runs(true)]), "False"), "1/2 NotReady 1");
    assert_eq!(told(json!([done(), runs(false)]), "True"), "0/2 Completed 1");
    assert_eq!(told(json!([done(), ended(1, "Error")]), "False"), "0/2 Error 2");
    assert_eq!(told(json!([done(), ended(3, "")]), "False"), "0/2 ExitCode:3 2");
    assert_eq!(told(json!([runs(true), runs(true)]), "True"), "2/2 Running 0");
    let waits = json!({"ready": true, "state": {"running": {}, "waiting": {"reason": "Why"}}});
    assert_eq!(told(json!([waits, runs(true)]), "True"), "1/2 Why 0");
}

#[test]
fn a_pod_that_is_held_or_lost_says_so() {
    let spec =
        json!({"containers": [{"name": "a"}], "initContainers": [{"name": "i"}, {"name": "j"}]});
    let state = |status: Value| {
        let [_, state, _] = pod(spec.clone(), status);
        state
    };
    let gated = |type_: &str, reason: &str| {
        state(json!({"phase": "Pending", "conditions": [{"type": type_, "reason": reason}]}))
    };
    assert_eq!(gated("PodScheduled", "SchedulingGated"), "SchedulingGated");
    assert_eq!(gated("PodScheduled", "Other"), "Pending");
    assert_eq!(gated("Other", "SchedulingGated"), "Pending");
    assert_eq!(state(json!({"phase": "Failed", "reason": "Evicted"})), "Evicted");
    let waits = |reason: &str| json!([{"name": "i", "state": {"waiting": {"reason": reason}}}]);
    assert_eq!(state(json!({"initContainerStatuses": waits("PodInitializing")})), "Init:0/2");
    assert_eq!(state(json!({"initContainerStatuses": waits("")})), "Init:0/2");
    let second = json!([{"name": "i", "state": {"terminated": {"exitCode": 0}}}, {"name": "j"}]);
    assert_eq!(state(json!({"initContainerStatuses": second})), "Init:1/2");
    let deleting = |status: Value| {
        let metadata = json!({"deletionTimestamp": "2026-01-01T00:00:00Z"});
        cell("", "Pod", "Status", json!({"metadata": metadata, "status": status}))
    };
    assert_eq!(deleting(json!({"phase": "Running"})), "Terminating");
    assert_eq!(deleting(json!({"phase": "Running", "reason": "NodeLost"})), "Unknown");
    assert_eq!(deleting(json!({"phase": "Succeeded"})), "Succeeded");
    assert_eq!(deleting(json!({"phase": "Failed"})), "Failed");
    let gates = |gates: Value| {
        let conditions = json!([{"type": "g", "status": "True"}, {"type": "h", "status": "False"}]);
        let object =
            json!({"spec": {"readinessGates": gates}, "status": {"conditions": conditions}});
        cell("", "Pod", "Readiness Gates", object)
    };
    assert_eq!(gates(json!([])), "<none>");
    assert_eq!(gates(json!([{"conditionType": "g"}, {"conditionType": "h"}])), "1/2");
}

#[test]
fn restarts_of_sidecars_count_on_and_those_of_other_beginners_do_not() {
    let spec = json!({"containers": [{"name": "a"}],
        "initContainers": [{"name": "i"}, {"name": "s", "restartPolicy": "Always"}]});
    let at = |time: &str| json!({"terminated": {"finishedAt": time}});
    let status = |initialized: bool| {
        let done = json!({"name": "i", "restartCount": 5, "state": {"terminated": {"exitCode": 0}},
            "lastState": at("2026-01-01T01:59:00Z")});
        let sidecar = json!({"name": "s", "restartCount": 2, "started": initialized, "ready": initialized,
            "lastState": at("2026-01-01T01:30:00Z")});
        let own = json!({"name": "a", "restartCount": 1, "ready": true, "state": {"running": {}},
            "lastState": at("2026-01-01T01:00:00Z")});
        json!({"phase": "Running", "initContainerStatuses": [done, sidecar], "containerStatuses": [own]})
    };
    assert_eq!(pod(spec.clone(), status(true)), ["2/2", "Running", "3 (30m ago)"]);
    assert_eq!(pod(spec, status(false)), ["0/2", "Init:1/2", "7 (60s ago)"]);
}

#[test]
fn a_pod_that_has_ended_can_be_told_from_its_row() {
    let condition = |phase: &str| {
        let object = json!({"status": {"phase": phase}});
        let columns = Columns::builtin("", "Pod");
        let table = render(&columns, &[&object], &json!({}), Include::None, false, now());
        table["rows"][0]["conditions"][0]["reason"].clone()
    };
    assert_eq!(
        (condition("Succeeded"), condition("Failed")),
        (json!("Succeeded"), json!("Failed"))
    );
    assert_eq!(condition("Running"), Value::Null);
}
