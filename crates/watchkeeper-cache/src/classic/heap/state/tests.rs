//! The heap against a list that is searched.

use proptest::prelude::*;

use super::*;

fn less() -> Box<Less<(u8, i32)>> {
    Box::new(|a, b| a.1 < b.1)
}

/// Upstream's `TestHeapBasic`, `TestHeap_Add`, `_Update`, `_Delete`.
#[test]
fn the_least_comes_first_also_after_changes() {
    let (mut state, less) = (State::new(), less());
    for (key, value) in [(1, 30), (2, 10), (3, 20), (2, 40), (4, 5), (4, 35)] {
        state.put(key, (key, value), &less);
    }
    assert_eq!(state.remove(&3, &less), Some((3, 20)));
    assert_eq!(state.remove(&3, &less), None);
    let order: Vec<_> = std::iter::from_fn(|| state.pop(&less)).collect();
    assert_eq!(order, [(1, 30), (4, 35), (2, 40)]);
}

/// A comparison that panics costs its call, not the heap.
#[test]
fn keys_are_found_after_a_comparison_that_panics() {
    let mut state = State::new();
    let good = less();
    for key in 0..20 {
        state.put(key, (key, 20 - i32::from(key)), &good);
    }
    let bad: Box<Less<(u8, i32)>> = Box::new(|a, b| {
        assert!(a.0 != 7 && b.0 != 7, "a comparison that panics");
        a.1 < b.1
    });
    for key in 0..20 {
        let put = std::panic::AssertUnwindSafe(|| state.put(key, (key, i32::from(key)), &bad));
        let _ = std::panic::catch_unwind(put);
    }
    assert_eq!(state.len(), 20);
    for key in 0..20 {
        assert_eq!(state.get(&key).map(|element| element.0), Some(key));
    }
}

#[derive(Clone, Copy, Debug)]
enum Turn {
    Put(u8, i32),
    Remove(u8),
    Pop,
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let turn = prop_oneof![
        5 => (0..20_u8, -5..5_i32).prop_map(|(key, value)| Turn::Put(key, value)),
        2 => (0..20_u8).prop_map(Turn::Remove),
        3 => Just(Turn::Pop),
    ];
    prop::collection::vec(turn, 0..300)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn it_is_as_a_list_that_is_searched(turns in turns()) {
        let (mut state, less) = (State::new(), less());
        let mut naive: BTreeMap<u8, i32> = BTreeMap::new();
        for turn in turns {
            match turn {
                Turn::Put(key, value) => {
                    state.put(key, (key, value), &less);
                    naive.insert(key, value);
                }
                Turn::Remove(key) => {
                    let removed = state.remove(&key, &less).map(|element| element.1);
                    prop_assert_eq!(removed, naive.remove(&key));
                }
                Turn::Pop => {
                    let popped = state.pop(&less);
                    prop_assert_eq!(popped.map(|element| element.1), naive.values().min().copied());
                    if let Some((key, value)) = popped {
                        prop_assert_eq!(naive.remove(&key), Some(value));
                    }
                }
            }
            prop_assert_eq!(state.keys().copied().collect::<Vec<_>>(), naive.keys().copied().collect::<Vec<_>>());
            prop_assert!(naive.iter().all(|(key, value)| state.get(key) == Some(&(*key, *value))));
        }
    }
}
