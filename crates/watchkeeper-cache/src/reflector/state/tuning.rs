//! What of a reflector's ways is its owner's.

use std::num::NonZeroU32;
use std::time::Duration;

use super::{SHORTEST_WATCH, State};
use crate::reflector::backoff::Backoff;

/// No wait is shorter: a server that refuses everything is not asked all the time.
const SHORTEST_WAIT: Duration = Duration::from_millis(1);
/// Nothing that can be asked for lasts longer.
const DAY: Duration = Duration::from_hours(24);

/// What of its ways is not the reflector's own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tuning {
    /// Lists come in pages of so many, also where the server would send them in one.
    pub(crate) page: Option<NonZeroU32>,
    pub(crate) shortest_watch: Duration,
    /// The first wait after a failure, and the longest, without their jitter.
    pub(crate) waits: Option<(Duration, Duration)>,
}

impl Default for Tuning {
    fn default() -> Self {
        Self { page: None, shortest_watch: SHORTEST_WATCH, waits: None }
    }
}

impl<K> State<K> {
    /// In other ways. A watch shorter than upstream's shortest is not asked for, and nothing lasts for ever.
    pub(crate) fn tuned(mut self, tuning: Tuning) -> Self {
        self.page = tuning.page.map(NonZeroU32::get);
        self.shortest_watch = tuning.shortest_watch.clamp(SHORTEST_WATCH, DAY);
        if let Some((first, longest)) = tuning.waits {
            let first = first.clamp(SHORTEST_WAIT, DAY);
            self.backoff = Backoff::between(first, longest.clamp(first, DAY));
        }
        self
    }
}
