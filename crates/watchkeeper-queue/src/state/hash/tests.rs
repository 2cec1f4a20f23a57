use std::collections::BTreeSet;

use super::*;

const KEY: HashKey = HashKey([0x0123_4567_89ab_cdef, 0x0fed_cba9_8765_4321]);

#[test]
fn texts_of_every_length_differ_by_every_byte() {
    for length in 0..40_usize {
        let text = vec![b'x'; length];
        let mut seen = BTreeSet::from([KEY.hash(&text)]);
        for at in 0..length {
            let mut other = text.clone();
            other[at] = b'y';
            assert!(seen.insert(KEY.hash(&other)), "byte {at} of {length} does not count");
        }
    }
}

#[test]
fn the_length_counts_where_bytes_are_looked_at_twice() {
    let hashes: BTreeSet<_> = (0..40).map(|length| KEY.hash(&vec![0_u8; length])).collect();
    assert_eq!(hashes.len(), 40);
    let hashes: BTreeSet<_> = (0..40).map(|length| KEY.hash(&"a".repeat(length))).collect();
    assert_eq!(hashes.len(), 40);
}

#[test]
fn where_one_part_ends_counts() {
    assert_ne!(KEY.hash(&("ab", "c")), KEY.hash(&("a", "bc")));
}

#[test]
fn every_bit_of_the_state_counts_in_the_end() {
    let HashKey([state, key]) = KEY;
    let ends: BTreeSet<_> =
        (0..64).map(|bit| Folding { state: state ^ (1 << bit), key }.finish()).collect();
    assert_eq!(ends.len(), 64);
    assert!(!ends.contains(&Folding { state, key }.finish()));
}

#[test]
fn each_table_has_a_key_of_its_own() {
    let hashes: BTreeSet<_> = (0..8).map(|_| HashKey::draw().hash(&"a")).collect();
    assert_eq!(hashes.len(), 8);
}

/// Numbers that follow each other spread over a table's buckets as if drawn.
#[test]
fn numbers_spread() {
    fn fullest(hashes: impl Iterator<Item = u32>) -> u32 {
        let mut buckets = [0; 1024];
        hashes.for_each(|hash| buckets[hash as usize % 1024] += 1);
        buckets.into_iter().max().unwrap()
    }
    assert!(fullest((0..8192_u64).map(|n| KEY.hash(&n))) < 32);
    assert!(fullest((0..8192_u32).map(|n| KEY.hash(&n))) < 32);
    assert!(fullest((0..8192_usize).map(|n| KEY.hash(&(n * 4096)))) < 32);
    assert!(fullest((0..8192).map(|n| KEY.hash(&format!("namespace/pod-{n}")))) < 32);
    let bytes: BTreeSet<_> = (0..=255_u8).map(|n| KEY.hash(&n)).collect();
    assert_eq!(bytes.len(), 256);
}
