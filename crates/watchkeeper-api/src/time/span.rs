//! Lengths of time: as Go writes them in fields, and as `kubectl` prints them in columns.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A length of time in nanoseconds, with a sign: upstream's `metav1.Duration`, written as Go does:
/// `1h30m0s`.
///
/// ```
/// use watchkeeper_api::Span;
/// let span: Span = "90m".parse()?;
/// assert_eq!(span.to_string(), "1h30m0s");
/// assert_eq!(span.human(), "90m");
/// assert_eq!(Span::from_seconds(93_784).human(), "26h");
/// assert_eq!(Span::from_seconds(93_784).short_human(), "1d");
/// # Ok::<(), watchkeeper_api::time::SpanError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(i64);

/// A text that is no length of time as Go writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpanError(());

impl fmt::Display for SpanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a duration as in 1h30m or 1.5s, of at most 292 years")
    }
}

impl std::error::Error for SpanError {}

const SECOND: i64 = 1_000_000_000;
/// What a field may hold at most, and one more: below zero there is room for that.
const LIMIT: u64 = 1 << 63;

impl Span {
    /// From nanoseconds.
    #[must_use]
    pub const fn from_nanos(nanos: i64) -> Self {
        Self(nanos)
    }

    /// From seconds, capped at 292 years.
    #[must_use]
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(SECOND))
    }

    /// In nanoseconds.
    #[must_use]
    pub const fn nanos(self) -> i64 {
        self.0
    }

    /// In whole seconds, the rest cut off.
    #[must_use]
    pub const fn seconds(self) -> i64 {
        self.0 / SECOND
    }

    /// Two or three figures of it, as columns named `AGE` have it: upstream's `HumanDuration`.
    #[must_use]
    pub fn human(self) -> String {
        let (seconds, minutes) = (self.seconds(), self.seconds() / 60);
        let (hours, days) = (minutes / 60, minutes / 60 / 24);
        let two = |much: i64, unit: &str, little: i64, smaller: &str| match little {
            0 => format!("{much}{unit}"),
            little => format!("{much}{unit}{little}{smaller}"),
        };
        match () {
            () if seconds < -1 => "<invalid>".to_owned(),
            () if seconds < 0 => "0s".to_owned(),
            () if seconds < 120 => format!("{seconds}s"),
            () if minutes < 10 => two(minutes, "m", seconds % 60, "s"),
            () if minutes < 180 => format!("{minutes}m"),
            () if hours < 8 => two(hours, "h", minutes % 60, "m"),
            () if hours < 48 => format!("{hours}h"),
            () if hours < 192 => two(days, "d", hours % 24, "h"),
            () if days < 730 => format!("{days}d"),
            () if days < 2_920 => two(days / 365, "y", days % 365, "d"),
            () => format!("{}y", days / 365),
        }
    }

    /// Its largest unit alone: upstream's `ShortHumanDuration`.
    #[must_use]
    pub fn short_human(self) -> String {
        let seconds = self.seconds();
        let hours = seconds / 3_600;
        match () {
            () if seconds < -1 => "<invalid>".to_owned(),
            () if seconds < 0 => "0s".to_owned(),
            () if seconds < 60 => format!("{seconds}s"),
            () if seconds < 3_600 => format!("{}m", seconds / 60),
            () if hours < 24 => format!("{hours}h"),
            () if hours < 24 * 365 => format!("{}d", hours / 24),
            () => format!("{}y", hours / 24 / 365),
        }
    }
}

impl From<Duration> for Span {
    fn from(duration: Duration) -> Self {
        Self(i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX))
    }
}

/// Fails for what is below zero.
impl TryFrom<Span> for Duration {
    type Error = SpanError;
    fn try_from(span: Span) -> Result<Self, SpanError> {
        u64::try_from(span.0).map(Self::from_nanos).map_err(|_| SpanError(()))
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = self.0.unsigned_abs();
        if self.0 < 0 {
            f.write_str("-")?;
        }
        let second = SECOND.unsigned_abs();
        match nanos {
            0 => f.write_str("0s"),
            1..1_000 => write!(f, "{nanos}ns"),
            1_000..1_000_000 => parts(f, nanos, 1_000, 3, "µs"),
            _ if nanos < second => parts(f, nanos, 1_000_000, 6, "ms"),
            _ => {
                let minutes = nanos / second / 60;
                match (minutes / 60, minutes % 60) {
                    (0, 0) => {}
                    (0, minutes) => write!(f, "{minutes}m")?,
                    (hours, minutes) => write!(f, "{hours}h{minutes}m")?,
                }
                parts(f, nanos - minutes * 60 * second, second, 9, "s")
            }
        }
    }
}

/// `nanos` in a unit of `unit` of them, with as many places as are needed.
fn parts(
    f: &mut fmt::Formatter<'_>,
    nanos: u64,
    unit: u64,
    places: usize,
    name: &str,
) -> fmt::Result {
    write!(f, "{}", nanos / unit)?;
    let rest = format!("{:0places$}", nanos % unit);
    match rest.trim_end_matches('0') {
        "" => {}
        rest => write!(f, ".{rest}")?,
    }
    f.write_str(name)
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Span {
    type Err = SpanError;

    fn from_str(text: &str) -> Result<Self, SpanError> {
        parse(text).map(Self).ok_or(SpanError(()))
    }
}

/// As Go's `time.ParseDuration`.
fn parse(text: &str) -> Option<i64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if unsigned == "0" {
        return Some(0);
    }
    let (mut rest, mut sum) = (unsigned, 0_u64);
    while !rest.is_empty() || sum == 0 && unsigned.is_empty() {
        let (whole, after) = digits(rest);
        let (fraction, after) = match after.strip_prefix('.') {
            Some(after) => digits(after),
            None => ("", after),
        };
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let end = after.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(after.len());
        let unit = unit(&after[..end])?;
        rest = &after[end..];
        let whole = match whole {
            "" => 0,
            digits => digits.parse::<u64>().ok()?,
        };
        let part = whole.checked_mul(unit)?.checked_add(share(fraction, unit))?;
        sum = sum.checked_add(part).filter(|sum| *sum <= LIMIT)?;
    }
    if text.starts_with('-') {
        return Some((-i128::from(sum)) as i64);
    }
    i64::try_from(sum).ok()
}

fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}

fn unit(name: &str) -> Option<u64> {
    Some(match name {
        "ns" => 1,
        // The sign for micro, and the Greek letter.
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

/// `0.fraction` of `unit`, cut off, in floats as Go has it; digits that do not fit are passed over.
fn share(fraction: &str, unit: u64) -> u64 {
    let (mut value, mut scale) = (0_u64, 1.0_f64);
    for digit in fraction.bytes().map(|byte| u64::from(byte - b'0')) {
        if value > (LIMIT - 1) / 10 || value * 10 + digit > LIMIT {
            break;
        }
        value = value * 10 + digit;
        scale *= 10.0;
    }
    (value as f64 * (unit as f64 / scale)) as u64
}
