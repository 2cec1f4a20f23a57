//! The tables stay small, tell apart what differs, and can be emptied.

use std::sync::Arc;

use super::{Found, LONGEST_SHARED, LONGEST_TEXT, SLOTS, Slot, Tables};

impl Tables {
    /// How many slots there are, and how many bytes of texts and subtrees they hold.
    fn held(&self) -> (usize, usize) {
        let texts = self.texts.iter().map(|text| text.len());
        let trees = self.trees.iter().map(|slot| match slot {
            Slot::Kept(bytes, _) => bytes.len(),
            Slot::Empty | Slot::Met(_) => 0,
        });
        (self.texts.len() + self.trees.len(), texts.chain(trees).sum())
    }

    fn meet(&mut self, bytes: &[u8], value: u64) -> Found<u64> {
        let found = self.find::<u64>(bytes);
        if let Found::Again = found {
            self.keep(bytes, Arc::new(value));
        }
        found
    }
}

#[test]
fn hostile_input_does_not_make_them_grow() {
    let mut tables = Tables::default();
    let padding = "x".repeat(LONGEST_SHARED - 8);
    for round in 0..20_000_u64 {
        tables.intern(&format!("{round}{}", &padding[..LONGEST_TEXT - 8]));
        let tree = format!("{round}{padding}");
        for _ in 0..3 {
            tables.meet(tree.as_bytes(), round);
        }
    }
    let (slots, bytes) = tables.held();
    assert_eq!(slots, 2 * SLOTS);
    assert!(bytes > SLOTS * LONGEST_TEXT && bytes <= SLOTS * (LONGEST_TEXT + LONGEST_SHARED));
    let before = tables.held();
    let huge = "y".repeat(1 << 20);
    assert_eq!(tables.intern(&huge), *huge);
    for _ in 0..3 {
        tables.meet(huge.as_bytes(), 0);
    }
    assert_eq!(tables.held(), before, "what is too long is not kept");
}

#[test]
fn the_same_slot_does_not_mean_the_same_bytes() {
    let mut tables = Tables::default();
    // So many trees of one type meet in every slot.
    for round in 0..8 * SLOTS as u64 {
        let bytes = round.to_le_bytes();
        for _ in 0..3 {
            if let Found::Value(value) = tables.meet(&bytes, round) {
                assert_eq!(*value, round);
            }
        }
        assert_eq!(tables.intern(&round.to_string()), *round.to_string());
    }
    // A forged slot: the hash agrees, the bytes do not.
    let hash = tables.slot::<u64>(b"mine").0;
    *tables.slot::<u64>(b"mine").1 = Slot::Kept(b"other"[..].into(), Arc::new(7_u64));
    assert!(matches!(tables.find::<u64>(b"mine"), Found::New));
    assert!(matches!(tables.slot::<u64>(b"mine").1, Slot::Met(met) if *met == hash));
}

#[test]
fn the_same_bytes_of_another_type_are_another_value() {
    let mut tables = Tables::default();
    for _ in 0..3 {
        tables.meet(b"1", 1);
    }
    assert!(matches!(tables.find::<u64>(b"1"), Found::Value(value) if *value == 1));
    assert!(!matches!(tables.find::<i64>(b"1"), Found::Value(_)));
}

#[test]
fn each_has_a_key_of_its_own() {
    let places = |tables: &mut Tables| -> Vec<u64> {
        (0..32_u8).map(|byte| tables.slot::<u64>(&[byte]).0 % SLOTS as u64).collect()
    };
    assert_ne!(places(&mut Tables::default()), places(&mut Tables::default()));
}

#[test]
fn emptied_they_hold_nothing() {
    let mut tables = Tables::default();
    let value = Arc::new(1_u64);
    tables.keep(b"1", Arc::clone(&value));
    tables.intern("a text that is not short");
    assert_eq!(Arc::strong_count(&value), 2);
    tables.clear();
    assert_eq!((tables.held(), Arc::strong_count(&value)), ((0, 0), 1));
}
