//! A filter behind a buffer, where changes are merged before it sees them.

use std::sync::Mutex;

use super::*;
use crate::mailbox::{Letter, Mailbox, Overflow};
use crate::testing::{Tiny, tiny};

fn object(text: &str) -> Arc<Tiny> {
    Arc::new(tiny(text))
}

/// `add a@1`, `update a@1 -> a@2`, `delete a@3`.
fn change(line: &str) -> Change<Tiny> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[0] {
        "add" => Change::Added { new: object(words[1]), initial: false },
        "update" => Change::Updated { old: object(words[1]), new: object(words[3]) },
        "delete" => Change::Deleted { last: object(words[1]), final_state_unknown: false },
        other => panic!("unknown change {other}"),
    }
}

/// What a handler of the even versions is told: of the batches each waits as a whole, with room for one
/// change, before it is told any.
fn told(batches: &[&[&str]]) -> Vec<String> {
    let told = Mutex::new(Vec::new());
    let is_even = |object: &Tiny| object.version.parse::<u32>().unwrap() % 2 == 0;
    let mut handler = filtered(is_even, |change| told.lock().unwrap().push(change.to_string()));
    let mut mailbox = Mailbox::new(1, Overflow::Coalesce);
    for batch in batches {
        batch.iter().for_each(|line| mailbox.push(change(line)));
        while let Some(Letter::Change(change)) = mailbox.pop() {
            handler(&change);
        }
    }
    drop(handler);
    told.into_inner().unwrap()
}

#[test]
fn c_47_the_end_of_what_was_told_is_told_though_its_last_state_is_not_kept() {
    let told = told(&[&["add a@2"], &["update a@2 -> a@3", "delete a@4"], &["add a@6"]]);
    assert_eq!(told, ["add default/a @2", "delete default/a @4", "add default/a @6"]);
    let told = self::told(&[&["add a@2"], &["update a@2 -> a@3", "delete a@5"], &["add a@6"]]);
    assert_eq!(told, ["add default/a @2", "delete default/a @5", "add default/a @6"]);
}

#[test]
fn c_47_the_end_of_what_was_not_told_is_not_told_though_its_last_state_is_kept() {
    let told = told(&[&["add a@1"], &["update a@1 -> a@2", "delete a@4"], &["add b@2"]]);
    assert_eq!(told, ["add default/b @2"]);
}

#[test]
fn c_47_what_was_kept_between_two_states_that_wait_is_told_as_it_stands() {
    let told = told(&[
        &["add a@1"],
        &["update a@1 -> a@2", "update a@2 -> a@4"],
        &["update a@4 -> a@5", "update a@5 -> a@6"],
        &["update a@6 -> a@8", "update a@8 -> a@9"],
    ]);
    assert_eq!(told, ["add default/a @4", "update default/a @4 -> @6", "delete default/a @6"]);
}

/// What the handler was told when it panicked, it was told.
#[test]
fn c_47_a_panic_does_not_make_the_filter_forget() {
    let mut calls = Vec::new();
    let mut handler = filtered(
        |_: &Tiny| true,
        |change| {
            calls.push(change.to_string());
            assert!(calls.len() > 1, "the first call");
        },
    );
    let mut call = |line: &str| {
        let call = std::panic::AssertUnwindSafe(|| handler(&change(line)));
        std::panic::catch_unwind(call).is_ok()
    };
    assert!(!call("add a@1"));
    assert!(call("delete a@2"));
    drop(handler);
    assert_eq!(calls, ["add default/a @1", "delete default/a @2"]);
}
