//! The slots that are ready, in one of the orders.

use std::collections::VecDeque;
use std::fmt;
use std::hash::Hash;

use super::levels::Levels;
use super::slots::Slots;
use crate::order::{Order, ReadyQueue, SplitMix};

/// What is ready. Every slot in it is [queued](super::slots::Run::is_queued).
pub(super) enum Ready<K> {
    Levels(Levels),
    Drawn(Drawn),
    Hook(Box<dyn ReadyQueue<K> + Send>),
}

/// Ready slots of which any may be next.
#[derive(Debug)]
pub(super) struct Drawn {
    slots: VecDeque<u32>,
    draw: SplitMix,
}

impl<K: Clone + Eq + Hash> Ready<K> {
    pub(super) fn new(order: Order) -> Self {
        match order {
            Order::Priority { oldest_every } => Self::Levels(Levels::new(oldest_every)),
            Order::Seeded(seed) => {
                Self::Drawn(Drawn { slots: VecDeque::new(), draw: SplitMix::new(seed) })
            }
        }
    }

    /// Adds a slot that is not here.
    #[inline]
    pub(super) fn push(&mut self, slots: &mut Slots<K>, slot: u32, priority: i32) {
        match self {
            Self::Levels(levels) => levels.push(slots, slot, priority),
            Self::Drawn(drawn) => drawn.slots.push_back(slot),
            Self::Hook(hook) => push_to(&mut **hook, slots, slot, priority),
        }
    }

    /// A slot that is here was added once more, and perhaps raised from its priority.
    pub(super) fn touch(&mut self, slots: &mut Slots<K>, slot: u32, from: i32, to: i32) {
        match self {
            Self::Levels(levels) if to > from => levels.raise(slots, slot, from, to),
            Self::Levels(_) | Self::Drawn(_) => {}
            Self::Hook(hook) => {
                if let Some(key) = slots.key(slot) {
                    hook.touch(key, to);
                }
            }
        }
    }

    /// Takes the slot whose turn it is.
    #[inline]
    pub(super) fn pop(&mut self, slots: &mut Slots<K>) -> Option<u32> {
        match self {
            Self::Levels(levels) => levels.pop(slots),
            Self::Drawn(drawn) => drawn.pop(),
            Self::Hook(hook) => pop_from(&mut **hook, slots),
        }
    }

    /// Gives back the memory of a great burst. Nothing is ready.
    pub(super) fn shrink(&mut self) {
        match self {
            Self::Drawn(drawn) => drawn.slots = VecDeque::new(),
            Self::Levels(_) | Self::Hook(_) => {}
        }
    }
}

fn push_to<K: Clone + Eq + Hash>(
    hook: &mut dyn ReadyQueue<K>,
    slots: &Slots<K>,
    slot: u32,
    priority: i32,
) {
    if let Some(key) = slots.key(slot) {
        hook.push(key.clone(), priority);
    }
}

/// A hook that invents keys, or has one twice, harms nobody.
fn pop_from<K: Clone + Eq + Hash>(hook: &mut dyn ReadyQueue<K>, slots: &Slots<K>) -> Option<u32> {
    loop {
        let slot = slots.find(&hook.pop()?);
        if let Some(slot) = slot.filter(|slot| slots[*slot].run.is_queued()) {
            return Some(slot);
        }
    }
}

impl Drawn {
    /// The oldest keeps the others in order, any other swaps with the last.
    fn pop(&mut self) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        match self.draw.below(self.slots.len()) {
            0 => self.slots.pop_front(),
            index => self.slots.swap_remove_back(index),
        }
    }
}

impl<K> fmt::Debug for Ready<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Levels(levels) => levels.fmt(f),
            Self::Drawn(drawn) => drawn.fmt(f),
            Self::Hook(_) => f.write_str("Hook"),
        }
    }
}

#[cfg(test)]
mod tests;
