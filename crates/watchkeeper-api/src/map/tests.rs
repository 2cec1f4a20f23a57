//! The flat map against a `BTreeMap`.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::Map;
use crate::json;

#[derive(Clone, Debug)]
enum Step {
    Insert(String, i32),
    Remove(String),
    Slot(String, i32),
    Change(String, i32),
    Retain(i32),
    Extend(Vec<(String, i32)>),
}

fn key() -> impl Strategy<Value = String> {
    "[a-d]{1,2}"
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (key(), any::<i32>()).prop_map(|(key, value)| Step::Insert(key, value)),
        key().prop_map(Step::Remove),
        (key(), any::<i32>()).prop_map(|(key, value)| Step::Slot(key, value)),
        (key(), any::<i32>()).prop_map(|(key, value)| Step::Change(key, value)),
        any::<i32>().prop_map(Step::Retain),
        prop::collection::vec((key(), any::<i32>()), 0..5).prop_map(Step::Extend),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn behaves_as_a_sorted_map(steps in prop::collection::vec(step(), 0..20), asked in key()) {
        let mut map: Map<i32> = Map::new();
        let mut model: BTreeMap<String, i32> = BTreeMap::new();
        for step in steps {
            match step {
                Step::Insert(key, value) => {
                    prop_assert_eq!(map.insert(&key, value), model.insert(key, value));
                }
                Step::Remove(key) => prop_assert_eq!(map.remove(&key), model.remove(&key)),
                Step::Slot(key, value) => {
                    *map.slot(&key) ^= value;
                    *model.entry(key).or_default() ^= value;
                }
                Step::Change(key, value) => {
                    let changed = map.get_mut(&key).map(|old| *old = value);
                    prop_assert_eq!(changed, model.get_mut(&key).map(|old| *old = value));
                }
                Step::Retain(bound) => {
                    map.retain(|key, value| *value < bound || key == "a");
                    model.retain(|key, value| *value < bound || key == "a");
                }
                Step::Extend(entries) => {
                    map.extend(entries.iter().map(|(key, value)| (key.into(), *value)));
                    model.extend(entries);
                }
            }
            prop_assert_eq!((map.len(), map.is_empty()), (model.len(), model.is_empty()));
        }
        let entries = map.iter().map(|(key, value)| (key.as_str(), *value));
        prop_assert!(entries.eq(model.iter().map(|(key, value)| (key.as_str(), *value))));
        prop_assert_eq!(map.get(&asked), model.get(&asked));
        prop_assert_eq!(map.contains_key(&asked), model.contains_key(&asked));
        prop_assert_eq!(&model.iter().map(|(key, value)| (key, *value)).collect::<Map<i32>>(), &map);
        prop_assert_eq!(&json::from_str::<Map<i32>>(&json::to_string(&map)).unwrap(), &map);
        prop_assert_eq!(json::to_value(&map), serde_json::json!(model));
    }

    #[test]
    fn of_equal_keys_the_last_wins(entries in prop::collection::vec((key(), any::<i32>()), 0..8)) {
        let map: Map<i32> = entries.iter().map(|(key, value)| (key, *value)).collect();
        let model: BTreeMap<&str, i32> = entries.iter().map(|(key, value)| (key.as_str(), *value)).collect();
        prop_assert!(map.iter().map(|(key, value)| (key.as_str(), *value)).eq(model));
    }
}
