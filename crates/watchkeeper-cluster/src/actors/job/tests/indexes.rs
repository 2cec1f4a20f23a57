//! Sets of indexes.

use super::*;

#[test]
fn indexes_are_written_as_ranges_and_read_again() {
    let indexes = Indexes::default().with([7, 0, 3, 2, 5, 6, 7]);
    assert_eq!(indexes.to_string(), "0,2,3,5-7");
    assert_eq!(indexes.len(), 6);
    assert_eq!(Indexes::parse("0,2,3,5-7", 100), indexes);
}

#[test]
fn what_is_beyond_the_completions_or_cannot_be_read_is_left_out() {
    assert_eq!(Indexes::parse("0,3-9,12,x,4-2", 6).to_string(), "0,3-5");
    assert_eq!(Indexes::parse("0-4", 0), Indexes::default());
    assert_eq!(Indexes::parse("0-4294967295", 4).to_string(), "0-3");
}

#[test]
fn an_index_is_found_in_its_range_only() {
    let indexes = Indexes::parse("1-3,6", 10);
    let has: Vec<u32> = (0..10).filter(|index| indexes.has(*index)).collect();
    assert_eq!(has, [1, 2, 3, 6]);
}

#[test]
fn the_first_missing_ones_fill_the_gaps() {
    let indexes = Indexes::parse("1-3,6", 10);
    assert_eq!(indexes.first_missing(3, 10), [0, 4, 5]);
    assert_eq!(indexes.first_missing(9, 8), [0, 4, 5, 7]);
    assert_eq!(Indexes::parse("0-1", 2).first_missing(1, 2), [0_u32; 0]);
}

#[test]
fn sets_are_joined_and_compared() {
    let a = Indexes::parse("0-4,8", 10);
    let b = Indexes::parse("3-6,8-9", 10);
    assert_eq!(a.and(&b).to_string(), "0-6,8,9");
    assert_eq!(a.shared_with(&b), 3);
}
