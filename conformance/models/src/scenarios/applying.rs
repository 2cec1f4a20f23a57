//! The copy that takes what its queue has, wakes for the next resync, and looks again when a listener came.

use std::sync::Arc;

use loom::future::block_on;
use loom::thread::spawn;
use tokio::time::Instant;

use super::cache::{LONG, Tiny, copy, updated};
use super::ended;
use crate::delta_queue::DeltaQueue;
use crate::hub::{Desk, HandlerOptions};
use crate::mistaken::Unheard;
use crate::reflector::apply;
use crate::sync::Alarms;
use crate::tasks::Tasks;

/// What may end the wait of a copy.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// A delta is pushed.
    Delta,
    /// The alarm rings.
    Alarm,
    /// A listener comes, whose resync is due before the one that the alarm is set for.
    Listener,
}

/// Whatever comes in whatever order while the copy looks or waits, each delta is applied, and the alarm is set for
/// who came to listen.
pub fn nothing_that_comes_is_overlooked(steps: &[Step]) {
    let (tasks, alarms, desk) = (Arc::new(Tasks::default()), Alarms::of_this_run(), Desk::new());
    let (core, queue) = (copy(&tasks), Arc::new(DeltaQueue::new(1)));
    core.place(&each(2), &desk);
    let (applying, applied) = (Arc::clone(&core), Arc::clone(&queue));
    let applying = spawn(move || block_on(apply(&applying, &*applied)));
    let (mut pushes, mut listens) = (false, false);
    for step in steps {
        match step {
            Step::Delta => {
                block_on(queue.push(updated("1"))).expect("open");
                pushes = true;
            }
            Step::Alarm => alarms.ring(),
            Step::Listener => {
                core.place(&each(1), &desk);
                listens = true;
            }
        }
    }
    if listens {
        block_on(alarms.set_before(earlier()));
    }
    queue.close();
    ended(applying);
    assert_eq!(core.store.get(&"a".into()).is_some(), pushes);
}

/// A resync each so many hours.
fn each(hours: u32) -> HandlerOptions {
    HandlerOptions { resync: Some(LONG * hours), ..HandlerOptions::default() }
}

/// After a resync of one hour, and before one of two.
fn earlier() -> Instant {
    Instant::now() + LONG + LONG / 2
}

/// The careless copy: a listener comes between the look and the wait.
pub fn a_careless_copy_overlooks_a_listener() {
    let (copy, alarms) = (Arc::new(Unheard::new(Instant::now() + 2 * LONG)), Alarms::of_this_run());
    let queue = Arc::new(DeltaQueue::<Tiny>::new(1));
    let (applying, applied) = (Arc::clone(&copy), Arc::clone(&queue));
    let thread = spawn(move || block_on(applying.apply(async || applied.pop().await.is_some())));
    copy.listen(Instant::now() + LONG);
    block_on(alarms.set_before(earlier()));
    queue.close();
    ended(thread);
}
