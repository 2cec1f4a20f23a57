//! Formats of text (apiextensions, `pkg/apiserver/validation/formats.go`). Unknown ones pass.

use std::net::IpAddr;

use crate::node::{Schema, Type};

mod codes;
#[cfg(test)]
mod tests;

/// The formats of text that servers know, without dashes.
const TEXTS: [&str; 26] = [
    "bsonobjectid",
    "byte",
    "cidr",
    "creditcard",
    "date",
    "datetime",
    "duration",
    "email",
    "hexcolor",
    "hostname",
    "ipv4",
    "ipv6",
    "isbn",
    "isbn10",
    "isbn13",
    "k8slongname",
    "k8sshortname",
    "mac",
    "password",
    "rgbcolor",
    "ssn",
    "uri",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
];

/// The format of a schema, if servers know it for the type that the schema has.
pub(crate) fn known(node: &Schema) -> Option<&str> {
    let format = node.format.as_deref().filter(|format| !format.is_empty())?;
    let is_known = match node.type_ {
        None | Some(Type::String) => TEXTS.contains(&&*format.replace('-', "")),
        Some(Type::Integer) => matches!(format, "int32" | "int64"),
        Some(Type::Number) => matches!(format, "float" | "double"),
        Some(Type::Object | Type::Array | Type::Boolean) => false,
    };
    is_known.then_some(format)
}

/// Whether `text` has that format.
pub(super) fn fits(format: &str, text: &str) -> bool {
    match format.replace('-', "").as_str() {
        "datetime" => date_time(text),
        "date" => date(text),
        "byte" => base64(text),
        "ipv4" => text.contains('.') && address(text).is_some(),
        "ipv6" => text.contains(':') && text.parse::<IpAddr>().is_ok(),
        "cidr" => cidr(text),
        "mac" => mac(text),
        "hostname" => hostname(text),
        "uri" => {
            text.split_once(':').is_some_and(|(scheme, _)| is_scheme(scheme))
                || text.starts_with('/')
        }
        "email" => {
            text.split_once('@').is_some_and(|(user, host)| !user.is_empty() && is_host(host))
        }
        "duration" => duration(text),
        "k8sshortname" => text.len() <= 63 && dns_label(text),
        "k8slongname" => text.len() <= 253 && text.split('.').all(dns_label),
        other => codes::fits(other, text),
    }
}

fn digits(text: &str, count: usize) -> Option<u32> {
    (text.len() == count && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}

fn date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts[..] else { return false };
    let (Some(year), Some(month), Some(day)) = (digits(year, 4), digits(month, 2), digits(day, 2))
    else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

fn date_time(text: &str) -> bool {
    let Some((day, time)) = text.split_once(['T', 't', ' ']) else { return false };
    let offset_at = time.find(['Z', 'z', '+', '-']).unwrap_or(time.len());
    let (clock, offset) = time.split_at(offset_at);
    date(day) && clock_time(clock) && (matches!(offset, "Z" | "z") || zone(offset))
}

fn clock_time(text: &str) -> bool {
    let (clock, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let parts: Vec<&str> = clock.split(':').collect();
    let [hour, minute, second] = parts[..] else { return false };
    let below = |part, limit| digits(part, 2).is_some_and(|value| value < limit);
    below(hour, 24)
        && below(minute, 60)
        && below(second, 61)
        && !fraction.is_empty()
        && fraction.bytes().all(|b| b.is_ascii_digit())
}

fn zone(text: &str) -> bool {
    let Some((hour, minute)) = text.get(1..).and_then(|rest| rest.split_once(':')) else {
        return false;
    };
    digits(hour, 2).is_some_and(|h| h < 24) && digits(minute, 2).is_some_and(|m| m < 60)
}

fn base64(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    !text.is_empty()
        && text.len().is_multiple_of(4)
        && text.len() - body.len() <= 2
        && body.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'+' || b == b'/')
}

/// An address as old versions of Go read it: numbers may begin with zeros.
fn address(text: &str) -> Option<IpAddr> {
    let (before, numbers) = text.split_at(text.rfind(':').map_or(0, |colon| colon + 1));
    let numbers: Vec<&str> = numbers.split('.').collect();
    if numbers.len() != 4 || numbers.contains(&"") {
        return text.parse().ok();
    }
    let plain = |number: &str| match number.trim_start_matches('0') {
        "" => "0".to_owned(),
        rest => rest.to_owned(),
    };
    let numbers: Vec<String> = numbers.into_iter().map(plain).collect();
    format!("{before}{}", numbers.join(".")).parse().ok()
}

fn cidr(text: &str) -> bool {
    let Some((of, bits)) = text.split_once('/') else { return false };
    let is_number = !bits.is_empty() && bits.bytes().all(|b| b.is_ascii_digit());
    let Some(bits) = bits.parse::<u8>().ok().filter(|_| is_number) else { return false };
    match address(of) {
        Some(IpAddr::V4(_)) => bits <= 32,
        Some(IpAddr::V6(_)) => bits <= 128,
        None => false,
    }
}

fn mac(text: &str) -> bool {
    let separator = if text.contains('-') { '-' } else { ':' };
    let parts: Vec<&str> = text.split(separator).collect();
    matches!(parts.len(), 6 | 8 | 20) && parts.iter().all(|p| p.len() == 2 && is_hex(p))
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// One label, with one dash at most, which is its second character; or several, of which the last one has no
/// digits. That is what upstream's pattern comes to (kube-openapi, `pkg/validation/strfmt`).
fn hostname(text: &str) -> bool {
    let is_short = |label: &str| label.len() <= 63;
    if text.len() > 255 || !text.split('.').all(is_short) {
        return false;
    }
    let all = |text: &str| text.chars().all(is_of_label);
    let Some((before, last)) = text.rsplit_once('.') else {
        let mut chars = text.chars();
        let has_first = chars.next().is_some_and(is_of_label);
        let rest = chars.as_str();
        return has_first && all(rest.strip_prefix('-').filter(|r| !r.is_empty()).unwrap_or(rest));
    };
    let label = |label: &str| {
        let inner = label.chars().all(|c| c == '-' || is_of_label(c));
        inner && !label.is_empty() && !label.starts_with('-') && !label.ends_with('-')
    };
    let letters = last.chars().count() >= 2 && last.chars().all(char::is_alphabetic);
    letters && before.split('.').all(label)
}

/// What a label has beside dashes. Signs, as `+` is one, are not told from what is no letter beyond ASCII.
fn is_of_label(c: char) -> bool {
    c.is_ascii_alphanumeric() || "$+<=>^`|~".contains(c) || (!c.is_ascii() && !c.is_numeric())
}

fn is_host(text: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    text.len() <= 255 && text.split('.').all(label)
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
}

/// Go's durations: numbers with units, e.g. `1h30m`.
fn duration(text: &str) -> bool {
    let mut rest = text.trim_start_matches(['+', '-']);
    if rest == "0" {
        return true;
    }
    while !rest.is_empty() {
        let number = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let after = rest[number..].trim_start();
        let units = ["ns", "us", "µs", "ms", "s", "m", "h", "d", "w"];
        let Some(unit) = units.iter().filter(|u| after.starts_with(**u)).max_by_key(|u| u.len())
        else {
            return false;
        };
        if number == 0 {
            return false;
        }
        rest = after[unit.len()..].trim_start();
    }
    !text.trim_start_matches(['+', '-']).is_empty()
}

fn dns_label(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && !text.starts_with('-')
        && !text.ends_with('-')
}
