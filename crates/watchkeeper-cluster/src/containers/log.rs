//! The log of one run of a container, and what a reader gets of it.

use std::fmt::Write as _;

use bytes::Bytes;
use watchkeeper_api::Time;
use watchkeeper_apiserver::Now;
use watchkeeper_apiserver::containers::LogRequest;

/// Lines with their times.
#[derive(Debug, Default)]
pub(super) struct Log(Vec<(Now, String)>);

impl Log {
    /// Adds lines; the last one is ended if it is not.
    pub(super) fn print(&mut self, now: Now, text: &str) {
        self.0.extend(text.lines().map(|line| (now, line.to_owned())));
    }
}

/// Where a reader is.
#[derive(Debug)]
pub(super) struct Reader {
    /// The next line; none before anything was read, as the tail is then still to be found.
    next: Option<usize>,
    tail: Option<usize>,
    since: Option<Now>,
    timestamps: bool,
    /// How many bytes may still be told.
    left: Option<usize>,
}

impl Reader {
    /// At the beginning of what is asked for.
    pub(super) fn new(asked: &LogRequest) -> Self {
        let size = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let (tail, left) = (asked.tail.map(size), asked.limit.map(size));
        Self { next: None, tail, since: asked.since, timestamps: asked.timestamps, left }
    }

    /// What is there and was not read; lines of before `since` are not told, though they count as lines of
    /// the tail (`kuberuntime/logs`).
    pub(super) fn read(&mut self, log: &Log) -> Bytes {
        let end = log.0.len();
        let first = self.tail.map_or(0, |tail| end.saturating_sub(tail));
        let next = self.next.replace(end).unwrap_or(first);
        let mut text = String::new();
        for (at, line) in log.0.iter().skip(next) {
            if self.since.is_some_and(|since| *at < since) {
                continue;
            }
            if self.timestamps {
                text.push_str(&stamp(*at));
            }
            // Writing to a text cannot fail.
            let _ = writeln!(text, "{line}");
        }
        let mut bytes = Bytes::from(text);
        if let Some(left) = &mut self.left {
            bytes.truncate(*left);
            *left -= bytes.len();
        }
        bytes
    }

    /// Whether nothing more may be told.
    pub(super) fn is_full(&self) -> bool {
        self.left == Some(0)
    }
}

/// RFC 3339 with nine digits.
fn stamp(at: Now) -> String {
    let seconds = i64::try_from(at.0.as_secs()).unwrap_or(i64::MAX);
    let whole = Time::from_unix(seconds).to_string();
    format!("{}.{:09}Z ", whole.trim_end_matches('Z'), at.0.subsec_nanos())
}
