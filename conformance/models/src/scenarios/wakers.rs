//! Many who wait for what keeps a single waker: those who write to one WebSocket, and the connections in one
//! tunnel.

use std::future::poll_fn;
use std::sync::{Arc, PoisonError};
use std::task::{Context, Poll, Waker};

use loom::future::block_on;
use loom::thread::spawn;

use super::ended;
use crate::sync::{Mutex, MutexGuard};
use crate::wakers::Wakers;

/// What has room for some messages, and keeps the waker of who asked last.
#[derive(Debug, Default)]
struct Link(Mutex<Pipe>);

#[derive(Debug, Default)]
struct Pipe {
    room: usize,
    waker: Option<Waker>,
}

impl Link {
    fn lock(&self) -> MutexGuard<'_, Pipe> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn poll_write(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut pipe = self.lock();
        if pipe.room == 0 {
            pipe.waker = Some(context.waker().clone());
            return Poll::Pending;
        }
        pipe.room -= 1;
        Poll::Ready(())
    }

    /// The other end has read a message.
    fn make_room(&self) {
        let waker = {
            let mut pipe = self.lock();
            pipe.room += 1;
            pipe.waker.take()
        };
        waker.into_iter().for_each(Waker::wake);
    }
}

/// When who waits says so.
#[derive(Clone, Copy)]
enum Waits {
    BeforeTheLook,
    AfterTheLook,
}

/// Writes a message, as the halves of a WebSocket do.
fn poll(
    link: &Link,
    wakers: &Arc<Wakers>,
    name: u64,
    waits: Waits,
    context: &Context<'_>,
) -> Poll<()> {
    if let Waits::BeforeTheLook = waits {
        wakers.wait(name, context.waker());
    }
    let waker = Waker::from(Arc::clone(wakers));
    let written = link.poll_write(&mut Context::from_waker(&waker));
    if written.is_ready() {
        wakers.leave(name);
        waker.wake();
    } else if let Waits::AfterTheLook = waits {
        wakers.wait(name, context.waker());
    }
    written
}

fn two_who_write(waits: Waits) {
    let (link, wakers) = (Arc::new(Link::default()), Arc::<Wakers>::default());
    let writer = || {
        let (link, wakers, name) = (Arc::clone(&link), Arc::clone(&wakers), wakers.name());
        spawn(move || block_on(poll_fn(|context| poll(&link, &wakers, name, waits, context))))
    };
    let writers = [writer(), writer()];
    link.make_room();
    link.make_room();
    writers.into_iter().for_each(ended);
}

/// Each of two who write gets its message out, though the link keeps one waker.
pub fn everybody_writes_to_a_link_that_keeps_one_waker() {
    two_who_write(Waits::BeforeTheLook);
}

/// The same where who waits says so after the look.
pub fn who_says_late_that_it_waits_is_not_woken() {
    two_who_write(Waits::AfterTheLook);
}

/// Who moves things for others wakes them and keeps its own place.
pub fn who_wakes_the_others_is_woken_later() {
    let wakers = Arc::<Wakers>::default();
    let arrived = Arc::new(Mutex::new(false));
    let (mine, others) = (wakers.name(), wakers.name());
    let (waiting, seen) = (Arc::clone(&wakers), Arc::clone(&arrived));
    let waiting = spawn(move || {
        block_on(poll_fn(|context| {
            waiting.wait(mine, context.waker());
            // Something was there for the others.
            waiting.wake_others(Some(mine));
            let has_arrived = *seen.lock().unwrap_or_else(PoisonError::into_inner);
            if has_arrived { Poll::Ready(()) } else { Poll::Pending }
        }));
    });
    wakers.wait(others, Waker::noop());
    *arrived.lock().unwrap_or_else(PoisonError::into_inner) = true;
    wakers.wake_others(None);
    ended(waiting);
}
