//! Moments: whole seconds ([`Time`]) and microseconds ([`MicroTime`]), as upstream's `metav1.Time`
//! and `metav1.MicroTime` write them.

mod civil;
mod span;
#[cfg(test)]
mod tests;

pub use span::{Span, SpanError};
use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A moment in whole seconds since 1970, written as RFC 3339 in UTC: `2026-03-01T12:00:00Z`.
///
/// ```
/// use watchkeeper_api::Time;
/// let time: Time = "2026-03-01T13:00:00.9+01:00".parse()?;
/// assert_eq!(time.to_string(), "2026-03-01T12:00:00Z");
/// # Ok::<(), watchkeeper_api::time::TimeError>(())
/// ```
// One more than the seconds since the first moment that RFC 3339 can write, so that an optional time
// is as large as a time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(NonZeroU64);

/// A moment in microseconds since 1970, written with six places: `2026-03-01T12:00:00.000000Z`.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MicroTime(i64);

/// A text that is no moment in RFC 3339 between the years 0 and 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeError(());

impl fmt::Display for TimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a time as in 2026-03-01T12:00:00Z (RFC 3339)")
    }
}

impl std::error::Error for TimeError {}

const MICROS: i64 = 1_000_000;

impl Time {
    /// From seconds since 1970, clamped to the years that RFC 3339 can write.
    #[must_use]
    pub const fn from_unix(seconds: i64) -> Self {
        let after = civil::clamp(seconds) - civil::FIRST + 1;
        match NonZeroU64::new(after.unsigned_abs()) {
            Some(after) => Self(after),
            None => unreachable!(),
        }
    }

    /// Seconds since 1970.
    #[must_use]
    pub const fn unix(self) -> i64 {
        self.0.get().cast_signed() + civil::FIRST - 1
    }

    /// What [`fmt::Display`] writes.
    pub(crate) fn text(self) -> [u8; 20] {
        civil::seconds_text(self.unix())
    }

    /// How long ago it was at `now`, negative when it is to come: what `kubectl` prints as an age
    /// is `created.age(now).human()`.
    #[must_use]
    pub fn age(self, now: Self) -> Span {
        Span::from_seconds(now.unix().saturating_sub(self.unix()))
    }

    /// How long after `earlier` this is; zero when it is not after.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_secs(u64::try_from(self.unix() - earlier.unix()).unwrap_or(0))
    }
}

impl MicroTime {
    /// From microseconds since 1970, clamped to the years that RFC 3339 can write.
    #[must_use]
    pub const fn from_unix_micros(micros: i64) -> Self {
        let seconds = micros.div_euclid(MICROS);
        if seconds == civil::clamp(seconds) {
            Self(micros)
        } else {
            Self(civil::clamp(seconds) * MICROS)
        }
    }

    /// Microseconds since 1970.
    #[must_use]
    pub const fn unix_micros(self) -> i64 {
        self.0
    }

    /// How long after `earlier` this is; zero when it is not after.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0 - earlier.0).unwrap_or(0))
    }
}

/// The start of 1970.
impl Default for Time {
    fn default() -> Self {
        Self::from_unix(0)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(text_of(&self.text()))
    }
}

impl fmt::Display for MicroTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = civil::seconds_text(self.0.div_euclid(MICROS));
        f.write_str(text_of(&seconds[..seconds.len() - 1]))?;
        write!(f, ".{:06}Z", self.0.rem_euclid(MICROS))
    }
}

/// Digits and marks, which are text.
fn text_of(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

impl FromStr for Time {
    type Err = TimeError;
    fn from_str(text: &str) -> Result<Self, TimeError> {
        let (seconds, _) = civil::parse(text).ok_or(TimeError(()))?;
        Ok(Self::from_unix(seconds))
    }
}

impl FromStr for MicroTime {
    type Err = TimeError;
    fn from_str(text: &str) -> Result<Self, TimeError> {
        let (seconds, nanos) = civil::parse(text).ok_or(TimeError(()))?;
        Ok(Self(seconds * MICROS + i64::from(nanos / 1_000)))
    }
}

impl From<MicroTime> for Time {
    fn from(time: MicroTime) -> Self {
        Self::from_unix(time.0.div_euclid(MICROS))
    }
}

impl From<Time> for MicroTime {
    fn from(time: Time) -> Self {
        Self(time.unix() * MICROS)
    }
}

impl From<SystemTime> for MicroTime {
    fn from(time: SystemTime) -> Self {
        let micros = match time.duration_since(UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_micros()).unwrap_or(i64::MAX),
            Err(before) => i64::try_from(before.duration().as_micros()).map_or(i64::MIN, |m| -m),
        };
        Self::from_unix_micros(micros)
    }
}

impl From<SystemTime> for Time {
    fn from(time: SystemTime) -> Self {
        MicroTime::from(time).into()
    }
}

impl From<Time> for SystemTime {
    fn from(time: Time) -> Self {
        MicroTime::from(time).into()
    }
}

impl From<MicroTime> for SystemTime {
    fn from(time: MicroTime) -> Self {
        let distance = Duration::from_micros(time.0.unsigned_abs());
        if time.0 < 0 { UNIX_EPOCH - distance } else { UNIX_EPOCH + distance }
    }
}

impl std::ops::Add<Duration> for Time {
    type Output = Self;
    fn add(self, later: Duration) -> Self {
        Self::from_unix(self.unix().saturating_add_unsigned(later.as_secs()))
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for MicroTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
