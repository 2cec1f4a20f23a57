//! Versions that can be ordered.
//!
//! Versions of one kind are decimal numbers that grow (KEP-5504). Anything else is opaque: it is carried,
//! compared for equality, and whatever would need an order does without it.

use std::fmt;

/// A version known to be a number. Opaque ones have none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Version(u128);

impl Version {
    /// Reads a version; `None` for opaque ones, for the empty one and for `0`, which mean no version.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if !digits || text.starts_with('0') {
            return None;
        }
        text.parse().ok().map(Self)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn only_canonical_numbers_have_an_order() {
        for opaque in
            ["", "0", "007", "12a", "-1", "+1", " 1", "99999999999999999999999999999999999999999"]
        {
            assert_eq!(Version::parse(opaque), None, "{opaque:?}");
        }
        assert!(Version::parse("9") < Version::parse("10"));
    }
}
