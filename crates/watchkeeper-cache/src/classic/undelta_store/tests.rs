//! Everything there is, after each change.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::testing::{Tiny, tiny};

#[derive(Clone, Copy, Debug)]
enum Turn {
    Add(u8),
    Update(u8),
    Delete(u8),
    /// A deletion with what it was last.
    Deleted(u8),
    /// The bits of what is in it.
    Replace(u8),
    Bookmark,
    Sync,
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let turn = prop_oneof![
        4 => (0..8_u8).prop_map(Turn::Add),
        4 => (0..8_u8).prop_map(Turn::Update),
        3 => (0..8_u8).prop_map(Turn::Delete),
        2 => (0..8_u8).prop_map(Turn::Deleted),
        2 => any::<u8>().prop_map(Turn::Replace),
        1 => Just(Turn::Bookmark),
        1 => Just(Turn::Sync),
    ];
    prop::collection::vec(turn, 0..300)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 1 } else { 64 }))]

    /// Each change tells everything once, in the order of the keys; what changes nothing tells nothing.
    #[test]
    fn each_change_tells_everything_there_is(turns in turns()) {
        let told: Arc<Mutex<Vec<Vec<Tiny>>>> = Arc::default();
        let telling = Arc::clone(&told);
        let store = UndeltaStore::new(move |all: Vec<Arc<Tiny>>| {
            lock(&telling).push(all.iter().map(|object| Tiny::clone(object)).collect());
        });
        let mut naive = BTreeMap::new();
        for (version, turn) in (1..).zip(turns) {
            let version: u32 = version;
            let make = |number: u8| tiny(&format!("n{}/o{number}@{version}", number % 3));
            let (mut tells, object) = (true, |number| Arc::new(make(number)));
            match turn {
                Turn::Add(number) | Turn::Update(number) => {
                    naive.insert(make(number).item_key(), make(number));
                    match turn {
                        Turn::Add(_) => store.add(object(number)),
                        _ => store.update(object(number)),
                    }
                }
                Turn::Delete(number) => {
                    naive.remove(&make(number).item_key());
                    store.delete(&make(number).item_key());
                }
                Turn::Deleted(number) => {
                    naive.remove(&make(number).item_key());
                    store.apply_delta(Delta::Deleted(object(number)));
                }
                Turn::Replace(bits) => {
                    let numbers = || (0..8).filter(|number| bits & (1 << number) != 0);
                    naive = numbers().map(|number| (make(number).item_key(), make(number))).collect();
                    store.replace(numbers().map(object).collect(), &version.to_string());
                }
                Turn::Bookmark | Turn::Sync => {
                    tells = false;
                    store.apply_delta(match turn {
                        Turn::Sync => Delta::Sync,
                        _ => Delta::Bookmark(version.to_string()),
                    });
                }
            }
            let all: Vec<Tiny> = naive.values().cloned().collect();
            let told = std::mem::take(&mut *lock(&told));
            prop_assert_eq!(told, if tells { vec![all.clone()] } else { vec![] });
            prop_assert!(store.list().iter().map(|object| &**object).eq(&all));
            prop_assert!(store.list_keys().iter().eq(naive.keys()));
        }
    }
}
