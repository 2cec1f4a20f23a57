use std::sync::Mutex;

use serde_json::json;

use super::*;
use crate::config::Config;
use crate::hooks::Hook;
use crate::storage::key;

fn core() -> Core {
    Core::new(Config::default(), Now::default(), &mut Rng::new(0))
}

/// Writes or removes the object `x` of a table.
fn commit(core: &mut Core, table: &str, value: Value, remove: bool) -> Result<Arc<Event>, Halt> {
    let mut rng = Rng::new(0);
    let (table, key) = (TableName::from(table), key("default", "x"));
    let verb = if remove { Verb::Delete } else { Verb::Update };
    let (subresource, actor, shown) = ("", "me", None);
    let (table, key) = (&table, &key);
    let commit = Commit { verb, subresource, actor, table, key, value, remove, shown };
    Turn::new(core, Now::default(), &mut rng, Ticket(0)).commit(commit)
}

fn object() -> Value {
    json!({"metadata": {"namespace": "default", "name": "x"}})
}

#[test]
fn what_is_written_of_events_is_forgotten_and_nothing_else() {
    let mut core = core();
    commit(&mut core, "configmaps", object(), false).expect("it is written");
    assert!(core.expiries.is_empty(), "no Event");
    let revision = commit(&mut core, EVENTS, object(), false).expect("it is written").revision;
    let expiry = (Now(EVENT_LIFE), key("default", "x"), revision);
    assert_eq!(core.expiries, std::slice::from_ref(&expiry));
    commit(&mut core, "configmaps", object(), true).expect("it is removed");
    commit(&mut core, EVENTS, object(), true).expect("it is removed");
    assert_eq!(core.expiries, [expiry], "what is gone need not be forgotten");
}

#[test]
fn an_object_has_eight_mebibytes_at_most() {
    let mut core = core();
    // A member and its text have nine bytes around them.
    let large = |more: usize| json!({"a": "x".repeat(LARGEST - 9 + more)});
    assert_eq!(Extent::of(&large(0)).bytes, LARGEST);
    let refused = commit(&mut core, "configmaps", large(1), false).err();
    let Some(Halt::Error(error)) = &refused else { panic!("{refused:?}") };
    assert_eq!((error.code, &*error.message), (500, "etcdserver: request is too large"));
    commit(&mut core, "configmaps", large(0), false).expect("it is written");
    commit(&mut core, "configmaps", large(1), true).expect("what goes may be of any size");
}

#[test]
fn what_is_gone_is_not_removed_again() {
    let mut core = core();
    let refused = commit(&mut core, "configmaps", object(), true).err();
    let Some(Halt::Error(error)) = &refused else { panic!("{refused:?}") };
    let why = "Internal error occurred: configmaps default/x is already gone";
    assert_eq!((error.code, &*error.message), (500, why));
}

/// Notes the places in the history of which it is told, and loses some replies.
struct Ordinals(Arc<Mutex<Vec<u64>>>, Aftermath);

impl Hook for Ordinals {
    fn before_commit(&mut self, write: &Write<'_>) -> Verdict {
        self.0.lock().expect("the list").push(write.ordinal);
        Verdict::Proceed
    }

    fn after_commit(&mut self, write: &Write<'_>, _: &Event) -> Aftermath {
        self.0.lock().expect("the list").push(write.ordinal);
        self.1
    }
}

#[test]
fn a_hook_is_told_the_same_place_before_and_after_a_write() {
    let mut core = core();
    let told = Arc::default();
    core.add_hook(Box::new(Ordinals(Arc::clone(&told), Aftermath::Reply)));
    let first = core.history.count();
    for _ in 0..2 {
        commit(&mut core, "configmaps", object(), false).expect("it is written");
    }
    let expected = [first, first, first + 1, first + 1];
    assert_eq!(*told.lock().expect("the list"), expected);
}

#[test]
fn one_hook_is_enough_to_lose_a_reply() {
    for (all, loses) in [
        ([Aftermath::Reply, Aftermath::Reply], false),
        ([Aftermath::LoseReply, Aftermath::Reply], true),
        ([Aftermath::Reply, Aftermath::LoseReply], true),
    ] {
        let mut core = core();
        for aftermath in all {
            core.add_hook(Box::new(Ordinals(Arc::default(), aftermath)));
        }
        let mut rng = Rng::new(0);
        let (table, key) = (TableName::from("configmaps"), key("default", "x"));
        let mut turn = Turn::new(&mut core, Now::default(), &mut rng, Ticket(0));
        let commit = Commit {
            verb: Verb::Create,
            subresource: "",
            actor: "me",
            table: &table,
            key: &key,
            value: object(),
            remove: false,
            shown: None,
        };
        turn.commit(commit).expect("it is written");
        assert_eq!(turn.lose_reply, loses);
    }
}

#[test]
fn a_warning_is_noted_once_and_not_without_end() {
    let (mut core, mut rng) = (core(), Rng::new(0));
    let mut turn = Turn::new(&mut core, Now::default(), &mut rng, Ticket(0));
    for text in ["a", "b", "a"] {
        turn.warn(text);
    }
    assert_eq!(turn.warnings, ["a", "b"]);
    for number in 0..1000 {
        turn.warn(number.to_string());
    }
    assert_eq!(turn.warnings.len(), 1000);
    assert_eq!(turn.warnings.last().map(String::as_str), Some("997"));
}
