//! What follows an end: a pause, or the end of the pod.

use std::time::Duration;

use super::*;
use crate::actors::kubelet::backoff;

fn pause(before: Option<i64>, started: i64, ended: i64) -> u64 {
    backoff::pause(before.map(at), at(started), at(ended)).as_secs()
}

#[test]
fn each_pause_is_twice_the_one_before_up_to_five_minutes() {
    assert_eq!(pause(None, 0, 5), 0, "the first time there is none");
    let last = [0, 10, 11, 20, 40, 80, 160, 300, 9_999];
    let next = last.map(|last| pause(Some(0), last, last + 1));
    assert_eq!(next, [10, 20, 20, 40, 80, 160, 300, 300, 300]);
}

#[test]
fn after_ten_good_minutes_the_pauses_begin_anew() {
    assert_eq!(pause(Some(0), 160, 160 + 600), 300);
    assert_eq!(pause(Some(0), 160, 160 + 601), 0);
    let script = json!({"fake-kubelet/ends-after": "1", "fake-kubelet/exit-code": "1"});
    let mut pod = scripted(&script, &json!({"containers": named(&["a"])}));
    let lines = follow(&mut pod, 0, 12);
    assert_eq!(lines.last().map(String::as_str), Some("12 Running ready a=runs*2"));
    pod.metadata.annotations.insert("fake-kubelet/ends-after", "601");
    let expected = ["613 Running a=1*2", "613 Running ready a=runs*3"];
    assert_eq!(follow(&mut pod, 13, 700), expected);
    pod.metadata.annotations.insert("fake-kubelet/ends-after", "1");
    assert_eq!(follow(&mut pod, 700, 709), ["700 Running a=CrashLoopBackOff*3"]);
    assert_eq!(next(&pod, HOST, at(709)), Stage::Wait(at(710)));
}

#[test]
fn the_pause_is_told_as_go_writes_it_and_read_again() {
    let pod = scripted(&json!({}), &json!({"containers": named(&["web"])}));
    let message = backoff::message(&pod, "web", Duration::from_secs(80));
    let expected = "back-off 1m20s restarting failed container=web pod=a_default(u)";
    assert_eq!(message, expected);
    for seconds in [10, 20, 40, 80, 160, 300] {
        let pause = Duration::from_secs(seconds);
        assert_eq!(backoff::told(&backoff::message(&pod, "web", pause)), Some(pause));
    }
    assert_eq!(backoff::told("somebody else's words"), None);
}

/// A pod that was followed until then, and is asked to go.
fn deleted(script: Value, spec: Value, to: i64) -> Pod {
    let mut pod = scripted(&script, &spec);
    follow(&mut pod, 0, to);
    pod.metadata.deletion_timestamp = Some(at(to));
    pod
}

#[track_caller]
fn check_deleted(mut pod: Pod, expected: &str, events: usize) {
    let report = told(&pod, 50);
    assert_eq!(reasons(&report), vec!["Killing"; events]);
    pod.status = report.status;
    assert_eq!(line(&pod), expected);
    assert_eq!(next(&pod, HOST, at(50)), Stage::Remove);
}

#[test]
fn a_deleted_pod_ends_before_it_is_removed() {
    let two = || json!({"containers": named(&["a", "b"])});
    check_deleted(deleted(json!({}), two(), 5), "Failed a=143 b=143", 2);
    let gentle = json!({"fake-kubelet/stop-code": "0"});
    check_deleted(deleted(gentle, two(), 5), "Succeeded a=0 b=0", 2);
    let crashing = json!({"b.fake-kubelet/exit-code": "9"});
    let pod = deleted(crashing, two(), 5);
    assert_eq!(line(&pod), "Running a=runs b=CrashLoopBackOff*1");
    check_deleted(pod, "Failed a=143 b=9*1", 1);
}

#[test]
fn what_never_ran_is_not_stopped() {
    let one = json!({"containers": named(&["a"])});
    let mut new = scripted(&json!({}), &one);
    new.metadata.deletion_timestamp = Some(at(1));
    check_deleted(new, "Failed a=137", 0);
    let init = json!({"initContainers": named(&["one", "two"]), "containers": named(&["a"])});
    let pod = deleted(json!({"one.fake-kubelet/ends-after": "9"}), init, 5);
    check_deleted(pod, "Failed one=143 two=PodInitializing a=PodInitializing", 1);
}

#[test]
fn a_pod_that_has_ended_is_removed_at_once() {
    let spec = json!({"restartPolicy": "Never", "containers": named(&["a"])});
    let pod = deleted(json!({}), spec, 5);
    assert_eq!(line(&pod), "Succeeded a=0");
    assert_eq!(next(&pod, HOST, at(50)), Stage::Remove);
}
