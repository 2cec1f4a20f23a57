//! The hash of keys: the same for equal ones, and spread for others.

use std::collections::BTreeSet;

use super::*;

const KEY: HashKey = HashKey([0x0123_4567_89ab_cdef, 0x0fed_cba9_8765_4321]);

/// A text of every length that is mixed in another way, and one more on each side.
const LENGTHS: [usize; 14] = [0, 1, 3, 4, 7, 8, 9, 16, 17, 31, 32, 33, 64, 253];

#[test]
fn it_is_that_of_the_text_however_it_was_made() {
    for (namespace, name) in LENGTHS.into_iter().flat_map(|a| LENGTHS.map(|b| (a, b))) {
        let (namespace, name) = ("s".repeat(namespace), "n".repeat(name));
        let shared = ObjectKey::from((&*namespace, &*name));
        let apart = ObjectKey { namespace: IStr::unique(&namespace), name: IStr::unique(&name) };
        assert_eq!(KEY.hash_of(&shared), KEY.hash_of(&apart), "{shared}");
    }
}

/// Nothing but chance makes two alike, and there are too few for that.
#[test]
fn every_byte_and_the_place_between_the_texts_count() {
    let mut keys = BTreeSet::new();
    for length in LENGTHS {
        let text = "a".repeat(length);
        keys.insert(ObjectKey::new("", &*text));
        for place in 0..length {
            let mut other = text.clone();
            other.replace_range(place..=place, "b");
            keys.insert(ObjectKey::new("default", &*other));
            keys.insert(ObjectKey::new(&*other, "web"));
            keys.insert(ObjectKey::new(&text[..place], &text[place..]));
        }
    }
    let hashes: BTreeSet<_> = keys.iter().map(|key| KEY.hash_of(key)).collect();
    assert_eq!(hashes.len(), keys.len());
}

/// The bits that choose the part, the place and the tag are each as even as chance has it.
#[test]
fn all_bits_are_spread() {
    const KEYS: u32 = if cfg!(miri) { 256 } else { 4_096 };
    for of in [|number| format!("n{number}"), |number| format!("web-{number:016}")] {
        let hashes: Vec<_> =
            (0..KEYS).map(|number| KEY.hash_of(&ObjectKey::new("default", of(number)))).collect();
        for bit in 0..u64::BITS {
            let ones: u32 = hashes.iter().map(|hash| (hash >> bit & 1) as u32).sum();
            assert!(ones.abs_diff(KEYS / 2) < KEYS / 8, "bit {bit}: {ones} of {KEYS}");
        }
    }
}
