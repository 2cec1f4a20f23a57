//! Where the addresses of Services come from.

use std::fmt;
use std::net::Ipv4Addr;
use std::str::FromStr;

/// The addresses that Services get: an IPv4 network without its first and last address
/// (`--service-cluster-ip-range`). The `kubernetes` Service has the first one that is left.
///
/// ```
/// use watchkeeper_apiserver::ServiceRange;
///
/// let range: ServiceRange = "10.0.0.0/24".parse()?;
/// assert_eq!(range.to_string(), "10.0.0.0/24");
/// assert_eq!(ServiceRange::default().to_string(), "10.96.0.0/16");
/// # Ok::<(), watchkeeper_apiserver::config::InvalidServiceRange>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServiceRange {
    network: u32,
    bits: u8,
}

impl ServiceRange {
    /// The first address, which is nobody's.
    pub(crate) const fn network(self) -> Ipv4Addr {
        Ipv4Addr::from_bits(self.network)
    }

    /// How many addresses there are to give.
    pub(crate) const fn count(self) -> u32 {
        (1 << (32 - self.bits)) - 2
    }

    /// How many of the first addresses are given only to those who ask for them, as long as there are others
    /// (KEP-3070, `calculateRangeOffset`).
    pub(crate) fn reserved(self) -> u32 {
        let size = self.count() + 2;
        if size <= 16 { 0 } else { (size / 16).clamp(16, 256) }
    }

    /// The address with that number, from zero on.
    pub(crate) fn address(self, number: u32) -> Ipv4Addr {
        Ipv4Addr::from(self.network + 1 + number)
    }

    pub(crate) fn contains(self, address: Ipv4Addr) -> bool {
        let number = u32::from(address).checked_sub(self.network + 1);
        number.is_some_and(|number| number < self.count())
    }
}

impl Default for ServiceRange {
    fn default() -> Self {
        Self { network: u32::from(Ipv4Addr::new(10, 96, 0, 0)), bits: 16 }
    }
}

impl fmt::Display for ServiceRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", Ipv4Addr::from(self.network), self.bits)
    }
}

impl FromStr for ServiceRange {
    type Err = InvalidServiceRange;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let invalid = || InvalidServiceRange(text.to_owned());
        let (address, bits) = text.split_once('/').ok_or_else(invalid)?;
        let address: Ipv4Addr = address.parse().map_err(|_| invalid())?;
        // Eight addresses are the least that upstream takes.
        let bits: Option<u8> = bits.parse().ok().filter(|bits| (8..=29).contains(bits));
        let bits = bits.ok_or_else(invalid)?;
        let network = u32::from(address) & (u32::MAX << (32 - bits));
        Ok(Self { network, bits })
    }
}

/// What is no range of addresses for Services.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidServiceRange(String);

impl fmt::Display for InvalidServiceRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = &self.0;
        write!(
            f,
            "{range:?} is no range of addresses for Services; write one of IPv4 with 8 to 29 bits, as 10.96.0.0/16"
        )
    }
}

impl std::error::Error for InvalidServiceRange {}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::ServiceRange;

    #[test]
    fn the_first_and_the_last_address_are_nobodys() {
        let range: ServiceRange = "10.0.0.77/24".parse().expect("a range");
        assert_eq!((range.to_string(), range.count()), ("10.0.0.0/24".to_owned(), 254));
        let ends = [range.address(0), range.address(range.count() - 1)];
        assert_eq!(ends, [Ipv4Addr::new(10, 0, 0, 1), Ipv4Addr::new(10, 0, 0, 254)]);
        assert!(ends.iter().all(|end| range.contains(*end)));
        for outside in [[10, 0, 0, 0], [10, 0, 0, 255], [10, 0, 1, 1], [9, 255, 255, 255]] {
            assert!(!range.contains(outside.into()), "{outside:?}");
        }
    }

    #[test]
    fn the_first_addresses_of_larger_ranges_are_reserved() {
        let expected =
            [(29, 0), (28, 0), (27, 16), (24, 16), (23, 32), (21, 128), (20, 256), (8, 256)];
        for (bits, reserved) in expected {
            let range: ServiceRange = format!("10.0.0.0/{bits}").parse().expect("a range");
            assert_eq!(range.reserved(), reserved, "{bits}");
        }
    }

    #[test]
    fn what_is_no_range_is_said() {
        for text in ["", "10.0.0.0", "10.0.0.0/30", "10.0.0.0/7", "10.0.0/24", "fd00::/108"] {
            let refused = text.parse::<ServiceRange>().expect_err("refused").to_string();
            assert!(refused.starts_with(&format!("{text:?} is no range")), "{refused}");
        }
        let both: Result<ServiceRange, _> = "10.0.0.0/24,fd00::/108".parse();
        assert!(both.is_err());
        assert_eq!("255.0.0.0/8".parse::<ServiceRange>().map(|r| r.count()), Ok((1 << 24) - 2));
    }
}
