//! The slots that are ready, in one of the orders.

use std::collections::VecDeque;
use std::fmt;
use std::hash::Hash;

use super::levels::Levels;
use super::slots::{Run, Slots};
use crate::order::{Order, ReadyQueue, SplitMix};

/// What is ready. Every slot in it is [`Run::Queued`].
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
    pub(super) fn push(&mut self, slots: &Slots<K>, slot: u32) {
        let priority = slots[slot].priority;
        match self {
            Self::Levels(levels) => levels.push(slot, priority),
            Self::Drawn(drawn) => drawn.slots.push_back(slot),
            Self::Hook(hook) => {
                if let Some(key) = slots.key(slot) {
                    hook.push(key.clone(), priority);
                }
            }
        }
    }

    /// A slot that is here was added once more, and perhaps raised to its priority.
    pub(super) fn touch(&mut self, slots: &Slots<K>, slot: u32, is_raised: bool) {
        let priority = slots[slot].priority;
        match self {
            Self::Levels(levels) if is_raised => levels.raise(slot, priority),
            Self::Levels(_) | Self::Drawn(_) => {}
            Self::Hook(hook) => {
                if let Some(key) = slots.key(slot) {
                    hook.touch(key, priority);
                }
            }
        }
    }

    /// Takes the slot whose turn it is.
    pub(super) fn pop(&mut self, slots: &Slots<K>) -> Option<u32> {
        match self {
            Self::Levels(levels) => levels.pop(),
            Self::Drawn(drawn) => drawn.pop(),
            Self::Hook(hook) => loop {
                // A hook that invents keys, or has one twice, harms nobody.
                let slot = slots.find(&hook.pop()?);
                if let Some(slot) = slot.filter(|slot| slots[*slot].run == Run::Queued) {
                    return Some(slot);
                }
            },
        }
    }

    /// Gives back the memory of a great burst. Nothing is ready.
    pub(super) fn shrink(&mut self) {
        match self {
            Self::Levels(levels) => levels.shrink(),
            Self::Drawn(drawn) => drawn.slots = VecDeque::new(),
            Self::Hook(_) => {}
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
