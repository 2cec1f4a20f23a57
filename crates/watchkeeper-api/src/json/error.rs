//! What went wrong, where in the value and where in its text or bytes.

use std::borrow::Cow;
use std::fmt;

/// A text that is no JSON, or bytes that are no protobuf, or do not fit the type read.
///
/// ```
/// use watchkeeper_api::{List, json};
/// let error = json::from_str::<List<i32>>("[1, \"two\"]").unwrap_err();
/// assert_eq!(error.to_string(), "[1]: expected a number, found a string (at byte 4)");
/// assert_eq!((error.path(), error.offset()), ("[1]".to_owned(), 4));
/// ```
// Boxed, so that results are as small as their values: errors are rare.
#[derive(Clone, PartialEq, Eq)]
pub struct ReadError(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    message: Cow<'static, str>,
    offset: usize,
    /// Innermost first: filled while the error travels up.
    path: Vec<Step>,
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Member(Box<str>),
    Index(usize),
    /// An element that goes by its name.
    Name(Box<str>),
}

/// Enough for every path that means something; deeper ones are attacks.
const STEPS_SHOWN: usize = 24;

impl ReadError {
    /// An error at byte `offset` of the text.
    #[cold]
    #[must_use]
    pub fn new(message: impl Into<Cow<'static, str>>, offset: usize) -> Self {
        Self(Box::new(Inner { message: message.into(), offset, path: Vec::new() }))
    }

    /// What is wrong, without the place.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The byte of the text at which it was noticed.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.0.offset
    }

    /// The value that is wrong, as in `spec.containers[0].name`; empty for the whole. Of a very
    /// deep one the last steps.
    #[must_use]
    pub fn path(&self) -> String {
        path_after(
            if self.0.path.len() > STEPS_SHOWN { "…" } else { "" },
            self.0.path.iter().take(STEPS_SHOWN).rev(),
        )
    }

    /// The same error in bytes that begin `bytes` earlier.
    #[cold]
    #[must_use]
    pub(crate) fn later(mut self, bytes: usize) -> Self {
        self.0.offset += bytes;
        self
    }

    /// The same error, one member further out.
    #[cold]
    #[must_use]
    pub fn in_member(mut self, name: &str) -> Self {
        self.0.path.push(Step::Member(name.into()));
        self
    }

    /// The same error, one list further out.
    #[cold]
    #[must_use]
    pub fn in_element(mut self, index: usize) -> Self {
        self.0.path.push(Step::Index(index));
        self
    }
}

/// A path, outermost step first.
pub(crate) fn path<'s>(steps: impl Iterator<Item = &'s Step>) -> String {
    path_after("", steps)
}

fn path_after<'s>(start: &str, steps: impl Iterator<Item = &'s Step>) -> String {
    let mut path = start.to_owned();
    for step in steps {
        match step {
            Step::Member(name) if is_plain(name) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(name);
            }
            Step::Member(name) => path.push_str(&format!("[{name:?}]")),
            Step::Index(index) => path.push_str(&format!("[{index}]")),
            Step::Name(name) => path.push_str(&format!("[{name}]")),
        }
    }
    path
}

pub(crate) fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_$".contains(&byte))
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path();
        if !path.is_empty() {
            write!(f, "{path}: ")?;
        }
        write!(f, "{} (at byte {})", self.message(), self.offset())
    }
}

impl fmt::Debug for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReadError({self})")
    }
}

impl std::error::Error for ReadError {}
