//! Reads that wait until the copy has this process's own writes.

use std::sync::Arc;

use loom::future::block_on;
use loom::thread::{JoinHandle, spawn};
use watchkeeper_api::ObjectKey;

use super::cache::{LONG, Tiny, copy, list, updated};
use super::ended;
use crate::core::Core;
use crate::delta::Delta;
use crate::floors::{Outcome, Survey, Touched};
use crate::selection::Selected;
use crate::version::Version;

/// A copy that has the object, and a write to it under way.
fn writing() -> (Arc<Core<Tiny>>, ObjectKey) {
    let core = copy(&Arc::default());
    core.take(list("1"));
    let key = ObjectKey::from("a");
    core.begin_write(1, Touched::One(key.clone()));
    (core, key)
}

fn stored(key: &ObjectKey, version: &str) -> Outcome {
    let (uid, version) = ("uid".to_owned(), version.to_owned());
    Outcome::Stored { key: key.clone(), uid, version, selected: Selected::Yes }
}

/// Does both beside each other, and meanwhile what the caller does.
fn beside<T>(
    core: &Arc<Core<Tiny>>,
    outcome: Outcome,
    delta: Delta<Tiny>,
    meanwhile: impl FnOnce(&Core<Tiny>) -> T,
) -> T {
    let (answered, following) = (Arc::clone(core), Arc::clone(core));
    let answered = spawn(move || answered.finish_write(1, outcome));
    let following = spawn(move || following.take(delta));
    let result = meanwhile(core);
    ended(answered);
    ended(following);
    result
}

/// A read that begins after the answer to a write has what was written, with nobody else about but the event.
pub fn a_write_is_seen_by_the_read_after_it() {
    let (core, key) = writing();
    core.finish_write(1, stored(&key, "2"));
    let following = Arc::clone(&core);
    let following = spawn(move || following.take(updated("2")));
    let found = block_on(core.read(&key, LONG)).expect("an answer").expect("the object");
    assert_eq!(found.0, "2");
    ended(following);
}

/// A bookmark beyond the write ends the wait as its event would.
pub fn a_bookmark_ends_the_wait_for_a_write() {
    let (core, key) = writing();
    let bookmark = Delta::Bookmark("3".to_owned());
    let found = beside(&core, stored(&key, "2"), bookmark, |core| block_on(core.read(&key, LONG)));
    assert_eq!(found.expect("an answer").expect("the object").0, "1");
}

/// A write that came as what cannot be read is an error, whether the answer or the event comes first, and never the
/// state before.
pub fn what_cannot_be_read_is_not_taken_for_what_was_there() {
    let (core, key) = writing();
    let unreadable = Delta::Unreadable { key: key.clone(), version: "2".to_owned() };
    let read = beside(&core, stored(&key, "2"), unreadable, |core| block_on(core.read(&key, LONG)));
    assert!(read.expect_err("no answer").is_unreadable());
}

/// What was deleted is not read again, whether the answer or the event comes first.
pub fn a_read_waits_for_the_end_of_what_was_deleted() {
    let (core, key) = writing();
    let deleted = Outcome::Deleted { key: key.clone(), uid: "uid".to_owned() };
    let event = Delta::Deleted(Arc::new(Tiny("2")));
    let found = beside(&core, deleted, event, |core| block_on(core.read(&key, LONG)));
    assert!(found.expect("an answer").is_none());
}

/// Who waits for everything has the write afterwards.
pub fn everything_is_there_after_the_wait_for_it() {
    let (core, key) = writing();
    let found = beside(&core, stored(&key, "2"), updated("2"), |core| {
        let list = block_on(core.read_in(None, LONG)).expect("caught up");
        assert_eq!(list.iter().next().expect("the object").0, "2");
        core.read_now(&key)
    });
    assert_eq!(found.expect("no wait").expect("the object").0, "2");
}

/// The server is asked what became of a write whose answer was lost.
fn asked(core: &Arc<Core<Tiny>>) -> JoinHandle<()> {
    let asked = Arc::clone(core);
    spawn(move || {
        let question = block_on(asked.question());
        let moment = asked.inquire(&question);
        let version = Version::parse("2").expect("a number");
        let found = [(ObjectKey::from("a"), version)].into();
        asked.settle(&question, moment, Some(Survey { version, found }));
    })
}

/// Who reads what may have been written wakes who asks the server, and hears of the answer and of the event.
pub fn a_lost_answer_is_asked_for_once_a_read_waits() {
    let (core, key) = writing();
    core.finish_write(1, Outcome::Unknown(Touched::One(key.clone())));
    let asked = asked(&core);
    let following = Arc::clone(&core);
    let following = spawn(move || following.take(updated("2")));
    let found = block_on(core.read(&key, LONG)).expect("an answer").expect("the object");
    assert_eq!(found.0, "2");
    ended(asked);
    ended(following);
}

/// The same for who lists, beside one who reads.
pub fn everybody_who_waits_for_a_lost_answer_hears_of_it() {
    let (core, key) = writing();
    core.finish_write(1, Outcome::Unknown(Touched::One(key.clone())));
    core.take(updated("2"));
    let asked = asked(&core);
    let reading = Arc::clone(&core);
    let reading = spawn(move || block_on(reading.read(&key, LONG)).expect("an answer").is_some());
    let list = block_on(core.read_in(None, LONG)).expect("an answer");
    assert_eq!(list.iter().next().expect("the object").0, "2");
    assert!(ended(reading));
    ended(asked);
}

/// One step of the copy wakes all who wait for it.
pub fn everybody_who_waits_for_a_write_hears_of_it() {
    let (core, key) = writing();
    core.finish_write(1, stored(&key, "2"));
    let reader = || {
        let (core, key) = (Arc::clone(&core), key.clone());
        spawn(move || block_on(core.read(&key, LONG)).expect("an answer").expect("the object").0)
    };
    let readers = [reader(), reader()];
    core.take(updated("2"));
    assert_eq!(readers.map(ended), ["2", "2"]);
}

/// A server that went back in time, as after a restore, never comes to the version that a read waits for.
pub fn a_list_from_before_lets_reads_go() {
    let core = copy(&Arc::default());
    core.take(list("5"));
    let key = ObjectKey::from("a");
    core.begin_write(1, Touched::One(key.clone()));
    core.finish_write(1, stored(&key, "7"));
    let reading = (Arc::clone(&core), key);
    let reading = spawn(move || block_on(reading.0.read(&reading.1, LONG)));
    core.take(list("3"));
    let found = ended(reading).expect("an answer").expect("the object");
    assert_eq!(found.0, "3");
}
