//! What the process holds, before and after.

use std::fs::read_dir;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::yield_now;
use tokio::time::sleep;

use crate::ALLOCATOR;

/// What is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) tasks: usize,
    /// Files and sockets. Where the system does not tell, as everywhere but on Linux, none.
    pub(crate) files: usize,
    pub(crate) bytes: usize,
}

impl Usage {
    pub(crate) fn now() -> Self {
        let files = read_dir("/proc/self/fd").map_or(0, Iterator::count);
        let tasks = Handle::current().metrics().num_alive_tasks();
        Self { tasks, files, bytes: ALLOCATOR.allocated() }
    }
}

/// What each of many rounds left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Left {
    pub(crate) tasks: usize,
    pub(crate) files: usize,
    /// Bytes a round.
    pub(crate) bytes: usize,
}

impl Left {
    fn since(before: Usage) -> Self {
        let after = Usage::now();
        Self {
            tasks: after.tasks.saturating_sub(before.tasks),
            files: after.files.saturating_sub(before.files),
            bytes: after.bytes.saturating_sub(before.bytes) / ROUNDS,
        }
    }

    /// Whether it is nothing. A table that has grown meanwhile is no leak of each round.
    pub(crate) const fn is_nothing(&self) -> bool {
        self.tasks == 0 && self.files == 0 && self.bytes < 64
    }
}

const ROUNDS: usize = 16;

/// What rounds leave, the first few aside, which fill what is kept for good.
pub(crate) async fn left<F: Future<Output = ()>>(round: impl Fn() -> F) -> Left {
    Left::since(played(round).await)
}

/// What rounds leave that should leave nothing, with threads beside this one: what has ended there may be given back a
/// moment later.
pub(crate) async fn left_at_last<F: Future<Output = ()>>(round: impl Fn() -> F) -> Left {
    let before = played(round).await;
    for _ in 0..10_000 {
        if Left::since(before).is_nothing() {
            break;
        }
        sleep(Duration::from_millis(1)).await;
    }
    Left::since(before)
}

/// Plays all rounds; tells what was held before those that count.
async fn played<F: Future<Output = ()>>(round: impl Fn() -> F) -> Usage {
    for _ in 0..4 {
        round().await;
    }
    settle().await;
    let before = Usage::now();
    for _ in 0..ROUNDS {
        round().await;
    }
    settle().await;
    before
}

/// Lets everybody come to an end who is about to.
async fn settle() {
    for _ in 0..500 {
        yield_now().await;
    }
}

/// Waits until it is so, for as long as others have something to do.
pub(crate) async fn until(what: &str, is: impl Fn() -> bool) {
    for _ in 0..10_000 {
        if is() {
            return;
        }
        yield_now().await;
    }
    panic!("it did not come to this: {what}");
}
