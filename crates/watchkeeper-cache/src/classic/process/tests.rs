//! What becomes of what leaves a queue.

use watchkeeper_api::ObjectKey;

use super::*;
use crate::classic::{ClassicStore, DeletedObject, UndeltaStore};
use crate::delta::Replacement;
use crate::testing::{Tiny, tiny};

fn told(store: &Store<Tiny>, popped: Popped<Tiny>) -> Vec<String> {
    let mut told = Vec::new();
    process_deltas(store, popped, |change| told.push(change.to_string()));
    told
}

fn one(delta: Delta<Tiny>) -> Popped<Tiny> {
    Popped::Delta { delta, is_in_initial_list: false }
}

/// What waited of an object becomes one change each, also a deletion of what is there.
#[test]
fn deltas_of_one_object_are_told_one_after_the_other() {
    let store = Store::new();
    let object = |version: &str| Arc::new(tiny(&format!("a@{version}")));
    let key: ObjectKey = ("default", "a").into();
    let list = vec![
        ObjectDelta::Added(object("1")),
        ObjectDelta::Updated(object("2")),
        ObjectDelta::Sync(object("2")),
        ObjectDelta::Deleted(DeletedObject::FinalStateUnknown { key: key.clone(), last: None }),
        ObjectDelta::Replaced(object("4")),
    ];
    let deltas = Deltas { key, list, is_in_initial_list: true };
    assert_eq!(
        told(&store, Popped::Deltas(deltas)),
        [
            "add default/a @1 (initial)",
            "update default/a @1 -> @2",
            "resync default/a @2",
            "delete default/a last seen @2",
            "add default/a @4 (initial)"
        ]
    );
    assert_eq!(store.version(), "", "the order is not the server's");
    told(&store, one(Delta::Bookmark("9".into())));
    assert_eq!(store.version(), "9");
}

#[test]
fn a_resync_tells_everything_once_more() {
    let store = Store::new();
    store.add(Arc::new(tiny("a@1")));
    store.add(Arc::new(tiny("b@2")));
    let told = told(&store, one(Delta::Sync));
    assert_eq!(told, ["resync default/a @1", "resync default/b @2"]);
}

/// Upstream's informers find what vanished while they were away by the store that they are given.
#[test]
fn what_was_stored_by_hand_and_is_not_in_the_first_list_is_told_as_deleted() {
    let store = Store::new();
    store.add(Arc::new(tiny("by-hand@")));
    let items = vec![Arc::new(tiny("a@1"))];
    let list = Replacement { items, unreadable: Vec::new(), nameless: false, version: "5".into() };
    let told = told(&store, one(Delta::Replaced(list)));
    assert_eq!(told, ["delete default/by-hand last seen @", "add default/a @1 (initial)"]);
}

/// C-56; upstream's `TestUpdateCallsPush`, `TestDeleteCallsPush`, `TestReplaceCallsPush`,
/// `TestReadsDoNotCallPush`.
#[test]
fn c_56_an_undelta_store_tells_everything_after_each_change() {
    let told = Arc::new(std::sync::Mutex::new(Vec::new()));
    let telling = Arc::clone(&told);
    let store = UndeltaStore::new(move |objects: Vec<Arc<Tiny>>| {
        let names: Vec<String> = objects.iter().map(ToString::to_string).collect();
        telling.lock().unwrap().push(names.join(" "));
    });
    store.add(Arc::new(tiny("a@1")));
    store.update(Arc::new(tiny("a@2")));
    store.add(Arc::new(tiny("b@3")));
    assert_eq!(store.list().len(), 2);
    assert!(store.get(&tiny("a@0")).is_some());
    store.delete(&("default", "a").into());
    store.replace(vec![Arc::new(tiny("c@4"))], "5");
    assert_eq!(*told.lock().unwrap(), ["a@1", "a@2", "a@2 b@3", "b@3", "c@4"]);
}
