//! Interning against plain strings, on one thread and on several.

use std::collections::HashMap;

use proptest::prelude::*;

use super::{IStr, table};

const LONG: &str = "a text that does not fit into a word";

#[test]
fn short_text_is_inline_and_long_text_is_stored_once() {
    for text in ["", "a", "é", "1234567"] {
        let word = IStr::new(text);
        assert_eq!(word, text);
        assert_eq!(word.heap_size(), 0);
    }
    let (a, b) = (IStr::new(LONG), IStr::from(LONG.to_owned()));
    assert_eq!(a.as_ptr(), b.as_ptr());
    assert_eq!(IStr::new("12345678").len(), 8);
}

#[test]
fn a_unique_text_equals_an_interned_one() {
    let (a, b, c) = (IStr::unique(LONG), IStr::new(LONG), IStr::unique(LONG));
    assert_ne!(a.as_ptr(), b.as_ptr());
    assert_eq!(a, b);
    assert_eq!(a, c);
    assert_ne!(a, IStr::unique("another text of some length"));
    let map = HashMap::from([(a, 1)]);
    assert_eq!(map.get(&b), Some(&1));
    assert_eq!(map.get(LONG), Some(&1));
}

/// Where the ends that are compared meet, overlap, or leave something between.
#[test]
fn texts_that_differ_in_one_byte_are_not_the_same() {
    for length in 1..=70 {
        let text = "a".repeat(length);
        let (a, b) = (IStr::unique(&text), IStr::unique(&text));
        assert_eq!(a, b);
        for place in 0..length {
            let mut other = text.clone();
            other.replace_range(place..=place, "b");
            assert_ne!(a, IStr::unique(&other), "{length} bytes, another one at {place}");
        }
        assert_ne!(a, IStr::unique(&format!("{text}a")));
    }
}

#[test]
fn the_table_forgets_what_nobody_holds() {
    let text = "held by the test the_table_forgets";
    let a = IStr::new(text);
    let b = a.clone();
    drop(a);
    assert!(table::holds(text));
    drop(b);
    assert!(!table::holds(text));
}

#[test]
fn many_texts_come_and_go() {
    let count = if cfg!(miri) { 150 } else { 2_000 };
    let texts: Vec<String> = (0..count).map(|n| format!("text number {n:08}")).collect();
    let kept: Vec<IStr> = texts.iter().map(IStr::from).collect();
    assert!(kept.iter().zip(&texts).all(|(kept, text)| kept == text));
    drop(kept);
    assert!(texts.iter().all(|text| !table::holds(text)));
}

#[test]
fn threads_that_take_and_drop_the_same_text_agree() {
    let rounds = if cfg!(miri) { 30 } else { 5_000 };
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                for round in 0..rounds {
                    let text = format!("shared by threads {}", (round + thread) % 3);
                    let taken = IStr::new(&text);
                    let copy = taken.clone();
                    drop(taken);
                    assert_eq!(copy, text);
                }
            });
        }
    });
    assert!((0..3).all(|n| !table::holds(&format!("shared by threads {n}"))));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: if cfg!(miri) { 8 } else { 256 }, ..ProptestConfig::default() })]

    #[test]
    fn behaves_as_the_text(a in ".{0,12}", b in ".{0,12}", unique in any::<bool>()) {
        let x = if unique { IStr::unique(&a) } else { IStr::new(&a) };
        let y = IStr::new(&b);
        prop_assert_eq!(x.as_str(), a.as_str());
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(x == y, a == b);
        prop_assert_eq!(format!("{x:?}{x}"), format!("{a:?}{a}"));
    }
}
