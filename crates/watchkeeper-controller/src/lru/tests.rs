//! What is found, and what goes first.

use super::*;

#[test]
fn a_look_finds_what_is_there_and_is_no_use() {
    let mut lru = Lru::new(2);
    lru.entry(&"a", || 1);
    lru.entry(&"b", || 2);
    assert_eq!(lru.get_mut(&"c"), None);
    *lru.get_mut(&"a").expect("it is there") += 10;
    assert_eq!(lru.get_mut(&"a"), Some(&mut 11));
    lru.entry(&"c", || 3);
    assert_eq!(lru.get_mut(&"a"), None, "used first, though looked at last");
    assert_eq!(lru.get_mut(&"b"), Some(&mut 2));
}

#[test]
fn what_is_taken_out_makes_room() {
    let mut lru = Lru::new(2);
    lru.entry(&"a", || 1);
    lru.entry(&"b", || 2);
    lru.remove(&"a");
    lru.remove(&"c");
    lru.entry(&"c", || 3);
    lru.entry(&"b", || 4);
    assert_eq!(lru.iter().collect::<Vec<_>>(), [(&"c", &3), (&"b", &2)]);
    assert_eq!(lru.len(), 2);
}
