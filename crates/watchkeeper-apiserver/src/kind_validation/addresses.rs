//! Addresses and ranges of addresses.

use std::net::IpAddr;

use watchkeeper_schema::FieldError;

use super::{Check, Place};

/// What no endpoint is at (`ValidateEndpointIP` in `pkg/apis/core/validation`).
pub(super) fn reachable(check: &mut Check<'_>, place: &Place<'_>) {
    let Some(address) = lenient(place.text()) else { return };
    let (link_local, link_local_multicast) = match address {
        IpAddr::V4(address) => (address.is_link_local(), address.octets()[..3] == [224, 0, 0]),
        IpAddr::V6(address) => {
            (address.is_unicast_link_local(), address.segments()[0] & 0xff0f == 0xff02)
        }
    };
    let mut say = |is_so: bool, detail: String| {
        if is_so {
            check.push(FieldError::invalid(&*place.path, place.text(), detail));
        }
    };
    say(address.is_unspecified(), format!("may not be unspecified ({})", place.text()));
    say(
        address.is_loopback(),
        "may not be in the loopback range (127.0.0.0/8, ::1/128)".to_owned(),
    );
    say(link_local, "may not be in the link-local range (169.254.0.0/16, fe80::/10)".to_owned());
    say(
        link_local_multicast,
        "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)".to_owned(),
    );
}

/// Whether something is an address, which is told if not; and if it is one that programs read in different ways
/// (`IsValidIPForLegacyField` in `apimachinery/pkg/util/validation`).
pub(super) fn address(check: &mut Check<'_>, place: &Place<'_>) -> Option<IpAddr> {
    let strict = place.text().parse::<IpAddr>().ok();
    let address = strict.or_else(|| lenient(place.text()));
    let is_mapped =
        matches!(strict, Some(IpAddr::V6(address)) if address.to_ipv4_mapped().is_some());
    let detail = match address {
        None => "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)",
        Some(_) if strict.is_none() => "must not have leading 0s",
        Some(_) if is_mapped => "must not be an IPv4-mapped IPv6 address",
        Some(_) => return address,
    };
    check.push(FieldError::invalid(&*place.path, place.text(), detail));
    address
}

/// An address as upstream reads it where it is not strict: numbers between dots may begin with zeros, and one of the
/// fourth version in one of the sixth is that of the fourth (`netutils.ParseIPSloppy`).
pub(super) fn lenient(text: &str) -> Option<IpAddr> {
    let (before, dotted) = match text.rfind(':') {
        Some(at) => text.split_at(at + 1),
        None => ("", text),
    };
    let number = |part: &str| match part.trim_start_matches('0') {
        "" if !part.is_empty() => "0".to_owned(),
        rest => rest.to_owned(),
    };
    let is_dotted = dotted.contains('.');
    let parts: Vec<String> = dotted.split('.').filter(|_| is_dotted).map(number).collect();
    let text = if is_dotted { format!("{before}{}", parts.join(".")) } else { text.to_owned() };
    match text.parse().ok()? {
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(mapped) => Some(IpAddr::V4(mapped)),
            None => Some(IpAddr::V6(address)),
        },
        address @ IpAddr::V4(_) => Some(address),
    }
}

/// Whether a range is of the sixth version, or nothing if it is none, which is told.
pub(super) fn range(check: &mut Check<'_>, place: &Place<'_>) -> Option<bool> {
    let (address, bits) = place.text().split_once('/').unwrap_or_default();
    let is_number = !bits.is_empty() && bits.bytes().all(|digit| digit.is_ascii_digit());
    let bits = bits.parse::<u32>().ok().filter(|_| is_number);
    let is_v6 = match (address.parse(), bits) {
        (Ok(IpAddr::V4(_)), Some(0..=32)) => Some(false),
        (Ok(IpAddr::V6(_)), Some(0..=128)) => Some(true),
        _ => None,
    };
    if is_v6.is_none() {
        let detail = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
        check.push(FieldError::invalid(&*place.path, place.text(), detail));
    }
    is_v6
}
