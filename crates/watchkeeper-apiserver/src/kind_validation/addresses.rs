//! Addresses and ranges of addresses.

use std::net::IpAddr;

use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::quote;

use super::{Check, Place};

/// What no endpoint is at (`ValidateEndpointIP` in `pkg/apis/core/validation`).
pub(super) fn reachable(check: &mut Check<'_>, place: &Place<'_>) {
    let Some(address) = lenient(place.text()) else {
        let detail = "must be a valid IP address";
        return check.push(FieldError::invalid(&*place.path, place.text(), detail));
    };
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

/// An address as upstream reads it where it is not strict; one of the fourth version in one of the
/// sixth is that of the fourth (`netutils.ParseIPSloppy`).
pub(super) fn lenient(text: &str) -> Option<IpAddr> {
    match sloppy(text)? {
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(mapped) => Some(IpAddr::V4(mapped)),
            None => Some(IpAddr::V6(address)),
        },
        address @ IpAddr::V4(_) => Some(address),
    }
}

/// Numbers between dots may begin with zeros.
fn sloppy(text: &str) -> Option<IpAddr> {
    let (before, dotted) = match text.rfind(':') {
        Some(at) => text.split_at(at + 1),
        None => ("", text),
    };
    let number = |part: &str| match part.trim_start_matches('0') {
        "" if !part.is_empty() => "0".to_owned(),
        rest => rest.to_owned(),
    };
    if !dotted.contains('.') {
        return text.parse().ok();
    }
    let parts: Vec<String> = dotted.split('.').map(number).collect();
    format!("{before}{}", parts.join(".")).parse().ok()
}

/// A range of addresses as upstream reads it where it is not strict (`netutils.ParseCIDRSloppy`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    address: IpAddr,
    /// How many bits all of its addresses have alike.
    bits: u32,
}

impl Range {
    pub(super) fn read(text: &str) -> Option<Self> {
        let (address, bits) = text.split_once('/')?;
        let is_number = !bits.is_empty() && bits.bytes().all(|digit| digit.is_ascii_digit());
        let bits = bits.parse::<u32>().ok().filter(|_| is_number)?;
        let address = sloppy(address)?;
        Some(Self { address, bits }).filter(|range| range.bits <= range.all_bits())
    }

    pub(super) fn is_v6(self) -> bool {
        self.address.is_ipv6()
    }

    fn all_bits(self) -> u32 {
        if self.is_v6() { 128 } else { 32 }
    }

    /// The address as a number, without the bits that are not alike in a range of `bits`.
    fn first(self, bits: u32) -> u128 {
        let number = match self.address {
            IpAddr::V4(address) => u128::from(u32::from(address)),
            IpAddr::V6(address) => u128::from(address),
        };
        let rest = self.all_bits().saturating_sub(bits);
        number.checked_shr(rest).and_then(|kept| kept.checked_shl(rest)).unwrap_or(0)
    }

    /// Whether another range is in this one, which has more than that.
    pub(super) fn holds(self, other: Self) -> bool {
        self.is_v6() == other.is_v6()
            && self.bits < other.bits
            && self.first(self.bits) == other.first(self.bits)
    }

    /// The range as it is written.
    fn canonical(self) -> String {
        let first = self.first(self.bits);
        let address = match self.address {
            IpAddr::V4(_) => IpAddr::V4(u32::try_from(first).unwrap_or_default().into()),
            IpAddr::V6(_) => IpAddr::V6(first.into()),
        };
        format!("{address}/{}", self.bits)
    }
}

/// A range, or nothing where it is none or programs read it in different ways, which is told
/// (`IsValidCIDRForLegacyField` in `apimachinery/pkg/util/validation`).
pub(super) fn range(check: &mut Check<'_>, path: &str, text: &str) -> Option<Range> {
    let (address, bits) = text.split_once('/').unwrap_or_default();
    let strict = address.parse::<IpAddr>().ok();
    let has_zeros = strict.is_none() || bits.len() > 1 && bits.starts_with('0');
    let is_mapped =
        matches!(strict, Some(IpAddr::V6(address)) if address.to_ipv4_mapped().is_some());
    let detail = match Range::read(text) {
        None => "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)",
        Some(_) if has_zeros => "must not have leading 0s in IP or prefix length",
        Some(_) if is_mapped => "must not have an IPv4-mapped IPv6 address",
        Some(range) if range.first(range.bits) != range.first(range.all_bits()) => {
            "must not have bits set beyond the prefix length"
        }
        range => return range,
    };
    check.push(FieldError::invalid(path, text, detail));
    None
}

/// An address of an interface, with the bits of its network, as upstream writes it (`IsValidInterfaceAddress`).
pub(super) fn interface(check: &mut Check<'_>, place: &Place<'_>) {
    let Some(Range { address, bits }) = Range::read(place.text()) else {
        let detail = "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)";
        return check.push(FieldError::invalid(&*place.path, place.text(), detail));
    };
    let mapped = match address {
        IpAddr::V6(address) => address.to_ipv4_mapped(),
        IpAddr::V4(_) => None,
    };
    let canonical = match mapped {
        // The bits before it are none of its own, so there may be less than none.
        Some(address) if bits > 32 => format!("{address}/{}", i64::from(bits) - 96),
        Some(address) => format!("{address}/{bits}"),
        None => format!("{address}/{bits}"),
    };
    if canonical != place.text() {
        let detail = format!("must be in canonical form ({})", quote(&canonical));
        check.push(FieldError::invalid(&*place.path, place.text(), detail));
    }
}

/// A range that is written as upstream writes it (`IsValidCIDR`), or else that is told.
pub(super) fn canonical_range(check: &mut Check<'_>, place: &Place<'_>) {
    let Some(range) = range(check, &place.path, place.text()) else { return };
    let canonical = range.canonical();
    if canonical != place.text() {
        let detail = format!("must be in canonical form ({})", quote(&canonical));
        check.push(FieldError::invalid(&*place.path, place.text(), detail));
    }
}
