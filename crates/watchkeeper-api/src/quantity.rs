//! Amounts with units, as in `cpu: 100m` and `memory: 1Gi`: upstream's `resource.Quantity`.
//!
//! A [`Quantity`] keeps the text it was given, so an object goes back as it came. Everything else
//! looks at the [`Amount`] behind it: `1024Mi` equals `1Gi`.

mod amount;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use crate::IStr;
pub use amount::{Amount, Format, QuantityError};

/// An amount as it was written. Compares by amount; text that is none compares as text, behind all
/// amounts. One that is not set is no text to read, but it compares as zero and is written as `0`, as upstream's
/// zero value.
///
/// ```
/// use watchkeeper_api::Quantity;
/// let memory = Quantity::from("1024Mi");
/// assert_eq!(memory, Quantity::from("1Gi"));
/// assert_eq!(memory.to_string(), "1024Mi");
/// assert_eq!(memory.canonical()?.to_string(), "1Gi");
/// assert!(Quantity::from("1500m") > Quantity::from("1"));
/// # Ok::<(), watchkeeper_api::quantity::QuantityError>(())
/// ```
#[derive(Clone, Default)]
pub struct Quantity(IStr);

impl Quantity {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The amount.
    ///
    /// # Errors
    /// When the text is no quantity.
    pub fn amount(&self) -> Result<Amount, QuantityError> {
        self.0.parse()
    }

    /// The same amount in the one spelling that the API server answers with.
    ///
    /// # Errors
    /// When the text is no quantity.
    pub fn canonical(&self) -> Result<Self, QuantityError> {
        Ok(self.amount()?.into())
    }

    /// What it compares by.
    fn compared(&self) -> Result<Amount, QuantityError> {
        if self.0.is_empty() { Ok(Amount::from(0)) } else { self.amount() }
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.0 == other.0 {
            return Ordering::Equal;
        }
        match (self.compared(), other.compared()) {
            (Ok(a), Ok(b)) => a.cmp(&b),
            (Ok(_), Err(_)) => Ordering::Less,
            (Err(_), Ok(_)) => Ordering::Greater,
            (Err(_), Err(_)) => self.0.cmp(&other.0),
        }
    }
}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Quantity {}

impl Hash for Quantity {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.compared() {
            Ok(amount) => amount.hash(state),
            Err(_) => self.0.hash(state),
        }
    }
}

impl From<Amount> for Quantity {
    fn from(amount: Amount) -> Self {
        Self(IStr::from(amount.to_string()))
    }
}

impl From<IStr> for Quantity {
    fn from(text: IStr) -> Self {
        Self(text)
    }
}

impl From<&str> for Quantity {
    fn from(text: &str) -> Self {
        Self(IStr::from(text))
    }
}

impl From<String> for Quantity {
    fn from(text: String) -> Self {
        Self(IStr::from(text))
    }
}

impl From<i64> for Quantity {
    fn from(value: i64) -> Self {
        Amount::from(value).into()
    }
}
