//! Seconds since 1970 to a date and back, in the proleptic Gregorian calendar.

const DAY: i64 = 86_400;

/// 0000-01-01T00:00:00Z.
pub(super) const FIRST: i64 = -62_167_219_200;
/// 9999-12-31T23:59:59Z.
const LAST: i64 = 253_402_300_799;

/// The nearest second whose year has four digits.
pub(super) const fn clamp(seconds: i64) -> i64 {
    if seconds < FIRST {
        FIRST
    } else if seconds > LAST {
        LAST
    } else {
        seconds
    }
}

/// `2026-03-01T12:00:00Z`, digit by digit: objects are full of times.
pub(super) fn seconds_text(seconds: i64) -> [u8; 20] {
    let (year, month, day) = date(seconds.div_euclid(DAY));
    let second = seconds.rem_euclid(DAY);
    let mut text = *b"0000-00-00T00:00:00Z";
    let pairs = [
        (0, year / 100),
        (2, year % 100),
        (5, month),
        (8, day),
        (11, second / 3_600),
        (14, second / 60 % 60),
        (17, second % 60),
    ];
    for (at, pair) in pairs {
        text[at] += (pair / 10) as u8;
        text[at + 1] += (pair % 10) as u8;
    }
    text
}

/// Reads RFC 3339: seconds since 1970 and nanoseconds.
pub(super) fn parse(text: &str) -> Option<(i64, u32)> {
    let mut rest = text.as_bytes();
    let year = number(&mut rest, 4)?;
    mark(&mut rest, b"-")?;
    let month = number(&mut rest, 2)?;
    mark(&mut rest, b"-")?;
    let day = number(&mut rest, 2)?;
    mark(&mut rest, b"T")?;
    let hour = number(&mut rest, 2)?;
    mark(&mut rest, b":")?;
    let minute = number(&mut rest, 2)?;
    mark(&mut rest, b":")?;
    let second = number(&mut rest, 2)?;
    let nanos = fraction(&mut rest)?;
    let offset = offset(rest)?;
    let valid = (1..=12).contains(&month)
        && (1..=month_length(year, month)).contains(&day)
        && hour < 24
        && minute < 60
        && second < 60;
    let seconds = days(year, month, day) * DAY + hour * 3_600 + minute * 60 + second - offset;
    (valid && seconds == clamp(seconds)).then_some((seconds, nanos))
}

fn number(rest: &mut &[u8], digits: usize) -> Option<i64> {
    let (head, tail) = rest.split_at_checked(digits)?;
    *rest = tail;
    head.iter().try_fold(0, |value, byte| {
        byte.is_ascii_digit().then(|| value * 10 + i64::from(byte - b'0'))
    })
}

fn mark(rest: &mut &[u8], any_of: &[u8]) -> Option<()> {
    let (first, tail) = rest.split_first()?;
    *rest = tail;
    any_of.contains(first).then_some(())
}

/// `.123…`, or nothing; digits behind the ninth are cut off.
fn fraction(rest: &mut &[u8]) -> Option<u32> {
    let Some((b'.' | b',', tail)) = rest.split_first() else { return Some(0) };
    let digits = tail.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, tail) = tail.split_at(digits);
    *rest = tail;
    let padded = digits.iter().copied().chain(std::iter::repeat(b'0')).take(9);
    let nanos = padded.fold(0, |value, byte| value * 10 + u32::from(byte - b'0'));
    (!digits.is_empty()).then_some(nanos)
}

/// `Z` or `+01:00`, in seconds.
fn offset(mut rest: &[u8]) -> Option<i64> {
    if rest == b"Z" {
        return Some(0);
    }
    let sign = match rest.split_first()? {
        (b'+', tail) => (1, tail),
        (b'-', tail) => (-1, tail),
        _ => return None,
    };
    rest = sign.1;
    let hours = number(&mut rest, 2)?;
    mark(&mut rest, b":")?;
    let minutes = number(&mut rest, 2)?;
    let valid = rest.is_empty() && hours <= 24 && minutes < 60;
    valid.then_some(sign.0 * (hours * 3_600 + minutes * 60))
}

fn month_length(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970 of a date. Years start in March here, so that the leap day is the last one.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// The date of a day since 1970; the inverse of [`days`].
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}
