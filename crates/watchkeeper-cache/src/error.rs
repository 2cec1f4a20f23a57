//! Why a read of the copy was not answered.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::status::Status;

/// A read that was not answered, because the answer would have been wrong.
///
/// All of them pass: try again later, as a controller does that returns this error.
#[derive(Clone, Debug)]
pub struct Error(Arc<Inner>);

/// The result of a read of the copy.
pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Debug)]
struct Inner {
    /// What was read: `pods shop/web`.
    subject: String,
    why: Why,
    status: Status,
}

/// What was missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// An own write is not in the copy yet.
    Behind { held: String, waited: Duration },
    /// The first list has not come.
    NotSynced { waited: Duration },
    /// Nobody runs the cache any more.
    Stopped,
}

impl Error {
    pub(crate) fn new(subject: String, why: Why, status: Status) -> Self {
        Self(Arc::new(Inner { subject, why, status }))
    }

    /// The copy has not caught up with a write of this process within the deadline.
    #[must_use]
    pub fn is_behind(&self) -> bool {
        matches!(self.0.why, Why::Behind { .. })
    }

    /// The first list has not come yet; [`status`](Self::status) says why.
    #[must_use]
    pub fn is_not_synced(&self) -> bool {
        matches!(self.0.why, Why::NotSynced { .. })
    }

    /// Whoever ran the cache has stopped.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.why == Why::Stopped
    }

    /// How the copy was doing.
    #[must_use]
    pub fn status(&self) -> &Status {
        &self.0.status
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { subject, why, status } = &*self.0;
        match why {
            Why::Behind { held, waited } => {
                write!(
                    f,
                    "the copy of {subject} is behind this process's own writes: waited {waited:?} for {held}"
                )?;
            }
            Why::NotSynced { waited } => {
                write!(f, "the copy of {subject} is not there after {waited:?}")?;
            }
            Why::Stopped => write!(f, "the copy of {subject} is not followed any more")?,
        }
        match &status.last_error {
            Some(error) => write!(f, "; the last error was: {error}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
