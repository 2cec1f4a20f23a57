//! Scripts of what comes and what is popped; the queue against a naive one; and the store behind it against
//! the server before it.

use std::fmt::Write as _;

use expect_test::Expect;

use super::*;
use crate::classic::apply_deltas;
use crate::store::Store;
use crate::testing::{Tiny, tiny};

mod chain;
mod lists;
mod naive;
mod order;
mod taking;

/// A queue before a store.
struct World {
    state: State<Tiny>,
    store: Store<Tiny>,
    log: String,
}

impl World {
    fn new() -> Self {
        Self { state: State::new(), store: Store::new(), log: String::new() }
    }

    /// `add a@1`, `update a@2`, `delete a@3`, `vanish a`, `replace @5 a@1 !b`, `bookmark @6`, `resync`;
    /// `known a@1` puts into the store; `pop` takes out and applies, `hold` takes out only, `next` is what an
    /// informer takes out.
    fn step(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let object = || Arc::new(tiny(words[1]));
        let version = || words[1].trim_start_matches('@').to_owned();
        let delta = match words[0] {
            "add" => Delta::Added(object()),
            "update" => Delta::Updated(object()),
            "delete" => Delta::Deleted(object()),
            "vanish" => {
                let (name, version) = words[1].split_once('@').unwrap_or((words[1], ""));
                Delta::Vanished { key: ("default", name).into(), version: version.to_owned() }
            }
            "bookmark" => Delta::Bookmark(version()),
            "resync" => Delta::Sync,
            "replace" => replacement(&version(), &words[2..]),
            "known" => return drop(self.store.apply(Delta::Added(object()))),
            "pop" => {
                let popped = self.state.pop();
                return self.take(popped.map(Popped::Deltas), true);
            }
            "hold" => {
                let popped = self.state.pop();
                return self.take(popped.map(Popped::Deltas), false);
            }
            "next" => {
                let popped = self.state.next();
                return self.take(popped, true);
            }
            other => panic!("unknown step {other}"),
        };
        self.state.push(delta, Some(&self.store));
    }

    fn take(&mut self, popped: Option<Popped<Tiny>>, apply: bool) {
        let log = &mut self.log;
        match popped {
            None => writeln!(log, "  nothing").unwrap(),
            Some(Popped::Deltas(deltas)) => {
                writeln!(log, "  -> {}", show(&deltas.key, &deltas.list)).unwrap();
                if apply {
                    let tell = |change| writeln!(log, "     {change}").unwrap();
                    apply_deltas(&self.store, deltas, tell);
                }
            }
            Some(Popped::Delta { delta: Delta::Bookmark(version), .. }) => {
                writeln!(log, "  -> at {version}").unwrap();
                self.store.apply(Delta::Bookmark(version));
            }
            Some(other) => panic!("{other:?}"),
        }
    }

    fn state(&self) -> String {
        let of = |key| show(key, &self.state.items[key].list);
        let waiting: Vec<String> = self.state.keys().map(of).collect();
        let synced = if self.state.has_synced() { ", synced" } else { "" };
        format!("[{}]{synced}", waiting.join("; "))
    }
}

fn show(key: &ObjectKey, list: &[ObjectDelta<Tiny>]) -> String {
    let list: Vec<String> = list.iter().map(ToString::to_string).collect();
    format!("{}: {}", key.name, list.join(", "))
}

fn replacement(version: &str, words: &[&str]) -> Delta<Tiny> {
    let readable = words.iter().filter(|word| !word.starts_with('!'));
    let unreadable = words.iter().filter_map(|word| word.strip_prefix('!')).filter(|n| *n != "?");
    Delta::Replaced(Replacement {
        items: readable.map(|word| Arc::new(tiny(word))).collect(),
        unreadable: unreadable.map(|name| ("default", name).into()).collect(),
        nameless: words.contains(&"!?"),
        version: version.to_owned(),
    })
}

/// What waits after each line, and what was popped by it.
fn check(script: &str, expected: Expect) {
    let mut world = World::new();
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        writeln!(world.log, "{line}").unwrap();
        world.step(line);
        let state = world.state();
        writeln!(world.log, "  {state}").unwrap();
    }
    expected.assert_eq(&world.log);
}
