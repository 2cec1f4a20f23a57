//! What the hash counts, and which texts are shared.

use std::time::Duration;

use serde_json::json;

use super::*;
use crate::storage::{Stored, key};

fn entry() -> HistoryEntry {
    let text = Arc::<str>::from;
    HistoryEntry {
        revision: 7,
        at: Now(Duration::from_secs(1)),
        verb: Verb::Create,
        subresource: text("status"),
        change: Change::Added,
        actor: text("me"),
        table: text("foos"),
        key: text("a"),
        kind: text("Foo"),
        uid: text("u"),
    }
}

fn event(change: Change, spec: u32) -> Event {
    let value = json!({"metadata": {"name": "a"}, "spec": spec});
    let object = Arc::new(Stored::new(key("", "a"), 7, value));
    Event { revision: 7, table: "foos".into(), change, object, previous: None }
}

fn hash(entry: HistoryEntry, event: &Event) -> u64 {
    let mut history = History::default();
    history.record(entry, event);
    history.hash()
}

#[test]
fn whatever_differs_of_a_write_gives_another_hash() {
    let same = || event(Change::Added, 1);
    let first = hash(entry(), &same());
    assert_eq!(first, hash(entry(), &same()));
    for other in [
        hash(HistoryEntry { verb: Verb::Update, ..entry() }, &same()),
        hash(HistoryEntry { subresource: "".into(), ..entry() }, &same()),
        hash(HistoryEntry { actor: "m".into(), table: "efoos".into(), ..entry() }, &same()),
        hash(HistoryEntry { key: "b".into(), ..entry() }, &same()),
        hash(HistoryEntry { at: Now(Duration::from_secs(2)), ..entry() }, &same()),
        hash(entry(), &event(Change::Modified, 1)),
        hash(entry(), &event(Change::Added, 2)),
    ] {
        assert_ne!(other, first);
    }
    let mut history = History::default();
    for count in 1..=3 {
        let before = history.hash();
        history.record(entry(), &same());
        assert_eq!((history.count(), history.entries().len() as u64), (count, count));
        assert_ne!(history.hash(), before);
    }
}

#[test]
fn texts_are_shared_as_long_as_there_are_few() {
    let mut history = History::default();
    let first = history.shared("0");
    for number in 1..SHARED {
        history.shared(&number.to_string());
    }
    assert!(Arc::ptr_eq(&first, &history.shared("0")), "there are just as many as may be");
    let more = history.shared("more");
    assert_eq!(&*more, "more");
    assert!(Arc::ptr_eq(&more, &history.shared("more")));
    let again = history.shared("0");
    assert!(again == first && !Arc::ptr_eq(&first, &again), "they were forgotten");
}

#[test]
fn verbs_are_spelled_as_roles_spell_them() {
    let all = [Verb::Create, Verb::Update, Verb::Patch, Verb::Delete].map(Verb::name);
    assert_eq!(all, ["create", "update", "patch", "delete"]);
}

#[test]
fn of_many_writes_the_last_are_kept() {
    let (one, event) = (entry(), event(Change::Added, 1));
    let after_one_more = |count: usize| {
        let entries = (0..count as u64).map(|revision| HistoryEntry { revision, ..one.clone() });
        let mut history = History { entries: entries.collect(), ..History::default() };
        history.record(entry(), &event);
        (history.entries().len(), history.entries()[0].revision)
    };
    assert_eq!(after_one_more(KEPT + 2), (KEPT + 3, 0), "there is room for as many again");
    assert_eq!(after_one_more(2 * KEPT), (KEPT + 1, KEPT as u64));
}
