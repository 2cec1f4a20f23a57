//! Sharing, copying on write, and absence.

use super::Shared;
use crate::{List, Map};

#[test]
fn an_edit_of_one_holder_is_not_seen_by_the_others() {
    let first: Shared<Map> = Shared::from(Map::from([("a", "1")]));
    let mut second = first.clone();
    assert!(first.is_same(&second));
    second.make_mut().insert("a", "2");
    assert!(!first.is_same(&second));
    assert_eq!((first.get("a").unwrap().as_str(), second.get("a").unwrap().as_str()), ("1", "2"));
}

#[test]
fn a_lone_holder_edits_in_place() {
    let mut only: Shared<List<i32>> = Shared::from(List::from([1]));
    let before = std::ptr::from_ref(&*only);
    only.make_mut().push(2);
    assert_eq!(before, std::ptr::from_ref(&*only));
}

#[test]
fn an_absent_value_reads_as_the_empty_one() {
    let absent: Shared<List<i32>> = Shared::new();
    assert!(absent.is_empty());
    assert_eq!(absent, Shared::from(List::new()));
    assert!(absent.is_same(&Shared::default()) && !absent.is_same(&Shared::from(List::new())));
    let mut filled = absent;
    filled.make_mut().push(1);
    assert_eq!(*filled, List::from([1]));
}
