//! Errors as sentences: what is wrong, with what, and what to do.

use std::fmt;

/// An error made of one sentence.
macro_rules! say {
    ($($sentence:tt)*) => { watchkeeper_api::Error::other(format!($($sentence)*)) };
}
pub(crate) use say;

/// A failure of a request below HTTP, as one sentence. What caused it is told in it.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}
