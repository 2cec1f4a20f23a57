//! Scripts of what comes and is popped, and the queue against a naive one.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::testing::{Tiny, tiny};

fn key(name: &str) -> ObjectKey {
    ("default", name).into()
}

fn show(state: &State<Tiny>) -> String {
    let waiting: Vec<String> = state.list().iter().map(ToString::to_string).collect();
    let synced = if state.has_synced() { ", synced" } else { "" };
    format!("[{}]{synced}", waiting.join(" "))
}

/// `add a@1`, `new a@1` (unless it waits), `delete a`, `replace a@1 b@2`, `pop`.
fn check(script: &str, expected: Expect) {
    let (mut state, mut log) = (State::new(), String::new());
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "add" => state.add(Arc::new(tiny(rest))),
            "new" => state.add_if_not_present(Arc::new(tiny(rest))),
            "delete" => state.delete(&key(rest)),
            "replace" => {
                let objects = rest.split_whitespace().map(|text| Arc::new(tiny(text)));
                state.replace(objects.collect());
            }
            "pop" => match state.pop() {
                Some(object) => writeln!(log, "-> {object}").unwrap(),
                None => log.push_str("-> nothing\n"),
            },
            other => panic!("unknown step {other}"),
        }
        writeln!(log, "{line}: {}", show(&state)).unwrap();
    }
    expected.assert_eq(&log);
}

/// Upstream's `TestFIFO_basic`, `_addUpdate`, `_detectLineJumpers`, `_addIfNotPresent`.
#[test]
fn an_object_waits_once_at_its_place_and_in_its_newest_state() {
    check(
        "
        add a@1
        add b@2
        add a@3
        new a@4
        new c@4
        pop
        add a@5
        delete b
        pop
        pop
        pop
        ",
        expect![[r#"
            add a@1: [a@1], synced
            add b@2: [a@1 b@2], synced
            add a@3: [a@3 b@2], synced
            new a@4: [a@3 b@2], synced
            new c@4: [a@3 b@2 c@4], synced
            -> a@3
            pop: [b@2 c@4], synced
            add a@5: [b@2 c@4 a@5], synced
            delete b: [c@4 a@5], synced
            -> c@4
            pop: [a@5], synced
            -> a@5
            pop: [], synced
            -> nothing
            pop: [], synced
        "#]],
    );
}

/// Upstream's `TestFIFO_addReplace`, `_HasSynced`.
#[test]
fn a_list_is_all_there_is_and_has_synced_when_it_is_gone() {
    check(
        "
        replace a@1 b@2
        add c@3
        replace c@4 b@5 d@6
        pop
        pop
        pop
        pop
        ",
        expect![[r#"
            replace a@1 b@2: [a@1 b@2]
            add c@3: [a@1 b@2 c@3]
            replace c@4 b@5 d@6: [b@5 c@4 d@6]
            -> b@5
            pop: [c@4 d@6], synced
            -> c@4
            pop: [d@6], synced
            -> d@6
            pop: [], synced
            -> nothing
            pop: [], synced
        "#]],
    );
    check(
        "replace",
        expect![[r#"
        replace: [], synced
    "#]],
    );
    check(
        "delete a",
        expect![[r#"
        delete a: [], synced
    "#]],
    );
}

#[derive(Clone, Copy, Debug)]
enum Turn {
    Add(u8),
    New(u8),
    Delete(u8),
    Replace(u8),
    Pop,
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let turn = prop_oneof![
        4 => (0..6_u8).prop_map(Turn::Add),
        2 => (0..6_u8).prop_map(Turn::New),
        2 => (0..6_u8).prop_map(Turn::Delete),
        1 => any::<u8>().prop_map(Turn::Replace),
        5 => Just(Turn::Pop),
    ];
    prop::collection::vec(turn, 0..300)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn it_is_as_a_list_that_is_walked(turns in turns()) {
        let mut state = State::new();
        let mut naive: Vec<Tiny> = Vec::new();
        for (version, turn) in (1..).zip(turns) {
            let object = |n: u8| tiny(&format!("o{n}@{version}"));
            let put = |naive: &mut Vec<Tiny>, object: Tiny| {
                match naive.iter_mut().find(|waiting| waiting.name == object.name) {
                    Some(waiting) => *waiting = object,
                    None => naive.push(object),
                }
            };
            match turn {
                Turn::Add(n) => {
                    state.add(Arc::new(object(n)));
                    put(&mut naive, object(n));
                }
                Turn::New(n) => {
                    state.add_if_not_present(Arc::new(object(n)));
                    if naive.iter().all(|waiting| waiting.name != object(n).name) {
                        naive.push(object(n));
                    }
                }
                Turn::Delete(n) => {
                    state.delete(&key(&object(n).name));
                    naive.retain(|waiting| waiting.name != object(n).name);
                }
                Turn::Replace(bits) => {
                    let list: Vec<Tiny> = (0..6).filter(|n| bits & (1 << n) != 0).map(object).collect();
                    state.replace(list.iter().cloned().map(Arc::new).collect());
                    naive.retain(|waiting| list.iter().any(|object| object.name == waiting.name));
                    list.into_iter().for_each(|object| put(&mut naive, object));
                }
                Turn::Pop => {
                    let first = (!naive.is_empty()).then(|| naive.remove(0));
                    prop_assert_eq!(state.pop().map(|object| Tiny::clone(&object)), first);
                }
            }
            let waiting: Vec<Tiny> = state.list().iter().map(|object| Tiny::clone(object)).collect();
            prop_assert_eq!(&waiting, &naive);
            let keys: Vec<ObjectKey> = naive.iter().map(Item::item_key).collect();
            prop_assert_eq!(state.list_keys(), keys);
            prop_assert_eq!(state.len(), naive.len());
        }
    }
}
