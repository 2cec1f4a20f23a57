//! Which pods go, and when.

use std::sync::Arc;

use watchkeeper_api::core::v1::{Node, Pod, PodCondition, Taint, Toleration};
use watchkeeper_api::{List, Time};
use watchkeeper_cache::Change;

use super::plan::{CONDITION, Eviction, REASON, Stage, plan};
use super::{matters, turned};

/// `a=60, b` tolerates the taint `a` for a minute, and `b` for ever.
fn pod(tolerations: &str) -> Pod {
    let toleration = |text: &str| {
        let (key, seconds) = text.split_once('=').unwrap_or((text, ""));
        Toleration {
            key: key.into(),
            operator: "Exists".into(),
            toleration_seconds: seconds.parse().ok(),
            ..Toleration::default()
        }
    };
    let all = tolerations.split(", ").filter(|text| !text.is_empty());
    let all: List<Toleration> = all.map(toleration).collect();
    let mut pod = Pod::default();
    pod.metadata.uid = "1".into();
    pod.spec.node_name = "n".into();
    pod.spec.tolerations = all.into();
    pod
}

/// `a, b:NoSchedule` has the taint `a`, which ends pods, and `b`, which does not.
fn node(taints: &str) -> Node {
    let taint = |text: &str| {
        let (key, effect) = text.split_once(':').unwrap_or((text, "NoExecute"));
        Taint { key: key.into(), effect: effect.into(), ..Taint::default() }
    };
    let mut node = Node::default();
    let all = taints.split(", ").filter(|text| !text.is_empty());
    node.spec.taints = all.map(taint).collect();
    node
}

/// What becomes of a pod, one look after the other.
#[derive(Default)]
struct Looks(Option<Eviction>);

impl Looks {
    fn look(&mut self, pod: Option<&Pod>, node: Option<&Node>, at: i64) -> String {
        let plan = plan(pod, node, self.0.as_ref(), Time::from_unix(at));
        self.0 = plan.eviction;
        let stage = match self.0.as_ref().map(|eviction| eviction.stage) {
            None => "stays".to_owned(),
            Some(Stage::Waits(until)) => format!("waits until {}", until.unix()),
            Some(Stage::Begun) if plan.begins => "goes".to_owned(),
            Some(Stage::Begun) => "still goes".to_owned(),
        };
        let cancelled = if plan.is_cancelled { "cancelled, " } else { "" };
        format!("{cancelled}{stage}")
    }

    fn at(&mut self, at: i64, tolerations: &str, taints: &str) -> String {
        self.look(Some(&pod(tolerations)), Some(&node(taints)), at)
    }
}

/// What becomes of a pod at second 100 that nobody looked at before.
fn at_first(tolerations: &str, taints: &str) -> String {
    Looks::default().at(100, tolerations, taints)
}

#[test]
fn a_pod_goes_at_once_unless_it_tolerates_everything() {
    assert_eq!(at_first("", ""), "stays");
    assert_eq!(at_first("", "a:NoSchedule, b:PreferNoSchedule"), "stays");
    assert_eq!(at_first("", "a"), "goes");
    assert_eq!(at_first("a", "a"), "stays");
    assert_eq!(at_first("a", "a, b"), "goes");
    assert_eq!(at_first("a=60", "a, b"), "goes", "whatever it bears of the other one");
}

#[test]
fn the_shortest_time_counts_of_the_first_that_tolerates_each() {
    assert_eq!(at_first("a=60", "a"), "waits until 160");
    assert_eq!(at_first("a=60, b=20", "a, b"), "waits until 120");
    assert_eq!(at_first("a=60, b", "a, b"), "waits until 160");
    assert_eq!(at_first("a=60, b=20", "a"), "waits until 160", "of what is there");
    assert_eq!(at_first("a=60, a=20", "a"), "waits until 160", "of the first");
    assert_eq!(at_first("a, a=20", "a"), "stays");
    assert_eq!(at_first("a=0", "a"), "goes");
    assert_eq!(at_first("a=60, b=-1", "a, b"), "goes");
    let far = at_first("a=9223372036854775807", "a");
    assert!(far.starts_with("waits until 253"), "{far}");
}

#[test]
fn a_time_that_has_begun_stays_what_it_is() {
    let mut looks = Looks::default();
    assert_eq!(looks.at(100, "a=60", "a"), "waits until 160");
    assert_eq!(looks.at(110, "a=60", "a"), "waits until 160");
    assert_eq!(looks.at(120, "a=10, b=5", "b, a"), "waits until 160");
    assert_eq!(looks.at(159, "a=60", "a"), "waits until 160");
    assert_eq!(looks.at(160, "a=60", "a"), "goes");
    assert_eq!(looks.at(161, "a=60", "a"), "still goes", "it is tried again, and told once");
}

#[test]
fn nobody_waits_for_a_pod_that_may_stay() {
    for (tolerations, taints) in [("a=60", ""), ("a=60", "a:NoSchedule"), ("a", "a")] {
        let mut looks = Looks::default();
        looks.at(100, "a=60", "a");
        assert_eq!(looks.at(110, tolerations, taints), "cancelled, stays");
        assert_eq!(looks.at(120, "a=60", "a"), "waits until 180", "its time begins anew");
    }
}

#[test]
fn a_pod_goes_sooner_when_there_is_something_that_it_does_not_tolerate() {
    let mut looks = Looks::default();
    looks.at(100, "a=60", "a");
    assert_eq!(looks.at(110, "a=60", "a, b"), "cancelled, goes");
    assert_eq!(looks.at(111, "a=60", "a"), "still goes");
    assert_eq!(looks.at(112, "a=60", ""), "stays", "what was not done is not done");
}

#[test]
fn nobody_waits_for_a_pod_that_is_gone_or_another_one() {
    let mut looks = Looks::default();
    looks.at(100, "a=60", "a");
    assert_eq!(looks.look(None, None, 110), "cancelled, stays");
    assert_eq!(looks.look(None, None, 120), "stays");
    looks.at(200, "a=60", "a");
    let (mut other, node) = (pod("a=60"), node("a"));
    other.metadata.uid = "2".into();
    assert_eq!(looks.look(Some(&other), Some(&node), 210), "cancelled, waits until 270");
}

#[test]
fn what_was_to_come_comes_when_the_node_is_gone() {
    let (mut looks, pod) = (Looks::default(), pod("a=60"));
    assert_eq!(looks.look(Some(&pod), None, 90), "stays");
    looks.at(100, "a=60", "a");
    assert_eq!(looks.look(Some(&pod), None, 110), "waits until 160");
    assert_eq!(looks.look(Some(&pod), None, 160), "goes");
}

#[test]
fn who_was_told_to_go_and_why_is_left_alone() {
    let (mut going, node) = (pod(""), node("a"));
    going.metadata.deletion_timestamp = Some(Time::from_unix(1));
    let first = |pod: &Pod| Looks::default().look(Some(pod), Some(&node), 100);
    assert_eq!(first(&going), "goes", "nobody said why");
    going.status.conditions.push(PodCondition {
        type_: CONDITION.into(),
        status: "True".into(),
        reason: REASON.into(),
        ..PodCondition::default()
    });
    assert_eq!(first(&going), "stays");
    going.metadata.deletion_timestamp = None;
    assert_eq!(first(&going), "goes", "nobody told it to");
}

/// Whether it matters what `edit` does to a pod.
fn change(old: &Pod, edit: fn(&mut Pod)) -> bool {
    let mut new = old.clone();
    edit(&mut new);
    matters(&Change::Updated { old: Arc::new(old.clone()), new: Arc::new(new) })
}

#[test]
fn of_a_pod_its_node_and_its_tolerations_matter() {
    let mut waiting = pod("a");
    waiting.spec.node_name = "".into();
    assert!(change(&waiting, |pod| pod.spec.node_name = "n".into()));
    assert!(change(&pod("a"), |new| new.spec.tolerations = pod("a, b").spec.tolerations));
    assert!(change(&pod("a"), |pod| pod.metadata.uid = "2".into()));
    assert!(!change(&pod("a"), |pod| pod.status.phase = "Running".into()));
    assert!(!change(&pod("a"), |pod| pod.metadata.deletion_timestamp = Some(Time::default())));
    let added = |pod: Pod| matters(&Change::Added { new: Arc::new(pod), initial: false });
    assert!(added(pod("a")) && !added(waiting));
}

#[test]
fn of_a_node_the_taints_that_end_pods_matter() {
    let change = |old: &str, new: &str| {
        turned(&Change::Updated { old: Arc::new(node(old)), new: Arc::new(node(new)) })
    };
    assert!(change("", "a") && change("a", "") && change("a", "b") && change("a", "a, b"));
    assert!(!change("a", "a") && !change("a", "a, b:NoSchedule") && !change("b:NoSchedule", ""));
    let (new, last) = (Arc::new(node("")), Arc::new(node("a")));
    assert!(turned(&Change::Added { new, initial: false }));
    assert!(!turned(&Change::Deleted { last, final_state_unknown: false }));
}
