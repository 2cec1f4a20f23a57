//! Whole numbers as Go's `strconv` reads them, and what it says of text that is none.

use crate::error::quoted;

const SYNTAX: &str = "invalid syntax";
const RANGE: &str = "value out of range";

/// A number of 64 bits with or without a sign (`strconv.ParseInt`).
pub(crate) fn parse_int(text: &str) -> Result<i64, String> {
    integer(text).map_err(|why| told("ParseInt", text, why))
}

/// A number without a sign, up to the largest (`strconv.ParseUint`).
pub(crate) fn parse_uint(text: &str, most: u64) -> Result<u64, String> {
    digits(text, most).map_err(|why| told("ParseUint", text, why))
}

/// The same as [`parse_int`] by another name (`strconv.Atoi`).
pub(crate) fn atoi(text: &str) -> Result<i64, String> {
    integer(text).map_err(|why| told("Atoi", text, why))
}

fn told(function: &str, text: &str, why: &str) -> String {
    format!("strconv.{function}: parsing {}: {why}", quoted(text))
}

fn integer(text: &str) -> Result<i64, &'static str> {
    let size = digits(text.strip_prefix(['-', '+']).unwrap_or(text), u64::MAX)?;
    let size = i128::from(size);
    let number = if text.starts_with('-') { -size } else { size };
    i64::try_from(number).map_err(|_| RANGE)
}

/// Of text that is too long and no number, what comes first is told.
fn digits(text: &str, most: u64) -> Result<u64, &'static str> {
    if text.is_empty() {
        return Err(SYNTAX);
    }
    let mut number = 0_u64;
    for digit in text.chars() {
        let digit = digit.to_digit(10).ok_or(SYNTAX)?;
        let more = number.checked_mul(10).and_then(|number| number.checked_add(digit.into()));
        number = more.filter(|number| *number <= most).ok_or(RANGE)?;
    }
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::{atoi, parse_int, parse_uint};

    #[test]
    fn numbers_are_read_as_go_reads_them() {
        assert_eq!(parse_int("-9223372036854775808"), Ok(i64::MIN));
        assert_eq!((atoi("+7"), atoi("007")), (Ok(7), Ok(7)));
        assert_eq!(parse_uint("18446744073709551615", u64::MAX), Ok(u64::MAX));
        assert_eq!(parse_uint("65535", 65_535), Ok(65_535));
    }

    #[test]
    fn what_is_no_number_is_told_in_the_words_of_go() {
        let (syntax, range) = ("invalid syntax", "value out of range");
        for (text, why) in [
            ("", syntax),
            ("-", syntax),
            ("1_0", syntax),
            (" 1", syntax),
            ("0x1", syntax),
            ("٣", syntax),
            ("9223372036854775808", range),
            ("-9223372036854775809", range),
            ("9999999999999999999x", syntax),
            ("99999999999999999999x", range),
        ] {
            let told = |function: &str| format!("strconv.{function}: parsing \"{text}\": {why}");
            assert_eq!(parse_int(text), Err(told("ParseInt")));
            assert_eq!(atoi(text), Err(told("Atoi")));
        }
        for (text, shown, why) in [
            ("+1", "\"+1\"", syntax),
            ("-1", "\"-1\"", syntax),
            ("65536", "\"65536\"", range),
            ("6553x", "\"6553x\"", syntax),
            ("65536x", "\"65536x\"", range),
            ("\u{7}", "\"\\a\"", syntax),
        ] {
            let told = format!("strconv.ParseUint: parsing {shown}: {why}");
            assert_eq!(parse_uint(text, 65_535), Err(told));
        }
    }
}
