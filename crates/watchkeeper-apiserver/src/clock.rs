//! Time as the state machine sees it: an argument, never a call.

use std::time::Duration;

/// A moment, counted from the Unix epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Now(pub Duration);

impl Now {
    /// The moment `after` this one.
    #[must_use]
    pub const fn plus(self, after: Duration) -> Self {
        Self(self.0.saturating_add(after))
    }

    /// How long `earlier` is ago; zero when it lies ahead.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// `2026-01-02T03:04:05Z`, the form of `metav1.Time`.
    #[must_use]
    pub fn rfc3339(self) -> String {
        self.format("%Y-%m-%dT%H:%M:%SZ")
    }

    /// `2026-01-02T03:04:05.000006Z`, the form of `metav1.MicroTime`.
    #[must_use]
    pub fn rfc3339_micro(self) -> String {
        self.format("%Y-%m-%dT%H:%M:%S.%6fZ")
    }

    fn format(self, form: &str) -> String {
        self.timestamp().strftime(form).to_string()
    }

    /// The moment as a timestamp; one that is out of range counts as the epoch.
    pub(crate) fn timestamp(self) -> jiff::Timestamp {
        let span = jiff::SignedDuration::try_from(self.0).unwrap_or(jiff::SignedDuration::ZERO);
        jiff::Timestamp::from_duration(span).unwrap_or(jiff::Timestamp::UNIX_EPOCH)
    }

    /// Reads an RFC 3339 timestamp.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let moment: jiff::Timestamp = text.parse().ok()?;
        Duration::try_from(moment.as_duration()).ok().map(Self)
    }
}

/// Where the shell takes the time from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The machine's clock: for the binary and for real clients.
    System,
    /// Tokio's clock counted from this epoch: in paused tests time moves only when all wait.
    Virtual(Now),
}

impl Default for Clock {
    /// Virtual, from the first second of 2026.
    fn default() -> Self {
        Self::Virtual(Now(Duration::from_secs(1_767_225_600)))
    }
}
