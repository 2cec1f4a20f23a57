//! Which item is which.

use proptest::prelude::*;
use serde_json::json;

use super::super::graft;
use super::*;

/// More items than are compared pair by pair.
const MANY: usize = 50_000;

fn changed(item: &Value) -> Value {
    let mut item = item.clone();
    item["changed"] = json!(true);
    item
}

fn places(range: std::ops::Range<usize>) -> Vec<Option<usize>> {
    range.map(Some).collect()
}

/// Pair by pair they would be 2.5 billion.
#[test]
fn items_of_a_huge_list_are_told_by_their_order() {
    let unnamed: Vec<Value> = (0..MANY).map(|n| json!({"a": n, "b": n, "c": n})).collect();
    let after: Vec<Value> = unnamed.iter().map(changed).collect();
    assert_eq!(origins(&unnamed, &after, None), places(0..MANY));
    assert_eq!(origins(&unnamed, &after[1..], None)[..2], [None, None], "not the same ones");

    let one_name: Vec<Value> = (0..MANY).map(|n| json!({"name": "a", "n": n})).collect();
    let after: Vec<Value> = one_name.iter().map(changed).collect();
    assert_eq!(origins(&one_name, &after[1..], None), places(0..MANY - 1));
}

#[test]
fn names_and_equal_items_are_found_in_a_huge_list_wherever_they_stand() {
    let named: Vec<Value> = (0..MANY).map(|n| json!({"name": n.to_string(), "n": n})).collect();
    let mut after: Vec<Value> = named.iter().map(changed).collect();
    after.rotate_left(1);
    let mut expected = places(0..MANY);
    expected.rotate_left(1);
    assert_eq!(origins(&named, &after, None), expected);

    let unnamed: Vec<Value> = (0..MANY).map(|n| json!([n])).collect();
    let mut after = unnamed.clone();
    after.rotate_left(1);
    assert_eq!(origins(&unnamed, &after, None), expected);
}

#[test]
fn what_a_huge_list_holds_that_the_types_do_not_know_stays() {
    let newer = |n: usize| json!({"a": n, "b": n, "c": n, "newer": n});
    let known = |n: usize| json!({"a": n, "b": n, "c": n});
    let raw: Value = (0..MANY).map(newer).collect();
    let before: Value = (0..MANY).map(known).collect();
    let after: Value = (0..MANY).map(|n| changed(&known(n))).collect();
    let expected: Value = (0..MANY).map(|n| changed(&newer(n))).collect();
    assert!(graft(raw, &before, &after, None) == expected);
}

/// As it is meant, whatever it costs.
fn pair_by_pair(before: &[Value], after: &[Value]) -> Vec<Option<usize>> {
    let mut origins = vec![None; after.len()];
    let mut pairs = Vec::new();
    let in_place = (0..before.len().min(after.len())).map(|at| (at, at));
    let crossed = (0..after.len()).flat_map(|new| (0..before.len()).map(move |old| (old, new)));
    let equal = in_place.clone().chain(crossed.clone());
    pairs.extend(equal.filter(|(old, new)| before[*old] == after[*new]));
    let mut alike: Vec<_> = crossed
        .filter_map(|(old, new)| {
            let (of_old, of_new) = (before[old].as_object()?, after[new].as_object()?);
            let equal = of_old.iter().filter(|(name, value)| of_new.get(*name) == Some(value));
            let equal = equal.count();
            let names = (identity(&before[old], None), identity(&after[new], None));
            let can_be_one = match names {
                (None, None) => equal * 2 > of_old.len(),
                (of_old, of_new) => of_old == of_new,
            };
            can_be_one.then_some((Reverse(equal), new, old))
        })
        .collect();
    alike.sort_unstable();
    pairs.extend(alike.into_iter().map(|(_, new, old)| (old, new)));
    if before.len() == after.len() {
        let is_unnamed = |item: &Value| identity(item, None).is_none();
        pairs
            .extend(in_place.filter(|(at, _)| is_unnamed(&before[*at]) && is_unnamed(&after[*at])));
    }
    for (old, new) in pairs {
        if origins[new].is_none() && !origins.contains(&Some(old)) {
            origins[new] = Some(old);
        }
    }
    origins
}

fn any_item() -> impl Strategy<Value = Value> {
    let members = prop::collection::btree_map("[a-d]", 0..3, 0..4);
    prop_oneof![
        1 => (0..3).prop_map(Value::from),
        3 => members.clone().prop_map(|members| json!(members)),
        3 => (members, "[x-z]").prop_map(|(members, name)| {
            let mut item = json!(members);
            item["name"] = json!(name);
            item
        }),
    ]
}

fn any_list(length: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Value>> {
    prop::collection::vec(any_item(), length)
}

proptest! {
    #[test]
    fn in_short_lists_those_are_one_that_are_most_alike(
        before in any_list(0..12),
        after in any_list(0..12),
    ) {
        prop_assert_eq!(origins(&before, &after, None), pair_by_pair(&before, &after));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn a_long_list_becomes_what_is_wanted(
        before in any_list(500..900),
        after in any_list(500..900),
    ) {
        let mut found: Vec<usize> = origins(&before, &after, None).into_iter().flatten().collect();
        let all = found.len();
        found.sort_unstable();
        found.dedup();
        prop_assert_eq!(found.len(), all, "a place comes twice");
        let (before, after) = (Value::from(before), Value::from(after));
        prop_assert!(graft(before.clone(), &before, &after, None) == after);
    }
}
