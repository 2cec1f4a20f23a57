//! Why the program cannot go on: one sentence, with what to do.

use std::fmt;

/// One sentence: what happened, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem(String);

impl Problem {
    /// A problem in words.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Problem {}

impl From<watchkeeper::Error> for Problem {
    fn from(error: watchkeeper::Error) -> Self {
        Self(error.to_string())
    }
}
