//! Which of the ready keys leaves next.

/// In which order ready keys are handed out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// First come, first served.
    #[default]
    Fifo,
    /// Any ready key, drawn from this seed.
    ///
    /// Two queues with the same seed and the same calls hand out the same keys. It lets a test try
    /// schedules that a real process may see when workers race; production code wants [`Fifo`].
    ///
    /// [`Fifo`]: Self::Fifo
    Seeded(u64),
}

/// Draws the index of the next key.
#[derive(Debug)]
pub(crate) struct Picker {
    /// `None` always picks the oldest.
    draw: Option<SplitMix>,
}

impl Picker {
    pub(crate) fn new(order: Order) -> Self {
        let draw = match order {
            Order::Fifo => None,
            Order::Seeded(seed) => Some(SplitMix(seed)),
        };
        Self { draw }
    }

    /// An index below `len`, which must not be zero.
    pub(crate) fn pick(&mut self, len: usize) -> usize {
        match &mut self.draw {
            // The remainder is biased by less than one part in 2^40 for any real queue.
            Some(draw) => usize::try_from(draw.next() % len as u64).unwrap_or(0),
            None => 0,
        }
    }
}

/// `SplitMix64`: tiny, well mixed, and the same on every platform.
#[derive(Debug)]
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
