//! Moments as Go reads them (`time.Parse` with `time.RFC3339`).

/// What stands between the second and the zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fraction {
    /// A point and digits, or nothing.
    Optional,
    /// A point and six digits.
    Micros,
}

/// Whether a text is a moment in the form of RFC 3339.
///
/// # Errors
///
/// Where Go stops to read it, in the words of Go.
pub fn moment(text: &str, fraction: Fraction) -> Result<(), String> {
    let layout = match fraction {
        Fraction::Optional => "2006-01-02T15:04:05Z07:00",
        Fraction::Micros => "2006-01-02T15:04:05.000000Z07:00",
    };
    let stop = |rest: &str, at: &str| {
        Err(format!("parsing time \"{text}\" as \"{layout}\": cannot parse \"{rest}\" as \"{at}\""))
    };
    let mut rest = text;
    let mut numbers = Vec::new();
    for (name, literal) in
        [("2006", "-"), ("01", "-"), ("02", "T"), ("15", ":"), ("04", ":"), ("05", "")]
    {
        let Some((number, after)) = digits(rest, name.len()) else { return stop(rest, name) };
        numbers.push(number);
        let Some(after) = after.strip_prefix(literal) else { return stop(after, literal) };
        rest = after;
    }
    rest = match (fraction, rest.strip_prefix('.')) {
        (Fraction::Optional, Some(after)) if after.starts_with(|c: char| c.is_ascii_digit()) => {
            after.trim_start_matches(|c: char| c.is_ascii_digit())
        }
        // A point without digits is none of the fraction, and so not of the moment either.
        (Fraction::Optional, _) => rest,
        (Fraction::Micros, after) => match after.and_then(|after| digits(after, 6)) {
            Some((_, after)) => after,
            None => return stop(rest, ".000000"),
        },
    };
    if let Some(part) = out_of_range(&numbers) {
        return Err(format!("parsing time \"{text}\": {part} out of range"));
    }
    match zone(rest) {
        Some("") => Ok(()),
        Some(extra) => Err(format!("parsing time \"{text}\": extra text: \"{extra}\"")),
        None => stop(rest, "Z07:00"),
    }
}

fn digits(text: &str, count: usize) -> Option<(u32, &str)> {
    let (digits, rest) = text.split_at_checked(count)?;
    let number = digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())??;
    Some((number, rest))
}

fn out_of_range(numbers: &[u32]) -> Option<&'static str> {
    let &[year, month, day, hour, minute, second] = numbers else { return None };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 31,
    };
    let checks = [
        ("month", (1..=12).contains(&month)),
        ("day", (1..=days).contains(&day)),
        ("hour", hour < 24),
        ("minute", minute < 60),
        ("second", second < 60),
    ];
    checks.into_iter().find(|(_, fits)| !fits).map(|(name, _)| name)
}

/// What is left behind the zone.
fn zone(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix('Z') {
        return Some(rest);
    }
    let rest = text.strip_prefix(['+', '-'])?;
    let (hours, rest) = digits(rest, 2)?;
    let (minutes, rest) = digits(rest.strip_prefix(':')?, 2)?;
    (hours < 24 && minutes < 60).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::{Fraction, moment};

    #[test]
    fn moments_are_those_of_go() {
        let is_one = |text: &str| moment(text, Fraction::Optional).is_ok();
        for text in ["2024-01-01T00:00:00Z", "2024-02-29T23:59:59.5+01:30"] {
            assert!(is_one(text), "{text}");
        }
        for text in [
            "2024-01-01 00:00:00Z",
            "2024-01-01T00:00:00.Z",
            "2023-02-29T00:00:00Z",
            "2024-01-01T00:00:60Z",
            "2024-01-01T00:00:00",
            "2024-01-01",
            "",
        ] {
            assert!(!is_one(text), "{text}");
        }
    }
}
