//! Which pods are a set's own, and which go first.

use std::sync::Arc;

use watchkeeper_api::Time;
use watchkeeper_api::apps::v1::ReplicaSet;
use watchkeeper_api::core::v1::{Pod, PodCondition};
use watchkeeper_api::meta::v1::OwnerReference;
use watchkeeper_api::selector::Selector;

use super::plan::{self, claim};

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

fn names(pods: &[Arc<Pod>]) -> String {
    pods.iter().map(|pod| pod.metadata.name.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn pods_are_claimed_by_owner_and_selector() {
    let pods = vec![
        pod("mine").owned_by("set").done(),
        pod("finished").owned_by("set").placed("Succeeded").done(),
        pod("going").owned_by("set").going().done(),
        pod("orphan").done(),
        pod("orphan-going").going().done(),
        pod("relabelled").owned_by("set").labelled("other").done(),
        pod("theirs").owned_by("another").done(),
        pod("unrelated").labelled("other").done(),
    ];
    let claim = claim(&set(), &selector(), pods);
    assert_eq!(names(&claim.active), "mine");
    assert_eq!(names(&claim.inactive), "finished going");
    assert_eq!(names(&claim.orphans), "orphan");
    assert_eq!(names(&claim.strangers), "relabelled");
}

#[test]
fn the_least_useful_pods_go_first() {
    let young = {
        let mut build = pod("young").placed("Running").ready_since(1);
        build.0.metadata.creation_timestamp = Some(Time::from_unix(9));
        build.done()
    };
    let pods = vec![
        pod("old").placed("Running").ready_since(1).done(),
        young,
        pod("unready").placed("Running").done(),
        pod("pending").placed("Pending").done(),
        pod("unplaced").done(),
    ];
    assert_eq!(names(&plan::victims(pods, 4)), "unplaced pending unready young");
}

#[test]
fn a_ready_pod_is_available_after_min_ready_seconds() {
    let mut set = set();
    set.spec.min_ready_seconds = 10;
    let pods = vec![
        pod("early").owned_by("set").placed("Running").ready_since(0).done(),
        pod("late").owned_by("set").placed("Running").ready_since(15).done(),
        pod("unready").owned_by("set").placed("Running").done(),
    ];
    let claim = claim(&set, &selector(), pods);
    let (status, due) = plan::status(&set, &selector(), &claim, Time::from_unix(20));
    assert_eq!((status.replicas, status.ready_replicas, status.available_replicas), (3, 2, 1));
    assert_eq!(due, Some(Time::from_unix(25)));
}
