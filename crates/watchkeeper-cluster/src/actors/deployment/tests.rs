//! A rollout, step by step: each line says what the sets have, each answer what is done next.

use std::sync::Arc;

use expect_test::{Expect, expect};
use watchkeeper_api::apps::v1::{Deployment, ReplicaSet};
use watchkeeper_api::{IntOrString, Time};

use super::annotations::{DESIRED, MAX, REVISION};
use super::plan::{self, Course, Sets, Step};
use super::{annotations, history, progress, rollback, template};

mod revisions;
mod scaling;
mod telling;

fn deployment(replicas: i32) -> Deployment {
    let mut deployment = Deployment::default();
    deployment.metadata.name = "web".into();
    deployment.spec.replicas = Some(replicas);
    deployment.spec.template.metadata.labels.insert("app", "web");
    deployment.spec.progress_deadline_seconds = Some(600);
    deployment
}

fn recreating(replicas: i32) -> Deployment {
    let mut deployment = deployment(replicas);
    deployment.spec.strategy.type_ = "Recreate".into();
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

/// `new 1/2` is the current set with one of two replicas available; `v1 3/3` is an old one. `going` says that a pod
/// of it is going, `behind` that it has not seen its last change, `of 4+1` that it was told of four replicas and a
/// surge of one, and `#2` that it has the second revision.
fn set(deployment: &Deployment, line: &str) -> ReplicaSet {
    let mut words = line.split(' ');
    let (name, counts) = (words.next().expect("a name"), words.next().expect("counts"));
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
    set.status.terminating_replicas = Some(0);
    while let Some(word) = words.next() {
        match word {
            "going" => set.status.terminating_replicas = Some(1),
            "behind" => set.metadata.generation = 1,
            "of" => told_of(&mut set, words.next().expect("replicas")),
            number => {
                let number = number.strip_prefix('#').expect("a revision");
                set.metadata.annotations.insert(REVISION, number);
            }
        }
    }
    set
}

fn told_of(set: &mut ReplicaSet, text: &str) {
    let numbers: Vec<i64> =
        text.split('+').map(|number| number.parse().expect("a number")).collect();
    set.metadata.annotations.insert(DESIRED, numbers[0].to_string());
    set.metadata.annotations.insert(MAX, numbers.iter().sum::<i64>().to_string());
}

fn sets(deployment: &Deployment, text: &str) -> Sets {
    let lines = text.split(',').map(str::trim).filter(|line| !line.is_empty());
    Sets::of(deployment, lines.map(|line| Arc::new(set(deployment, line))).collect())
}

fn check(deployment: &Deployment, before: &str, expected: Expect) {
    let sets = sets(deployment, before);
    let course = plan::course(deployment, &sets);
    let steps = plan::steps(course, deployment, &sets).into_iter().map(|step| match step {
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
fn a_rollout_never_exceeds_the_surge_nor_goes_below_what_must_be_available() {
    let deployment = rolling(deployment(4), "1", "1");
    check(&deployment, "v1 4/4", expect!["create with 1, scale v1 to 3"]);
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
    check(&deployment, "v1 1/2, v2 2/2", expect!["create with 0, scale v1 to 1"]);
    check(&deployment, "v1 1/2, v2 2/2, new 0/0", expect!["scale v1 to 1"]);
    check(&deployment, "v1 0/4, new 0/0", expect!["scale v1 to 3"]);
}

#[test]
fn nothing_is_told_from_a_set_whose_status_is_behind() {
    let deployment = rolling(deployment(4), "1", "1");
    check(&deployment, "v1 4/3, new 2/2", expect![""]);
    check(&deployment, "v1 3/3, new 2/2", expect!["scale v1 to 1"]);
}

#[test]
fn without_surge_and_unavailability_one_may_be_missing() {
    let none = |replicas| plan::bounds(&rolling(deployment(replicas), "0", "0%"));
    assert_eq!(none(2), plan::Bounds { surge: 0, unavailable: 1 });
    assert_eq!(none(0), plan::Bounds { surge: 0, unavailable: 0 }, "of none none may");
}

#[test]
fn percentages_round_up_for_the_surge_and_down_for_unavailability() {
    let deployment = rolling(deployment(10), "25%", "25%");
    assert_eq!(plan::bounds(&deployment), plan::Bounds { surge: 3, unavailable: 2 });
    assert_eq!(plan::bounds(&recreating(10)), plan::Bounds { surge: 0, unavailable: 0 });
}

#[test]
fn recreate_waits_until_the_old_pods_are_gone() {
    let deployment = recreating(2);
    check(&deployment, "v1 2/2", expect!["scale v1 to 0"]);
    check(&deployment, "v1 0/0 going", expect![""]);
    check(&deployment, "v1 0/0 behind", expect![""]);
    check(&deployment, "v1 0/0", expect!["create with 2"]);
    check(&deployment, "v1 0/0, new 0/0", expect!["scale new to 2"]);
}

#[test]
fn a_template_finds_its_set_again_and_only_the_template_names_it() {
    let one = deployment(1);
    let mut two = deployment(7);
    assert_eq!(template::hash(&one), template::hash(&two));
    two.spec.template.metadata.labels.insert("tier", "front");
    assert_ne!(template::hash(&one), template::hash(&two));
    two = deployment(1);
    two.status.collision_count = Some(1);
    assert_ne!(template::hash(&one), template::hash(&two));
    assert!(sets(&one, "new 1/1").new.is_some());
    assert!(sets(&one, "v1 1/1").new.is_none());
}

#[test]
fn a_name_that_is_too_long_is_cut_before_the_hash() {
    let mut deployment = deployment(1);
    deployment.metadata.name = "w".repeat(253).into();
    let (name, hash) =
        (template::replica_set(&deployment, 1, 1).metadata.name, template::hash(&deployment));
    assert_eq!((name.len(), name.ends_with(&format!("w-{hash}"))), (253, true));
}

/// What `kubectl scale --replicas=2147483647` asks for, twice in one rollout.
#[test]
fn replicas_that_nobody_could_run_do_not_overflow() {
    let most = i32::MAX;
    for deployment in
        [rolling(deployment(most), "25%", "25%"), rolling(deployment(most), "2147483647", "0")]
    {
        let told = format!("v1 {most}/{most} of {most}+0, new {most}/{most} of {most}+0");
        let sets = sets(&deployment, &told);
        for course in [Course::RollOut, Course::Hold] {
            assert!(!plan::steps(course, &deployment, &sets).is_empty());
        }
        let status = progress::status(&deployment, &sets, Time::from_unix(0));
        assert_eq!(status.replicas, most);
        assert!(annotations::of_scale(&deployment)[1].1.parse::<i32>().is_ok());
    }
}
