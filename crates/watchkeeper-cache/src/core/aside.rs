//! What could not be read and is worth a line: each version of each object once, and so many a minute.

use std::collections::BTreeSet;
use std::time::Duration;

use super::telling::News;
use crate::reflector::message::Unreadable;

const MINUTE: Duration = Duration::from_secs(60);
/// Lines a minute at most: enough to see what is going on where nothing can be read.
const LINES: u64 = 10;
/// So many are remembered before all are forgotten, and may be told again.
const MANY: usize = 1000;

/// What was told.
#[derive(Debug, Default)]
pub(super) struct Aside {
    /// Which object, in which version, or for which reason where the version could not be read.
    told: BTreeSet<(String, String)>,
    /// When the minute began in which the last line was told.
    minute: Duration,
    lines: u64,
    left_out: u64,
}

impl Aside {
    /// A line of an object that was set aside, unless it was told of before, or too much was told lately.
    pub(super) fn heed(&mut self, which: &Unreadable, now: Duration) -> Option<News> {
        let Unreadable { version, reason, .. } = which;
        let (object, why) = (which.name(), if version.is_empty() { reason } else { version });
        let entry = (object.clone(), why.clone());
        if self.told.contains(&entry) {
            return None;
        }
        if now.saturating_sub(self.minute) >= MINUTE {
            (self.minute, self.lines) = (now, 0);
        }
        if self.lines >= LINES {
            self.left_out += 1;
            return None;
        }
        self.lines += 1;
        if self.told.len() >= MANY {
            self.told.clear();
        }
        self.told.insert(entry);
        let left_out = std::mem::take(&mut self.left_out);
        Some(News::SetAside { object, version: version.clone(), reason: reason.clone(), left_out })
    }
}

#[cfg(test)]
mod tests;
