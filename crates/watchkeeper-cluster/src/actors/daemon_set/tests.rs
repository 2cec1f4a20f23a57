//! A daemon set's nodes and pods as lines, and what is done about them.

use std::sync::Arc;
use std::time::Duration;

use expect_test::{Expect, expect};
use watchkeeper_api::apps::v1::DaemonSet;
use watchkeeper_api::core::v1::{Node, Pod, PodCondition, Taint, Toleration};
use watchkeeper_api::{IntOrString, List, Object, Time};

use super::backoff::Backoff;
use super::placement::{Daemons, Place, place, pod_of};
use super::plan::{Orders, View, manage};
use super::rollout::{self, Bounds, bounds};
use super::status::status;
use crate::actors::revisions::HASH_LABEL;

mod moves;

const NOW: Time = Time::from_unix(1_000);

fn set() -> DaemonSet {
    let mut set = DaemonSet::default();
    set.metadata.name = "web".into();
    set.metadata.uid = "1".into();
    set
}

fn rolling(surge: &str, unavailable: &str) -> DaemonSet {
    let value =
        |text: &str| text.parse().map_or_else(|_| IntOrString::from(text), IntOrString::Int);
    let mut set = set();
    let rolling = set.spec.update_strategy.rolling_update.get_or_insert_default();
    rolling.max_surge = Some(value(surge));
    rolling.max_unavailable = Some(value(unavailable));
    set
}

/// `a` is a node, `a!NoSchedule` one with a taint of that effect, `a@x` one in zone `x`.
fn node(text: &str) -> Arc<Node> {
    let mut node = Node::default();
    let (text, effect) = text.split_once('!').unwrap_or((text, ""));
    let (name, zone) = text.split_once('@').unwrap_or((text, ""));
    node.metadata.name = name.into();
    if !zone.is_empty() {
        node.metadata.labels.insert("zone", zone);
    }
    if !effect.is_empty() {
        node.spec.taints =
            List::from([Taint { key: "kept".into(), effect: effect.into(), ..Taint::default() }]);
    }
    Arc::new(node)
}

/// `a old ready` is a pod of a former template on node `a` that is ready; `failed`, `succeeded` and
/// `leaving` say what they say, and `waiting` that it has no node yet. The name is `a-old`, or what
/// follows `as`.
fn pod(text: &str) -> Arc<Pod> {
    let mut words = text.split(' ');
    let (node, template) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut pod = pod_of(&set(), node, template);
    pod.metadata.name = format!("{node}-{template}").as_str().into();
    pod.spec.node_name = node.into();
    while let Some(word) = words.next() {
        match word {
            "as" => pod.metadata.name = words.next().unwrap_or_default().into(),
            "waiting" => pod.spec.node_name = "".into(),
            "leaving" => pod.metadata.deletion_timestamp = Some(NOW),
            "failed" => pod.status.phase = "Failed".into(),
            "succeeded" => pod.status.phase = "Succeeded".into(),
            "ready" => pod.status.conditions.push(PodCondition {
                type_: "Ready".into(),
                status: "True".into(),
                last_transition_time: Some(Time::from_unix(990)),
                ..PodCondition::default()
            }),
            other => panic!("what is {other}?"),
        }
    }
    Arc::new(pod)
}

fn lines<T>(text: &str, read: impl Fn(&str) -> T) -> Vec<T> {
    text.split(", ").filter(|line| !line.is_empty()).map(read).collect()
}

/// Looks at nodes and pods at `now`; the new template's hash is `new`.
fn look<T>(set: &DaemonSet, nodes: &str, pods: &str, decide: impl FnOnce(View<'_>) -> T) -> T {
    let (nodes, daemons) = (lines(nodes, node), Daemons::of(lines(pods, pod)));
    decide(View { set, nodes: &nodes, daemons: &daemons, hash: "new", now: NOW })
}

fn told(orders: &Orders) -> String {
    let create = orders.create.iter().map(|node| format!("create on {node}"));
    let delete = orders.delete.iter().map(|pod| format!("delete {}", pod.name()));
    create.chain(delete).collect::<Vec<_>>().join(", ")
}

fn managed(set: &DaemonSet, nodes: &str, pods: &str, expected: Expect) {
    let orders = look(set, nodes, pods, |view| manage(view, &mut Backoff::default()));
    expected.assert_eq(&told(&orders));
}

fn stepped(set: &DaemonSet, nodes: &str, pods: &str, expected: Expect) {
    expected.assert_eq(&told(&look(set, nodes, pods, rollout::step)));
}

#[test]
fn a_node_wants_a_pod_or_keeps_or_refuses_it() {
    let mut set = set();
    assert_eq!(place(&set, &node("a")), Place::Wanted);
    assert_eq!(place(&set, &node("a!PreferNoSchedule")), Place::Wanted);
    assert_eq!(place(&set, &node("a!NoSchedule")), Place::Kept);
    assert_eq!(place(&set, &node("a!NoExecute")), Place::Closed);
    set.spec.template.spec.node_selector.insert("zone", "x");
    assert_eq!(place(&set, &node("a")), Place::Closed);
    assert_eq!(place(&set, &node("a@x")), Place::Wanted);
    set.spec.template.spec.node_name = "b".into();
    assert_eq!(place(&set, &node("a@x")), Place::Closed);
}

#[test]
fn daemons_bear_what_befalls_their_node_for_as_long_as_it_does() {
    let mut set = set();
    let brief = Toleration {
        key: "node.kubernetes.io/not-ready".into(),
        operator: "Exists".into(),
        effect: "NoExecute".into(),
        toleration_seconds: Some(300),
        ..Toleration::default()
    };
    set.spec.template.spec.tolerations = List::from([brief]).into();
    set.spec.template.spec.host_network = true;
    let pod = pod_of(&set, "a", "new");
    let told = pod.spec.tolerations.iter().map(|one| {
        let name = one.key.trim_start_matches("node.kubernetes.io/");
        format!("{name}:{}{:?}", one.effect, one.toleration_seconds)
    });
    expect!["not-ready:NoExecuteNone unreachable:NoExecuteNone disk-pressure:NoScheduleNone memory-pressure:NoScheduleNone pid-pressure:NoScheduleNone unschedulable:NoScheduleNone network-unavailable:NoScheduleNone"]
        .assert_eq(&told.collect::<Vec<_>>().join(" "));
    assert_eq!(pod.label(HASH_LABEL), Some("new"));
}

#[test]
fn the_status_counts_nodes_by_their_oldest_pod() {
    let mut set = set();
    set.spec.min_ready_seconds = 30;
    let nodes = "a, b, c, d!NoSchedule, e!NoExecute";
    let pods = "a new ready, b old ready, d old ready";
    let (status, due) = look(&set, nodes, pods, status);
    let numbers = [
        status.desired_number_scheduled,
        status.current_number_scheduled,
        status.number_misscheduled,
        status.updated_number_scheduled,
        status.number_ready,
        status.number_available,
        status.number_unavailable,
    ];
    assert_eq!(numbers, [3, 2, 1, 1, 2, 0, 3]);
    assert_eq!(due, Some(Time::from_unix(1_020)));
}

#[test]
fn bounds_are_rounded_up_and_let_something_happen() {
    assert_eq!(bounds(&set(), 10), Bounds { surge: 0, unavailable: 1 });
    assert_eq!(bounds(&rolling("0", "25%"), 10), Bounds { surge: 0, unavailable: 3 });
    assert_eq!(bounds(&rolling("11%", "0"), 10), Bounds { surge: 2, unavailable: 0 });
    assert_eq!(bounds(&rolling("0", "0%"), 10), Bounds { surge: 0, unavailable: 1 });
}

#[test]
fn failures_of_a_node_wait_longer_each_time_until_they_are_forgotten() {
    let mut backoff = Backoff::default();
    let at = Time::from_unix;
    backoff.follow(&set());
    assert_eq!(backoff.replace("a", at(0)), Ok(()));
    assert_eq!(backoff.replace("a", at(0)), Err(at(1)));
    assert_eq!(backoff.replace("b", at(0)), Ok(()), "each node by itself");
    assert_eq!(backoff.replace("a", at(1)), Ok(()));
    assert_eq!(backoff.replace("a", at(2)), Err(at(3)));
    let mut now = at(3);
    for _ in 0..20 {
        assert_eq!(backoff.replace("a", now), Ok(()));
        now = backoff.replace("a", now).expect_err("it waits");
    }
    assert_eq!(backoff.replace("a", now), Ok(()));
    assert_eq!(backoff.replace("a", now), Err(now + Duration::from_secs(900)));
    let later = now + Duration::from_secs(1_800);
    assert_eq!(backoff.replace("a", later), Ok(()));
    assert_eq!(backoff.replace("a", later), Err(later + Duration::from_secs(1)));
    let mut changed = set();
    changed.status.observed_generation = 2;
    backoff.follow(&changed);
    assert_eq!(backoff.replace("a", later), Ok(()), "another template may do better");
}
