//! How large what is known of a device may be (`dynamic-resource-allocation/cel`; `api/resource/v1`).

use std::sync::LazyLock;

use super::declared::Step;
use crate::node::Schema;

/// How long the name of a driver or of a domain is, at most.
const LONGEST_DOMAIN: u64 = 63;
/// How long the name of an attribute is within its domain, at most.
const LONGEST_NAME: u64 = 32;
/// How long the value of an attribute is, at most.
const LONGEST_VALUE: u64 = 64;
/// How many attributes a device has, at most.
const MOST: u64 = 32;

/// A part of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Device {
    Whole,
    Driver,
    /// Whether several may have it.
    Shared,
    /// The attributes by their domains, then those of one domain, then one of them.
    Attributes,
    OfDomain,
    Attribute,
    /// How much of what it has, by domains as well.
    Capacity,
    Amounts,
    Amount,
    Domain,
    Name,
}

impl Device {
    /// The part that a step from this one leads to.
    pub(super) fn inner(self, step: &Step) -> Option<Self> {
        Some(match (self, step) {
            (Self::Whole, Step::Name(name)) => match name.as_str() {
                "driver" => Self::Driver,
                "allowMultipleAllocations" => Self::Shared,
                "attributes" => Self::Attributes,
                "capacity" => Self::Capacity,
                _ => return None,
            },
            (Self::Attributes | Self::Capacity, Step::Keys) => Self::Domain,
            (Self::OfDomain | Self::Amounts, Step::Keys) => Self::Name,
            (Self::Attributes, Step::Items | Step::Values) => Self::OfDomain,
            // Attributes are known by any name, amounts are not.
            (Self::OfDomain, Step::Items | Step::Values | Step::Name(_)) => Self::Attribute,
            (Self::Capacity, Step::Items | Step::Values) => Self::Amounts,
            (Self::Amounts, Step::Items | Step::Values) => Self::Amount,
            _ => return None,
        })
    }

    /// How long a text, how many members; 0 where nothing is declared of it.
    pub(super) fn most(self) -> u64 {
        match self {
            Self::Whole | Self::Amount => 0,
            Self::Shared => 1,
            Self::Driver | Self::Domain => LONGEST_DOMAIN,
            Self::Name => LONGEST_NAME,
            Self::Attribute => LONGEST_VALUE,
            Self::Attributes | Self::OfDomain | Self::Capacity | Self::Amounts => MOST,
        }
    }
}

/// What has the members of a device.
pub(super) fn schema() -> &'static Schema {
    static DEVICE: LazyLock<Schema> = LazyLock::new(|| {
        let by_domain = || Schema::map(Schema::map(Schema::int_or_string()));
        Schema::object()
            .property("driver", Schema::string())
            .property("allowMultipleAllocations", Schema::boolean())
            .property("attributes", by_domain())
            .property("capacity", by_domain())
    });
    &DEVICE
}
