//! For how long events are remembered.

use std::collections::VecDeque;
use std::time::Duration;

use crate::clock::Now;

#[cfg(test)]
mod tests;

/// Which revisions a server had reached when.
#[derive(Debug, Default)]
pub(crate) struct Window(VecDeque<(Now, u64)>);

impl Window {
    /// Notes that this revision has been reached, and tells which one had been when `time` was still to pass: what
    /// came until then is to be forgotten.
    pub(crate) fn pass(&mut self, now: Now, revision: u64, time: Duration) -> Option<u64> {
        if self.0.back().is_none_or(|(_, last)| *last < revision) {
            self.0.push_back((now, revision));
        }
        let mut old = None;
        while let Some((at, reached)) = self.0.front()
            && now.since(*at) > time
        {
            old = Some(*reached);
            self.0.pop_front();
        }
        old
    }
}
