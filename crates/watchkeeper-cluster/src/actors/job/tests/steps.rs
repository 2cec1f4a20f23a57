//! Which pods are made and removed.

use super::*;

fn check(spec: &str, pods: &[&str], now: i64, expected: &Expect) {
    let look = look_at(job(spec), pods, now);
    let step = match plan::step(&look, Time::from_unix(now)) {
        Step::Rest => "rests".to_owned(),
        Step::Wait(until) => format!("waits until {}", until.unix()),
        Step::Remove(pods) => format!("removes {}", names(&pods)),
        Step::Create(indexes) => {
            let index =
                |index: &Option<u32>| index.map_or("_".to_owned(), |index| index.to_string());
            let indexes: Vec<String> = indexes.iter().map(index).collect();
            format!("makes {}", indexes.join(" "))
        }
    };
    expected.assert_eq(&step);
}

#[test]
fn as_many_pods_as_may_work_at_once_and_no_more_than_are_missing() {
    let spec = r#""parallelism": 3, "completions": 5"#;
    check(spec, &[], 0, &expect!["makes _ _ _"]);
    check(spec, &["a", "b"], 0, &expect!["makes _"]);
    check(spec, &["a Succeeded", "b Succeeded", "c Succeeded", "d"], 0, &expect!["makes _"]);
    check(spec, &["a", "b", "c"], 0, &expect!["rests"]);
}

#[test]
fn without_completions_nothing_is_made_after_a_success() {
    let spec = r#""parallelism": 2"#;
    check(spec, &["a"], 0, &expect!["makes _"]);
    check(spec, &["a Succeeded", "b"], 0, &expect!["rests"]);
}

#[test]
fn the_least_useful_of_too_many_go() {
    let spec = r#""parallelism": 1, "completions": 5"#;
    check(spec, &["a Running", "b Pending", "c Pending"], 0, &expect!["removes b c"]);
}

#[test]
fn a_suspended_job_has_no_pods_at_work() {
    let spec = r#""parallelism": 2, "completions": 5, "suspend": true"#;
    check(spec, &["a", "b Succeeded", "c Pending"], 0, &expect!["removes c a"]);
    check(spec, &[], 0, &expect!["rests"]);
}

#[test]
fn after_failures_it_waits_longer_each_time() {
    let spec = r#""parallelism": 1, "completions": 1, "backoffLimit": 6"#;
    check(spec, &["a Failed@5"], 6, &expect!["waits until 15"]);
    check(spec, &["a Failed@5"], 15, &expect!["makes _"]);
    check(spec, &["a Failed@5", "b Failed@20"], 21, &expect!["waits until 40"]);
    check(spec, &["a Failed@5", "b Failed@20", "c Failed@30"], 31, &expect!["waits until 70"]);
}

#[test]
fn a_success_ends_the_backoff() {
    let spec = r#""parallelism": 2, "completions": 3, "backoffLimit": 6"#;
    check(spec, &["a Failed@5", "b Succeeded@6", "c"], 7, &expect!["makes _"]);
    check(spec, &["a Succeeded@5", "b Failed@6", "c"], 7, &expect!["waits until 16"]);
}

#[test]
fn what_failed_before_is_remembered() {
    let pods = pods(&["a Failed@5"]);
    let once = Backoff::default().after(&[], &pods);
    let twice = once.after(&[], &super::pods(&["b Failed@9"]));
    assert_eq!(once.over_at(Time::from_unix(6)), Some(Time::from_unix(15)));
    assert_eq!(twice.over_at(Time::from_unix(10)), Some(Time::from_unix(29)));
    assert_eq!(twice.after(&[], &[]), twice);
    assert_eq!(twice.after(&super::pods(&["c Succeeded@20"]), &[]), Backoff::default());
}

#[test]
fn the_backoff_ends_at_ten_minutes() {
    let seconds: Vec<u64> =
        [0, 1, 2, 6, 7, 8, 100].map(|failures| pods::backoff_after(failures).as_secs()).into();
    assert_eq!(seconds, [0, 10, 20, 320, 600, 600, 600]);
}

const INDEXED: &str = r#""parallelism": 3, "completions": 5, "completionMode": "Indexed""#;

#[test]
fn an_indexed_job_works_on_the_first_indexes_that_are_not_done() {
    check(INDEXED, &[], 0, &expect!["makes 0 1 2"]);
    check(INDEXED, &["a Succeeded 1", "b Running 2"], 0, &expect!["makes 0 3"]);
    let mut job = job(INDEXED);
    job.status.completed_indexes = "0-2".into();
    let look = look_at(job, &[], 0);
    assert_eq!(plan::step(&look, Time::from_unix(0)), Step::Create(vec![Some(3), Some(4)]));
}

#[test]
fn pods_with_an_index_of_another_or_of_none_go() {
    let pods = ["a Running 0", "b Pending 0", "c Running 9", "d Running"];
    check(INDEXED, &pods, 0, &expect!["removes d c b"]);
}

#[test]
fn each_index_waits_for_its_own_failures() {
    let spec = format!(r#"{INDEXED}, "backoffLimitPerIndex": 3"#);
    check(&spec, &["a Failed@5 0/1", "b Running 1"], 6, &expect!["makes 2"]);
    let pods = ["a Failed@5 0/1", "b Running 1", "c Running 2"];
    check(&spec, &pods, 6, &expect!["waits until 25"]);
    check(&spec, &pods, 25, &expect!["makes 0"]);
}

#[test]
fn a_pod_on_its_way_out_is_replaced_unless_the_job_waits_for_its_end() {
    let spec = r#""parallelism": 1, "completions": 1, "backoffLimit": 6"#;
    check(spec, &["a -Running"], 60, &expect!["makes _"]);
    let spec = format!(r#"{spec}, "podReplacementPolicy": "Failed""#);
    check(&spec, &["a -Running"], 60, &expect!["rests"]);
    check(&spec, &["a -Failed"], 60, &expect!["makes _"]);
}

#[test]
fn a_pod_has_its_index_everywhere() {
    let job = job(INDEXED);
    let pod = template::pod_of(&job, Some(3), None);
    assert_eq!(&*pod.metadata.generate_name, "pi-3-");
    assert_eq!((pod.annotation(INDEX), pod.label(INDEX)), (Some("3"), Some("3")));
    assert_eq!(&*pod.spec.hostname, "pi-3");
    let variable = &pod.spec.containers[0].env[0];
    let field = variable.value_from.as_ref().and_then(|from| from.field_ref.as_ref());
    assert_eq!(&*variable.name, "JOB_COMPLETION_INDEX");
    assert_eq!(
        field.map(|field| &*field.field_path),
        Some("metadata.labels['batch.kubernetes.io/job-completion-index']")
    );
    assert!(pods::is_tracked(&pod) && pod.is_controlled_by(&job));
}

#[test]
fn a_long_name_leaves_room_for_the_index() {
    let mut job = job(INDEXED);
    job.metadata.name = "n".repeat(60).as_str().into();
    let pod = template::pod_of(&job, Some(12), None);
    assert_eq!(*pod.metadata.generate_name, format!("{}-12-", "n".repeat(54)));
}

#[test]
fn a_replacement_carries_on_the_count_of_its_index() {
    let limited = job(&format!(r#"{INDEXED}, "backoffLimitPerIndex": 3"#));
    let made = template::pod_of(&limited, Some(0), Some(&pod("a Failed 0/2")));
    assert_eq!(made.annotation(FAILURES), Some("3"));
    assert_eq!(template::pod_of(&limited, Some(0), None).annotation(FAILURES), Some("0"));
    assert_eq!(template::pod_of(&job(INDEXED), Some(0), None).annotation(FAILURES), None);
}
