//! When a job ends, and why.

use watchkeeper_api::core::v1::{ContainerStateTerminated, ContainerStatus, PodCondition};

use super::*;

fn check(spec: &str, pods: &[&str], now: i64, expected: &Expect) {
    check_job(job(spec), pods.iter().map(|text| pod(text)).collect(), now, expected);
}

fn check_job(job: Job, pods: Vec<Arc<Pod>>, now: i64, expected: &Expect) {
    let look = Look::at(Arc::new(job), pods, Backoff::default(), Time::from_unix(now));
    let told = |end: &End| format!("{} {}: {}", end.announced(), end.reason, end.message);
    expected.assert_eq(&look.end.as_ref().map_or("goes on".to_owned(), told));
}

#[test]
fn one_failure_more_than_the_limit_ends_it() {
    let spec = r#""parallelism": 1, "completions": 1, "backoffLimit": 1"#;
    check(spec, &["a Failed", "b"], 0, &expect!["goes on"]);
    let expected =
        &expect!["FailureTarget BackoffLimitExceeded: Job has reached the specified backoff limit"];
    check(spec, &["a Failed", "b Failed"], 0, expected);
    let mut counted = job(spec);
    counted.status.failed = 1;
    check_job(counted, pods(&["a !Failed", "b Failed"]), 0, expected);
}

#[test]
fn pods_that_restart_their_containers_count_by_these() {
    let on_failure = |limit: i32| {
        let mut job =
            job(&format!(r#""parallelism": 1, "completions": 1, "backoffLimit": {limit}"#));
        job.spec.template.spec.restart_policy = "OnFailure".into();
        job
    };
    let restarted = |times: i32| {
        let mut pod = pod("a").as_ref().clone();
        let container = ContainerStatus { restart_count: times, ..ContainerStatus::default() };
        pod.status.container_statuses.push(container);
        vec![Arc::new(pod)]
    };
    check_job(on_failure(3), restarted(2), 0, &expect!["goes on"]);
    let expected =
        &expect!["FailureTarget BackoffLimitExceeded: Job has reached the specified backoff limit"];
    check_job(on_failure(3), restarted(3), 0, expected);
    check_job(on_failure(0), restarted(0), 0, &expect!["goes on"]);
    check_job(on_failure(0), restarted(1), 0, expected);
}

#[test]
fn a_deadline_ends_it() {
    let spec = r#""parallelism": 1, "completions": 1, "activeDeadlineSeconds": 30"#;
    check(spec, &["a"], 29, &expect!["goes on"]);
    let expected =
        &expect!["FailureTarget DeadlineExceeded: Job was active longer than specified deadline"];
    check(spec, &["a"], 30, expected);
    check(&format!(r#"{spec}, "suspend": true"#), &["a"], 30, &expect!["goes on"]);
}

#[test]
fn an_end_that_was_announced_stands() {
    let mut job = job(r#""parallelism": 1, "completions": 1, "backoffLimit": 0"#);
    let end = End { good: true, reason: "SuccessPolicy".to_owned(), message: "enough".to_owned() };
    let look = look_at(job.clone(), &[], 0);
    let noted = track::note(&look, job.status.clone(), Some(&end), Time::from_unix(0));
    job.status = noted.status;
    let expected = &expect!["SuccessCriteriaMet SuccessPolicy: enough"];
    check_job(job, pods(&["a Failed", "b Failed"]), 0, expected);
}

const PER_INDEX: &str = r#""parallelism": 3, "completions": 3, "completionMode": "Indexed",
    "backoffLimit": 2147483647, "backoffLimitPerIndex": 1"#;

#[test]
fn indexes_that_failed_for_good_end_it_when_all_others_are_done() {
    let pods = ["a Succeeded 0", "b Failed 1/1", "c Running 2"];
    check(PER_INDEX, &pods, 0, &expect!["goes on"]);
    let pods = ["a Succeeded 0", "b Failed 1/1", "c Succeeded 2"];
    check(PER_INDEX, &pods, 0, &expect!["FailureTarget FailedIndexes: Job has failed indexes"]);
    let few = format!(r#"{PER_INDEX}, "maxFailedIndexes": 0"#);
    check(&few, &["b Failed 1/0"], 0, &expect!["goes on"]);
    let expected = &expect![[
        "FailureTarget MaxFailedIndexesExceeded: Job has exceeded the specified maximal number of failed indexes"
    ]];
    check(&few, &["b Failed 1/1"], 0, expected);
}

#[test]
fn a_success_policy_ends_it_early() {
    let policy = |rules: &str| format!(r#"{PER_INDEX}, "successPolicy": {{"rules": [{rules}]}}"#);
    let leader = policy(r#"{"succeededIndexes": "0"}"#);
    check(&leader, &["b Succeeded 1"], 0, &expect!["goes on"]);
    let first = &expect!["SuccessCriteriaMet SuccessPolicy: Matched rules at index 0"];
    check(&leader, &["a Succeeded 0"], 0, first);
    let some =
        policy(r#"{"succeededIndexes": "7"}, {"succeededIndexes": "0-2", "succeededCount": 2}"#);
    check(&some, &["a Succeeded 0"], 0, &expect!["goes on"]);
    let second = &expect!["SuccessCriteriaMet SuccessPolicy: Matched rules at index 1"];
    check(&some, &["a Succeeded 0", "c Succeeded 2"], 0, second);
    let any = policy(r#"{"succeededCount": 1}"#);
    check(&any, &["c Succeeded 2"], 0, first);
}

/// A failed pod whose container returned this.
fn returned(code: i32) -> Vec<Arc<Pod>> {
    let mut pod = pod("a Failed").as_ref().clone();
    let mut container = ContainerStatus { name: "c".into(), ..ContainerStatus::default() };
    let terminated = ContainerStateTerminated { exit_code: code, ..Default::default() };
    container.state.terminated = Some(Box::new(terminated));
    pod.status.container_statuses.push(container);
    vec![Arc::new(pod)]
}

#[test]
fn the_first_rule_that_matches_says_what_a_failure_means() {
    let rules = r#"
        {"action": "Ignore", "onExitCodes": {"operator": "In", "values": [40]}},
        {"action": "FailJob", "onExitCodes": {"containerName": "other", "operator": "NotIn", "values": [0]}},
        {"action": "FailJob", "onExitCodes": {"containerName": "c", "operator": "NotIn", "values": [1, 2]}},
        {"action": "Count", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]}"#;
    let job = || {
        job(&format!(
            r#""parallelism": 1, "completions": 1, "backoffLimit": 0,
               "podFailurePolicy": {{"rules": [{rules}]}}"#
        ))
    };
    check_job(job(), returned(40), 0, &expect!["goes on"]);
    let counts =
        &expect!["FailureTarget BackoffLimitExceeded: Job has reached the specified backoff limit"];
    check_job(job(), returned(1), 0, counts);
    let fails = &expect![
        "FailureTarget PodFailurePolicy: Container c for pod default/a failed with exit code 42 matching FailJob rule at index 2"
    ];
    check_job(job(), returned(42), 0, fails);
}

#[test]
fn a_rule_may_fail_an_index_at_once() {
    let rules =
        r#"{"action": "FailIndex", "onPodConditions": [{"type": "Broken", "status": "True"}]}"#;
    let spec = format!(r#"{PER_INDEX}, "podFailurePolicy": {{"rules": [{rules}]}}"#);
    let mut broken = pod("a Failed 1/0").as_ref().clone();
    let failed = |pod: Pod| {
        let look = Look::at(
            Arc::new(job(&spec)),
            vec![Arc::new(pod)],
            Backoff::default(),
            Time::from_unix(0),
        );
        look.failed_indexes.map(|failed| failed.to_string())
    };
    assert_eq!(failed(broken.clone()).as_deref(), Some(""));
    broken.status.conditions.push(PodCondition {
        type_: "Broken".into(),
        status: "True".into(),
        ..Default::default()
    });
    assert_eq!(failed(broken).as_deref(), Some("1"));
}
