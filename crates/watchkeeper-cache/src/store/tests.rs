//! Scripts of deltas, and the store against a naive map.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::delta::Replacement;
use crate::testing::{Tiny, tiny};

/// `added a@1`, `updated a@2`, `deleted a@3`, `bookmark @4`, `replaced @5 a@1 !b`.
fn delta(line: &str) -> Delta<Tiny> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let object = || Arc::new(tiny(words[1]));
    let version = || words[1].trim_start_matches('@').to_owned();
    match words[0] {
        "added" => Delta::Added(object()),
        "updated" => Delta::Updated(object()),
        "deleted" => Delta::Deleted(object()),
        "vanished" => {
            Delta::Vanished { key: object().item_key(), version: object().version.clone() }
        }
        "bookmark" => Delta::Bookmark(version()),
        "replaced" => Delta::Replaced(Replacement {
            version: version(),
            items: words[2..]
                .iter()
                .filter(|w| !w.starts_with('!'))
                .map(|w| Arc::new(tiny(w)))
                .collect(),
            unreadable: words
                .iter()
                .filter_map(|w| w.strip_prefix('!'))
                .filter(|n| *n != "?")
                .map(|n| ("default", n).into())
                .collect(),
            nameless: words.contains(&"!?"),
        }),
        other => panic!("unknown delta {other}"),
    }
}

fn check(script: &str, expected: Expect) {
    let store = Store::new();
    let mut log = String::new();
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        writeln!(log, "{line}").unwrap();
        for change in store.apply(delta(line)) {
            writeln!(log, "  {change}").unwrap();
        }
    }
    write!(log, "@{}:", store.version()).unwrap();
    store.list().iter().for_each(|object| write!(log, " {object}").unwrap());
    expected.assert_eq(&log);
}

/// A deletion whose object could not be read is one all the same, and told once.
#[test]
fn what_vanished_is_told_with_its_last_known_state() {
    check(
        "
        replaced @5 a@1 b@2
        vanished a@9
        vanished a@9
        ",
        expect![[r#"
            replaced @5 a@1 b@2
              add default/a @1 (initial)
              add default/b @2 (initial)
            vanished a@9
              delete default/a last seen @1
            vanished a@9
            @9: b@2"#]],
    );
}

#[test]
fn the_first_list_is_initial_and_what_follows_is_not() {
    check(
        "
        replaced @5 a@1 b@2
        added c@6
        updated a@7
        deleted b@8
        bookmark @9
        ",
        expect![[r#"
            replaced @5 a@1 b@2
              add default/a @1 (initial)
              add default/b @2 (initial)
            added c@6
              add default/c @6
            updated a@7
              update default/a @1 -> @7
            deleted b@8
              delete default/b @8
            bookmark @9
            @9: a@7 c@6"#]],
    );
}

/// C-42: the server's word for it does not count, what the copy has does.
#[test]
fn c_42_added_and_updated_are_told_as_the_copy_sees_them() {
    check(
        "
        replaced @5 a@1
        updated b@6
        added a@7
        ",
        expect![[r#"
            replaced @5 a@1
              add default/a @1 (initial)
            updated b@6
              add default/b @6
            added a@7
              update default/a @1 -> @7
            @7: a@7 b@6"#]],
    );
}

/// C-44, defect d of kube-rs: what vanished during a relist is told, first, with what was last known.
#[test]
fn c_44_a_relist_deletes_what_vanished() {
    check(
        "
        replaced @5 a@1 b@2 c@3
        replaced @9 d@8 a@1 b@7
        ",
        expect![[r#"
            replaced @5 a@1 b@2 c@3
              add default/a @1 (initial)
              add default/b @2 (initial)
              add default/c @3 (initial)
            replaced @9 d@8 a@1 b@7
              delete default/c last seen @3
              add default/d @8
              update default/b @2 -> @7
            @9: a@1 b@7 d@8"#]],
    );
}

#[test]
fn a_name_with_another_uid_lived_twice() {
    check(
        "
        replaced @5 a#1@1 b#1@2
        replaced @9 a#2@7 b#1@2
        updated b#2@10
        ",
        expect![[r#"
            replaced @5 a#1@1 b#1@2
              add default/a @1 (initial)
              add default/b @2 (initial)
            replaced @9 a#2@7 b#1@2
              delete default/a last seen @1
              add default/a @7
            updated b#2@10
              delete default/b last seen @2
              add default/b @10
            @10: a#2@7 b#2@10"#]],
    );
}

#[test]
fn what_cannot_be_read_keeps_what_the_copy_has_of_it() {
    check(
        "
        replaced @5 a@1 b@2
        replaced @9 a@1 !b
        replaced @10 a@1
        ",
        expect![[r#"
            replaced @5 a@1 b@2
              add default/a @1 (initial)
              add default/b @2 (initial)
            replaced @9 a@1 !b
            replaced @10 a@1
              delete default/b last seen @2
            @10: a@1"#]],
    );
}

/// C-18: an object whose key cannot be read may be any that the list does not name.
#[test]
fn c_18_a_list_with_an_object_of_no_key_deletes_nothing() {
    check(
        "
        replaced @5 a@1 b@2
        replaced @9 a@3 c@4 !?
        deleted b@10
        replaced @11 a@3
        ",
        expect![[r#"
            replaced @5 a@1 b@2
              add default/a @1 (initial)
              add default/b @2 (initial)
            replaced @9 a@3 c@4 !?
              update default/a @1 -> @3
              add default/c @4
            deleted b@10
              delete default/b @10
            replaced @11 a@3
              delete default/c last seen @4
            @11: a@3"#]],
    );
}

/// C-35, C-43.
#[test]
fn c_43_the_deletion_of_what_was_not_there_is_told() {
    check(
        "
        replaced @5
        deleted a@6
        ",
        expect![[r#"
            replaced @5
            deleted a@6
              delete default/a @6
            @6:"#]],
    );
}

/// C-67: an event that repeats what is known is no news.
#[test]
fn c_67_the_same_version_again_is_no_change() {
    check(
        "
        replaced @5 a@4
        updated a@4
        ",
        expect![[r#"
            replaced @5 a@4
              add default/a @4 (initial)
            updated a@4
            @4: a@4"#]],
    );
}

/// The tutorials' pod, put into the store by hand before the start, is reported gone.
#[test]
fn what_was_put_in_by_hand_is_missed_by_the_first_list() {
    check(
        "
        added ghost@1
        replaced @5 a@4
        ",
        expect![[r#"
            added ghost@1
              add default/ghost @1
            replaced @5 a@4
              delete default/ghost last seen @1
              add default/a @4 (initial)
            @5: a@4"#]],
    );
}

#[test]
fn unchanged_objects_keep_their_value_over_a_list() {
    let store = Store::new();
    store.apply(delta("replaced @5 a@1 b@2"));
    let before = store.get(&("default", "a").into()).unwrap();
    store.apply(Delta::Replaced(Replacement {
        items: vec![store.share(tiny("a@1")), store.share(tiny("b@8"))],
        unreadable: Vec::new(),
        nameless: false,
        version: "9".to_owned(),
    }));
    assert!(Arc::ptr_eq(&before, &store.get(&("default", "a").into()).unwrap()));
    assert_eq!(store.get(&("default", "b").into()).unwrap().version, "8");
}

#[test]
fn snapshots_and_namespaces_are_in_the_order_of_the_keys() {
    let store = Store::new();
    store.apply(delta("replaced @5 b/x@1 a/z@1 b/a@1 c/m@1 bb/a@1"));
    let names = |objects: Vec<Arc<Tiny>>| objects.iter().map(|o| o.to_string()).collect::<Vec<_>>();
    assert_eq!(
        names(store.list()),
        ["a/z#z@1", "b/a#a@1", "b/x#x@1", "bb/a#a@1", "c/m#m@1"].map(|s| s
            .split('#')
            .next()
            .unwrap()
            .to_owned()
            + "@1")
    );
    assert_eq!(names(store.list_in("b")), ["b/a@1", "b/x@1"]);
    assert_eq!(names(store.list_in("nope")), [""; 0]);
    let snapshot = store.snapshot();
    store.apply(delta("replaced @6"));
    assert_eq!((snapshot.len(), snapshot.version(), store.len()), (5, "5", 0));
}

#[test]
fn c_52_an_index_can_be_added_late_and_goes_with_its_last_handle() {
    let store = Store::new();
    store.apply(delta("replaced @5 a@1 b@2 c@2"));
    let by_version = store.index(|object: &Tiny| Some(object.version.clone()));
    assert_eq!(by_version.values(), ["1", "2"]);
    store.apply(delta("updated b@6"));
    store.apply(delta("deleted a@7"));
    assert_eq!(by_version.values(), ["2", "6"]);
    assert_eq!(by_version.keys("2"), [("default", "c").into()]);
    assert_eq!(by_version.get("6").len(), 1);
    assert_eq!(by_version.get("1").len(), 0);
    let clone = by_version.clone();
    drop(by_version);
    assert_eq!(store.read().indices.len(), 1);
    drop(clone);
    assert_eq!(store.read().indices.len(), 0);
}

/// C-49, the other way round: the store is not harmed by a bad index function.
#[test]
fn c_49_an_index_function_that_panics_leaves_its_object_out() {
    let store = Store::new();
    let index = store.index(|object: &Tiny| {
        assert_ne!(object.name, "b", "no b please");
        [object.name.clone(), "all".to_owned()]
    });
    store.apply(delta("replaced @5 a@1 b@2"));
    store.apply(delta("updated b@6"));
    store.apply(delta("deleted b@7"));
    store.apply(delta("added c@8"));
    assert_eq!(index.keys("all").len(), 2);
    assert_eq!(store.len(), 2);
}

/// The index function may look at the store: it is not called under the lock.
#[test]
fn an_index_function_may_read() {
    let store: Store<Tiny> = Store::new();
    let inner = store.clone();
    let index = store.index(move |_: &Tiny| [inner.len()]);
    store.apply(delta("added a@1"));
    assert_eq!(index.values(), [0]);
}

#[derive(Clone, Debug)]
enum Step {
    Put(u8, u8),
    Remove(u8),
    Replace(Vec<(u8, u8)>),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0..40_u8, 0..3_u8).prop_map(|(name, uid)| Step::Put(name, uid)),
        2 => (0..40_u8).prop_map(Step::Remove),
        1 => prop::collection::vec((0..40_u8, 0..3_u8), 0..60).prop_map(Step::Replace),
    ];
    prop::collection::vec(step, 0..60)
}

/// The naive copy, and what its handler was told.
#[derive(Default)]
struct Model {
    objects: BTreeMap<ObjectKey, Tiny>,
    told: BTreeMap<ObjectKey, Tiny>,
}

impl Model {
    fn take(&mut self, change: &Change<Tiny>) {
        let object = (**change.object()).clone();
        let key = object.item_key();
        match change {
            Change::Added { .. } => assert!(self.told.insert(key, object).is_none(), "{change}"),
            Change::Updated { old, .. } => {
                assert_eq!(self.told.insert(key, object), Some((**old).clone()), "{change}");
                assert_eq!(old.uid, change.object().uid, "{change}");
            }
            Change::Deleted { .. } => drop(self.told.remove(&key)),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 2 } else { 64 }))]

    /// Whatever comes, and at whatever point it is listed anew: the copy is the naive map, a handler that
    /// believes its changes has the same, and the index finds the same.
    #[test]
    fn it_converges_to_the_naive_map(steps in steps()) {
        let store = Store::new();
        let index = store.index(|object: &Tiny| [object.uid.clone(), object.version.clone()]);
        let mut model = Model::default();
        for (at, step) in steps.into_iter().enumerate() {
            let make = |(name, uid): (u8, u8)| tiny(&format!("n{}/o{name}#{uid}@{}", name % 3, at + 1));
            let changes = match step {
                Step::Put(name, uid) => {
                    let object = make((name, uid));
                    model.objects.insert(object.item_key(), object.clone());
                    store.apply(Delta::Updated(Arc::new(object)))
                }
                Step::Remove(name) => {
                    let key = make((name, 0)).item_key();
                    let Some(last) = model.objects.remove(&key) else { continue };
                    store.apply(Delta::Deleted(Arc::new(last)))
                }
                Step::Replace(items) => {
                    let items: Vec<Tiny> = items.into_iter().map(make).collect();
                    model.objects = items.iter().map(|o| (o.item_key(), o.clone())).collect();
                    store.apply(Delta::Replaced(Replacement {
                        items: items.into_iter().map(|object| store.share(object)).collect(),
                        unreadable: Vec::new(),
                        nameless: false,
                        version: (at + 1).to_string(),
                    }))
                }
            };
            changes.iter().for_each(|change| model.take(change));
            prop_assert!(store.list().iter().map(|o| &**o).eq(model.objects.values()));
            prop_assert_eq!(&model.told, &model.objects);
        }
        for uid in ["0", "1", "2"] {
            let expected: Vec<_> = model.objects.values().filter(|o| o.uid == uid || o.version == uid).collect();
            let found = index.get(uid);
            prop_assert!(found.iter().map(|o| &**o).eq(expected.into_iter()));
        }
        for namespace in ["n0", "n1", "n2"] {
            let expected = model.objects.values().filter(|o| o.namespace == namespace);
            prop_assert!(store.list_in(namespace).iter().map(|o| &**o).eq(expected));
        }
    }
}

/// An index function may ask another index, and then holds it.
#[test]
fn an_index_that_holds_another_can_be_dropped() {
    let (done, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let store = Store::new();
        let names = store.index(|object: &Tiny| [object.name.clone()]);
        let twins = store.index(move |object: &Tiny| [names.get(&object.name).len()]);
        store.apply(delta("added a@1"));
        drop(twins);
        done.send(()).unwrap();
    });
    ended.recv_timeout(std::time::Duration::from_secs(10)).expect("no deadlock");
}

mod indices;
mod reached;
mod thousands;
