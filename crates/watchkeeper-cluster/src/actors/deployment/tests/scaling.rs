//! A change of replicas, while nothing else goes on, in the midst of a rollout, and while it is paused.

use super::*;

fn paused(mut deployment: Deployment) -> Deployment {
    deployment.spec.paused = true;
    deployment
}

#[test]
fn a_change_of_replicas_scales_the_set_that_has_pods() {
    check(&deployment(5), "new 3/3 of 3+1", expect!["scale new to 5"]);
    check(&deployment(0), "new 3/3 of 3+1", expect!["scale new to 0"]);
    check(&deployment(5), "v1 3/3 of 3+1, new 0/0", expect!["scale v1 to 5"]);
}

#[test]
fn a_set_that_was_told_of_others_is_what_a_change_of_replicas_is_told_by() {
    let deployment = deployment(4);
    let course = |text: &str| plan::course(&deployment, &sets(&deployment, text));
    assert_eq!(course("v1 2/3 of 3+1, new 1/1 of 3+1"), Course::Rescale);
    assert_eq!(course("v1 2/3 of 4+1, new 1/1 of 4+1"), Course::RollOut);
    assert_eq!(course("v1 0/0 of 3+1, new 4/4 of 4+1"), Course::RollOut, "one without pods is not");
    assert_eq!(course("new 1/1"), Course::RollOut, "nor one that was told of none");
}

#[test]
fn in_the_midst_of_a_rollout_all_sets_change_in_proportion() {
    let deployment = |replicas| rolling(deployment(replicas), "3", "2");
    let before = "v1 8/8 of 10+3, new 2/5 of 10+3";
    check(&deployment(15), before, expect!["scale v1 to 11, scale new to 7"]);
    check(&deployment(5), before, expect!["scale v1 to 5, scale new to 3"]);
    check(&deployment(0), before, expect!["scale v1 to 0, scale new to 0"]);
}

#[test]
fn the_largest_set_takes_what_rounding_leaves_and_the_newer_one_grows_first() {
    let before = "v1 2/2 of 4+0, v2 2/2 of 4+0";
    let deployment = |replicas| rolling(deployment(replicas), "0", "1");
    check(&deployment(5), before, expect!["scale v2 to 3, scale v1 to 2"]);
    check(&deployment(3), before, expect!["scale v1 to 1, scale v2 to 2"]);
    check(&deployment(5), "v1 1/1 of 4+0, v2 3/3 of 4+0", expect!["scale v2 to 4, scale v1 to 1"]);
}

#[test]
fn a_set_that_keeps_its_size_is_told_of_the_replicas_all_the_same() {
    let deployment = rolling(deployment(4), "2", "0");
    check(&deployment, "v1 3/3 of 5+1, new 3/3 of 4+2", expect!["scale v1 to 3"]);
}

#[test]
fn without_the_annotation_the_status_tells_the_former_size() {
    let mut deployment = paused(rolling(deployment(8), "0", "1"));
    check(&deployment, "v1 2/2, new 2/2", expect!["scale v1 to 6, scale new to 2"]);
    deployment.status.replicas = 4;
    check(&deployment, "v1 3/3, new 1/1", expect!["scale v1 to 6, scale new to 2"]);
}

#[test]
fn beside_a_set_that_has_all_the_others_have_none() {
    let deployment = paused(deployment(3));
    check(&deployment, "v1 1/1 of 3+1, new 3/3 of 3+1", expect!["scale v1 to 0"]);
}

#[test]
fn a_paused_deployment_only_follows_its_replicas() {
    let deployment = paused(deployment(3));
    check(&deployment, "v1 2/2", expect!["scale v1 to 3"]);
    check(&deployment, "v1 0/0, v2 0/0", expect!["scale v2 to 3"]);
    check(&deployment, "v1 0/0, new 0/0", expect!["scale new to 3"]);
    check(&deployment, "", expect![""]);
    check(&paused(recreating(3)), "v1 1/1, new 1/1", expect![""]);
}

#[test]
fn what_goes_is_left_alone() {
    let mut deployment = deployment(3);
    deployment.metadata.deletion_timestamp = Some(Time::from_unix(1));
    check(&deployment, "v1 3/3 of 5+1", expect![""]);
}
