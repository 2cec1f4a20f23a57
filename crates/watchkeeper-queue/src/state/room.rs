//! How lists of what keys need grow: by less than a list does by itself, whose half may be empty.

/// Lists grow by one in so many: as much of them is empty at most.
const PARTS: usize = 10;
/// The least that a list grows by.
const LEAST: usize = 4;

/// How many more to reserve, exactly, before one is added.
#[inline]
pub(super) fn more(len: usize, capacity: usize) -> usize {
    if len < capacity { 0 } else { (len / PARTS).max(LEAST) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_a_tenth_too_much_at_most_and_is_moved_seldom() {
        let (mut list, mut moved) = (Vec::new(), 0);
        for number in 0..100_000_u32 {
            let more = more(list.len(), list.capacity());
            moved += u32::from(more > 0);
            list.reserve_exact(more);
            list.push(number);
            assert!(list.capacity() <= list.len() + (list.len() / PARTS).max(LEAST), "{number}");
        }
        assert!(moved < 200, "{moved}");
        assert_eq!((more(0, 0), more(4, 4), more(80, 80), more(79, 80)), (4, 4, 8, 0));
    }
}
