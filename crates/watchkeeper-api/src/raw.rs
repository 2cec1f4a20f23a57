//! JSON kept as text: what a type leaves open.

use std::fmt;

use crate::IStr;
use crate::json::{self, Read, ReadError, Reader, Write, Writer};
use crate::show;
use crate::show::secrecy::{self, Scope};

/// Any JSON value as compact text: upstream's `RawExtension`, `FieldsV1` and `JSON`.
///
/// The empty one means "absent". Numbers and strings keep their spelling; only the space between
/// tokens goes.
///
/// ```
/// use watchkeeper_api::Raw;
/// let raw = Raw::from_json("{ \"a\": [1, 2.50] }")?;
/// assert_eq!(raw.as_str(), r#"{"a":[1,2.50]}"#);
/// # Ok::<(), watchkeeper_api::json::ReadError>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Raw(IStr);

impl Raw {
    /// Checks `text` and keeps it, compact.
    ///
    /// # Errors
    /// When `text` is not one JSON value.
    pub fn from_json(text: &str) -> Result<Self, ReadError> {
        json::from_str(text)
    }

    /// The JSON text; empty when absent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether there is no value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads the value as a `T`; an absent one as `T`'s default reads `null`.
    ///
    /// # Errors
    /// When the value does not fit `T`.
    pub fn decode<T: Read>(&self) -> Result<T, ReadError> {
        json::from_str(if self.is_empty() { "null" } else { self.as_str() })
    }

    /// The JSON text of `value`.
    #[must_use]
    pub fn encode(value: &impl Write) -> Self {
        Self(IStr::unique(&json::to_string(value)))
    }
}

/// The text, or of what holds a secret, as [`show`](mod@crate::show) shows it.
impl fmt::Debug for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            "" => f.write_str("(absent)"),
            text if secrecy::may_hold(text) => f.write_str(&show::inline(text, Scope::Open)),
            text => f.write_str(text),
        }
    }
}

impl fmt::Display for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<&serde_json::Value> for Raw {
    fn from(value: &serde_json::Value) -> Self {
        Self(IStr::unique(&value.to_string()))
    }
}

impl Read for Raw {
    fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
        if r.null()? {
            return Ok(Self::default());
        }
        let text = r.raw()?;
        Ok(Self(IStr::new(&json::compact(text))))
    }
}

impl Write for Raw {
    fn write(&self, w: &mut Writer) {
        w.raw(if self.is_empty() { "null" } else { self.as_str() });
    }
    fn is_default(&self) -> bool {
        self.is_empty()
    }
}
