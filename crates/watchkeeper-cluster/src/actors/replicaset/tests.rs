//! Which pods are a set's own, which go first, and what is told of them.

use std::sync::Arc;

use watchkeeper_api::apps::v1::ReplicaSet;
use watchkeeper_api::core::v1::{Container, ContainerStatus, Pod, PodCondition};
use watchkeeper_api::meta::v1::OwnerReference;
use watchkeeper_api::selector::Selector;
use watchkeeper_api::{Error, List, Time};

use super::owner::{Owner, owner};
use super::plan::{self, Need, claim};
use super::status::status;
use super::victims::{Crowds, ranked, victims};
use super::work::Refused;

/// When pods are looked at that tell of times: 1,024 seconds after the first of them.
const NOW: Time = Time::from_unix(1_024);

fn set() -> ReplicaSet {
    let mut set = ReplicaSet::default();
    set.metadata.name = "web".into();
    set.metadata.uid = "set".into();
    set.spec.template.metadata.labels.insert("app", "web");
    set
}

fn selector() -> Selector {
    "app=web".parse().expect("a selector")
}

struct Build(Pod);

fn pod(name: &str) -> Build {
    let mut pod = Pod::default();
    pod.metadata.name = name.into();
    pod.metadata.labels.insert("app", "web");
    pod.metadata.creation_timestamp = Some(Time::from_unix(0));
    Build(pod)
}

impl Build {
    fn owned_by(mut self, uid: &str) -> Self {
        self.0.metadata.owner_references.push(OwnerReference {
            uid: uid.into(),
            controller: Some(true),
            ..OwnerReference::default()
        });
        self
    }

    fn labelled(mut self, app: &str) -> Self {
        self.0.metadata.labels.insert("app", app);
        self
    }

    fn placed(mut self, phase: &str) -> Self {
        self.0.spec.node_name = "node-0".into();
        self.0.status.phase = phase.into();
        self
    }

    fn on(mut self, node: &str) -> Self {
        self.0.spec.node_name = node.into();
        self
    }

    fn costing(mut self, cost: &str) -> Self {
        self.0.metadata.annotations.insert("controller.kubernetes.io/pod-deletion-cost", cost);
        self
    }

    fn made_at(mut self, seconds: i64) -> Self {
        self.0.metadata.creation_timestamp = Some(Time::from_unix(seconds));
        self
    }

    fn with_uid(mut self, uid: &str) -> Self {
        self.0.metadata.uid = uid.into();
        self
    }

    fn restarted(mut self, times: i32) -> Self {
        self.0.status.container_statuses = List::from([restarts("web", times)]);
        self
    }

    /// An init container was started anew so often, which is a sidecar or not.
    fn helped(mut self, is_sidecar: bool, times: i32) -> Self {
        let policy = is_sidecar.then(|| "Always".into());
        let helper =
            Container { name: "helper".into(), restart_policy: policy, ..Container::default() };
        self.0.spec.init_containers = List::from([helper]);
        self.0.status.init_container_statuses = List::from([restarts("helper", times)]);
        self
    }

    fn ready_since(mut self, seconds: i64) -> Self {
        self.0.status.conditions.push(PodCondition {
            type_: "Ready".into(),
            status: "True".into(),
            last_transition_time: Some(Time::from_unix(seconds)),
            ..PodCondition::default()
        });
        self
    }

    fn going(mut self) -> Self {
        self.0.metadata.deletion_timestamp = Some(Time::from_unix(1));
        self
    }

    fn done(self) -> Arc<Pod> {
        Arc::new(self.0)
    }
}

fn restarts(name: &str, times: i32) -> ContainerStatus {
    ContainerStatus { name: name.into(), restart_count: times, ..ContainerStatus::default() }
}

/// A running pod of the set.
fn mine(name: &str) -> Build {
    pod(name).owned_by("set").placed("Running")
}

fn ready(name: &str, since: i64) -> Build {
    mine(name).ready_since(since)
}

/// The order in which a set gives these up, all but the last. None are related.
fn order(pods: Vec<Arc<Pod>>) -> String {
    let excess = pods.len() - 1;
    names(&ranked(pods, excess, &Crowds::default(), NOW.into()))
}

fn names(pods: &[Arc<Pod>]) -> String {
    pods.iter().map(|pod| pod.metadata.name.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn pods_are_claimed_by_owner_and_selector() {
    let pods = vec![
        pod("mine").owned_by("set").done(),
        pod("finished").owned_by("set").placed("Succeeded").done(),
        pod("going").owned_by("set").going().done(),
        pod("finished-and-going").owned_by("set").placed("Failed").going().done(),
        pod("orphan").done(),
        pod("orphan-going").going().done(),
        pod("relabelled").owned_by("set").labelled("other").done(),
        pod("relabelled-going").owned_by("set").labelled("other").going().done(),
        pod("theirs").owned_by("another").done(),
        pod("unrelated").labelled("other").done(),
    ];
    let found = claim(&set(), &selector(), pods.clone());
    assert_eq!(names(&found.active), "mine");
    assert_eq!(found.terminating, 1, "what has finished is not waited for");
    assert_eq!(names(&found.unsettled), "orphan relabelled");

    let mut leaving = set();
    leaving.metadata.deletion_timestamp = Some(NOW);
    let found = claim(&leaving, &selector(), pods);
    assert_eq!(names(&found.active), "mine");
    assert_eq!(names(&found.unsettled), "", "who goes neither adopts nor releases");
}

#[test]
fn an_index_finds_pods_by_their_owner_or_as_nobodys() {
    assert_eq!(owner(&*mine("a").done()), Some(Owner::Uid("set".into())));
    let mut orphan = pod("b").0;
    orphan.metadata.namespace = "shop".into();
    assert_eq!(owner(&orphan), Some(Owner::Nobody("shop".into())));
}

#[test]
fn what_a_set_lacks_is_made_in_bounded_numbers() {
    let mut set = set();
    set.spec.replicas = Some(700);
    assert_eq!(plan::need(&set, 0), Need::More(500));
    assert_eq!(plan::need(&set, 698), Need::More(2));
    assert_eq!(plan::need(&set, 700), Need::Nothing);
    assert_eq!(plan::need(&set, 701), Need::Fewer(1));
    set.spec.replicas = Some(0);
    assert_eq!(plan::need(&set, 700), Need::Fewer(500));
}

#[test]
fn the_least_useful_pods_go_first() {
    let pods = vec![
        ready("old", 1).done(),
        ready("young", 900).made_at(900).done(),
        mine("unready").done(),
        mine("unknown").placed("Unknown").done(),
        mine("pending").placed("Pending").done(),
        pod("unplaced").done(),
    ];
    assert_eq!(order(pods.clone()), "unplaced pending unknown unready young");
    assert_eq!(names(&victims(pods, 5)), "unplaced pending unknown unready young");
}

#[test]
fn a_pod_that_costs_less_goes_before_one_that_costs_more() {
    let pods = vec![
        ready("dear", 900).costing("10").done(),
        ready("cheap", 1).costing("-5").done(),
        ready("spelt-wrongly", 1).costing("+7").done(),
        ready("dearest", 900).costing("100").done(),
        mine("unready").costing("100").done(),
        ready("with-zeros", 2).costing("007").done(),
    ];
    assert_eq!(order(pods), "unready cheap spelt-wrongly with-zeros dear");
}

#[test]
fn pods_go_from_the_node_where_most_of_their_deployment_are() {
    let pods = vec![
        ready("alone", 900).on("node-1").done(),
        ready("one-of-three", 1).on("node-2").done(),
        ready("one-of-two", 900).on("node-3").done(),
    ];
    let mut crowds = Crowds::default();
    let sibling = |node: &str| pod("sibling").owned_by("other").on(node).done();
    let going = pod("going").owned_by("other").on("node-1").going().done();
    pods.iter().for_each(|pod| crowds.add(pod));
    for pod in [sibling("node-2"), sibling("node-2"), sibling("node-3"), going.clone(), going] {
        crowds.add(&pod);
    }
    assert_eq!(names(&ranked(pods, 2, &crowds, NOW.into())), "one-of-three one-of-two");
}

#[test]
fn ages_count_by_their_magnitude_and_the_uid_decides_among_equals() {
    // Ready for 1,000, 700, 100 and 70 seconds: for two magnitudes.
    let pods = vec![
        ready("long", 24).with_uid("4").done(),
        ready("less-long", 324).with_uid("3").done(),
        ready("not-for-long", 924).with_uid("1").done(),
        ready("even-less", 954).with_uid("2").done(),
    ];
    assert_eq!(order(pods.clone()), "not-for-long even-less less-long");
    assert_eq!(names(&victims(pods, 3)), "even-less not-for-long less-long", "jobs are exact");
}

#[test]
fn a_pod_that_does_not_say_since_when_it_is_ready_goes_before_those_that_do() {
    let mut timeless = ready("timeless", 0);
    timeless.0.status.conditions[0].last_transition_time = None;
    assert_eq!(order(vec![ready("young", 1_023).done(), timeless.done()]), "timeless");
}

#[test]
fn pods_that_were_started_anew_more_often_go_first() {
    let pods = vec![
        mine("steady").made_at(1_000).done(),
        mine("crashing").restarted(3).done(),
        mine("limping").helped(true, 5).done(),
        mine("initialized").helped(false, 9).made_at(900).done(),
    ];
    assert_eq!(order(pods.clone()), "crashing limping steady");
    assert_eq!(names(&victims(pods, 3)), "crashing limping steady");
}

#[test]
fn when_all_go_their_order_does_not_matter() {
    let pods = vec![ready("ready", 1).done(), mine("unready").done()];
    assert_eq!(names(&ranked(pods, 2, &Crowds::default(), NOW.into())), "ready unready");
}

#[test]
fn a_ready_pod_is_available_after_min_ready_seconds() {
    let mut set = set();
    set.spec.min_ready_seconds = 10;
    let pods = vec![
        ready("early", 0).done(),
        ready("late", 15).done(),
        mine("unready").done(),
        mine("going").going().done(),
    ];
    let claim = claim(&set, &selector(), pods);
    let (status, due) = status(&set, &claim, None, Time::from_unix(20));
    assert_eq!((status.replicas, status.ready_replicas, status.available_replicas), (3, 2, 1));
    assert_eq!((status.fully_labeled_replicas, status.terminating_replicas), (3, Some(1)));
    assert_eq!(due, Some(Time::from_unix(25)));
}

#[test]
fn readiness_without_a_time_is_never_long_enough() {
    let mut timeless = ready("timeless", 0);
    timeless.0.status.conditions[0].last_transition_time = None;
    let later = Time::from_unix(NOW.unix() + 10);
    assert_eq!(plan::available_at(&timeless.0, 10, NOW), Some(Some(later)));
    assert_eq!(plan::available_at(&timeless.0, 0, NOW), Some(None));
}

#[test]
fn that_pods_are_refused_is_told_until_it_is_over() {
    let mut set = set();
    let mut told = |refused: Option<Refused>, seconds: i64| {
        let claim = plan::Claim::default();
        set.status = status(&set, &claim, refused.as_ref(), Time::from_unix(seconds)).0;
        let lines = set.status.conditions.iter().map(|condition| {
            let since = condition.last_transition_time.map_or(0, Time::unix);
            let (type_, value) = (&condition.type_, &condition.status);
            format!("{type_}={value} {} @{since}: {}", condition.reason, condition.message)
        });
        lines.collect::<Vec<_>>().join(", ")
    };
    let create = |why: &'static str| Some(Refused::Create(Error::other(why)));
    let first = "ReplicaFailure=True FailedCreate @10: exceeded quota";
    assert_eq!(told(create("exceeded quota"), 10), first);
    assert_eq!(told(create("something else"), 20), first, "the first one stands");
    assert_eq!(told(None, 30), "");
    let delete = Some(Refused::Delete(Error::other("no")));
    let expected = "ReplicaFailure=True FailedDelete @40: unable to delete pods: no";
    assert_eq!(told(delete, 40), expected);
}
