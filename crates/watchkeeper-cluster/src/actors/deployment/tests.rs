//! A rollout, step by step: each line says what the sets have, each answer what is done next.

use std::sync::Arc;

use expect_test::{Expect, expect};
use watchkeeper_api::apps::v1::{Deployment, ReplicaSet};
use watchkeeper_api::{IntOrString, Time};

use super::plan::{self, Sets, Step};
use super::{status, template};

fn deployment(replicas: i32) -> Deployment {
    let mut deployment = Deployment::default();
    deployment.metadata.name = "web".into();
    deployment.spec.replicas = Some(replicas);
    deployment.spec.template.metadata.labels.insert("app", "web");
    deployment
}

fn rolling(mut deployment: Deployment, surge: &str, unavailable: &str) -> Deployment {
    let rolling = deployment.spec.strategy.rolling_update.get_or_insert_default();
    rolling.max_surge = Some(value(surge));
    rolling.max_unavailable = Some(value(unavailable));
    deployment
}

fn value(text: &str) -> IntOrString {
    text.parse::<i32>().map_or_else(|_| IntOrString::from(text), IntOrString::Int)
}

/// `new 1/2` is the current set with one of two replicas available; `v1 3/3` is an old one.
fn sets(deployment: &Deployment, text: &str) -> Sets {
    let set = |line: &str| {
        let (name, counts) = line.trim().split_once(' ').expect("name and counts");
        let (available, wanted) = counts.split_once('/').expect("available/wanted");
        let mut set = ReplicaSet::default();
        set.metadata.name = name.into();
        set.spec.replicas = Some(wanted.parse().expect("a number"));
        set.spec.template = deployment.spec.template.clone();
        if name != "new" {
            set.spec.template.metadata.labels.insert("version", name);
        }
        set.spec.template.metadata.labels.insert(template::HASH_LABEL, name);
        set.status.available_replicas = available.parse().expect("a number");
        set.status.ready_replicas = set.status.available_replicas;
        set.status.replicas = set.spec.replicas.expect("set above");
        Arc::new(set)
    };
    let lines = text.split(',').filter(|line| !line.trim().is_empty());
    Sets::of(deployment, lines.map(set).collect())
}

fn check(deployment: &Deployment, before: &str, expected: Expect) {
    let sets = sets(deployment, before);
    let steps = plan::steps(deployment, &sets).into_iter().map(|step| match step {
        Step::Create { replicas } => format!("create with {replicas}"),
        Step::Scale { set, replicas } => format!("scale {} to {replicas}", set.metadata.name),
    });
    expected.assert_eq(&steps.collect::<Vec<_>>().join(", "));
}

#[test]
fn a_new_deployment_gets_its_set_with_all_replicas() {
    check(&deployment(3), "", expect!["create with 3"]);
    check(&deployment(3), "new 0/3", expect![""]);
}

#[test]
fn a_change_of_replicas_scales_the_current_set() {
    check(&deployment(5), "new 3/3", expect!["scale new to 5"]);
    check(&deployment(0), "new 3/3", expect!["scale new to 0"]);
}

#[test]
fn a_rollout_never_exceeds_the_surge_nor_goes_below_what_must_be_available() {
    let deployment = rolling(deployment(4), "1", "1");
    check(&deployment, "v1 4/4", expect!["create with 1"]);
    check(&deployment, "v1 4/4, new 0/1", expect!["scale v1 to 3"]);
    check(&deployment, "v1 3/3, new 0/1", expect!["scale new to 2"]);
    check(&deployment, "v1 3/3, new 0/2", expect![""]);
    check(&deployment, "v1 3/3, new 2/2", expect!["scale v1 to 1"]);
    check(&deployment, "v1 1/1, new 2/2", expect!["scale new to 4"]);
    check(&deployment, "v1 1/1, new 4/4", expect!["scale v1 to 0"]);
    check(&deployment, "v1 0/0, new 4/4", expect![""]);
}

#[test]
fn old_pods_that_are_not_available_go_first() {
    let deployment = rolling(deployment(4), "0", "1");
    check(&deployment, "v1 1/2, v2 2/2", expect!["create with 0"]);
    check(&deployment, "v1 1/2, v2 2/2, new 0/0", expect!["scale v1 to 1"]);
}

#[test]
fn without_surge_and_unavailability_one_may_be_missing() {
    let deployment = rolling(deployment(2), "0", "0%");
    assert_eq!(plan::bounds(&deployment), plan::Bounds { surge: 0, unavailable: 1 });
}

#[test]
fn percentages_round_up_for_the_surge_and_down_for_unavailability() {
    let deployment = rolling(deployment(10), "25%", "25%");
    assert_eq!(plan::bounds(&deployment), plan::Bounds { surge: 3, unavailable: 2 });
}

#[test]
fn recreate_waits_until_the_old_pods_are_gone() {
    let mut deployment = deployment(2);
    deployment.spec.strategy.type_ = "Recreate".into();
    check(&deployment, "v1 2/2", expect!["scale v1 to 0"]);
    check(&deployment, "v1 0/0", expect!["create with 2"]);
}

#[test]
fn a_paused_deployment_only_follows_its_replicas() {
    let mut deployment = deployment(3);
    deployment.spec.paused = true;
    check(&deployment, "v1 2/2", expect!["scale v1 to 3"]);
    check(&deployment, "", expect![""]);
}

#[test]
fn a_template_finds_its_set_again_and_only_the_template_names_it() {
    let one = deployment(1);
    let mut two = deployment(7);
    assert_eq!(template::hash(&one), template::hash(&two));
    two.spec.template.metadata.labels.insert("tier", "front");
    assert_ne!(template::hash(&one), template::hash(&two));
    assert!(sets(&one, "new 1/1").new.is_some());
    assert!(sets(&one, "v1 1/1").new.is_none());
}

#[test]
fn the_history_keeps_as_many_idle_sets_as_the_limit_says() {
    let mut deployment = deployment(1);
    deployment.spec.revision_history_limit = Some(1);
    let sets = sets(&deployment, "v1 0/0, v2 0/0, v3 0/0, new 1/1");
    let names: Vec<_> =
        plan::outdated(&deployment, &sets).iter().map(|set| set.metadata.name.clone()).collect();
    assert_eq!(names, ["v1", "v2"]);
}

#[test]
fn the_conditions_tell_the_rollout_and_keep_their_times() {
    let mut deployment = deployment(2);
    let at = |seconds| Time::from_unix(seconds);
    deployment.status = status::status(&deployment, &sets(&deployment, "new 0/2"), at(10));
    expect![
        "Available=False MinimumReplicasUnavailable @10, Progressing=True NewReplicaSetCreated @10"
    ]
    .assert_eq(&conditions(&deployment));
    deployment.status = status::status(&deployment, &sets(&deployment, "new 1/2"), at(20));
    expect![
        "Available=False MinimumReplicasUnavailable @10, Progressing=True ReplicaSetUpdated @10"
    ]
    .assert_eq(&conditions(&deployment));
    deployment.status = status::status(&deployment, &sets(&deployment, "new 2/2"), at(30));
    expect![
        "Available=True MinimumReplicasAvailable @30, Progressing=True NewReplicaSetAvailable @10"
    ]
    .assert_eq(&conditions(&deployment));
    let again = status::status(&deployment, &sets(&deployment, "new 2/2"), at(40));
    assert_eq!(again, deployment.status, "nothing moved, so nothing is written");
}

fn conditions(deployment: &Deployment) -> String {
    let text = deployment.status.conditions.iter().map(|condition| {
        let since = condition.last_transition_time.map_or(0, |time| time.unix());
        format!("{}={} {} @{since}", condition.type_, condition.status, condition.reason)
    });
    text.collect::<Vec<_>>().join(", ")
}

/// What `kubectl scale --replicas=2147483647` asks for, twice in one rollout.
#[test]
fn replicas_that_nobody_could_run_do_not_overflow() {
    let most = i32::MAX;
    for deployment in
        [rolling(deployment(most), "25%", "25%"), rolling(deployment(most), "2147483647", "0")]
    {
        let sets = sets(&deployment, &format!("v1 {most}/{most},new {most}/{most}"));
        assert!(!plan::steps(&deployment, &sets).is_empty());
        let status = status::status(&deployment, &sets, Time::from_unix(0));
        assert_eq!(status.replicas, most);
        assert!(super::scale_annotations(&deployment)[1].1.parse::<i32>().is_ok());
    }
}
