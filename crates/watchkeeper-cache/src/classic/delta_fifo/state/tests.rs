//! Scripts of what comes and what is popped; the queue against a naive one; and the store behind it against
//! the server before it.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::change::Change;
use crate::classic::apply_deltas;
use crate::store::Store;
use crate::testing::{Tiny, tiny};
use crate::version::Version;

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
            "vanish" => Delta::Vanished(("default", words[1]).into()),
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
    let unreadable = words.iter().filter_map(|word| word.strip_prefix('!'));
    Delta::Replaced(Replacement {
        items: readable.map(|word| Arc::new(tiny(word))).collect(),
        unreadable: unreadable.map(|name| ("default", name).into()).collect(),
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

/// Upstream's `TestDeltaFIFO_detectLineJumpers`, `_addUpdate`, `_basic`.
#[test]
fn c_25_an_object_waits_once_at_its_first_place_with_all_that_happened() {
    check(
        "
        add a@1
        add b@2
        update a@3
        pop
        add a@4
        pop
        pop
        pop
        ",
        expect![[r#"
            add a@1
              [a: added @1], synced
            add b@2
              [a: added @1; b: added @2], synced
            update a@3
              [a: added @1, updated @3; b: added @2], synced
            pop
              -> a: added @1, updated @3
                 add default/a @1
                 update default/a @1 -> @3
              [b: added @2], synced
            add a@4
              [b: added @2; a: added @4], synced
            pop
              -> b: added @2
                 add default/b @2
              [a: added @4], synced
            pop
              -> a: added @4
                 update default/a @3 -> @4
              [], synced
            pop
              nothing
              [], synced
        "#]],
    );
}

#[test]
fn c_24_two_deletions_in_a_row_are_one_and_nothing_else_is_merged() {
    check(
        "
        known a@1
        known b@1
        delete a@2
        delete a@3
        vanish b
        delete b@4
        vanish b
        add b@5
        update b@6
        update b@6
        ",
        expect![[r#"
            known a@1
              []
            known b@1
              []
            delete a@2
              [a: deleted @2], synced
            delete a@3
              [a: deleted @2], synced
            vanish b
              [a: deleted @2; b: deleted, last seen @1], synced
            delete b@4
              [a: deleted @2; b: deleted @4], synced
            vanish b
              [a: deleted @2; b: deleted @4], synced
            add b@5
              [a: deleted @2; b: deleted @4, added @5], synced
            update b@6
              [a: deleted @2; b: deleted @4, added @5, updated @6], synced
            update b@6
              [a: deleted @2; b: deleted @4, added @5, updated @6, updated @6], synced
        "#]],
    );
}

/// Upstream's `TestDeltaFIFO_DeleteExistingNonPropagated`, `_enqueueingNoLister`, `_enqueueingWithLister`.
#[test]
fn c_26_the_deletion_of_what_nobody_knows_is_dropped() {
    check(
        "
        delete a@1
        add b@2
        delete b@3
        known c@1
        delete c@4
        ",
        expect![[r#"
            delete a@1
              [], synced
            add b@2
              [b: added @2], synced
            delete b@3
              [b: added @2, deleted @3], synced
            known c@1
              [b: added @2, deleted @3], synced
            delete c@4
              [b: added @2, deleted @3; c: deleted @4], synced
        "#]],
    );
}

/// Upstream's `TestDeltaFIFO_ReplaceMakesDeletions`, `_ReplaceMakesDeletionsForObjectsOnlyInQueue`,
/// `_replaceWithDeleteDeltaIn`, `_addReplace`, `_ReplaceDeltaType`.
#[test]
fn c_27_a_list_replaces_what_it_has_and_deletes_what_it_has_not() {
    check(
        "
        known a@1
        known b@1
        known kept@1
        add c@2
        delete b@3
        replace @5 a@4 d@5 !kept
        ",
        expect![[r#"
            known a@1
              []
            known b@1
              []
            known kept@1
              []
            add c@2
              [c: added @2], synced
            delete b@3
              [c: added @2; b: deleted @3], synced
            replace @5 a@4 d@5 !kept
              [c: added @2, deleted, last seen @2; b: deleted @3; a: replaced @4; d: replaced @5], synced
        "#]],
    );
}

#[test]
fn c_27_lists_can_be_told_as_syncs() {
    let mut state = State::new();
    state.lists_as_syncs = true;
    state.push(replacement("5", &["a@1"]), None);
    let deltas = state.pop().unwrap();
    assert_eq!(show(&deltas.key, &deltas.list), "a: sync @1");
}

/// Upstream's `TestDeltaFIFO_HasSynced`, `_HasSyncedCorrectOnDeletion`.
#[test]
fn c_28_it_has_synced_when_the_last_of_the_first_list_is_popped() {
    check(
        "
        known gone@1
        replace @5 a@1 b@2
        add c@6
        hold
        hold
        hold
        replace @7
        ",
        expect![[r#"
            known gone@1
              []
            replace @5 a@1 b@2
              [a: replaced @1; b: replaced @2; gone: deleted, last seen @1]
            add c@6
              [a: replaced @1; b: replaced @2; gone: deleted, last seen @1; c: added @6]
            hold
              -> a: replaced @1
              [b: replaced @2; gone: deleted, last seen @1; c: added @6]
            hold
              -> b: replaced @2
              [gone: deleted, last seen @1; c: added @6]
            hold
              -> gone: deleted, last seen @1
              [c: added @6], synced
            replace @7
              [c: added @6, deleted, last seen @6], synced
        "#]],
    );
}

#[test]
fn c_28_it_has_synced_at_once_if_the_first_list_is_empty_or_something_came_before_it() {
    check(
        "replace @5",
        expect![[r#"
        replace @5
          [], synced
    "#]],
    );
    check(
        "
        add a@1
        replace @5 a@1 b@2
        ",
        expect![[r#"
            add a@1
              [a: added @1], synced
            replace @5 a@1 b@2
              [a: added @1, replaced @1; b: replaced @2], synced
        "#]],
    );
}

/// Upstream's `TestDeltaFIFO_ResyncNonExisting`, `_Resync`, `_UpdateResyncRace`.
#[test]
fn c_29_a_resync_skips_what_has_deltas_and_what_is_in_hand() {
    check(
        "
        known a@1
        known b@1
        known c@1
        update a@2
        update b@2
        hold
        resync
        pop
        pop
        ",
        expect![[r#"
            known a@1
              []
            known b@1
              []
            known c@1
              []
            update a@2
              [a: updated @2], synced
            update b@2
              [a: updated @2; b: updated @2], synced
            hold
              -> a: updated @2
              [b: updated @2], synced
            resync
              [b: updated @2; c: sync @1], synced
            pop
              -> b: updated @2
                 update default/b @1 -> @2
              [c: sync @1], synced
            pop
              -> c: sync @1
                 resync default/c @1
              [], synced
        "#]],
    );
}

/// What was popped and is not applied is neither queued nor known, and yet there.
#[test]
fn what_is_in_hand_can_be_deleted_and_vanish() {
    check(
        "
        add a@1
        hold
        delete a@2
        pop
        add b@3
        hold
        replace @5
        pop
        pop
        ",
        expect![[r#"
            add a@1
              [a: added @1], synced
            hold
              -> a: added @1
              [], synced
            delete a@2
              [a: deleted @2], synced
            pop
              -> a: deleted @2
                 delete default/a @2
              [], synced
            add b@3
              [b: added @3], synced
            hold
              -> b: added @3
              [], synced
            replace @5
              [b: deleted, last seen @3], synced
            pop
              -> b: deleted, last seen @3
              [], synced
            pop
              nothing
              [], synced
        "#]],
    );
}

/// The version told is never ahead of what was applied, whatever the order.
#[test]
fn an_informer_is_told_how_far_it_is() {
    check(
        "
        replace @5 a@1 b@2
        update a@6
        add c@7
        next
        next
        next
        next
        next
        next
        bookmark @9
        next
        next
        ",
        expect![[r#"
            replace @5 a@1 b@2
              [a: replaced @1; b: replaced @2]
            update a@6
              [a: replaced @1, updated @6; b: replaced @2]
            add c@7
              [a: replaced @1, updated @6; b: replaced @2; c: added @7]
            next
              -> a: replaced @1, updated @6
                 add default/a @1 (initial)
                 update default/a @1 -> @6
              [b: replaced @2; c: added @7]
            next
              -> b: replaced @2
                 add default/b @2 (initial)
              [c: added @7], synced
            next
              -> at 6
              [c: added @7], synced
            next
              -> c: added @7
                 add default/c @7
              [], synced
            next
              -> at 7
              [], synced
            next
              nothing
              [], synced
            bookmark @9
              [], synced
            next
              -> at 9
              [], synced
            next
              nothing
              [], synced
        "#]],
    );
}

#[test]
fn an_informer_is_told_that_the_first_list_was_empty() {
    check(
        "
        replace @5
        next
        next
        ",
        expect![[r#"
            replace @5
              [], synced
            next
              -> at 5
              [], synced
            next
              nothing
              [], synced
        "#]],
    );
}

// ---- against a naive queue -------------------------------------------------------------------------------

#[derive(Clone, Copy, Debug)]
enum Turn {
    Add(u8),
    Update(u8),
    Delete(u8),
    Vanish(u8),
    /// The bits of what is in it.
    Replace(u8),
    Resync,
    Pop,
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let turn = prop_oneof![
        4 => (0..5_u8).prop_map(Turn::Add),
        4 => (0..5_u8).prop_map(Turn::Update),
        4 => (0..5_u8).prop_map(Turn::Delete),
        1 => (0..5_u8).prop_map(Turn::Vanish),
        2 => any::<u8>().prop_map(Turn::Replace),
        1 => Just(Turn::Resync),
        8 => Just(Turn::Pop),
    ];
    prop::collection::vec(turn, 0..300)
}

fn name(number: u8) -> String {
    format!("o{number}")
}

/// The contract as a list that is walked.
#[derive(Default)]
struct Naive {
    waiting: Vec<(String, Vec<String>)>,
    /// What is stored: everything popped is applied at once.
    known: BTreeMap<String, String>,
    populated: bool,
    initial: usize,
}

impl Naive {
    fn queue(&mut self, name: &str, delta: String) {
        if !self.waiting.iter().any(|(waiting, _)| waiting == name) {
            self.waiting.push((name.to_owned(), Vec::new()));
        }
        let (_, list) = self.waiting.iter_mut().find(|(waiting, _)| waiting == name).unwrap();
        let both = delta.starts_with("deleted")
            && list.last().is_some_and(|last| last.starts_with("deleted"));
        match both {
            true if list.last().unwrap().contains("last seen") => {
                list.pop();
                list.push(delta);
            }
            true => {}
            false => list.push(delta),
        }
    }

    fn last(&self, name: &str) -> String {
        let waiting = self.waiting.iter().find(|(waiting, _)| waiting == name);
        match waiting {
            Some((_, list)) => list.last().unwrap().rsplit(' ').next().unwrap().to_owned(),
            None => self.known.get(name).map_or("never".to_owned(), |v| format!("@{v}")),
        }
    }

    fn is_there(&self, name: &str) -> bool {
        self.known.contains_key(name) || self.waiting.iter().any(|(waiting, _)| waiting == name)
    }

    fn replace(&mut self, names: &[String], version: &str) {
        names.iter().for_each(|name| self.queue(name, format!("replaced @{version}")));
        let queued = self.waiting.iter().map(|(name, _)| name.clone());
        let mut missing: Vec<String> = queued.filter(|name| !names.contains(name)).collect();
        for name in self.known.keys() {
            if !names.contains(name) && !missing.contains(name) {
                missing.push(name.clone());
            }
        }
        if !self.populated {
            self.populated = true;
            self.initial = names.len() + missing.len();
        }
        for name in missing {
            let last = self.last(&name);
            self.queue(&name, format!("deleted, last seen {last}"));
        }
    }

    fn pop(&mut self) -> Option<(String, Vec<String>)> {
        let first = (!self.waiting.is_empty()).then(|| self.waiting.remove(0))?;
        self.initial = self.initial.saturating_sub(1);
        let newest = first.1.last().unwrap();
        if newest.starts_with("deleted") {
            self.known.remove(&first.0);
        } else {
            let version = newest.rsplit('@').next().unwrap().to_owned();
            self.known.insert(first.0.clone(), version);
        }
        Some(first)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn it_is_as_the_naive_queue(turns in turns()) {
        let (mut state, store) = (State::new(), Store::new());
        let mut naive = Naive::default();
        for (version, turn) in (1..).zip(turns) {
            let object = |number| Arc::new(tiny(&format!("{}@{version}", name(number))));
            let known: Known<'_, Tiny> = Some(&store);
            match turn {
                Turn::Add(n) => {
                    state.push(Delta::Added(object(n)), known);
                    naive.populated = true;
                    naive.queue(&name(n), format!("added @{version}"));
                }
                Turn::Update(n) => {
                    state.push(Delta::Updated(object(n)), known);
                    naive.populated = true;
                    naive.queue(&name(n), format!("updated @{version}"));
                }
                Turn::Delete(n) => {
                    state.push(Delta::Deleted(object(n)), known);
                    naive.populated = true;
                    if naive.is_there(&name(n)) {
                        naive.queue(&name(n), format!("deleted @{version}"));
                    }
                }
                Turn::Vanish(n) => {
                    state.push(Delta::Vanished(("default", &*name(n)).into()), known);
                    naive.populated = true;
                    if naive.is_there(&name(n)) {
                        let last = naive.last(&name(n));
                        naive.queue(&name(n), format!("deleted, last seen {last}"));
                    }
                }
                Turn::Replace(bits) => {
                    let names: Vec<String> = (0..5).filter(|n| bits & (1 << n) != 0).map(name).collect();
                    let words: Vec<String> = names.iter().map(|name| format!("{name}@{version}")).collect();
                    let words: Vec<&str> = words.iter().map(String::as_str).collect();
                    state.push(replacement(&version.to_string(), &words), known);
                    naive.replace(&names, &version.to_string());
                }
                Turn::Resync => {
                    state.push(Delta::Sync, known);
                    for (name, version) in naive.known.clone() {
                        if !naive.waiting.iter().any(|(waiting, _)| *waiting == name) {
                            naive.queue(&name, format!("sync @{version}"));
                        }
                    }
                }
                Turn::Pop => {
                    let popped = state.pop();
                    let shown = popped.as_ref().map(|deltas| {
                        let list: Vec<String> = deltas.list.iter().map(ToString::to_string).collect();
                        (deltas.key.name.to_string(), list)
                    });
                    prop_assert_eq!(shown, naive.pop());
                    if let Some(deltas) = popped {
                        apply_deltas(&store, deltas, drop);
                    }
                    // What was popped is applied; the naive queue knows of no hand.
                    state.in_hand = None;
                }
            }
            prop_assert_eq!(state.has_synced(), naive.populated && naive.initial == 0);
            let deltas: usize = naive.waiting.iter().map(|(_, list)| list.len()).sum();
            prop_assert_eq!(state.len(), deltas);
        }
    }
}

// ---- between a server and a store ------------------------------------------------------------------------

#[derive(Clone, Copy, Debug)]
enum Act {
    Put(u8),
    Remove(u8),
    /// Nothing of this reaches the queue: the next list tells it.
    PutUnseen(u8),
    RemoveUnseen(u8),
    Relist,
    Resync,
    /// What an informer takes out, before it is applied.
    Take,
    Apply,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        6 => (0..6_u8).prop_map(Act::Put),
        4 => (0..6_u8).prop_map(Act::Remove),
        1 => (0..6_u8).prop_map(Act::PutUnseen),
        1 => (0..6_u8).prop_map(Act::RemoveUnseen),
        1 => Just(Act::Relist),
        1 => Just(Act::Resync),
        8 => Just(Act::Take),
        8 => Just(Act::Apply),
    ];
    prop::collection::vec(act, 0..400)
}

/// A server, the queue, the store, and what every name was at every version.
struct Chain {
    revision: u64,
    server: BTreeMap<String, Tiny>,
    past: Vec<BTreeMap<String, Tiny>>,
    /// What changed without a word: until the next list events would skip it.
    blind: bool,
    state: State<Tiny>,
    store: Store<Tiny>,
    held: Option<Popped<Tiny>>,
    told: BTreeMap<ObjectKey, u64>,
}

impl Chain {
    fn new() -> Self {
        Self {
            revision: 0,
            server: BTreeMap::new(),
            past: vec![BTreeMap::new()],
            blind: true,
            state: State::new(),
            store: Store::new(),
            held: None,
            told: BTreeMap::new(),
        }
    }

    fn change(&mut self, number: u8, put: bool, seen: bool) {
        let key = name(number);
        let before = self.server.get(&key).cloned();
        self.blind |= !seen;
        if before.is_none() && !put {
            return;
        }
        self.revision += 1;
        let uid = before.as_ref().map_or(self.revision.to_string(), |before| before.uid.clone());
        let object = Arc::new(tiny(&format!("{key}#{uid}@{}", self.revision)));
        let delta = match (&before, put) {
            (None, _) => Delta::Added(Arc::clone(&object)),
            (Some(_), true) => Delta::Updated(Arc::clone(&object)),
            (Some(_), false) => Delta::Deleted(Arc::clone(&object)),
        };
        if put {
            self.server.insert(key, Tiny::clone(&object));
        } else {
            self.server.remove(&key);
        }
        self.past.push(self.server.clone());
        if !self.blind {
            self.state.push(delta, Some(&self.store));
        }
    }

    fn relist(&mut self) {
        let items = self.server.values().cloned().map(Arc::new).collect();
        let list =
            Replacement { items, unreadable: Vec::new(), version: self.revision.to_string() };
        self.state.push(Delta::Replaced(list), Some(&self.store));
        self.blind = false;
    }

    fn take(&mut self) {
        if self.held.is_none() {
            self.held = self.state.next();
        }
    }

    /// Applies what is held. For each object versions go forward, and there is a deletion of what was there.
    fn apply(&mut self) {
        match self.held.take() {
            Some(Popped::Deltas(deltas)) => {
                let told = &mut self.told;
                apply_deltas(&self.store, deltas, |change| {
                    let key = change.key();
                    let version = change.object().version.parse().unwrap();
                    match &change {
                        Change::Added { .. } => assert!(told.insert(key, version).is_none()),
                        Change::Updated { .. } => {
                            assert!(told.insert(key, version).is_some_and(|old| old <= version));
                        }
                        Change::Deleted { .. } => assert!(told.remove(&key).is_some(), "{change}"),
                    }
                });
            }
            Some(Popped::Delta { delta, .. }) => drop(self.store.apply(delta)),
            None => {}
        }
    }

    /// The store is at least as new as it says.
    fn is_honest(&self) -> bool {
        let Some(reached) = self.store.reached() else { return true };
        let (at, _) = (0..self.past.len())
            .map(|revision| (revision, Version::parse(&revision.to_string())))
            .rfind(|(_, version)| version.is_none_or(|version| version <= reached))
            .unwrap();
        (0..6).map(name).all(|name| {
            let stored = self.store.get(&("default", &*name).into());
            let stored = stored.map(|object| Tiny::clone(&object));
            self.past[at..].iter().any(|then| then.get(&name) == stored.as_ref())
        })
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_store_ends_as_the_server_is_and_never_says_too_much(acts in acts()) {
        let mut chain = Chain::new();
        for act in acts {
            match act {
                Act::Put(n) => chain.change(n, true, true),
                Act::Remove(n) => chain.change(n, false, true),
                Act::PutUnseen(n) => chain.change(n, true, false),
                Act::RemoveUnseen(n) => chain.change(n, false, false),
                Act::Relist => chain.relist(),
                Act::Resync => chain.state.push(Delta::Sync, Some(&chain.store)),
                Act::Take => chain.take(),
                Act::Apply => chain.apply(),
            }
            prop_assert!(chain.is_honest());
        }
        chain.relist();
        loop {
            chain.apply();
            chain.take();
            if chain.held.is_none() {
                break;
            }
        }
        let stored: Vec<Tiny> = chain.store.list().iter().map(|o| Tiny::clone(o)).collect();
        let served: Vec<Tiny> = chain.server.into_values().collect();
        prop_assert_eq!(stored, served);
        prop_assert_eq!(chain.store.version(), if chain.revision == 0 { "0".to_owned() } else { chain.revision.to_string() });
    }
}
