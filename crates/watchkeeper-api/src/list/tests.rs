//! The exact list against a `Vec`.

use proptest::prelude::*;

use super::List;
use crate::json;

#[derive(Clone, Debug)]
enum Step {
    Push(u8),
    Retain(u8),
    Extend(Vec<u8>),
    Reverse,
    Clear,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => any::<u8>().prop_map(Step::Push),
        1 => any::<u8>().prop_map(Step::Retain),
        2 => prop::collection::vec(any::<u8>(), 0..4).prop_map(Step::Extend),
        1 => Just(Step::Reverse),
        1 => Just(Step::Clear),
    ]
}

#[test]
fn an_empty_list_is_the_default() {
    let mut list = List::from([1]);
    list.clear();
    assert_eq!(list, List::default());
    assert_eq!(List::from(Vec::<i32>::with_capacity(9)), List::new());
    assert_eq!(list.into_vec().capacity(), 0);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn behaves_as_a_vec(steps in prop::collection::vec(step(), 0..20)) {
        let (mut list, mut model) = (List::new(), Vec::new());
        for step in steps {
            match step {
                Step::Push(element) => {
                    list.push(element);
                    model.push(element);
                }
                Step::Retain(bound) => {
                    list.retain(|element| *element < bound);
                    model.retain(|element| *element < bound);
                }
                Step::Extend(more) => {
                    list.extend(more.iter().copied());
                    model.extend(more);
                }
                Step::Reverse => {
                    list.reverse();
                    model.reverse();
                }
                Step::Clear => {
                    list.clear();
                    model.clear();
                }
            }
            prop_assert_eq!(list.as_slice(), model.as_slice());
        }
        prop_assert_eq!(&model.iter().copied().collect::<List<_>>(), &list);
        prop_assert_eq!(&json::from_str::<List<u8>>(&json::to_string(&list)).unwrap(), &list);
        prop_assert_eq!(list.iter().copied().rev().collect::<Vec<_>>(), model.iter().copied().rev().collect::<Vec<_>>());
        prop_assert_eq!(Vec::from(list), model);
    }
}
