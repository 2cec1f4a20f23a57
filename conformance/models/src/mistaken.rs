//! Shells with mistakes.
//!
//! The one that comes to mind first looks at the state, then waits for a notice: what happens between the look
//! and the wait is lost, or all of it leaves a single permit. Another registers in time, but says too late that
//! it waits. And there is a copy whose readers see half of a change.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::task::Poll;

use tokio::time::Instant;

use crate::sync::{AtomicBool, Flag, Mutex, MutexGuard, Notify, RwLock, sleep_until};

/// A state with those who wait for it, the careless way.
#[derive(Debug)]
pub struct Careless<S> {
    state: Mutex<S>,
    changed: Notify,
}

/// Who is woken by a change.
#[derive(Clone, Copy, Debug)]
pub enum Wake {
    /// One waiter, or the next to come.
    One,
    /// Those who wait now.
    All,
}

impl<S> Careless<S> {
    /// Nobody waits yet.
    #[must_use]
    pub fn new(state: S) -> Self {
        Self { state: Mutex::new(state), changed: Notify::new() }
    }

    /// Waits until `look` finds something.
    pub async fn wait_for<T>(&self, look: impl Fn(&mut S) -> Option<T>) -> T {
        loop {
            let found = look(&mut self.lock());
            if let Some(found) = found {
                return found;
            }
            self.changed.notified().await;
        }
    }

    /// Changes the state and says so.
    pub fn change(&self, wake: Wake, change: impl FnOnce(&mut S)) {
        change(&mut self.lock());
        match wake {
            Wake::One => self.changed.notify_one(),
            Wake::All => self.changed.notify_waiters(),
        }
    }

    /// What `look` says of the state now.
    pub fn look<T>(&self, look: impl FnOnce(&S) -> T) -> T {
        look(&self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, S> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A copy that sleeps until an alarm which others move, and hears of it only while it waits.
#[derive(Debug)]
pub struct Unheard {
    due: Mutex<Instant>,
    moved: Notify,
}

impl Unheard {
    /// Sleeps until `due`.
    #[must_use]
    pub fn new(due: Instant) -> Self {
        Self { due: Mutex::new(due), moved: Notify::new() }
    }

    /// Sleeps until `due` from now on.
    pub fn listen(&self, due: Instant) {
        *self.due.lock().unwrap_or_else(PoisonError::into_inner) = due;
        self.moved.notify_waiters();
    }

    /// Takes what `next` has, until there is no more.
    pub async fn apply(&self, next: impl AsyncFn() -> bool) {
        loop {
            let due = *self.due.lock().unwrap_or_else(PoisonError::into_inner);
            let goes_on = tokio::select! {
                biased;
                goes_on = next() => goes_on,
                () = sleep_until(due) => true,
                () = self.moved.notified() => true,
            };
            if !goes_on {
                return;
            }
        }
    }
}

/// Something that is said once, which who hears it keeps to himself.
#[derive(Debug, Default)]
pub struct Unforwarded(Notify);

impl Unforwarded {
    /// Says it.
    pub fn say(&self) {
        self.0.notify_one();
    }

    /// Waits until it is said.
    pub async fn all(&self) {
        self.0.notified().await;
    }
}

/// A state with those who wait for it, who are woken only if they were counted; too late.
#[derive(Debug)]
pub struct LateCount<S> {
    state: Mutex<(S, usize)>,
    changed: Notify,
}

impl<S> LateCount<S> {
    /// Nobody waits yet.
    #[must_use]
    pub fn new(state: S) -> Self {
        Self { state: Mutex::new((state, 0)), changed: Notify::new() }
    }

    /// Waits until `look` finds something.
    pub async fn wait_for<T>(&self, look: impl Fn(&mut S) -> Option<T>) -> T {
        loop {
            let mut changed = pin!(self.changed.notified());
            changed.as_mut().enable();
            let found = look(&mut self.lock().0);
            if let Some(found) = found {
                return found;
            }
            self.lock().1 += 1;
            changed.await;
            self.lock().1 -= 1;
        }
    }

    /// Changes the state, and wakes one who waits if there is any.
    pub fn change(&self, change: impl FnOnce(&mut S)) {
        let mut state = self.lock();
        change(&mut state.0);
        let is_awaited = state.1 > 0;
        drop(state);
        if is_awaited {
            self.changed.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, (S, usize)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A copy in two parts, whose writer lets go of one before it takes the other.
#[derive(Debug)]
pub struct Piecemeal {
    parts: [RwLock<u8>; 2],
}

impl Piecemeal {
    /// Changes both parts, one by one.
    pub fn change(&self, to: u8) {
        for part in &self.parts {
            *part.write().unwrap_or_else(PoisonError::into_inner) = to;
        }
    }

    /// What a part has.
    #[must_use]
    pub fn get(&self, part: usize) -> u8 {
        *self.parts[part].read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Piecemeal {
    fn default() -> Self {
        Self { parts: [1, 1].map(RwLock::new) }
    }
}

/// A flag that one thread sets and another looks at.
pub trait Mark: Send + Sync + 'static {
    /// One that is not set.
    fn new() -> Self;
    /// Gives it a value.
    fn set(&self, value: bool);
    /// Its value.
    fn is_set(&self) -> bool;
}

impl Mark for Flag {
    fn new() -> Self {
        Self::new(false)
    }

    fn set(&self, value: bool) {
        self.set(value);
    }

    fn is_set(&self) -> bool {
        self.is_set()
    }
}

/// A flag that hands on what was done before, and has no order with other flags.
#[derive(Debug)]
pub struct HandedOn(AtomicBool);

impl Mark for HandedOn {
    fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    fn set(&self, value: bool) {
        self.0.store(value, Ordering::Release);
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// The calls of a handler, and who waits for their end.
#[derive(Debug)]
pub struct Calls<F> {
    closed: F,
    busy: F,
    returned: Notify,
    slip: Slip,
}

/// What is wrong with [`Calls`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slip {
    /// A call is told of after the look whether it may be made.
    ToldLate,
    /// Whether anybody may wait is looked at before the end of a call is told of.
    LooksEarly,
    /// Nothing, but for the flags.
    Nowhere,
}

impl<F: Mark> Calls<F> {
    /// None yet.
    #[must_use]
    pub fn new(slip: Slip) -> Self {
        Self { closed: F::new(), busy: F::new(), returned: Notify::new(), slip }
    }

    /// No call is to follow.
    pub fn close(&self) {
        self.closed.set(true);
    }

    /// Calls the handler, unless it is closed.
    pub fn call(&self, handler: impl FnOnce()) {
        let late = self.slip == Slip::ToldLate;
        self.busy.set(!late);
        if !self.closed.is_set() {
            self.busy.set(true);
            handler();
        }
        let early = (self.slip == Slip::LooksEarly).then(|| self.closed.is_set());
        self.busy.set(false);
        if early.unwrap_or_else(|| self.closed.is_set()) {
            self.returned.notify_waiters();
        }
    }

    /// Waits for the call in progress.
    pub async fn ended(&self) {
        loop {
            let returned = self.returned.notified();
            if !self.busy.is_set() {
                return;
            }
            returned.await;
        }
    }
}

/// Waits until all of these are over, and takes out one of them each time that it is woken: of two that wake it
/// at once the other stays.
pub async fn one_a_wake_up<F: Future>(mut of: Vec<Pin<Box<F>>>) {
    poll_fn(|context| {
        let ended = of.iter_mut().position(|one| one.as_mut().poll(context).is_ready());
        if let Some(ended) = ended {
            drop(of.remove(ended));
        }
        if of.is_empty() { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}
