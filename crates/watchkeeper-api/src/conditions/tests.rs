//! Conditions against the rules of upstream's helpers.

use super::{find, is_false, is_true, remove, set};
use crate::meta::v1::Condition;
use crate::{List, Time, object};

fn ready(status: &str, reason: &str) -> Condition {
    object!(Condition { type_: "Ready", status: status, reason: reason })
}

fn at(seconds: i64) -> Time {
    Time::from_unix(seconds)
}

#[test]
fn the_time_moves_with_the_status_only() {
    let mut conditions = List::new();
    let time = |conditions: &List<Condition>| conditions[0].last_transition_time;
    assert!(set(&mut conditions, ready("False", "Starting"), at(1)));
    assert!(set(&mut conditions, ready("False", "Waiting"), at(2)));
    assert_eq!(time(&conditions), Some(at(1)));
    assert_eq!(conditions[0].reason, "Waiting");
    assert!(set(&mut conditions, ready("True", "Up"), at(3)));
    assert_eq!(time(&conditions), Some(at(3)));
    assert!(!set(&mut conditions, ready("True", "Up"), at(4)));
    let said = Condition { last_transition_time: Some(at(9)), ..ready("False", "Down") };
    assert!(set(&mut conditions, said, at(5)));
    assert_eq!(time(&conditions), Some(at(9)));
    assert_eq!(conditions.len(), 1);
}

/// A spec that changes and changes nothing is true since before.
#[test]
fn the_generation_moves_without_the_time() {
    let mut conditions = List::new();
    let of = |generation| Condition { observed_generation: generation, ..ready("True", "Up") };
    let told = |conditions: &List<Condition>| {
        (conditions[0].observed_generation, conditions[0].last_transition_time)
    };
    assert!(set(&mut conditions, of(1), at(1)));
    assert!(set(&mut conditions, of(2), at(2)), "it is to be written");
    assert_eq!(told(&conditions), (2, Some(at(1))));
    assert!(!set(&mut conditions, of(2), at(3)));
    let down = Condition { observed_generation: 3, ..ready("False", "Down") };
    assert!(set(&mut conditions, down, at(4)));
    assert_eq!(told(&conditions), (3, Some(at(4))));
    assert!(set(&mut conditions, ready("False", "Down"), at(5)), "who says none has none");
    assert_eq!(told(&conditions), (0, Some(at(4))));
}

#[test]
fn other_types_are_left_alone() {
    let mut conditions = List::from([object!(Condition { type_: "Synced", status: "Unknown" })]);
    set(&mut conditions, ready("True", "Up"), at(1));
    assert!(is_true(&conditions, "Ready") && !is_false(&conditions, "Ready"));
    assert!(!is_true(&conditions, "Synced") && !is_false(&conditions, "Synced"));
    assert!(find(&conditions, "Other").is_none());
    assert!(remove(&mut conditions, "Ready") && !remove(&mut conditions, "Ready"));
    assert_eq!(conditions.len(), 1);
}
