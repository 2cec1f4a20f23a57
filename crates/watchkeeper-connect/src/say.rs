//! Errors as sentences: what is wrong, with what, and what to do.

use std::fmt;

/// An error made of one sentence.
macro_rules! say {
    ($($sentence:tt)*) => { watchkeeper_api::Error::other(format!($($sentence)*)) };
}
pub(crate) use say;

/// Whom errors name: each with the context and the file, as far as there are such.
#[derive(Clone)]
pub(crate) struct Names {
    /// `context "a" of ~/.kube/config`.
    pub(crate) origin: String,
    /// `cluster "c" in context "a" of ~/.kube/config`.
    pub(crate) cluster: String,
    /// `user "b" in context "a" of ~/.kube/config`.
    pub(crate) user: String,
}

impl Names {
    /// One name for all, where there are no entries to name.
    pub(crate) fn all(origin: &str) -> Self {
        Self::new(origin.to_owned(), "", "")
    }

    /// The entries of these names; one without a name is the origin itself.
    pub(crate) fn new(origin: String, cluster: &str, user: &str) -> Self {
        let entry = |what: &str, name: &str| match name {
            "" => origin.clone(),
            name => format!("{what} {name:?} in {origin}"),
        };
        Self { cluster: entry("cluster", cluster), user: entry("user", user), origin }
    }
}

/// A failure of a request below HTTP, as one sentence. What caused it is told in it.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}
