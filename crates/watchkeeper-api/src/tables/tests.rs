//! The tables stay small, tell apart what differs, and can be emptied.

use std::sync::Arc;

use crate::IStr;

use super::{
    FIRST, Found, Hope, LONGEST_SHARED, LONGEST_TEXT, OFTEN, PATIENCE, PLACES, SLOTS, TEXTS,
    Tables, Tree, WAYS,
};

impl Tables {
    /// How many slots there are, and how many bytes of texts and subtrees they hold.
    pub(crate) fn held(&self) -> (usize, usize) {
        let texts = self.texts.iter().map(|text| text.kept.len());
        let trees = self.trees.iter().filter_map(|slot| slot.kept.as_ref());
        let trees = trees.map(|tree| tree.bytes.len());
        (self.texts.len() + self.trees.len(), texts.chain(trees).sum())
    }

    fn meet(&mut self, bytes: &[u8], value: u64) -> Found<u64> {
        let found = self.find::<u64>(bytes);
        if let Found::Again = found {
            self.keep(bytes, 0, 8, || Arc::new(value));
        }
        found
    }
}

#[test]
fn hostile_input_does_not_make_them_grow() {
    let mut tables = Tables::default();
    let padding = "x".repeat(LONGEST_SHARED - 8);
    for round in 0..20_000_u64 {
        for _ in 0..2 {
            tables.intern(&format!("{round}{}", &padding[..LONGEST_TEXT - 8]));
        }
        let tree = format!("{round}{padding}");
        for _ in 0..3 {
            tables.meet(tree.as_bytes(), round);
        }
    }
    let (slots, bytes) = tables.held();
    assert_eq!(slots, SLOTS + TEXTS);
    assert!(
        bytes > SLOTS * LONGEST_SHARED && bytes <= TEXTS * LONGEST_TEXT + SLOTS * LONGEST_SHARED
    );
    let before = tables.held();
    let huge = "y".repeat(1 << 20);
    assert_eq!(tables.intern(&huge), *huge);
    for _ in 0..3 {
        tables.meet(huge.as_bytes(), 0);
    }
    assert_eq!(tables.held(), before, "what is too long is not kept");
}

#[test]
fn they_begin_small_and_what_is_kept_stays_as_they_grow() {
    let mut tables = Tables::default();
    assert_eq!(tables.held(), (0, 0), "nothing before the first text");
    let text = "a text that is not short";
    for _ in 0..3 {
        tables.intern(text);
        tables.meet(b"a tree", 5);
    }
    assert_eq!(tables.held().0, (SLOTS + TEXTS) / FIRST);
    let mut sizes = std::collections::BTreeSet::new();
    for other in 0..4 * TEXTS as u64 {
        tables.intern(&format!("some text number {other}"));
        tables.find::<u64>(&other.to_le_bytes());
        sizes.insert(tables.held().0);
        assert!(tables.look_up(text).1, "{other}");
        let found = tables.find::<u64>(b"a tree");
        assert!(matches!(found, Found::Value(value) if *value == 5), "{other}");
    }
    assert_eq!(sizes.last(), Some(&(SLOTS + TEXTS)));
    assert!(sizes.len() > 4, "in steps: {sizes:?}");
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
    let (_, first) = tables.index::<u64>(b"mine");
    for slot in &mut tables.trees[first..first + WAYS] {
        let bytes = b"other"[..].into();
        slot.kept = Some(Tree { bytes, value: Arc::new(7_u64), depth: 0, weight: 8, hash: 0 });
    }
    assert!(matches!(tables.find::<u64>(b"mine"), Found::New));
    assert!(matches!(tables.find::<u64>(b"mine"), Found::Again));
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
        (0..32_u8).map(|byte| tables.index::<u64>(&[byte]).1 as u64).collect()
    };
    assert_ne!(places(&mut Tables::default()), places(&mut Tables::default()));
}

#[test]
fn emptied_they_hold_nothing() {
    let mut tables = Tables::default();
    let value = Arc::new(1_u64);
    tables.keep(b"1", 0, 8, || Arc::clone(&value));
    tables.intern("a text that is not short");
    assert_eq!(Arc::strong_count(&value), 2);
    tables.clear();
    assert_eq!((tables.held(), Arc::strong_count(&value)), ((0, 0), 1));
}

#[test]
fn what_came_after_another_is_expected_there_again() {
    let mut tables = Tables::default();
    for (bytes, value) in [(b"[1]", 1_u64), (b"[2]", 2), (b"[3]", 3), (b"[1]", 1)] {
        if !matches!(tables.find::<u64>(bytes), Found::Value(_)) {
            tables.keep(bytes, 2, 8, || Arc::new(value));
        }
    }
    let mut expect = |text: &[u8], depth| {
        tables.expected::<u64>(text, depth).map(|(length, value)| (length, *value))
    };
    assert_eq!(expect(b"[3],", 2), None, "not after the first");
    assert_eq!(expect(b"[2", 2), None, "cut");
    assert_eq!(expect(b"[2],[3]", 3), None, "deeper than it was");
    assert_eq!(expect(b"[2],[3]", 2), Some((3, 2)));
    assert_eq!(expect(b"[3]", 0), Some((3, 3)));
    assert_eq!(expect(b"[1]}", 2), Some((3, 1)));
    assert!(tables.expected::<i64>(b"[2]", 2).is_none(), "of another type");
    tables.clear();
    assert!(tables.expected::<u64>(b"[1]", 2).is_none());
}

#[test]
fn where_all_is_new_little_is_looked_for() {
    let mut tables = Tables::default();
    tables.at(7);
    let tries = |tables: &mut Tables, found: bool| {
        let mut tries = 0;
        for _ in 0..20 * PATIENCE {
            if tables.hope() != Hope::None {
                tables.tried(found);
                tries += 1;
            }
        }
        tries
    };
    let few = tries(&mut tables, false);
    assert!(few > PATIENCE && few < 3 * PATIENCE, "{few}");
    tables.at(8);
    assert_eq!(tables.hope(), Hope::Low, "elsewhere nothing is known");
    // One that is found makes up for all.
    tables.at(7);
    while tables.hope() == Hope::None {}
    tables.tried(true);
    assert_eq!(tables.hope(), Hope::High);
    assert_eq!(tries(&mut tables, true), 20 * PATIENCE);
}

#[test]
fn a_text_is_kept_when_it_comes_again() {
    let mut tables = Tables::default();
    let text = "a text that is not short";
    let texts = [0; 4].map(|_| tables.intern(text));
    assert!(texts.iter().all(|found| *found == *text));
    assert_ne!(texts[0].as_ptr(), texts[1].as_ptr());
    assert_eq!(texts[1].as_ptr(), texts[2].as_ptr());
    assert_ne!(texts[1].as_ptr(), IStr::new(text).as_ptr(), "not yet in the table of the process");
    // What comes once does not take the place of what came often.
    for other in 0..10_000 {
        tables.intern(&format!("some text number {other}"));
    }
    assert_eq!(tables.intern(text).as_ptr(), texts[3].as_ptr());
    for _ in 0..OFTEN {
        tables.intern(text);
    }
    assert_eq!(tables.intern(text).as_ptr(), IStr::new(text).as_ptr(), "it comes often");
}

#[test]
fn what_comes_once_takes_no_place_of_a_subtree_and_of_two_the_older_goes() {
    let mut tables = Tables::default();
    let keep = |tables: &mut Tables, bytes: &[u8]| tables.keep(bytes, 0, 8, || Arc::new(1_u64));
    let known =
        |tables: &mut Tables, bytes: &[u8]| matches!(tables.find::<u64>(bytes), Found::Value(_));
    keep(&mut tables, b"often");
    for other in 0..20 * SLOTS as u64 {
        tables.find::<u64>(&other.to_le_bytes());
    }
    assert!(known(&mut tables, b"often"));
    // Many that are kept, in all slots: what is met again meanwhile stays.
    for other in 0..20 * SLOTS as u64 {
        keep(&mut tables, &other.to_le_bytes());
        assert!(known(&mut tables, b"often"), "{other}");
    }
    assert!(!known(&mut tables, &0_u64.to_le_bytes()));
}

#[test]
fn places_beside_each_other_are_apart() {
    let mut places = std::collections::BTreeMap::new();
    for number in 0..PLACES {
        places.entry(super::spot(number, PLACES)).or_insert(number);
    }
    assert!(places.len() > PLACES / 2, "numbers beside each other are apart: {}", places.len());
}

#[test]
fn what_text_came_after_another_is_expected_there_again() {
    let mut tables = Tables::default();
    let texts = ["the first of them", "short", "another, behind it"];
    let expected = |tables: &mut Tables, place: usize, text: &str| {
        tables.expected_text(place, |expected| expected == text.as_bytes())
    };
    // Met once, a long text is not worth it.
    for (place, text) in texts.iter().enumerate() {
        assert_eq!(expected(&mut tables, place, text), None);
        assert_eq!(tables.intern_at(place, text), **text);
    }
    for _ in 0..2 {
        texts.iter().enumerate().for_each(|(place, text)| drop(tables.intern_at(place, text)));
    }
    for (place, text) in texts.iter().enumerate() {
        assert_eq!(expected(&mut tables, place + 1, text), None, "elsewhere");
        assert_eq!(expected(&mut tables, place, text).as_deref(), Some(*text));
    }
    assert_eq!(expected(&mut tables, 2, texts[2]), None, "after another one");
    tables.clear();
    assert_eq!(expected(&mut tables, 0, texts[0]), None);
}

#[test]
fn which_member_came_after_another_is_remembered() {
    let mut tables = Tables::default();
    tables.expect_member(5, 3);
    tables.expect_member(8, 7);
    assert_eq!((tables.member_after(5), tables.member_after(8)), (3, 7));
    tables.expect_member(5, 2);
    assert_eq!(tables.member_after(5), 2);
}
