//! Trees that come and go.

use std::cell::Cell;

use serde_json::json;

use super::super::{Stored, key};
use super::*;

fn stored(number: usize) -> Stored {
    let value = json!({"kind": "Foo", "apiVersion": "v1", "metadata": {"name": "a"},
        "spec": {"number": number, "text": "x".repeat(1000)}});
    Stored::new(key("", "a"), 7, value)
}

#[test]
fn what_is_no_longer_recent_is_read_again_and_is_the_same() {
    let one = stored(1);
    let before = Value::clone(&one.peek());
    // Each is longer than a thousand bytes, so these are more than all that are kept.
    let others: Vec<Stored> = (0..2 * MOST).map(stored).collect();
    assert!(one.tree.at_hand().is_none());
    assert_eq!(*one.peek(), before);
    assert!(one.tree.at_hand().is_none(), "nobody else gets to see what was made for one");
    assert_eq!(*one.value(), before);
    assert!(others.iter().filter(|other| other.tree.at_hand().is_some()).count() < MOST);
}

/// How many trees of a thousand bytes are kept.
const MOST: usize = (KEPT + NEW) / 1000;

#[test]
fn what_is_wanted_again_and_again_stays_and_the_rest_is_bounded() {
    let (mut recent, wanted) = (Recent::new(), Tree::new(json!("wanted")));
    assert!(recent.push(wanted.clone(), 1000).is_empty());
    let mut gone = Vec::new();
    for number in 0..5 * MOST {
        wanted.note_wanted();
        let other = Tree::new(number.into());
        if number % 3 == 0 {
            other.note_wanted();
        }
        gone.extend(recent.push(other, 1000));
        assert!(recent.new.bytes <= NEW && recent.wanted.bytes <= KEPT);
    }
    assert!(gone.iter().all(|tree| **tree != *wanted) && gone.len() > 4 * MOST);
    // No more of it now, while others are wanted.
    let others = (0..2 * MOST).map(|number| Tree::new(number.into()));
    let gone: Vec<Tree> =
        others.inspect(Tree::note_wanted).flat_map(|other| recent.push(other, 1000)).collect();
    assert!(gone.iter().any(|tree| **tree == *wanted));
}

#[test]
fn of_many_that_are_all_wanted_some_go() {
    let mut recent = Recent::new();
    let trees: Vec<Tree> = (0..2 * MOST).map(|number| Tree::new(number.into())).collect();
    for tree in &trees {
        trees.iter().for_each(Tree::note_wanted);
        recent.push(tree.clone(), 1000);
        assert!(recent.new.bytes <= NEW && recent.wanted.bytes <= KEPT);
    }
    let large = Tree::new(json!("large"));
    large.note_wanted();
    assert!(recent.push(large, 2 * KEPT).len() > MOST / 2);
}

#[test]
fn each_model_has_its_own_message_and_it_is_made_once() {
    let (tree, made) = (Tree::new(json!({})), Cell::new(0));
    let get = |model: &str| {
        tree.message(model, |_| {
            made.set(made.get() + 1);
            Bytes::from(model.to_owned())
        })
    };
    for model in ["v1", "v2", "v1beta1", "v2", "v1", "v1beta1"] {
        assert_eq!(get(model), model);
    }
    assert_eq!(made.get(), 3);
}

#[test]
fn a_deep_tree_stays_with_its_object() {
    let mut deep = json!({});
    for _ in 0..100 {
        deep = json!({ "a": deep });
    }
    let one = Stored::new(key("", "a"), 7, json!({"metadata": {}, "spec": deep}));
    let _others: Vec<Stored> = (0..2 * MOST).map(stored).collect();
    assert!(one.is_deep() && one.tree.at_hand().is_some());
    assert!(!stored(1).is_deep());
}

#[test]
fn a_tree_that_nobody_else_has_is_given_away() {
    let tree = Tree::new(json!({"a": 1}));
    let other = tree.clone();
    assert_eq!(tree.into_value(), json!({"a": 1}));
    assert_eq!(other.into_value(), json!({"a": 1}));
    assert_eq!(format!("{:?}", Tree::new(json!("secret"))), "Tree { .. }");
}
