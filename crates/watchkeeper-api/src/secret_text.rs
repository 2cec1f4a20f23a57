//! Text that nobody is told.

use std::fmt;

use crate::IStr;
use crate::json::{Read, ReadError, Reader, Write, Writer};

/// What is shown in its place.
const SHOWN: &str = "(redacted)";

/// A text that is sent and kept, and never told: `Debug` and [`diff`](crate::diff) show `(redacted)`.
///
/// For passwords and tokens within custom resources, whose kind says nothing of secrets. The schema of such a
/// field is a string of the format `password`, and generated types have it where a definition says so.
///
/// It is not interned and has no `Display`. Memory is not wiped.
///
/// ```
/// use watchkeeper_api::{SecretText, json};
/// let token: SecretText = json::from_str("\"hunter2\"")?;
/// assert_eq!(format!("{token:?}"), "(redacted)");
/// assert_eq!(token.expose(), "hunter2");
/// assert_eq!(json::to_string(&token), "\"hunter2\"");
/// # Ok::<(), json::ReadError>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SecretText(IStr);

impl SecretText {
    /// Keeps a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(IStr::unique(text))
    }

    /// The text, for whoever needs it. What is done with it is no longer kept from anybody.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SHOWN)
    }
}

impl From<&str> for SecretText {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for SecretText {
    fn from(text: String) -> Self {
        Self::new(&text)
    }
}

impl Read for SecretText {
    fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
        if r.null()? {
            return Ok(Self::default());
        }
        Ok(Self::new(&r.text()?))
    }
}

impl Write for SecretText {
    fn write(&self, w: &mut Writer) {
        w.text(if w.is_for_people() { SHOWN } else { &self.0 });
    }

    fn is_default(&self) -> bool {
        self.is_empty()
    }
}
