//! Which pods come and go, and when.

use super::{IntOrString, check, expect, parallel, set};

#[test]
fn one_pod_comes_after_the_other() {
    check(&set(3), "", expect!["create 0"]);
    check(&set(3), "0 new", expect![""]);
    check(&set(3), "0 new pending", expect!["claims 0"]);
    check(&set(3), "0 new ready", expect!["create 1"]);
    check(&set(3), "0 new ready leaving", expect![""]);
    check(&set(3), "0 new ready, 2 new ready", expect!["create 1"]);
    check(&set(0), "", expect![""]);
}

#[test]
fn or_all_at_once() {
    check(&parallel(3), "", expect!["create 0, create 1, create 2"]);
    check(&parallel(3), "0 new failed, 1 new", expect!["delete db-0, create 2"]);
}

#[test]
fn a_pod_that_has_not_been_ready_for_long_enough_is_waited_for() {
    let mut set = set(2);
    set.spec.min_ready_seconds = 30;
    check(&set, "0 new ready", expect![""]);
    set.spec.min_ready_seconds = 10;
    check(&set, "0 new ready", expect!["create 1"]);
}

#[test]
fn the_last_goes_first() {
    check(&set(1), "0 new ready, 1 new ready, 2 new ready", expect!["delete db-2"]);
    check(&set(1), "0 new ready, 1 new ready, 2 new ready leaving", expect![""]);
    check(&set(1), "0 new, 1 new ready", expect![""]);
    check(&set(1), "0 new ready, 1 new, 2 new ready", expect!["delete db-2"]);
    check(&set(1), "0 new ready, 1 new, 2 new", expect![""]);
    check(&set(1), "0 new ready, 1 new", expect!["delete db-1"]);
    check(&parallel(1), "0 new, 1 new, 2 new ready", expect!["delete db-2, delete db-1"]);
}

#[test]
fn numbers_may_begin_elsewhere() {
    let mut set = set(2);
    set.spec.ordinals.get_or_insert_default().start = 5;
    check(&set, "", expect!["create 5"]);
    check(&set, "5 new ready, 6 new ready, 0 new ready", expect!["delete db-0"]);
}

#[test]
fn pods_that_have_ended_make_room() {
    check(&set(2), "0 new failed", expect!["delete db-0"]);
    check(&set(2), "0 new failed leaving", expect![""]);
}

#[test]
fn a_rollout_goes_from_the_last_pod_down_to_the_partition() {
    let mut set = set(3);
    check(&set, "0 old ready, 1 old ready, 2 old ready", expect!["delete db-2"]);
    check(&set, "0 old ready, 1 old ready", expect!["create 2"]);
    check(&set, "0 old ready, 1 old ready, 2 new", expect![""]);
    check(&set, "0 old ready, 1 old ready, 2 new ready", expect!["delete db-1"]);
    set.spec.update_strategy.rolling_update.get_or_insert_default().partition = Some(2);
    check(&set, "0 old ready, 1 old ready, 2 new ready", expect![""]);
    check(&set, "0 old ready, 2 new ready", expect!["create 1 old"]);
    set.spec.update_strategy.rolling_update.get_or_insert_default().partition = Some(9);
    check(&set, "0 old ready, 1 old ready, 2 old ready", expect![""]);
}

#[test]
fn several_may_be_missing_if_the_set_says_so() {
    let mut set = parallel(3);
    let rolling = set.spec.update_strategy.rolling_update.get_or_insert_default();
    rolling.max_unavailable = Some(IntOrString::Int(2));
    check(&set, "0 old ready, 1 old ready, 2 old ready", expect!["delete db-2, delete db-1"]);
    check(&set, "0 old ready, 1 old ready, 2 new", expect!["delete db-1"]);
    let rolling = set.spec.update_strategy.rolling_update.get_or_insert_default();
    rolling.max_unavailable = Some(IntOrString::from("10%"));
    check(&set, "0 old ready, 1 old ready, 2 old ready", expect!["delete db-2"]);
}

#[test]
fn pods_that_are_updated_on_deletion_are_left_alone() {
    let mut set = set(2);
    set.spec.update_strategy.type_ = "OnDelete".into();
    set.spec.update_strategy.rolling_update = None;
    check(&set, "0 old ready, 1 old ready", expect![""]);
    check(&set, "0 old ready", expect!["create 1"]);
}

/// What `kubectl scale --replicas=2147483647` asks for.
#[test]
fn replicas_that_nobody_could_run_are_made_by_and_by() {
    check(&set(i32::MAX), "0 new ready", expect!["create 1"]);
    let mut set = parallel(i32::MAX);
    set.spec.ordinals.get_or_insert_default().start = i32::MAX;
    let revisions = super::revisions();
    let view = super::View::of(&set, Vec::new(), Vec::new(), &revisions, super::NOW);
    assert_eq!(super::steps(&view).len(), 500);
}
