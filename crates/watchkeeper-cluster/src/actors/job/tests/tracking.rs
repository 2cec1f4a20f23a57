//! Every pod that ends counts once.

use std::collections::BTreeSet;

use super::*;

/// The status in a line.
fn line(status: &JobStatus) -> String {
    let lists = status.uncounted_terminated_pods.as_deref().cloned().unwrap_or_default();
    let noted = |uids: &[watchkeeper_api::IStr]| {
        uids.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
    };
    let conditions: Vec<String> =
        status.conditions.iter().map(|is| format!("{}={}", is.type_, is.status)).collect();
    format!(
        "{} succeeded [{}], {} failed [{}], indexes [{}], {}",
        status.succeeded,
        noted(&lists.succeeded),
        status.failed,
        noted(&lists.failed),
        status.completed_indexes,
        conditions.join(" "),
    )
}

/// Notes, releases and counts; the status in between and after it.
fn pass(job: &mut Job, texts: &[&str], end: Option<&End>, expected: &Expect) {
    let look = look_at(job.clone(), texts, 9);
    let noted = track::note(&look, job.status.clone(), end, Time::from_unix(9));
    let between = line(&noted.status);
    let released: BTreeSet<&str> = noted.release.iter().map(|pod| pod.uid()).collect();
    let tracked = look.pods.iter().filter(|pod| pods::is_tracked(pod)).map(|pod| pod.uid());
    let tracked: BTreeSet<&str> = tracked.filter(|uid| !released.contains(uid)).collect();
    let mut status = noted.status.clone();
    track::count_released(&mut status, &tracked);
    if let Some(end) = end {
        track::enact(&mut status, end, Time::from_unix(9));
    }
    let text = format!("{between}\nreleases {}\n{}\n", names(&noted.release), line(&status));
    expected.assert_eq(&text);
    job.status = status;
}

const SPEC: &str = r#""parallelism": 2, "completions": 4, "backoffLimit": 6"#;

#[test]
fn a_pod_that_ended_is_noted_released_and_counted() {
    let mut job = job(SPEC);
    let expected = &expect![[r#"
        0 succeeded [a], 0 failed [b], indexes [], 
        releases a b
        1 succeeded [], 1 failed [], indexes [], 
    "#]];
    pass(&mut job, &["a Succeeded", "b Failed", "c"], None, expected);
    let expected = &expect![[r#"
        1 succeeded [], 1 failed [], indexes [], 
        releases 
        1 succeeded [], 1 failed [], indexes [], 
    "#]];
    pass(&mut job, &["a !Succeeded", "b !Failed", "c"], None, expected);
}

#[test]
fn a_pod_that_was_noted_and_released_before_counts_now() {
    let mut job = job(SPEC);
    let look = look_at(job.clone(), &["a Succeeded", "b Failed"], 9);
    job.status = track::note(&look, job.status.clone(), None, Time::from_unix(9)).status;
    let again = look_at(job.clone(), &["a !Succeeded", "b Failed"], 9);
    assert_eq!(again.succeeded, 1, "noted, and not counted twice");
    let expected = &expect![[r#"
        1 succeeded [], 0 failed [b], indexes [], 
        releases b
        1 succeeded [], 1 failed [], indexes [], 
    "#]];
    pass(&mut job, &["a !Succeeded", "b Failed"], None, expected);
}

#[test]
fn with_a_job_that_fails_all_its_pods_fail_and_with_one_that_succeeds_none() {
    let bad = End { good: false, reason: "R".to_owned(), message: "m".to_owned() };
    let expected = &expect![[r#"
        0 succeeded [b], 0 failed [a], indexes [], FailureTarget=True
        releases a b
        1 succeeded [], 1 failed [], indexes [], FailureTarget=True Failed=True
    "#]];
    pass(&mut job(SPEC), &["a Running", "b Succeeded"], Some(&bad), expected);
    let expected = &expect![[r#"
        0 succeeded [b], 0 failed [], indexes [], SuccessCriteriaMet=True
        releases a b
        1 succeeded [], 0 failed [], indexes [], SuccessCriteriaMet=True Complete=True
    "#]];
    let mut good = job(SPEC);
    pass(&mut good, &["a Running", "b Succeeded"], Some(&End::complete()), expected);
    assert_eq!(good.status.completion_time, Some(Time::from_unix(9)));
}

#[test]
fn a_job_is_not_over_while_pods_are_on_their_way_out() {
    let mut job = job(SPEC);
    job.status.terminating = Some(1);
    let expected = &expect![[r#"
        0 succeeded [], 0 failed [], indexes [], SuccessCriteriaMet=True
        releases 
        0 succeeded [], 0 failed [], indexes [], SuccessCriteriaMet=True
    "#]];
    pass(&mut job, &[], Some(&End::complete()), expected);
}

#[test]
fn the_successes_of_an_indexed_job_are_its_indexes() {
    let mut job = job(&format!(r#"{SPEC}, "completionMode": "Indexed""#));
    assert_eq!(indexed(&job), Some(4));
    let expected = &expect![[r#"
        2 succeeded [], 0 failed [c], indexes [0,2], 
        releases e b c a
        2 succeeded [], 1 failed [], indexes [0,2], 
    "#]];
    let texts = ["a Succeeded 2", "b Succeeded 0", "c Failed 0", "d Running 1", "e Failed 9"];
    pass(&mut job, &texts, None, expected);
}

#[test]
fn a_failed_pod_of_an_index_stays_until_another_one_has_its_count() {
    let limited = format!(r#"{SPEC}, "completionMode": "Indexed", "backoffLimitPerIndex": 1"#);
    let released = |texts: &[&str]| {
        let look = look_at(job(&limited), texts, 9);
        names(&track::note(&look, look.job.status.clone(), None, Time::from_unix(9)).release)
    };
    assert_eq!(released(&["a Failed 0/0"]), "");
    assert_eq!(released(&["a Failed 0/0", "b Running 0/1"]), "a");
    assert_eq!(released(&["a Failed 0/1"]), "a", "its index has failed");
}

#[test]
fn five_hundred_pods_are_noted_at_once() {
    let texts: Vec<String> = (0..600).map(|number| format!("p{number} Succeeded")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let look = look_at(job(r#""parallelism": 600, "completions": 600"#), &texts, 9);
    let noted = track::note(&look, look.job.status.clone(), None, Time::from_unix(9));
    assert_eq!((noted.release.len(), noted.more), (500, true));
}

#[test]
fn suspension_is_told_once_and_resets_the_start() {
    let mut suspended = job(&format!(r#"{SPEC}, "suspend": true"#));
    let look = look_at(suspended.clone(), &[], 9);
    let mut status = suspended.status.clone();
    let told = track::tell_suspension(&look, &mut status, Time::from_unix(9));
    assert_eq!(told, Some(("Suspended", "Job suspended")));
    assert_eq!(status.start_time, None);
    assert_eq!(track::tell_suspension(&look, &mut status, Time::from_unix(10)), None);

    suspended.spec.suspend = Some(false);
    let look = look_at(suspended, &[], 12);
    let told = track::tell_suspension(&look, &mut status, Time::from_unix(12));
    assert_eq!(told, Some(("Resumed", "Job resumed")));
    assert_eq!(status.start_time, Some(Time::from_unix(12)));
    let mut never = JobStatus::default();
    assert_eq!(track::tell_suspension(&look, &mut never, Time::from_unix(12)), None);
    assert!(never.conditions.is_empty(), "it was never suspended");
}
