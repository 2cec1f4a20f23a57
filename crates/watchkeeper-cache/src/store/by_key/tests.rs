//! The table against a naive map, and readers beside the writer.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use proptest::prelude::*;

use super::*;
use crate::delta::{Delta, Replacement};
use crate::item::Item;
use crate::store::Store;
use crate::testing::{Tiny, tiny};

/// Edits, each with the name of its object and its version; zero is a deletion.
type Edits = Vec<(u16, u8)>;

#[derive(Clone, Debug)]
enum Step {
    One((u16, u8)),
    Many(Edits),
}

const DRAWN: u16 = if cfg!(miri) { 24 } else { 300 };

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let edit = || (0..DRAWN, prop_oneof![2 => 1..9_u8, 3 => Just(0)]);
    let most = usize::from(DRAWN);
    let step = prop_oneof![
        8 => edit().prop_map(Step::One),
        1 => prop::collection::vec(edit(), 0..most / 3 * 2).prop_map(Step::Many),
    ];
    prop::collection::vec(step, 0..most)
}

fn key(name: u16) -> ObjectKey {
    // Texts that are not kept in the key itself cost much under Miri, which sees them elsewhere.
    let word = if cfg!(miri) { "o" } else { "an-object-" };
    ObjectKey::from((format!("n{}", name % 3), format!("{word}{name}")))
}

fn edit((name, version): (u16, u8)) -> Edit<u8> {
    Edit { key: key(name), old: None, new: (version > 0).then(|| Arc::new(version)) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 1 } else { 32 }))]

    #[test]
    fn it_is_a_map(steps in steps()) {
        let (table, mut map) = (ByKey::new(), BTreeMap::new());
        for step in steps {
            let edits = match step {
                Step::One(one) => {
                    table.put(&edit(one));
                    vec![one]
                }
                Step::Many(many) => {
                    let edits: Vec<_> = many.iter().copied().map(edit).collect();
                    drop(table.swap(table.prepare(&edits)));
                    many
                }
            };
            for (name, version) in edits {
                if version > 0 { map.insert(name, version) } else { map.remove(&name) };
            }
            for name in 0..DRAWN {
                prop_assert_eq!(table.get(&key(name)).map(|v| *v), map.get(&name).copied());
            }
        }
    }
}

/// What was once large and is not any more does not keep its place.
#[test]
fn a_table_that_was_emptied_is_small() {
    let table = ByKey::new();
    let many: Vec<_> = (0..5_000).map(|name| edit((name, 1))).collect();
    drop(table.swap(table.prepare(&many)));
    for name in 0..5_000 {
        table.put(&edit((name, 0)));
    }
    for part in &table.parts {
        let part = part.0.read().unwrap();
        assert!(part.is_empty() && part.capacity() <= SMALL, "{}", part.capacity());
    }
}

const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

/// Every object in the same version.
fn list(version: u32) -> Delta<Tiny> {
    let items = NAMES.map(|name| Arc::new(tiny(&format!("{name}#1@{version}")))).into();
    Delta::Replaced(Replacement {
        items,
        unreadable: Vec::new(),
        nameless: false,
        version: version.to_string(),
    })
}

fn version(object: &Tiny) -> u32 {
    object.version.parse().unwrap()
}

/// Whoever has seen a list in one place never sees an older one in another, nor half of one.
#[test]
fn readers_never_go_back() {
    const LISTS: u32 = if cfg!(miri) { 5 } else { 3_000 };
    let store = Store::new();
    let all = store.index(|_: &Tiny| ["all"]);
    store.apply(list(1));
    let over = AtomicBool::new(false);
    let read = |first: usize| {
        let mut seen = 1;
        let mut looks = 0;
        let mut note = |now: u32| {
            assert!(now >= seen, "{now} after {seen}");
            seen = now;
        };
        while !over.load(Ordering::Relaxed) || looks < 10 {
            for place in 0..NAMES.len() {
                let name = NAMES[(first + 3 * place) % NAMES.len()];
                note(version(&store.get(&("default", name).into()).unwrap()));
            }
            note(store.version().parse().unwrap());
            let listed: Vec<_> = store.list().iter().map(|object| version(object)).collect();
            assert!(listed.len() == NAMES.len() && listed.iter().all(|v| *v == listed[0]));
            note(listed[0]);
            let found: Vec<_> = all.found("all").iter().map(|object| version(object)).collect();
            assert!(found.len() == NAMES.len() && found.iter().all(|v| *v == found[0]));
            note(found[0]);
            looks += 1;
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| read(0));
        scope.spawn(|| read(5));
        (2..=LISTS).for_each(|version| drop(store.apply(list(version))));
        over.store(true, Ordering::Relaxed);
    });
    assert_eq!(store.version(), LISTS.to_string());
}

/// The same of one object that changes and goes, event by event.
#[test]
fn an_object_does_not_come_back() {
    const EVENTS: u32 = if cfg!(miri) { 20 } else { 20_000 };
    let store = Store::new();
    store.apply(list(1));
    let key = tiny("a@1").item_key();
    let over = AtomicBool::new(false);
    let read = || {
        let mut seen = 1;
        while !over.load(Ordering::Relaxed) {
            // Gone in every even version.
            let by_key = store.get(&key).map(|object| version(&object));
            let before = seen;
            seen = by_key.unwrap_or(seen);
            assert!(seen >= before && seen % 2 == 1, "{seen} after {before}");
            let in_order = store.snapshot().get(&key).map(|object| version(object));
            assert!(in_order.is_none_or(|now| now >= seen), "{in_order:?} after {seen}");
            seen = in_order.unwrap_or(seen);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(read);
        for version in 2..=EVENTS {
            let object = Arc::new(tiny(&format!("a#1@{version}")));
            let gone = version % 2 == 0;
            store.apply(if gone { Delta::Deleted(object) } else { Delta::Updated(object) });
        }
        over.store(true, Ordering::Relaxed);
    });
}
