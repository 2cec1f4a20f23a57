//! Stores of thousands of objects, whose namespaces are filled, emptied and listed anew at any point: their
//! tables are several nodes deep and lose whole branches.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use proptest::prelude::*;
use watchkeeper_api::ObjectKey;

use crate::delta::{Delta, Replacement};
use crate::item::Item as _;
use crate::store::{Index, Store};
use crate::testing::{Tiny, tiny};

const NAMESPACES: u16 = 8;
const NAMES: u16 = if cfg!(miri) { 60 } else { 400 };

#[derive(Clone, Debug)]
enum Step {
    /// Objects that follow each other, across namespaces.
    Put(Range<u16>),
    Remove(Range<u16>),
    /// A list of these and no others.
    Replace(Vec<Range<u16>>),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let few = (0..NAMESPACES * NAMES, 1..8_u16);
    let many = (0..NAMESPACES * NAMES, 1..NAMESPACES * NAMES / 2);
    let range = || prop_oneof![few.clone(), many.clone()].prop_map(|(from, len)| from..from + len);
    let step = prop_oneof![
        3 => range().prop_map(Step::Put),
        3 => range().prop_map(Step::Remove),
        2 => prop::collection::vec(range(), 0..4).prop_map(Step::Replace),
    ];
    prop::collection::vec(step, 0..24)
}

fn object(number: u16, version: usize) -> Tiny {
    tiny(&format!("n{}/o{:04}@{version}", number / NAMES % NAMESPACES, number % NAMES))
}

/// The store beside a naive map.
struct Pair {
    store: Store<Tiny>,
    by_half: Index<Tiny, bool>,
    map: BTreeMap<ObjectKey, Tiny>,
}

fn half(object: &Tiny) -> bool {
    object.name.ends_with(['0', '2', '4', '6', '8'])
}

impl Pair {
    fn new() -> Self {
        let store = Store::new();
        let by_half = store.index(|object: &Tiny| [half(object)]);
        Self { store, by_half, map: BTreeMap::new() }
    }

    fn step(&mut self, step: &Step, version: usize) {
        match step {
            Step::Put(numbers) => numbers.clone().for_each(|number| {
                let object = object(number, version);
                self.map.insert(object.item_key(), object.clone());
                self.store.apply(Delta::Updated(Arc::new(object)));
            }),
            Step::Remove(numbers) => numbers.clone().for_each(|number| {
                if let Some(last) = self.map.remove(&object(number, version).item_key()) {
                    self.store.apply(Delta::Deleted(Arc::new(last)));
                }
            }),
            Step::Replace(ranges) => {
                let numbers = ranges.iter().cloned().flatten();
                let listed = numbers.map(|number| object(number, version));
                self.map = listed.map(|object| (object.item_key(), object)).collect();
                let items = self.map.values().map(|object| Arc::new(object.clone())).collect();
                let version = version.to_string();
                let list = Replacement { items, unreadable: Vec::new(), nameless: false, version };
                self.store.apply(Delta::Replaced(list));
            }
        }
    }

    /// By every way to read, the store is the map.
    fn check(&self) {
        let snapshot = self.store.snapshot();
        assert_eq!(snapshot.len(), self.map.len());
        assert!(snapshot.iter().map(|o| &**o).eq(self.map.values()), "the walk");
        for number in 0..NAMESPACES * NAMES {
            let key = object(number, 0).item_key();
            let expected = self.map.get(&key);
            assert_eq!(self.store.get(&key).as_deref(), expected, "by key: {key}");
            assert_eq!(snapshot.get(&key).map(|o| &**o), expected, "in the snapshot: {key}");
        }
        for namespace in (0..NAMESPACES).map(|n| format!("n{n}")) {
            let expected = self.map.values().filter(|o| o.namespace == namespace);
            assert!(self.store.list_in(&namespace).iter().map(|o| &**o).eq(expected));
        }
        for even in [true, false] {
            let expected = self.map.values().filter(|o| half(o) == even);
            assert!(self.by_half.get(&even).iter().map(|o| &**o).eq(expected), "the index");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 1 } else { 8 }))]

    #[test]
    fn it_is_a_map_however_many_objects_come_and_go(steps in steps()) {
        let mut pair = Pair::new();
        pair.step(&Step::Put(0..NAMESPACES * NAMES), 1);
        for (at, step) in steps.iter().enumerate() {
            pair.step(step, at + 2);
            pair.check();
        }
    }
}

/// What was deleted does not stay in lists because a namespace beside it was emptied.
#[test]
fn an_object_beside_an_emptied_namespace_can_be_deleted() {
    for drained in [1024..1060, 1024..1056] {
        let mut pair = Pair::new();
        let steps = [
            Step::Put(0..1100),
            Step::Remove(drained),
            Step::Put(1030..1031),
            Step::Remove(0..608),
            Step::Put(1030..1031),
            Step::Remove(1030..1031),
        ];
        for (at, step) in steps.iter().enumerate() {
            pair.step(step, at + 1);
            pair.check();
        }
    }
}
