//! Durations as Go's `time.ParseDuration` reads them, with its words for those that it does not.

use std::time::Duration;

use crate::error::quoted;

/// Reads `1h15m30.5s`. A negative duration counts as none.
///
/// # Errors
///
/// What Go says of the text.
pub(super) fn parse(text: &str) -> Result<Duration, String> {
    let invalid = || format!("time: invalid duration {}", quoted(text));
    let (negative, mut rest) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    if rest.is_empty() {
        return Err(invalid());
    }
    if rest == "0" {
        return Ok(Duration::ZERO);
    }
    let mut total = Duration::ZERO;
    while !rest.is_empty() {
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        let (number, after) = rest.split_at(rest.find(|c| !is_number(c)).unwrap_or(rest.len()));
        let (unit, after) = after.split_at(after.find(is_number).unwrap_or(after.len()));
        let amount: f64 = number.parse().map_err(|_| invalid())?;
        if unit.is_empty() {
            return Err(format!("time: missing unit in duration {}", quoted(text)));
        }
        let Some(seconds) = seconds(unit) else {
            let (unit, text) = (quoted(unit), quoted(text));
            return Err(format!("time: unknown unit {unit} in duration {text}"));
        };
        let part = Duration::try_from_secs_f64(amount * seconds).map_err(|_| invalid())?;
        total = total.checked_add(part).ok_or_else(invalid)?;
        rest = after;
    }
    Ok(if negative { Duration::ZERO } else { total })
}

fn seconds(unit: &str) -> Option<f64> {
    Some(match unit {
        "ns" => 1e-9,
        "us" | "µs" | "μs" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_go_does() {
        for (text, milliseconds) in [
            ("0", 0),
            ("1s", 1000),
            ("1.5s", 1500),
            ("1m30s", 90_000),
            ("2h", 7_200_000),
            ("250ms", 250),
            ("3000us", 3),
            ("3000µs", 3),
            ("3000μs", 3),
            ("5000000ns", 5),
            ("-1s", 0),
            ("+2s", 2000),
            ("+0", 0),
        ] {
            assert_eq!(parse(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for (text, why) in [
            ("", "time: invalid duration \"\""),
            ("+", "time: invalid duration \"+\""),
            ("-", "time: invalid duration \"-\""),
            ("x", "time: invalid duration \"x\""),
            ("1.2.3s", "time: invalid duration \"1.2.3s\""),
            ("1", "time: missing unit in duration \"1\""),
            ("1y", "time: unknown unit \"y\" in duration \"1y\""),
            ("99999999999999999999h", "time: invalid duration \"99999999999999999999h\""),
        ] {
            assert_eq!(parse(text), Err(why.to_owned()), "{text}");
        }
    }
}
