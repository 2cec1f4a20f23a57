//! Each predicate sees its own kind of change and no other.

use std::sync::Arc;

use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::object;

use super::*;

/// B-06.
#[test]
fn b_06_each_predicate_sees_its_own_change_and_no_other() {
    let old = object!(Pod { metadata: { name: "a", resource_version: "1", generation: 1 } });
    let edits: [fn(&mut Pod); 4] = [
        |pod| pod.metadata.generation = 2,
        |pod| pod.metadata.resource_version = "2".into(),
        |pod| drop(pod.metadata.labels.insert("a", "b")),
        |pod| drop(pod.metadata.annotations.insert("a", "b")),
    ];
    let predicates: [fn(&Change<Pod>) -> bool; 4] =
        [generation_changed, resource_version_changed, labels_changed, annotations_changed];
    for (edited, edit) in edits.iter().enumerate() {
        let mut new = old.clone();
        edit(&mut new);
        let change = Change::Updated { old: Arc::new(old.clone()), new: Arc::new(new) };
        for (asked, predicate) in predicates.iter().enumerate() {
            assert_eq!(predicate(&change), asked == edited, "edit {edited}, predicate {asked}");
        }
    }
}

#[test]
fn what_comes_or_goes_always_matters() {
    let pod = Arc::new(Pod::default());
    let added = Change::Added { new: Arc::clone(&pod), initial: true };
    let deleted = Change::Deleted { last: pod, final_state_unknown: false };
    assert!(generation_changed(&added) && labels_changed(&deleted));
}

/// B-06: of an update the new labels count, of an end the last ones.
#[test]
fn b_06_labels_are_matched_as_they_are_and_as_they_were_at_last() {
    let pod = |app: &str| {
        let labels = watchkeeper_api::Map::from([("app", app)]);
        Arc::new(object!(Pod { metadata: { name: "a", labels: labels } }))
    };
    let web = labels_match("app=web".parse().unwrap());
    assert!(web(&Change::Added { new: pod("web"), initial: false }));
    assert!(!web(&Change::Added { new: pod("db"), initial: false }));
    assert!(web(&Change::Updated { old: pod("db"), new: pod("web") }));
    assert!(!web(&Change::Updated { old: pod("web"), new: pod("db") }));
    assert!(web(&Change::Deleted { last: pod("web"), final_state_unknown: true }));
}

/// B-06: and, or, not and functions of one's own are those of the language, on typed old and new.
#[test]
fn b_06_predicates_combine_as_everything_does() {
    let old = object!(Pod { metadata: { name: "a", generation: 1 } });
    let mut new = old.clone();
    new.metadata.generation = 2;
    let change = Change::Updated { old: Arc::new(old.clone()), new: Arc::new(new) };
    let same = Change::Updated { old: Arc::new(old.clone()), new: Arc::new(old) };
    let either = |change: &_| generation_changed(change) || labels_changed(change);
    let both = |change: &_| generation_changed(change) && labels_changed(change);
    let neither = |change: &_| !generation_changed(change) && !labels_changed(change);
    assert_eq!((either(&change), both(&change), neither(&change)), (true, false, false));
    assert_eq!((either(&same), both(&same), neither(&same)), (false, false, true));
    let grown = |change: &Change<Pod>| match change {
        Change::Updated { old, new } => new.metadata.generation > old.metadata.generation,
        Change::Added { .. } | Change::Deleted { .. } => false,
    };
    assert_eq!((grown(&change), grown(&same)), (true, false));
}

#[test]
fn a_deletion_begins_once() {
    let pod = |is_going: bool| {
        let mut pod = object!(Pod { metadata: { name: "a" } });
        pod.metadata.deletion_timestamp = is_going.then(|| watchkeeper_api::Time::from_unix(1));
        Arc::new(pod)
    };
    let began =
        |before, after| deletion_began(&Change::Updated { old: pod(before), new: pod(after) });
    assert!(began(false, true));
    assert!(!began(false, false), "nobody asked it to go");
    assert!(!began(true, true), "it was told before");
}
