//! A stateful set's pods as lines, and what is done about them.

use std::sync::Arc;

use expect_test::{Expect, expect};
use watchkeeper_api::apps::v1::{ControllerRevision, StatefulSet};
use watchkeeper_api::core::v1::{PersistentVolumeClaim, Pod, PodCondition};
use watchkeeper_api::{IntOrString, Object, Time};

use super::history::Revisions;
use super::plan::{Step, View, steps};
use super::{identity, status};

mod claims;
mod moves;

const NOW: Time = Time::from_unix(1_000);

fn set(replicas: i32) -> StatefulSet {
    let mut set = StatefulSet::default();
    set.metadata.name = "db".into();
    set.metadata.uid = "1".into();
    set.spec.replicas = Some(replicas);
    set.spec.service_name = "peers".into();
    set.spec.update_strategy.type_ = "RollingUpdate".into();
    set.spec.update_strategy.rolling_update.get_or_insert_default().partition = Some(0);
    set
}

fn parallel(replicas: i32) -> StatefulSet {
    let mut set = set(replicas);
    set.spec.pod_management_policy = "Parallel".into();
    set
}

/// A set with a claim called `data` for each pod.
fn with_claims(mut set: StatefulSet) -> StatefulSet {
    let mut template = PersistentVolumeClaim::default();
    template.metadata.name = "data".into();
    set.spec.volume_claim_templates.push(template);
    set
}

fn revisions() -> Revisions {
    let named = |name: &str| {
        let mut revision = ControllerRevision::default();
        revision.metadata.name = name.into();
        revision
    };
    Revisions::of(named("old"), named("new"))
}

/// `2 old ready` is pod 2 of the former template, running and ready; `pending`, `failed` and `leaving` say what
/// they say, and a running one that is not ready says nothing.
fn pod(set: &StatefulSet, text: &str) -> Arc<Pod> {
    let mut words = text.split(' ');
    let ordinal = words.next().and_then(|word| word.parse().ok()).expect("a number");
    let revision = words.next().expect("a revision");
    let mut pod = identity::pod_of(set, &set.spec.template, revision, ordinal);
    pod.metadata.uid = format!("pod-{ordinal}").as_str().into();
    pod.status.phase = "Running".into();
    for word in words {
        match word {
            "pending" => pod.status.phase = "Pending".into(),
            "failed" => pod.status.phase = "Failed".into(),
            "leaving" => pod.metadata.deletion_timestamp = Some(NOW),
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

fn pods(set: &StatefulSet, text: &str) -> Vec<Arc<Pod>> {
    text.split(", ").filter(|line| !line.is_empty()).map(|line| pod(set, line)).collect()
}

fn planned(
    set: &StatefulSet,
    text: &str,
    claims: Vec<Arc<PersistentVolumeClaim>>,
    expected: Expect,
) {
    let revisions = revisions();
    let view = View::of(set, pods(set, text), claims, &revisions, NOW);
    let told = steps(&view).into_iter().map(|step| match step {
        Step::Create(ordinal) if view.stays_current(ordinal) => format!("create {ordinal} old"),
        Step::Create(ordinal) => format!("create {ordinal}"),
        Step::Claims(ordinal) => format!("claims {ordinal}"),
        Step::Identify(ordinal, _) => format!("identify {ordinal}"),
        Step::Retain(ordinal, _) => format!("retain {ordinal}"),
        Step::Delete(pod) => format!("delete {}", pod.name()),
    });
    expected.assert_eq(&told.collect::<Vec<_>>().join(", "));
}

fn check(set: &StatefulSet, text: &str, expected: Expect) {
    planned(set, text, Vec::new(), expected);
}

#[test]
fn names_tell_numbers() {
    let set = set(1);
    let ordinal = |name| identity::ordinal(&set, name);
    assert_eq!(ordinal("db-0"), Some(0));
    assert_eq!(ordinal("db-12"), Some(12));
    for other in ["db", "db-", "db-x", "db--1", "db-+1", "db-0-0", "dbx-0", "db-99999999999"] {
        assert_eq!(ordinal(other), None, "{other}");
    }
    let set = with_claims(set);
    assert!(identity::uses(&set, "data-db-3"));
    assert!(!identity::uses(&set, "logs-db-3") && !identity::uses(&set, "data-db"));
}

#[test]
fn a_pod_knows_its_number_and_its_volumes() {
    let set = with_claims(set(1));
    let pod = pod(&set, "7 new");
    let labels: Vec<_> =
        pod.metadata.labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
    expect![[r#"
        apps.kubernetes.io/pod-index=7
        controller-revision-hash=new
        statefulset.kubernetes.io/pod-name=db-7"#]]
    .assert_eq(&labels.join("\n"));
    assert_eq!((&*pod.spec.hostname, &*pod.spec.subdomain), ("db-7", "peers"));
    let claim = pod.spec.volumes[0].persistent_volume_claim.as_ref().expect("a claim");
    assert_eq!((&*pod.spec.volumes[0].name, &*claim.claim_name), ("data", "data-db-7"));
    assert!(identity::is_identified(&pod, &set, 7));
    let mut bare = (*pod).clone();
    bare.spec.volumes = Default::default();
    assert!(!identity::is_identified(&bare, &set, 7));
}

#[test]
fn the_status_tells_revisions_apart_until_all_pods_have_the_newest() {
    let mut set = set(3);
    set.spec.min_ready_seconds = 30;
    let told = |text: &str| {
        let (status, due) = status::status(&set, &pods(&set, text), &revisions(), NOW);
        let numbers = [
            status.replicas,
            status.ready_replicas,
            status.available_replicas,
            status.current_replicas,
            status.updated_replicas,
        ];
        let revisions = format!("{} {}", status.current_revision, status.update_revision);
        (numbers, revisions, due.map(|due| due.unix()))
    };
    let halfway = told("0 old ready, 1 old leaving, 2 new ready");
    assert_eq!(halfway, ([3, 2, 0, 1, 1], "old new".to_owned(), Some(1_020)));
    let over = told("0 new ready, 1 new ready, 2 new ready");
    assert_eq!(over, ([3, 3, 0, 3, 3], "new new".to_owned(), Some(1_020)));
}
