//! The sums of nodes follow their pods.

use super::*;
use crate::actors::scheduler::ledger::Motion;

const LEFT: Motion = Motion { left: true, came: false };
const CAME: Motion = Motion { left: false, came: true };

fn updated(old: &Arc<Pod>, new: &Arc<Pod>) -> Change<Pod> {
    Change::Updated { old: old.clone(), new: new.clone() }
}

fn pods(ledger: &Ledger, node: &str) -> usize {
    ledger.load(node).map_or(0, |load| load.pods)
}

#[test]
fn a_pod_counts_from_its_binding_on_until_it_ends() {
    let mut ledger = Ledger::default();
    let waiting = pod("a", json!({"containers": cpu("1")}));
    ledger.place(&waiting, "n");
    assert_eq!(ledger.observe(&updated(&waiting, &waiting)), Motion::default());
    assert_eq!(pods(&ledger, "n"), 1, "the copy is behind");
    let there = on("n", &waiting);
    assert_eq!(ledger.observe(&updated(&waiting, &there)), CAME);
    assert_eq!((pods(&ledger, "n"), ledger.has("a")), (1, true), "it counts once");
    let mut ended = Pod::clone(&there);
    ended.status.phase = "Succeeded".into();
    let ended = Arc::new(ended);
    assert_eq!(ledger.observe(&updated(&there, &ended)), LEFT);
    let gone = Change::Deleted { last: ended, final_state_unknown: false };
    assert_eq!(ledger.observe(&gone), Motion::default());
    assert_eq!(format!("{ledger:?}"), format!("{:?}", Ledger::default()));
}

#[test]
fn what_takes_the_name_of_a_pod_is_another_one() {
    let (old, mut new) = (on("n", &pod("a", json!({}))), pod("b", json!({})));
    Arc::make_mut(&mut new).metadata.name = "a".into();
    let mut ledger = pods_on(&[("n", &old)]);
    assert_eq!(ledger.observe(&updated(&old, &new)), LEFT);
    assert_eq!(pods(&ledger, "n"), 0);
}

#[test]
fn a_pod_that_comes_or_shrinks_is_noticed() {
    let mut ledger = Ledger::default();
    let big = on("n", &pod("a", json!({"containers": cpu("2")})));
    assert_eq!(ledger.observe(&Change::Added { new: big.clone(), initial: false }), CAME);
    let small = on("n", &pod("a", json!({"containers": cpu("1")})));
    assert_eq!(ledger.observe(&updated(&big, &small)), LEFT);
    assert_eq!(ledger.load("n").map(|load| load.of("cpu")), Some(1_000));
    assert_eq!(ledger.observe(&updated(&small, &small)), Motion::default());
}
