//! Durations as Go writes them.

use std::time::Duration;

/// Reads `15s`, `1m30s`, `1.5h`, `300ms`, `0`.
pub(super) fn read(text: &str) -> Result<Duration, String> {
    if text == "0" {
        return Ok(Duration::ZERO);
    }
    let (mut rest, mut sum) = (text, Duration::ZERO);
    while !rest.is_empty() {
        let (number, behind) = split(rest, |c| c.is_ascii_digit() || c == '.');
        let (unit, behind) = split(behind, |c| !c.is_ascii_digit() && c != '.');
        let part = part(number, unit)?;
        sum = sum.checked_add(part).ok_or_else(|| "that is too long".to_owned())?;
        rest = behind;
    }
    if text.is_empty() {
        return Err("it must be a number with a unit, as in 15s".to_owned());
    }
    Ok(sum)
}

/// Where the first character stands that is none of these.
fn split(text: &str, is_of: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !is_of(c)).unwrap_or(text.len()))
}

fn part(number: &str, unit: &str) -> Result<Duration, String> {
    let seconds = match unit {
        "h" => 3600.0,
        "m" => 60.0,
        "s" => 1.0,
        "ms" => 1e-3,
        "us" | "µs" | "μs" => 1e-6,
        "ns" => 1e-9,
        "" => return Err(format!("the unit is missing; for seconds write {number}s")),
        _ => return Err(format!("{unit:?} is no unit; use h, m, s or ms, as in 1m30s")),
    };
    let number: f64 =
        number.parse().map_err(|_| "it must be a number with a unit, as in 15s".to_owned())?;
    let whole = Duration::try_from_secs_f64(number * seconds);
    whole.map_err(|_| "that is too long".to_owned())
}
