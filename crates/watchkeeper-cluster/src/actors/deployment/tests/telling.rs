//! What a deployment tells of itself, and since when.

use watchkeeper_api::apps::v1::ReplicaSetCondition;

use super::*;
use crate::actors::deployment::{conditions, status};

fn at(seconds: i64) -> Time {
    Time::from_unix(seconds)
}

/// Looks at the deployment in a rollout, and writes what is to be told of it.
fn look(deployment: &mut Deployment, text: &str, seconds: i64) {
    let sets = sets(deployment, text);
    deployment.status = progress::status(deployment, &sets, at(seconds));
}

/// As `Type=Status Reason @transition/update`.
fn told(deployment: &Deployment) -> String {
    let text = deployment.status.conditions.iter().map(|condition| {
        let time = |time: Option<Time>| time.map_or(0, Time::unix);
        let (moved, updated) = (condition.last_transition_time, condition.last_update_time);
        let (type_, value, reason) = (&condition.type_, &condition.status, &condition.reason);
        format!("{type_}={value} {reason} @{}/{}", time(moved), time(updated))
    });
    text.collect::<Vec<_>>().join(", ")
}

fn message<'a>(deployment: &'a Deployment, type_: &str) -> &'a str {
    &conditions::find(&deployment.status, type_).expect("the condition").message
}

/// A deployment whose set was made at the tenth second.
fn begun(replicas: i32) -> Deployment {
    let mut deployment = deployment(replicas);
    let message = "Created new replica set \"new\"";
    progress::note(&mut deployment, "True", "NewReplicaSetCreated", message, at(10));
    deployment
}

#[test]
fn the_conditions_tell_the_rollout_and_keep_their_times() {
    let mut deployment = begun(2);
    look(&mut deployment, "new 0/2", 10);
    expect!["Available=False MinimumReplicasUnavailable @10/10, Progressing=True ReplicaSetUpdated @10/10"]
        .assert_eq(&told(&deployment));
    assert_eq!(message(&deployment, "Progressing"), "ReplicaSet \"new\" is progressing.");
    look(&mut deployment, "new 1/2", 20);
    expect!["Available=False MinimumReplicasUnavailable @10/10, Progressing=True ReplicaSetUpdated @10/20"]
        .assert_eq(&told(&deployment));
    look(&mut deployment, "new 2/2", 30);
    expect!["Available=True MinimumReplicasAvailable @30/30, Progressing=True NewReplicaSetAvailable @10/30"]
        .assert_eq(&told(&deployment));
    let expected = "ReplicaSet \"new\" has successfully progressed.";
    assert_eq!(message(&deployment, "Progressing"), expected);
    let before = deployment.clone();
    look(&mut deployment, "new 2/2", 40);
    assert_eq!(deployment.status, before.status, "nothing moved, so nothing is written");
}

#[test]
fn before_anything_moves_the_set_was_made_and_no_more() {
    let mut deployment = begun(2);
    let mut set = set(&deployment, "new 0/2");
    set.status.replicas = 0;
    let sets = Sets::of(&deployment, vec![Arc::new(set)]);
    deployment.status = progress::status(&deployment, &sets, at(10));
    expect!["Available=False MinimumReplicasUnavailable @10/10, Progressing=True NewReplicaSetCreated @10/10"]
        .assert_eq(&told(&deployment));
    assert_eq!(deployment.status.unavailable_replicas, 2);
}

#[test]
fn a_rollout_that_stands_still_for_too_long_says_so_until_it_moves() {
    let mut deployment = begun(2);
    look(&mut deployment, "new 0/2", 10);
    assert_eq!(progress::late_at(&deployment), Some(at(611)));
    look(&mut deployment, "new 0/2", 610);
    assert!(told(&deployment).ends_with("Progressing=True ReplicaSetUpdated @10/10"));
    look(&mut deployment, "new 0/2", 611);
    assert!(told(&deployment).ends_with("Progressing=False ProgressDeadlineExceeded @611/611"));
    assert_eq!(
        message(&deployment, "Progressing"),
        "ReplicaSet \"new\" has timed out progressing."
    );
    assert_eq!(progress::late_at(&deployment), None);
    look(&mut deployment, "new 0/2", 700);
    assert!(told(&deployment).ends_with("@611/611"), "it stays");
    look(&mut deployment, "new 1/2", 800);
    assert!(told(&deployment).ends_with("Progressing=True ReplicaSetUpdated @800/800"));
}

#[test]
fn pods_that_are_lost_after_a_rollout_are_none_of_its_business() {
    let mut deployment = begun(2);
    look(&mut deployment, "new 2/2", 20);
    look(&mut deployment, "new 1/2", 10_000);
    assert!(told(&deployment).contains("Progressing=True NewReplicaSetAvailable @10/20"));
    assert_eq!(progress::late_at(&deployment), None);
    look(&mut deployment, "new 2/2", 10_010);
    assert!(told(&deployment).contains("Progressing=True NewReplicaSetAvailable @10/20"));
}

#[test]
fn the_next_rollout_begins_when_its_set_is_made_or_grows() {
    let mut deployment = begun(2);
    look(&mut deployment, "new 2/2", 20);
    look(&mut deployment, "v1 2/2, new 0/0", 1_000);
    assert!(told(&deployment).contains("NewReplicaSetAvailable @10/20"), "{}", told(&deployment));
    look(&mut deployment, "v1 2/2, new 0/1", 1_010);
    assert!(told(&deployment).contains("Progressing=True ReplicaSetUpdated @10/1010"));
}

#[test]
fn without_a_deadline_nothing_is_told_of_progress() {
    let mut deployment = begun(2);
    for none in [None, Some(i32::MAX)] {
        deployment.spec.progress_deadline_seconds = none;
        progress::note_found(&mut deployment, "new", at(10));
        look(&mut deployment, "new 0/2", 10);
        assert_eq!(told(&deployment), "Available=False MinimumReplicasUnavailable @10/10");
        assert_eq!(progress::late_at(&deployment), None);
    }
}

#[test]
fn a_pause_is_told_and_does_not_count() {
    let mut deployment = begun(2);
    deployment.spec.paused = true;
    progress::note_pause(&mut deployment, at(100));
    progress::note_pause(&mut deployment, at(200));
    assert_eq!(told(&deployment), "Progressing=Unknown DeploymentPaused @100/100");
    assert_eq!(message(&deployment, "Progressing"), "Deployment is paused");
    deployment.spec.paused = false;
    progress::note_pause(&mut deployment, at(5_000));
    progress::note_pause(&mut deployment, at(5_001));
    assert_eq!(told(&deployment), "Progressing=Unknown DeploymentResumed @100/5000");
    assert_eq!(message(&deployment, "Progressing"), "Deployment is resumed");
    assert_eq!(progress::late_at(&deployment), Some(at(5_601)));
}

#[test]
fn a_pause_does_not_hide_that_it_took_too_long() {
    let mut deployment = deployment(2);
    let note = |deployment: &mut Deployment| {
        progress::note(deployment, "False", "ProgressDeadlineExceeded", "late", at(10));
    };
    note(&mut deployment);
    deployment.spec.paused = true;
    progress::note_pause(&mut deployment, at(20));
    assert_eq!(told(&deployment), "Progressing=False ProgressDeadlineExceeded @10/10");
}

#[test]
fn a_set_that_was_there_before_is_found() {
    let mut deployment = deployment(2);
    progress::note_found(&mut deployment, "web-1", at(10));
    progress::note_found(&mut deployment, "web-2", at(20));
    assert_eq!(told(&deployment), "Progressing=True FoundNewReplicaSet @10/10");
    assert_eq!(message(&deployment, "Progressing"), "Found new replica set \"web-1\"");
}

#[test]
fn that_a_set_cannot_have_its_pods_is_told_of_the_current_one_first() {
    let mut deployment = begun(2);
    let failing = |text: &str, seconds: i64| {
        let mut set = set(&begun(2), text);
        set.status.conditions.push(ReplicaSetCondition {
            type_: "ReplicaFailure".into(),
            status: "True".into(),
            reason: "FailedCreate".into(),
            message: text.into(),
            last_transition_time: Some(at(seconds)),
        });
        Arc::new(set)
    };
    let both = vec![failing("v1 1/2", 5), failing("new 0/2", 7)];
    deployment.status = progress::status(&deployment, &Sets::of(&deployment, both), at(10));
    assert!(told(&deployment).ends_with("ReplicaFailure=True FailedCreate @7/7"));
    assert_eq!(message(&deployment, "ReplicaFailure"), "new 0/2");
    let old = vec![failing("v1 1/2", 5), Arc::new(set(&deployment, "new 0/2"))];
    deployment.status.conditions.clear();
    deployment.status = progress::status(&deployment, &Sets::of(&deployment, old), at(20));
    assert!(told(&deployment).ends_with("ReplicaFailure=True FailedCreate @5/5"));
    look(&mut deployment, "v1 1/2, new 0/2", 30);
    assert!(!told(&deployment).contains("ReplicaFailure"));
}

#[test]
fn the_counts_are_those_of_all_sets_and_those_that_are_updated_of_the_current_one() {
    let mut deployment = deployment(4);
    deployment.metadata.generation = 3;
    let sets = sets(&deployment, "v1 1/2 going, new 1/3 going");
    let status = status::counted(&deployment, &sets, at(10));
    let counts = [
        status.replicas,
        status.updated_replicas,
        status.ready_replicas,
        status.available_replicas,
        status.unavailable_replicas,
    ];
    assert_eq!(counts, [5, 3, 2, 2, 3]);
    assert_eq!((status.terminating_replicas, status.observed_generation), (Some(2), 3));
}

#[test]
fn how_many_are_going_is_not_told_while_a_set_does_not_tell() {
    let deployment = deployment(2);
    let terminating = |generation: i64| {
        let mut silent = set(&deployment, "v1 0/0");
        silent.status.terminating_replicas = None;
        silent.status.observed_generation = generation;
        let sets = vec![Arc::new(silent), Arc::new(set(&deployment, "new 1/2 going"))];
        let sets = Sets::of(&deployment, sets);
        status::counted(&deployment, &sets, at(10)).terminating_replicas
    };
    assert_eq!(terminating(0), Some(1), "one that was never looked at has none");
    assert_eq!(terminating(1), None);
}

#[test]
fn a_deployment_that_recreates_its_pods_needs_all_of_them() {
    let needs_all = status::counted(&recreating(4), &sets(&recreating(4), "new 3/4"), at(1));
    assert_eq!(needs_all.conditions[0].status, "False");
    let may_miss_one = status::counted(&deployment(4), &sets(&deployment(4), "new 3/4"), at(1));
    assert_eq!(may_miss_one.conditions[0].status, "True");
}
