//! The cache: delta queue, listeners, tasks, reads that wait.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use loom::future::block_on;
use loom::thread::spawn;
use watchkeeper_api::{Kind, ObjectKey, Scope as KindScope};

use super::ended;
use crate::change::Change;
use crate::classic::ReflectorStore;
use crate::core::{Core, Scope};
use crate::delta::{Delta, Replacement};
use crate::delta_queue::DeltaQueue;
use crate::floors::{Outcome, Touched};
use crate::hub::{Desk, HandlerOptions, Next};
use crate::item::Item;
use crate::latest::Latest;
use crate::mailbox::Overflow;
use crate::mistaken::{Careless, Wake};
use crate::selection::{Selected, Selection};
use crate::tasks::Tasks;

/// An object with a version and little else.
#[derive(Clone, Debug)]
pub(super) struct Tiny(pub(super) &'static str);

impl Item for Tiny {
    fn item_key(&self) -> ObjectKey {
        ObjectKey::from("a")
    }

    fn item_uid(&self) -> &str {
        "uid"
    }

    fn item_version(&self) -> &str {
        self.0
    }
}

pub(super) fn list(version: &'static str) -> Delta<Tiny> {
    let items = vec![Arc::new(Tiny(version))];
    Delta::Replaced(Replacement {
        items,
        unreadable: Vec::new(),
        nameless: false,
        version: version.to_owned(),
    })
}

pub(super) fn updated(version: &'static str) -> Delta<Tiny> {
    Delta::Updated(Arc::new(Tiny(version)))
}

pub(super) fn copy(tasks: &Arc<Tasks>) -> Arc<Core<Tiny>> {
    let kind = Kind::new("", "v1", "Tiny", "tinies", KindScope::Cluster);
    let what = "tinies".to_owned();
    let named = Default::default();
    let selection = Selection::default();
    Core::new(Scope { kind, named, what, namespace: None, name: None, selection }, tasks)
}

pub(super) const LONG: Duration = Duration::from_secs(3600);

// ---- delta queue -----------------------------------------------------------------------------------

/// What is pushed into a full queue is popped in order, and the end comes after it.
pub fn a_full_delta_queue_hands_over_in_order() {
    let queue = Arc::new(DeltaQueue::<Tiny>::new(1));
    let pushing = Arc::clone(&queue);
    let pushing = spawn(move || {
        for version in ["1", "2"] {
            block_on(pushing.push(Delta::Bookmark(version.to_owned()))).expect("open");
        }
        pushing.close();
    });
    let mut popped = Vec::new();
    while let Some(delta) = block_on(queue.pop()) {
        let Delta::Bookmark(version) = delta else { panic!("another delta") };
        popped.push(version);
    }
    assert_eq!(popped, ["1", "2"]);
    ended(pushing);
}

/// Closing ends the wait of who pushes into a full queue, and of who pops from an empty one.
pub fn a_closed_delta_queue_lets_everybody_go() {
    let (full, empty) = (Arc::new(DeltaQueue::new(1)), Arc::new(DeltaQueue::<Tiny>::new(1)));
    block_on(full.push(list("1"))).expect("room");
    let (pushing, popping) = (Arc::clone(&full), Arc::clone(&empty));
    let pushing = spawn(move || block_on(pushing.push(Delta::Sync)).is_err());
    let popping = spawn(move || block_on(popping.pop()).is_none());
    full.close();
    empty.close();
    assert!(ended(pushing), "refused");
    assert!(ended(popping), "over");
}

/// Who waits for the end of a delta queue hears of it, whatever else changes meanwhile.
pub fn the_end_of_a_delta_queue_is_heard() {
    let queue = Arc::new(DeltaQueue::<Tiny>::new(1));
    let waiting = Arc::clone(&queue);
    let waiting = spawn(move || block_on(ReflectorStore::closed(&*waiting)));
    block_on(queue.push(updated("1"))).expect("room");
    queue.close();
    ended(waiting);
    assert!(block_on(queue.pop()).is_some(), "what is in it can be had");
}

/// A batch and the pushes beside it: nothing is lost between them, and the order holds.
pub fn batches_take_what_was_pushed() {
    let queue = Arc::new(DeltaQueue::<Tiny>::new(1));
    let pushing = Arc::clone(&queue);
    let pushing = spawn(move || {
        block_on(pushing.push(updated("1"))).expect("open");
        block_on(pushing.push(updated("2"))).expect("open");
        pushing.close();
    });
    let mut popped = Vec::new();
    while let Some(batch) = block_on(queue.pop_batch()) {
        popped.extend(batch);
    }
    assert_eq!(popped.len(), 2);
    ended(pushing);
}

/// The careless delta queue: what is pushed between the look and the wait wakes nobody.
pub fn a_careless_delta_queue_sleeps_beside_a_delta() {
    let queue = Arc::new(Careless::new(VecDeque::new()));
    let popping = Arc::clone(&queue);
    let popping = spawn(move || block_on(popping.wait_for(VecDeque::pop_front)));
    queue.change(Wake::All, |deltas| deltas.push_back(updated("1")));
    ended(popping);
}

// ---- waiting for a value ---------------------------------------------------------------------------

/// Everybody hears of the value that they wait for, whatever came in between.
pub fn a_value_reaches_everybody() {
    let value = Arc::new(Latest::new(0));
    let waiter = || {
        let value = Arc::clone(&value);
        spawn(move || block_on(value.wait_for(|value| value >= 2)))
    };
    let waiters = [waiter(), waiter()];
    value.change(|value| *value += 1);
    value.change(|value| *value += 1);
    assert_eq!(waiters.map(ended), [2, 2]);
}

/// The careless wait for a value: the last change falls between the look and the wait.
pub fn a_careless_wait_misses_the_value() {
    let value = Arc::new(Careless::new(false));
    let waiter = Arc::clone(&value);
    let waiter = spawn(move || block_on(waiter.wait_for(|value| value.then_some(()))));
    value.change(Wake::All, |value| *value = true);
    ended(waiter);
}

// ---- the copy --------------------------------------------------------------------------------------

/// Who waits for the first list hears of it.
pub fn the_first_list_ends_the_wait_for_it() {
    let core = copy(&Arc::default());
    let waiting = Arc::clone(&core);
    let waiting = spawn(move || block_on(waiting.synced()).is_ok());
    core.take(list("1"));
    assert!(ended(waiting));
}

/// Who waits for the first list hears that it will not come.
pub fn a_stopped_copy_ends_the_wait_for_its_first_list() {
    let core = copy(&Arc::default());
    let waiting = Arc::clone(&core);
    let waiting = spawn(move || block_on(waiting.synced()).is_err());
    core.stop();
    assert!(ended(waiting));
}

/// A read that begins after a write sees it, whether the answer or the event comes first.
pub fn a_read_sees_the_write_before_it() {
    let core = copy(&Arc::default());
    core.take(list("1"));
    let key = ObjectKey::from("a");
    core.begin_write(1, Touched::One(key.clone()));
    let (answered, following) = (Arc::clone(&core), Arc::clone(&core));
    let (uid, version) = ("uid".to_owned(), "2".to_owned());
    let stored = Outcome::Stored { key: key.clone(), uid, version, selected: Selected::Yes };
    let answered = spawn(move || answered.finish_write(1, stored));
    let following = spawn(move || following.take(updated("2")));
    let found = block_on(core.read(&key, LONG)).expect("an answer").expect("the object");
    assert_eq!(found.0, "2");
    ended(answered);
    ended(following);
}

/// A copy that stops lets its readers go.
pub fn a_stopped_copy_ends_reads() {
    let core = copy(&Arc::default());
    core.take(list("1"));
    let key = ObjectKey::from("a");
    core.begin_write(1, Touched::One(key.clone()));
    let reading = Arc::clone(&core);
    let reading = spawn(move || block_on(reading.read(&key, LONG)).is_err());
    core.stop();
    assert!(ended(reading));
}

// ---- listeners and their tasks ---------------------------------------------------------------------

/// A listener is told of everything and ends with the copy; the run of its task ends when it is stopped.
pub fn a_listener_is_told_and_ends() {
    let tasks = Arc::new(Tasks::default());
    let core = copy(&tasks);
    core.take(list("1"));
    let running = Arc::clone(&tasks);
    let running = spawn(move || block_on(running.run()));
    let told = Arc::new(Latest::new(0));
    let telling = Arc::clone(&told);
    core.subscribe(&HandlerOptions::default(), move |_: &Change<Tiny>| {
        telling.change(|told| *told += 1);
    });
    core.take(updated("2"));
    block_on(told.wait_for(|told| told == 2));
    core.stop();
    tasks.stop();
    ended(running);
}

/// A copy that waits for a full listener goes on when that has made room.
pub fn a_full_listener_makes_room() {
    let tasks = Arc::new(Tasks::default());
    let core = copy(&tasks);
    let options =
        HandlerOptions { buffer: 1, overflow: Overflow::Block, ..HandlerOptions::default() };
    core.subscribe(&options, |_: &Change<Tiny>| {});
    let running = Arc::clone(&tasks);
    let running = spawn(move || block_on(running.run()));
    core.take(updated("1"));
    block_on(core.room());
    core.take(updated("2"));
    block_on(core.room());
    tasks.stop();
    ended(running);
}

/// A subscription that ends lets a copy go that waits for room.
pub fn a_listener_that_leaves_makes_room() {
    let tasks = Arc::new(Tasks::default());
    let core = copy(&tasks);
    let options =
        HandlerOptions { buffer: 1, overflow: Overflow::Block, ..HandlerOptions::default() };
    let control = core.subscribe(&options, |_: &Change<Tiny>| {});
    core.take(updated("1"));
    let leaving = spawn(move || control.close());
    block_on(core.room());
    ended(leaving);
}

/// Changes of two copies at once reach the one who listens to both, and the end of one of them wakes it.
pub fn a_listener_at_two_copies_is_told_of_both() {
    let tasks = Arc::new(Tasks::default());
    let (one, other) = (copy(&tasks), copy(&tasks));
    let desk = Desk::new();
    for core in [&one, &other] {
        core.place(&HandlerOptions::default(), &desk);
    }
    let other = spawn(move || other.take(updated("2")));
    one.take(updated("1"));
    let mut told = 0;
    while told < 2 {
        match desk.take() {
            Next::Letter(..) => told += 1,
            Next::Nothing => block_on(desk.rung()),
            Next::Over => panic!("nobody ended it"),
        }
    }
    ended(other);
    let stopping = spawn(move || one.stop());
    desk.group.end();
    while !matches!(desk.take(), Next::Over) {
        block_on(desk.rung());
    }
    ended(stopping);
}

/// One who is too slow at one of two copies leaves both, and whoever waits for it is woken.
pub fn a_listener_too_slow_at_one_copy_leaves_both() {
    let tasks = Arc::new(Tasks::default());
    let (one, other) = (copy(&tasks), copy(&tasks));
    let options =
        HandlerOptions { buffer: 1, overflow: Overflow::Disconnect, ..HandlerOptions::default() };
    let desk = Desk::new();
    one.place(&options, &desk);
    let waits = other.place(&options, &desk);
    let slow = spawn(move || {
        one.take(updated("1"));
        one.take(updated("2"));
    });
    let synced = block_on(waits.synced.wait_for(|synced| synced || waits.is_closed()));
    assert!(!synced && desk.group.is_lagged());
    while !matches!(desk.take(), Next::Over) {
        block_on(desk.rung());
    }
    ended(slow);
}
