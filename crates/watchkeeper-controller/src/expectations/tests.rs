//! What is expected, comes, goes, or never does.

use watchkeeper_api::StaticKind;
use watchkeeper_api::apps::v1::ReplicaSet;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::object;

use super::*;
use crate::owner::controlled_by;

const WEB: (&str, &str) = ("shop", "web");

fn pod(uid: &str) -> Arc<Pod> {
    let set = object!(ReplicaSet { metadata: { name: "web", namespace: "shop", uid: "1" } });
    Arc::new(object!(Pod {
        metadata: {
            name: uid, namespace: "shop", uid: uid, owner_references: [controlled_by(&set)],
        },
    }))
}

fn added(uid: &str) -> Change<Pod> {
    Change::Added { new: pod(uid), initial: false }
}

fn deleted(uid: &str) -> Change<Pod> {
    Change::Deleted { last: pod(uid), final_state_unknown: false }
}

#[tokio::test]
async fn what_is_expected_is_met_when_it_has_come_or_will_not() {
    let expected = Expectations::new(ReplicaSet::static_kind());
    assert!(expected.are_met(WEB), "nothing is");
    expected.expect_creations(WEB, 3);
    assert!(!expected.are_met(WEB) && expected.are_met(("shop", "other")));
    expected.see(&added("a"));
    expected.see(&added("b"));
    assert!(!expected.are_met(WEB));
    expected.created(WEB);
    assert!(expected.are_met(WEB));
    expected.see(&added("more"));
    expected.expect_creations(WEB, 1);
    assert!(!expected.are_met(WEB), "what came before does not count");
    expected.forget(WEB);
    assert!(expected.are_met(WEB));
}

#[tokio::test]
async fn deletions_are_told_apart_by_uid_and_begin_with_the_wish() {
    let expected = Expectations::new(ReplicaSet::static_kind());
    expected.expect_deletions(WEB, ["a", "b"]);
    expected.see(&deleted("c"));
    expected.see(&deleted("a"));
    expected.see(&deleted("a"));
    assert!(!expected.are_met(WEB));
    let mut going = (*pod("b")).clone();
    going.metadata.deletion_timestamp = Some(watchkeeper_api::Time::from_unix(1));
    expected.see(&Change::Updated { old: pod("b"), new: Arc::new(going) });
    assert!(expected.are_met(WEB));
}

#[tokio::test(start_paused = true)]
async fn what_does_not_come_is_expected_for_five_minutes() {
    let expected = Expectations::new(ReplicaSet::static_kind());
    expected.expect_creations(WEB, 1);
    tokio::time::sleep(Duration::from_secs(299)).await;
    assert!(!expected.are_met(WEB));
    assert_eq!(expected.wait(WEB), Some(Duration::from_secs(1)));
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(expected.are_met(WEB));
    assert_eq!(expected.wait(WEB), None);
}

/// A restart tells all there is once more.
#[tokio::test]
async fn what_was_there_at_the_start_is_none_of_those_expected() {
    let expected = Expectations::new(ReplicaSet::static_kind());
    expected.expect_creations(WEB, 1);
    expected.see(&Change::Added { new: pod("before"), initial: true });
    assert!(!expected.are_met(WEB));
    expected.see(&added("made"));
    assert!(expected.are_met(WEB));
}

#[tokio::test]
async fn a_child_on_its_way_out_does_not_come_but_goes() {
    let mut going = (*pod("a")).clone();
    going.metadata.deletion_timestamp = Some(watchkeeper_api::Time::from_unix(1));
    for initial in [true, false] {
        let expected = Expectations::new(ReplicaSet::static_kind());
        let seen = Change::Added { new: Arc::new(going.clone()), initial };
        expected.expect_creations(WEB, 1);
        expected.see(&seen);
        assert!(!expected.are_met(WEB), "initial: {initial}");
        expected.expect_deletions(WEB, ["a"]);
        expected.see(&seen);
        assert!(expected.are_met(WEB), "initial: {initial}");
    }
}

#[tokio::test]
async fn a_child_that_changes_neither_comes_nor_goes() {
    let expected = Expectations::new(ReplicaSet::static_kind());
    let changed = Change::Updated { old: pod("a"), new: pod("a") };
    expected.expect_creations(WEB, 1);
    expected.see(&changed);
    assert!(!expected.are_met(WEB));
    expected.expect_deletions(WEB, ["a"]);
    expected.see(&changed);
    assert!(!expected.are_met(WEB));
    assert_eq!(format!("{expected:?}"), "Expectations(1 owners)");
}
