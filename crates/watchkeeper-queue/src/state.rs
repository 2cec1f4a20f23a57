//! Decides which key runs when; knows no clock, no lock and no task.

use std::hash::Hash;
use std::time::Duration;

use self::meter::Meter;
use self::ready::Ready;
use self::slots::{Run, Slots};
use self::timers::Timers;
use crate::order::{Order, ReadyQueue};

mod hash;
mod room;
mod table;
mod slots;
mod levels;
mod ready;
mod timers;
mod meter;
mod ending;
mod figures;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod model;

pub use self::slots::Slot;

/// The queue's whole state. Times are offsets from a moment the caller chose.
///
/// This is the part of [`RateLimitingQueue`](crate::RateLimitingQueue) that decides. It is public
/// for those who drive time themselves, or who keep [`Slot`]s so that no call has to look for its
/// key:
///
/// ```
/// use std::time::Duration;
/// use watchkeeper_queue::State;
///
/// let mut state = State::default();
/// let slot = state.keep("default/a");
/// state.add_slot(slot, 0);
/// let taken = state.take(Duration::ZERO).expect("a key is ready");
/// assert_eq!((taken.slot, state.key(slot)), (slot, Some(&"default/a")));
/// state.done_slot(slot);
/// state.let_go(slot);
/// assert_eq!(state.key(slot), None);
/// ```
#[derive(Debug)]
pub struct State<K> {
    /// Every key that waits, is held or is kept.
    slots: Slots<K>,
    /// Keys to hand out.
    ready: Ready<K>,
    /// Keys to add later.
    later: Timers,
    queued: usize,
    held: usize,
    /// Keys that were given back dirty during a drain and not taken since.
    owed: usize,
    stage: Stage,
    /// Only if somebody wants to know.
    meter: Option<Box<Meter>>,
}

/// How far the shutdown has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Open,
    /// Nothing is accepted; somebody waits until no key is held.
    Draining,
    /// Nothing is accepted and nobody waits.
    Closed,
}

/// What a worker got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Whose turn it is. Its key is held until [`State::done_slot`].
    pub slot: Slot,
    /// The highest priority that the key was added with for this run.
    pub priority: i32,
}

impl<K: Clone + Eq + Hash> Default for State<K> {
    fn default() -> Self {
        Self::new(Order::default())
    }
}

impl<K: Clone + Eq + Hash> State<K> {
    /// An empty queue.
    #[must_use]
    pub fn new(order: Order) -> Self {
        Self::over(Ready::new(order))
    }

    /// An empty queue with ready keys in an order of one's own.
    #[must_use]
    pub fn with_hook(hook: impl ReadyQueue<K> + Send + 'static) -> Self {
        Self::over(Ready::Hook(Box::new(hook)))
    }

    fn over(ready: Ready<K>) -> Self {
        Self {
            slots: Slots::new(),
            ready,
            later: Timers::default(),
            queued: 0,
            held: 0,
            owed: 0,
            stage: Stage::Open,
            meter: None,
        }
    }

    /// Marks `key` as needing a run now. True if it can be taken at once and could not before.
    ///
    /// A key that is already queued stays where it is, unless this priority is higher: then it
    /// goes to the end of those of that priority. A key held by a worker runs once more when it
    /// is given back, however often it is added. After a shutdown nothing is accepted.
    pub fn add(&mut self, key: K, priority: i32) -> bool {
        if self.is_shutting_down() {
            return false;
        }
        let index = self.slots.seat(key);
        self.add_index(index, priority)
    }

    /// [`add`](Self::add) for a key that has a place; does nothing when it has none.
    #[inline]
    pub fn add_slot(&mut self, slot: Slot, priority: i32) -> bool {
        match self.slots.index(slot) {
            Some(index) if !self.is_shutting_down() => self.add_index(index, priority),
            _ => false,
        }
    }

    /// Marks `key` as needing a run at `at`. True if this is now the soonest of all.
    ///
    /// Of several times for one key the earliest wins, and of priorities the highest, also for a
    /// run that the key waits for already. The time stays set when the key is added and run
    /// meanwhile: it then runs again.
    pub fn add_at(&mut self, key: K, at: Duration, priority: i32) -> bool {
        if self.is_shutting_down() {
            return false;
        }
        let index = self.slots.seat(key);
        self.add_index_at(index, at, priority)
    }

    /// [`add_at`](Self::add_at) for a key that has a place; does nothing when it has none.
    pub fn add_slot_at(&mut self, slot: Slot, at: Duration, priority: i32) -> bool {
        match self.slots.index(slot) {
            Some(index) if !self.is_shutting_down() => self.add_index_at(index, at, priority),
            _ => false,
        }
    }

    /// Takes the next key that is due at `now`; it is held until [`done`](Self::done).
    pub fn next(&mut self, now: Duration) -> Option<K> {
        let taken = self.take(now)?;
        self.key(taken.slot).cloned()
    }

    /// Takes the next key that is due at `now`, by its place; it is held until
    /// [`done_slot`](Self::done_slot).
    #[inline]
    pub fn take(&mut self, now: Duration) -> Option<Taken> {
        if self.later.len() > 0 {
            self.advance(now);
        }
        let index = self.ready.pop(&mut self.slots)?;
        self.queued -= 1;
        self.held += 1;
        let entry = &mut self.slots[index];
        self.owed -= usize::from(entry.run == Run::Owed);
        entry.run = Run::Held;
        let priority = entry.priority;
        if let Some(meter) = &mut self.meter {
            meter.taken(index, priority);
        }
        Some(Taken { slot: self.slots.slot(index), priority })
    }

    /// Gives back a key; true if it can be taken again at once. A key that is not held is ignored.
    pub fn done(&mut self, key: &K) -> bool {
        self.slots.find(key).is_some_and(|index| self.done_index(index))
    }

    /// [`done`](Self::done) by the place.
    #[inline]
    pub fn done_slot(&mut self, slot: Slot) -> bool {
        self.slots.index(slot).is_some_and(|index| self.done_index(index))
    }

    /// Moves the keys that are due at `now` to the ready ones.
    pub fn advance(&mut self, now: Duration) {
        while let Some(due) = self.later.pop(now) {
            self.slots[due.slot].delayed = false;
            self.add_index(due.slot, due.priority);
        }
    }

    /// The key that has this place.
    #[must_use]
    pub fn key(&self, slot: Slot) -> Option<&K> {
        self.slots.key(self.slots.index(slot)?)
    }

    /// Gives `key` a place that stays, until it was [let go](Self::let_go) as often as it was kept.
    ///
    /// What is kept 65,535 times at once stays for good.
    pub fn keep(&mut self, key: K) -> Slot {
        let index = self.slots.seat(key);
        self.slots.keep(index);
        self.slots.slot(index)
    }

    /// Lets go of a place that was kept.
    pub fn let_go(&mut self, slot: Slot) {
        if let Some(index) = self.slots.index(slot) {
            self.slots.let_go(index);
        }
    }

    /// When the next delayed key is due.
    #[must_use]
    pub fn wake_at(&self) -> Option<Duration> {
        self.later.wake_at()
    }

    /// How many keys can be taken, without those held or delayed.
    #[must_use]
    pub fn len(&self) -> usize {
        self.queued
    }

    /// Whether no key can be taken.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.queued == 0
    }

    /// How many keys are held.
    #[must_use]
    pub fn held(&self) -> usize {
        self.held
    }

    /// How many keys wait for their time.
    #[must_use]
    pub fn delayed(&self) -> usize {
        self.later.len()
    }

    /// Whether `key` waits for its time, beside the run that it may have or wait for besides.
    #[must_use]
    pub fn is_delayed(&self, key: &K) -> bool {
        self.slots.find(key).is_some_and(|index| self.slots[index].delayed)
    }

    #[inline]
    fn add_index(&mut self, index: u32, priority: i32) -> bool {
        let entry = &mut self.slots[index];
        if entry.run != Run::Idle {
            self.add_again(index, priority);
            return false;
        }
        entry.run = Run::Queued;
        self.accept(index, priority);
        self.enqueue(index, priority);
        true
    }

    /// A key that is queued or held is added.
    fn add_again(&mut self, index: u32, priority: i32) {
        let entry = &mut self.slots[index];
        if entry.run == Run::Held {
            entry.run = Run::HeldAgain;
            self.accept(index, priority);
        } else {
            self.touch(index, priority);
        }
    }

    /// A key is to run that was not.
    #[inline]
    fn accept(&mut self, index: u32, priority: i32) {
        self.slots[index].priority = priority;
        if let Some(meter) = &mut self.meter {
            meter.accepted(index, priority);
        }
    }

    fn add_index_at(&mut self, index: u32, at: Duration, priority: i32) -> bool {
        let entry = &mut self.slots[index];
        entry.delayed = true;
        let is_to_run = entry.run.is_queued() || entry.run == Run::HeldAgain;
        if is_to_run && priority > entry.priority {
            self.touch(index, priority);
        }
        self.later.set(index, at, priority)
    }

    /// A key that waits for a run was added once more.
    fn touch(&mut self, index: u32, priority: i32) {
        let entry = &mut self.slots[index];
        let (before, run) = (entry.priority, entry.run);
        if priority > before {
            entry.priority = priority;
            if let Some(meter) = &mut self.meter {
                meter.raised(before, priority);
            }
        }
        if run.is_queued() {
            self.ready.touch(&mut self.slots, index, before, before.max(priority));
        }
    }

    /// A slot can be taken that could not.
    #[inline]
    fn enqueue(&mut self, index: u32, priority: i32) {
        self.queued += 1;
        self.ready.push(&mut self.slots, index, priority);
    }

    #[inline]
    fn done_index(&mut self, index: u32) -> bool {
        let entry = &mut self.slots[index];
        let run = entry.run;
        if !matches!(run, Run::Held | Run::HeldAgain) {
            return false;
        }
        self.held -= 1;
        if let Some(meter) = &mut self.meter {
            meter.returned(index);
        }
        if run == Run::HeldAgain {
            self.run_again(index);
            return true;
        }
        entry.run = Run::Idle;
        self.slots.clear(index);
        self.shrink();
        false
    }

    /// A key came back that was added while it was held.
    fn run_again(&mut self, index: u32) {
        let is_owed = self.stage == Stage::Draining;
        self.owed += usize::from(is_owed);
        let entry = &mut self.slots[index];
        entry.run = if is_owed { Run::Owed } else { Run::Queued };
        let priority = entry.priority;
        self.enqueue(index, priority);
    }

    /// Gives back the memory of a great burst when the last key has gone.
    #[inline]
    fn shrink(&mut self) {
        if self.slots.shrink() {
            self.ready.shrink();
            self.later = Timers::default();
            if let Some(meter) = &mut self.meter {
                meter.shrink();
            }
        }
    }
}
