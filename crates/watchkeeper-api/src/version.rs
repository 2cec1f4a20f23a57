//! How old a state of the server is.

#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::fmt;

use crate::IStr;

/// A resource version: opaque text, comparable when both sides are decimal numbers (KEP-5504).
///
/// ```
/// use std::cmp::Ordering;
/// use watchkeeper_api::ResourceVersion;
/// let (old, new) = (ResourceVersion::from("999"), ResourceVersion::from("1000"));
/// assert_eq!(old.compare(&new), Some(Ordering::Less));
/// assert_eq!(old.compare(&ResourceVersion::from("v2-abc")), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ResourceVersion(IStr);

impl ResourceVersion {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is unset.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Which is older, as upstream's `CompareResourceVersion`; `None` when a side is not a positive
    /// decimal number without leading zeros. Such versions must not be ordered: treat them as
    /// unknown.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        compare(self, other)
    }
}

/// [`ResourceVersion::compare`] on plain texts.
#[must_use]
pub fn compare(a: &str, b: &str) -> Option<Ordering> {
    let comparable = is_comparable(a) && is_comparable(b);
    comparable.then(|| a.len().cmp(&b.len()).then_with(|| a.cmp(b)))
}

fn is_comparable(version: &str) -> bool {
    version.bytes().all(|byte| byte.is_ascii_digit())
        && !version.starts_with('0')
        && !version.is_empty()
}

impl std::ops::Deref for ResourceVersion {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ResourceVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl<T: Into<IStr>> From<T> for ResourceVersion {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}
