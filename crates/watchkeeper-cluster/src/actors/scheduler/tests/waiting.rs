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
