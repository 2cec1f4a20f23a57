//! Why there is nothing to generate.

use std::fmt;

/// A document that no types can be made of, and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    source: String,
    message: String,
}

impl InputError {
    pub(crate) fn new(source: &str, message: impl Into<String>) -> Self {
        Self { source: source.to_owned(), message: message.into() }
    }

    /// The name of the document's file, as it was given.
    #[must_use]
    pub fn source_name(&self) -> &str {
        &self.source
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.source, self.message)
    }
}

impl std::error::Error for InputError {}
