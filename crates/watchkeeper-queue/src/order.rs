//! Which of the ready keys leaves next.

use std::num::NonZeroU32;

/// In which order ready keys are handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The highest priority first, and in the order they came among equals; but each so many
    /// hand-outs the key leaves that has been ready the longest.
    ///
    /// So every priority gets its part, and no key starves: one with `n` others that have been
    /// ready for longer leaves within `(n + 1) * oldest_every` hand-outs, whatever is added
    /// meanwhile. A key that is added once more at a higher priority goes to the end of those of
    /// that priority and stays as old as it is: raised again and again, it leaves no later.
    /// Meant for a handful of priorities: that turn looks at each.
    Priority {
        /// 1 makes the queue ignore priorities.
        oldest_every: NonZeroU32,
    },
    /// Any ready key, drawn from this seed.
    ///
    /// Two queues with the same seed and the same calls hand out the same keys. It lets a test try
    /// schedules that a real process may see when workers race; production code wants
    /// the default.
    Seeded(u64),
}

/// An eighth of the work is fair: enough to work off a hundred thousand keys of a low priority
/// while keys of a higher one keep all workers busy, and little enough not to delay those.
const OLDEST_EVERY: NonZeroU32 = NonZeroU32::new(8).unwrap();

impl Default for Order {
    /// By priority, and each eighth hand-out for the key that has been ready the longest.
    fn default() -> Self {
        Self::Priority { oldest_every: OLDEST_EVERY }
    }
}

/// Ready keys in an order of one's own, after client-go's `workqueue.Queue`.
///
/// The queue adds each ready key once and takes it out again; what is held, delayed or
/// deduplicated is none of the hook's business. Priorities are told, and bind it to nothing.
pub trait ReadyQueue<K> {
    /// Adds a key that is not in it.
    fn push(&mut self, key: K, priority: i32);

    /// A key in it was added once more; the priority is now the highest that it was added with.
    fn touch(&mut self, key: &K, priority: i32);

    /// Takes the key that shall run next. `None` only when there is none, or the workers sleep
    /// beside keys that nobody gets.
    fn pop(&mut self) -> Option<K>;
}

/// `SplitMix64`: tiny, well mixed, and the same on every platform.
#[derive(Clone, Debug)]
pub(crate) struct SplitMix(u64);

impl SplitMix {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// An index below `len`, which must not be zero.
    pub(crate) fn below(&mut self, len: usize) -> usize {
        // The remainder is biased by less than one part in 2^40 for any real queue.
        usize::try_from(self.next() % len as u64).unwrap_or(0)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
