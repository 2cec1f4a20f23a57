//! `tokio::sync::Notify`, as far as its documentation promises anything.
//!
//! - `notify_one` wakes the waiter that has waited longest; without one it leaves a permit, and never more
//!   than one.
//! - `notify_waiters` wakes who waits, and whoever has asked for a [`Notified`] already; it leaves no permit.
//! - A [`Notified`] waits once it was polled or enabled. One that was woken by `notify_one` and is dropped
//!   before it said so wakes the next.

use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use loom::sync::{Mutex, MutexGuard};

/// Wakes one waiter or all of them.
#[derive(Debug)]
pub struct Notify {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    permit: bool,
    /// How often all were woken.
    rounds: u64,
    next: u64,
    /// Who waits, the first first.
    waiting: VecDeque<u64>,
    wakers: BTreeMap<u64, Waker>,
    /// Who was woken and has not noticed yet.
    woken: BTreeMap<u64, Woken>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Woken {
    Alone,
    WithAll,
}

impl Notify {
    /// Nobody waits, and there is no permit.
    #[must_use]
    pub fn new() -> Self {
        Self { state: Mutex::new(State::default()) }
    }

    /// Wakes the first waiter, or leaves a permit.
    pub fn notify_one(&self) {
        let waker = self.lock().wake_one();
        wake(waker);
    }

    /// Wakes everybody.
    pub fn notify_waiters(&self) {
        let mut state = self.lock();
        state.rounds += 1;
        let waiting = std::mem::take(&mut state.waiting);
        let mut wakers = Vec::new();
        for id in waiting {
            state.woken.insert(id, Woken::WithAll);
            wakers.push(state.wakers.remove(&id));
        }
        drop(state);
        wakers.into_iter().for_each(wake);
    }

    /// What completes when this is notified.
    pub fn notified(&self) -> Notified<'_> {
        let round = self.lock().rounds;
        Notified { notify: self, round, place: Place::Outside }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Default for Notify {
    fn default() -> Self {
        Self::new()
    }
}

impl State {
    fn wake_one(&mut self) -> Option<Waker> {
        let Some(first) = self.waiting.pop_front() else {
            self.permit = true;
            return None;
        };
        self.woken.insert(first, Woken::Alone);
        self.wakers.remove(&first)
    }
}

fn wake(waker: Option<Waker>) {
    if let Some(waker) = waker {
        waker.wake();
    }
}

/// A wait for a [`Notify`].
#[derive(Debug)]
pub struct Notified<'a> {
    notify: &'a Notify,
    round: u64,
    place: Place,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    Outside,
    Waiting(u64),
    Done,
}

impl Notified<'_> {
    /// Waits from now on, as if it had been polled. True if it was notified already.
    pub fn enable(mut self: Pin<&mut Self>) -> bool {
        self.look(None)
    }

    fn look(&mut self, waker: Option<&Waker>) -> bool {
        let mut state = self.notify.lock();
        let done = match self.place {
            Place::Done => true,
            Place::Outside => state.rounds != self.round || std::mem::take(&mut state.permit),
            Place::Waiting(id) => state.woken.remove(&id).is_some(),
        };
        if done {
            self.place = Place::Done;
            return true;
        }
        let id = match self.place {
            Place::Waiting(id) => id,
            Place::Outside | Place::Done => {
                let id = state.next;
                state.next += 1;
                state.waiting.push_back(id);
                self.place = Place::Waiting(id);
                id
            }
        };
        if let Some(waker) = waker {
            state.wakers.insert(id, waker.clone());
        }
        false
    }
}

impl Future for Notified<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.look(Some(context.waker())) { Poll::Ready(()) } else { Poll::Pending }
    }
}

impl Drop for Notified<'_> {
    fn drop(&mut self) {
        let Place::Waiting(id) = self.place else { return };
        let mut state = self.notify.lock();
        state.waiting.retain(|waiting| *waiting != id);
        state.wakers.remove(&id);
        // A wake-up that nobody noticed is another waiter's.
        let next = match state.woken.remove(&id) {
            Some(Woken::Alone) => state.wake_one(),
            Some(Woken::WithAll) | None => None,
        };
        drop(state);
        wake(next);
    }
}
