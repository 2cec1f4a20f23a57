//! Sizes and costs as upstream reckons them before it knows: from the least to the most
//! (cel-go, `checker/cost.go`).

/// The least and the most that a size or a cost may be; what is too large to count is `u64::MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) least: u64,
    pub(super) most: u64,
}

/// The number of values of 64 bits.
const TOO_LARGE: f64 = 18_446_744_073_709_551_616.0;

impl Range {
    pub(super) const UNKNOWN: Self = Self { least: 0, most: u64::MAX };
    /// Nothing yet: joined with others it is what they are.
    pub(super) const NOTHING: Self = Self { least: u64::MAX, most: 0 };

    pub(super) const fn of(number: u64) -> Self {
        Self { least: number, most: number }
    }

    pub(super) const fn up_to(most: u64) -> Self {
        Self { least: 0, most }
    }

    pub(super) const fn plus(self, other: Self) -> Self {
        Self {
            least: self.least.saturating_add(other.least),
            most: self.most.saturating_add(other.most),
        }
    }

    pub(super) const fn times(self, other: Self) -> Self {
        Self {
            least: self.least.saturating_mul(other.least),
            most: self.most.saturating_mul(other.most),
        }
    }

    /// Both multiplied by a factor, and rounded up.
    pub(super) fn scaled(self, factor: f64) -> Self {
        Self { least: scaled(self.least, factor), most: scaled(self.most, factor) }
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.max(other.most) }
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "as upstream reckons, which is rough where numbers are large"
)]
fn scaled(number: u64, factor: f64) -> u64 {
    let product = (number as f64 * factor).ceil();
    if product >= TOO_LARGE { u64::MAX } else { product as u64 }
}
