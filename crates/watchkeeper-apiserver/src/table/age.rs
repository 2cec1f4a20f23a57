//! Durations and ages as upstream prints them (apimachinery, `pkg/util/duration`).

use jiff::Timestamp;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const YEAR: i64 = 365 * DAY;

/// Two units at most, fewer the longer it is: `5m30s`, `3h`, `2d4h`, `400d`.
#[must_use]
pub fn human_duration(seconds: i64) -> String {
    match seconds {
        // Clocks of two machines may differ by a second.
        i64::MIN..-1 => "<invalid>".to_owned(),
        -1 => "0s".to_owned(),
        s if s < 2 * MINUTE => format!("{s}s"),
        s if s < 10 * MINUTE => two(s, MINUTE, "m", 1, "s"),
        s if s < 3 * HOUR => format!("{}m", s / MINUTE),
        s if s < 8 * HOUR => two(s, HOUR, "h", MINUTE, "m"),
        s if s < 2 * DAY => format!("{}h", s / HOUR),
        s if s < 8 * DAY => two(s, DAY, "d", HOUR, "h"),
        s if s < 2 * YEAR => format!("{}d", s / DAY),
        s if s < 8 * YEAR => two(s, YEAR, "y", DAY, "d"),
        s => format!("{}y", s / YEAR),
    }
}

fn two(seconds: i64, big: i64, big_unit: &str, small: i64, small_unit: &str) -> String {
    let rest = seconds % big / small;
    let first = seconds / big;
    if rest == 0 {
        format!("{first}{big_unit}")
    } else {
        format!("{first}{big_unit}{rest}{small_unit}")
    }
}

/// The seconds from `then` to `now`.
pub(super) fn seconds_since(then: &str, now: Timestamp) -> Option<i64> {
    let then: Timestamp = then.parse().ok()?;
    Some(now.duration_since(then).as_secs())
}
