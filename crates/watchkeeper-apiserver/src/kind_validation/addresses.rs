//! Addresses and ranges of addresses.

use std::net::IpAddr;

use watchkeeper_schema::FieldError;

use super::{Check, Place};

/// What no endpoint is at (`ValidateEndpointIP` in `pkg/apis/core/validation`).
pub(super) fn reachable(check: &mut Check<'_>, place: &Place<'_>) {
    let Ok(address) = place.text().parse::<IpAddr>() else { return };
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

/// Whether something is an address, which is told if not.
pub(super) fn address(check: &mut Check<'_>, place: &Place<'_>) -> Option<IpAddr> {
    let address = place.text().parse().ok();
    if address.is_none() {
        let detail = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
        check.push(FieldError::invalid(&*place.path, place.text(), detail));
    }
    address
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
