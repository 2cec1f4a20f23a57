//! A number or a text, as in `maxSurge: 1` and `maxSurge: 25%`.

use std::fmt;

use crate::IStr;

/// Upstream's `intstr.IntOrString`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IntOrString {
    /// A number.
    Int(i32),
    /// A text: a percentage, or the name of a port.
    String(IStr),
}

impl IntOrString {
    /// The number, or the percentage of `total`, rounded up or down; `None` for other text.
    ///
    /// As upstream's `GetScaledValueFromIntOrPercent`.
    #[must_use]
    pub fn scaled(&self, total: i32, round_up: bool) -> Option<i32> {
        match self {
            Self::Int(value) => Some(*value),
            Self::String(text) => {
                let percent: i32 = text.strip_suffix('%')?.parse().ok()?;
                let product = i64::from(percent) * i64::from(total);
                let value =
                    if round_up { -(-product).div_euclid(100) } else { product.div_euclid(100) };
                i32::try_from(value).ok()
            }
        }
    }
}

impl Default for IntOrString {
    fn default() -> Self {
        Self::Int(0)
    }
}

impl fmt::Display for IntOrString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => fmt::Display::fmt(value, f),
            Self::String(text) => fmt::Display::fmt(text, f),
        }
    }
}

impl From<i32> for IntOrString {
    fn from(value: i32) -> Self {
        Self::Int(value)
    }
}

impl From<&str> for IntOrString {
    fn from(text: &str) -> Self {
        Self::String(IStr::from(text))
    }
}

impl From<String> for IntOrString {
    fn from(text: String) -> Self {
        Self::String(IStr::from(text))
    }
}

impl From<IStr> for IntOrString {
    fn from(text: IStr) -> Self {
        Self::String(text)
    }
}
