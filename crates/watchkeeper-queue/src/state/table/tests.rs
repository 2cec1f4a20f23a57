use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

impl Table {
    fn insert(&mut self, hash: u32, slot: u32) {
        let room = self.find_or_room(hash, |other| other == slot).expect_err("it is not here");
        self.put(room, slot);
    }
}

proptest! {
    /// Slots whose hashes collide at will, so that runs wrap around and removals move others.
    #[test]
    fn the_table_does_what_a_map_does(
        calls in prop::collection::vec((any::<bool>(), 0..24_u32), 1..100),
        hashes in prop::collection::vec(prop_oneof![0..4_u32, 12..18_u32, Just(u32::MAX)], 24),
    ) {
        let (mut table, mut model) = (Table::default(), BTreeMap::new());
        for (insert, slot) in calls {
            let hash = hashes[slot as usize];
            if !insert {
                table.remove(hash, slot);
                model.remove(&slot);
            } else if model.insert(slot, hash).is_none() {
                table.insert(hash, slot);
            }
            prop_assert_eq!(table.len, model.len());
            prop_assert!(table.buckets.len() >= 2 * table.len);
            for (slot, hash) in (0..24).zip(&hashes) {
                let expected = model.contains_key(&slot).then_some(slot);
                prop_assert_eq!(table.find(*hash, |other| other == slot), expected);
            }
        }
    }
}

#[test]
fn only_slots_of_the_same_hash_are_looked_at() {
    let mut table = Table::default();
    assert_eq!(table.find(1, |_| true), None);
    for (hash, slot) in [(1, 10), (17, 11), (1, 12), (2, 13)] {
        table.insert(hash, slot);
    }
    let mut asked = Vec::new();
    let found = table.find(1, |slot| {
        asked.push(slot);
        false
    });
    assert_eq!((found, asked), (None, vec![10, 12]));
    assert_eq!(table.find_or_room(1, |slot| slot == 12).expect("it is here"), 12);
}

#[test]
fn the_table_grows_when_it_is_half_full() {
    let mut table = Table::default();
    let sizes: Vec<_> = (0..17)
        .map(|slot| {
            table.insert(slot, slot);
            table.buckets.len()
        })
        .collect();
    assert_eq!(sizes, [[16; 8].as_slice(), &[32; 8], &[64]].concat());
}
