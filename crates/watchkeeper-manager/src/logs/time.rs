//! When something was told.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use watchkeeper_api::Time;

use super::fields::Value;

/// How a log tells the time, under the names of `--zap-time-encoding` (upstream: `zapcore.TimeEncoder`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TimeEncoding {
    /// Seconds since 1970, with their fractions: `1772366400.5`.
    Epoch,
    /// Milliseconds since 1970, with their fractions: `1772366400500.25`.
    Millis,
    /// Nanoseconds since 1970: `1772366400500250000`.
    Nano,
    /// ISO 8601 in milliseconds: `2026-03-01T12:00:00.500Z`.
    Iso8601,
    /// RFC 3339 in seconds: `2026-03-01T12:00:00Z`.
    Rfc3339,
    /// RFC 3339 with as many places as it takes, nine at most: `2026-03-01T12:00:00.50025Z`.
    #[default]
    Rfc3339Nano,
}

impl TimeEncoding {
    /// A moment before 1970 is told as its beginning.
    pub(super) fn of(self, moment: SystemTime) -> Value {
        let since = moment.duration_since(UNIX_EPOCH).unwrap_or_default();
        let (seconds, nanos) = (since.as_secs(), since.subsec_nanos());
        match self {
            Self::Epoch => Value::Bare(decimal(seconds, nanos, 9)),
            Self::Millis => {
                let millis = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
                Value::Bare(decimal(millis, nanos % 1_000_000, 6))
            }
            Self::Nano => Value::Bare(since.as_nanos().to_string()),
            Self::Iso8601 => Value::Text(dated(since, &format!(".{:03}", nanos / 1_000_000))),
            Self::Rfc3339 => Value::Text(dated(since, "")),
            Self::Rfc3339Nano => Value::Text(dated(since, fraction(nanos, 9).as_str())),
        }
    }
}

fn decimal(whole: u64, part: u32, places: usize) -> String {
    format!("{whole}{}", fraction(part, places))
}

/// `.5` of 500,000,000 in nine places; nothing of zero.
fn fraction(part: u32, places: usize) -> String {
    let digits = format!(".{part:0places$}");
    digits.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The date and time of day, with a fraction of the second.
fn dated(since: Duration, fraction: &str) -> String {
    let time = Time::from_unix(i64::try_from(since.as_secs()).unwrap_or(i64::MAX)).to_string();
    format!("{}{fraction}Z", time.trim_end_matches('Z'))
}
