//! When refused pods are tried again.

use watchkeeper_api::MicroTime;

use super::*;
use crate::actors::scheduler::ledger::Motion;
use crate::actors::scheduler::refusal::Help;
use crate::actors::scheduler::waiting::Waiting;

fn at(seconds: i64) -> MicroTime {
    MicroTime::from_unix_micros(seconds * 1_000_000)
}

#[test]
fn a_pod_rests_longer_each_time_that_it_is_refused() {
    let (mut waiting, pod) = (Waiting::default(), pod("a", json!({})));
    assert_eq!(waiting.rest(&pod, at(0)), None);
    let mut rests = Vec::new();
    for _ in 0..6 {
        waiting.refuse(&pod, Help::default(), at(0));
        rests.push(waiting.rest(&pod, at(0)).map_or(0, |rest| rest.as_secs()));
    }
    assert_eq!(rests, [0, 1, 2, 4, 8, 10]);
    assert_eq!(waiting.rest(&pod, at(7)), Some(Duration::from_secs(3)));
    assert_eq!(waiting.rest(&pod, at(10)), None);
    waiting.forget(&pod);
    waiting.refuse(&pod, Help::default(), at(0));
    assert_eq!(waiting.rest(&pod, at(0)), None);
}

#[test]
fn a_pod_is_due_when_something_happened_that_may_help_it() {
    let (mut waiting, pod) = (Waiting::default(), pod("a", json!({})));
    assert!(waiting.is_due(&pod, at(0)), "it has not been tried");
    for _ in 0..2 {
        waiting.refuse(&pod, Help { leaving: true, coming: false }, at(0));
    }
    assert!(!waiting.is_due(&pod, at(5)));
    assert!(waiting.wake_by(Motion { left: false, came: true }).is_empty());
    assert_eq!(waiting.wake_by(Motion { left: true, came: false }).len(), 1);
    assert!(!waiting.is_due(&pod, at(0)), "it rests");
    assert!(waiting.is_due(&pod, at(1)));
}

/// Until the nodes of the beginning are there nobody is told, and the first rest is still to come.
#[test]
fn a_pod_that_is_not_told_of_its_refusal_does_not_rest_for_it() {
    let (mut waiting, pod) = (Waiting::default(), pod("a", json!({})));
    for _ in 0..3 {
        waiting.hold(&pod, Help { leaving: true, coming: false }, at(0));
        assert_eq!(waiting.rest(&pod, at(0)), None);
    }
    assert!(!waiting.is_due(&pod, at(9)), "nothing has happened");
    assert_eq!(waiting.wake_by(Motion { left: true, came: false }).len(), 1);
    waiting.refuse(&pod, Help::default(), at(9));
    assert_eq!(waiting.rest(&pod, at(9)), None, "it is the first time");
}

#[test]
fn those_are_counted_for_which_nothing_has_happened() {
    let mut waiting = Waiting::default();
    let (a, b) = (pod("a", json!({"priority": 7})), pod("b", json!({"priority": 7})));
    waiting.refuse(&a, Help::default(), at(0));
    waiting.refuse(&a, Help::default(), at(0));
    waiting.refuse(&b, Help::default(), at(0));
    assert_eq!([waiting.asleep(7), waiting.asleep(0)], [2, 0]);
    waiting.wake(&a.key());
    waiting.wake(&a.key());
    assert_eq!(waiting.asleep(7), 1);
    waiting.forget(&a);
    assert_eq!(waiting.asleep(7), 1);
    waiting.forget(&b);
    assert_eq!(waiting.asleep(7), 0);
}

#[test]
fn a_pod_that_could_not_be_bound_keeps_nobody_until_something_happens() {
    let (mut waiting, pod) = (Waiting::default(), pod("a", json!({})));
    waiting.set_aside(&pod, at(0));
    waiting.set_aside(&pod, at(0));
    assert!(!waiting.is_due(&pod, at(9)));
    assert_eq!(waiting.rest(&pod, at(0)), None, "its own request may try at once");
    waiting.wake(&pod.key());
    assert!(waiting.is_due(&pod, at(0)));
}
