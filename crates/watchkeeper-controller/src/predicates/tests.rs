//! Each predicate sees its own kind of change and no other.

use std::sync::Arc;

use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::object;

use super::*;

#[test]
fn each_predicate_sees_its_own_change_and_no_other() {
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
