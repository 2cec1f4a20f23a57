//! Which pods come and go.

use super::{Backoff, expect, look, manage, managed, rolling, set, stepped, told};

#[test]
fn each_node_gets_one_pod_and_closed_ones_lose_theirs() {
    managed(&set(), "a, b", "", expect!["create on a, create on b"]);
    managed(&set(), "a, b", "a old", expect!["create on b"]);
    managed(&set(), "a, b!NoSchedule", "b old", expect!["create on a"]);
    managed(&set(), "a!NoExecute", "a old", expect!["delete a-old"]);
    managed(&set(), "a!NoExecute", "a old leaving", expect![""]);
}

#[test]
fn of_several_pods_on_a_node_the_first_placed_stays() {
    managed(&set(), "a", "a old waiting as y, a old as z", expect!["delete y"]);
}

#[test]
fn a_pod_that_goes_keeps_its_node_until_it_is_gone() {
    managed(&set(), "a", "a old leaving", expect![""]);
    managed(&set(), "a", "a old leaving failed", expect!["create on a"]);
}

#[test]
fn pods_that_have_ended_go_and_failures_wait() {
    managed(&set(), "a", "a new succeeded", expect!["delete a-new"]);
    let mut backoff = Backoff::default();
    backoff.follow(&set());
    let mut again = || {
        let orders = look(&set(), "a", "a new failed", |view| manage(view, &mut backoff));
        (told(&orders), orders.ended.len(), orders.wait.map(|wait| wait.unix()))
    };
    assert_eq!(again(), ("delete a-new".to_owned(), 1, None));
    assert_eq!(again(), (String::new(), 0, Some(1_001)));
}

#[test]
fn a_pod_that_waits_for_a_node_that_is_gone_goes() {
    managed(&set(), "a", "a new, b new waiting, c new", expect!["delete b-new"]);
}

#[test]
fn with_a_surge_there_are_two_only_while_the_new_one_comes() {
    let set = rolling("1", "0");
    managed(&set, "a", "a old ready, a new", expect![""]);
    managed(&set, "a", "a old ready, a new ready", expect!["delete a-old"]);
    managed(&set, "a", "a old, a new", expect!["delete a-old"]);
    managed(&set, "a", "a old leaving", expect!["create on a"]);
    managed(&set, "a", "a old as x, a old as y, a new", expect!["delete y, delete x"]);
}

#[test]
fn without_a_surge_as_many_pods_go_as_may_be_missing() {
    let set = rolling("0", "1");
    stepped(&set, "a, b", "a old ready, b old ready", expect!["delete a-old"]);
    stepped(&set, "a, b", "a old leaving, b old ready", expect![""]);
    stepped(&set, "a, b", "a new, b old ready", expect![""]);
    stepped(&set, "a, b", "a new ready, b old ready", expect!["delete b-old"]);
    stepped(&set, "a, b", "a new ready, b new ready", expect![""]);
    stepped(
        &rolling("0", "50%"),
        "a, b, c",
        "a old ready, b old ready, c old ready",
        expect!["delete a-old, delete b-old"],
    );
}

#[test]
fn former_pods_that_are_not_available_go_at_once() {
    let set = rolling("0", "1");
    stepped(&set, "a, b, c", "a old, b old ready, c old", expect!["delete a-old, delete c-old"]);
}

#[test]
fn with_a_surge_new_pods_come_first() {
    let set = rolling("1", "0");
    stepped(&set, "a, b", "a old ready, b old ready", expect!["create on a"]);
    stepped(&set, "a, b", "a old ready, a new, b old ready", expect![""]);
    stepped(
        &set,
        "a, b",
        "a old ready, a new ready, b old ready",
        expect!["create on b, delete a-old"],
    );
    stepped(&set, "a, b", "a old ready, b old", expect!["create on b, create on a"]);
}

#[test]
fn with_a_surge_a_node_that_wants_none_any_more_waits_for_the_others() {
    let set = rolling("1", "0");
    let nodes = "a, b!NoSchedule";
    stepped(&set, nodes, "a new, b old ready", expect![""]);
    stepped(&set, nodes, "a new ready, b old ready", expect!["delete b-old"]);
    stepped(&set, nodes, "a new, b old", expect!["delete b-old"]);
}

#[test]
fn pods_that_are_updated_on_deletion_are_left_alone() {
    let mut set = rolling("0", "1");
    set.spec.update_strategy.type_ = "OnDelete".into();
    stepped(&set, "a", "a old ready", expect![""]);
}
