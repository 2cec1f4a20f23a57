//! Durations as Go reads them, such as `1h30m` or `-1.5h` (`time.ParseDuration`).

/// More nanoseconds than this no duration has; as many only one that is negative.
const MOST: u128 = 1 << 63;
/// So many digits behind a point count.
const DIGITS: usize = 30;

/// Whether a text is a duration.
///
/// # Errors
///
/// Why it cannot be read, in the words of Go.
pub fn duration(text: &str) -> Result<(), String> {
    let invalid = || format!("time: invalid duration {}", quoted(text));
    let mut rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    if rest == "0" {
        return Ok(());
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    let mut total = 0;
    while !rest.is_empty() {
        let (whole, after) = digits(rest);
        let (fraction, after) = after.strip_prefix('.').map_or(("", after), digits);
        let whole = number(whole, fraction).ok_or_else(invalid)?;
        let end = after.find(|sign: char| sign == '.' || sign.is_ascii_digit());
        let (unit, after) = after.split_at(end.unwrap_or(after.len()));
        if unit.is_empty() {
            return Err(format!("time: missing unit in duration {}", quoted(text)));
        }
        let Some(nanos) = nanos(unit) else {
            let unit = quoted(unit);
            return Err(format!("time: unknown unit {unit} in duration {}", quoted(text)));
        };
        total += whole * nanos + part(fraction, nanos);
        if total > MOST {
            return Err(invalid());
        }
        rest = after;
    }
    if total == MOST && !text.starts_with('-') { Err(invalid()) } else { Ok(()) }
}

/// The digits that a text begins with, and what is behind them.
fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|sign: char| !sign.is_ascii_digit());
    text.split_at(end.unwrap_or(text.len()))
}

/// What is before the point; none where it is too much, or where there is nothing behind the point
/// either.
fn number(whole: &str, fraction: &str) -> Option<u128> {
    match whole {
        "" => (!fraction.is_empty()).then_some(0),
        whole => whole.parse().ok().filter(|number| *number <= MOST),
    }
}

/// What is behind the point, as far as it counts: later digits are less than a nanosecond of any unit.
fn part(fraction: &str, nanos: u128) -> u128 {
    let (mut value, mut scale) = (0, 1);
    for digit in fraction.chars().take(DIGITS).filter_map(|digit| digit.to_digit(10)) {
        if value > (MOST - 1) / 10 {
            break;
        }
        value = value * 10 + u128::from(digit);
        scale *= 10;
    }
    value * nanos / scale
}

fn nanos(unit: &str) -> Option<u128> {
    Some(match unit {
        "ns" => 1,
        "us" | "µs" | "μs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

/// Text in quotes as Go's `time` has it, which is not as all else of Go has it.
fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => out.extend(['\\', char::from(byte)]),
            b' '..=0x7f => out.push(char::from(byte)),
            _ => out.push_str(&format!("\\x{byte:02x}")),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn durations_are_those_of_go() {
        for text in ["0", "-0", "1h30m", "-1.5h", "+.5s", "5µs", "5μs", "5us", "3ns", "2.ms"] {
            assert_eq!(duration(text), Ok(()), "{text}");
        }
        for text in ["", "-", "1", "1hx", "1h 5m", "1e3s", ".s", "s", " 1h", "1d", "9999999h"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
