//! Why a read of the copy was not answered, or a stream of its changes broke off.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::ObjectKey;
use watchkeeper_api::error::Why as Reason;
use watchkeeper_api::meta::v1::Status as Answer;

use crate::status::Status;

/// A read that was not answered, because the answer would have been wrong, or a stream of changes that broke
/// off, because it would have left some out.
///
/// Nearly all of them pass: try again later, as a controller does that returns this error.
#[derive(Clone, Debug)]
pub struct Error(Arc<Inner>);

/// The result of a read of the copy.
pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Debug)]
struct Inner {
    /// What was read: `pods shop/web`.
    subject: String,
    why: Why,
    /// Of the copy read, or of every one that was late.
    copies: Vec<Status>,
}

/// What was missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// An own write is not in the copy yet.
    Behind { held: String, waited: Duration },
    /// The first list has not come.
    NotSynced { waited: Duration },
    /// Some first lists have not come.
    Late { waited: Duration },
    /// What came of an own write of this object cannot be read.
    Unreadable { key: ObjectKey, reason: Option<String> },
    /// The key is of a namespace that is not followed.
    NotFollowed,
    /// The copy is of other objects: of which.
    NotSelected { only: String },
    /// There is no such object.
    NotFound,
    /// Too many changes waited for a stream of them.
    Lagged,
    /// Nobody runs the cache any more.
    Stopped,
}

impl Error {
    pub(crate) fn new(subject: String, why: Why, status: Status) -> Self {
        Self::about(subject, why, vec![status])
    }

    /// About several copies; there is at least one.
    pub(crate) fn about(subject: String, why: Why, copies: Vec<Status>) -> Self {
        Self(Arc::new(Inner { subject, why, copies }))
    }

    /// The copy has not caught up with a write of this process within the deadline.
    #[must_use]
    pub fn is_behind(&self) -> bool {
        matches!(self.0.why, Why::Behind { .. })
    }

    /// A write of this process came back as an object that cannot be read, or that its transform failed of, so
    /// the copy has an older state of it, or none, and will have until the next state that can be read.
    ///
    /// That is not waited for: it takes a change of the object, of its definition or of this program. Until then
    /// a read of the object, and a list of what it is among, fails as long as the process lives that wrote it;
    /// [`peek`](crate::Watch::peek) and [`Lister`](crate::Lister)s go on telling what there is.
    #[must_use]
    pub fn is_unreadable(&self) -> bool {
        matches!(self.0.why, Why::Unreadable { .. })
    }

    /// The first list has not come yet; [`status`](Self::status) says why.
    #[must_use]
    pub fn is_not_synced(&self) -> bool {
        matches!(self.0.why, Why::NotSynced { .. } | Why::Late { .. })
    }

    /// The copy has no such object.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        self.0.why == Why::NotFound
    }

    /// The key is of a namespace that is not followed, or is not the one that the copy's fields select, so the
    /// copy cannot know.
    #[must_use]
    pub fn is_not_followed(&self) -> bool {
        matches!(self.0.why, Why::NotFollowed | Why::NotSelected { .. })
    }

    /// A [stream of changes](crate::Changes) was not asked for the next one in time, and is over: what
    /// follows is in a new one, from all there is on.
    #[must_use]
    pub fn is_lagged(&self) -> bool {
        self.0.why == Why::Lagged
    }

    /// Whoever ran the cache has stopped.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.why == Why::Stopped
    }

    /// How the copy was doing; of several, the first that was late.
    #[must_use]
    pub fn status(&self) -> &Status {
        &self.0.copies[0]
    }

    /// How every copy was doing that was waited for in vain (upstream: `SyncResult`).
    #[must_use]
    pub fn copies(&self) -> &[Status] {
        &self.0.copies
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { subject, why, copies } = &*self.0;
        match why {
            Why::Behind { held, waited } => {
                write!(
                    f,
                    "the copy of {subject} is behind this process's own writes: waited {waited:?} for {held}"
                )?;
            }
            Why::NotSynced { waited: Duration::ZERO } => {
                write!(f, "the copy of {subject} is not there yet")?;
            }
            Why::NotSynced { waited } => {
                write!(f, "the copy of {subject} is not there after {waited:?}")?;
            }
            Why::Late { waited } => {
                write!(f, "{subject} are not there after {waited:?}")?;
                return told(f, copies);
            }
            Why::Stopped if copies.len() > 1 => {
                write!(f, "{subject} are not followed any more")?;
                return told(f, copies);
            }
            Why::Stopped => write!(f, "the copy of {subject} is not followed any more")?,
            Why::NotFound => return write!(f, "{subject} not found"),
            Why::Lagged => {
                return write!(f, "{subject} was too slow, and is told no more changes");
            }
            Why::NotFollowed => return write!(f, "the namespace of {subject} is not followed"),
            Why::NotSelected { only } => {
                return write!(f, "{subject} is not followed, only what has {only}");
            }
            Why::Unreadable { key, reason } => {
                let reason = reason.as_deref().unwrap_or("it was left out");
                return write!(
                    f,
                    "the copy of {subject} is without this process's own write of {key}, which cannot be read: {reason}"
                );
            }
        }
        match &self.status().last_error {
            Some(error) => write!(f, "; the last error was: {error}"),
            None => Ok(()),
        }
    }
}

fn told(f: &mut fmt::Formatter<'_>, copies: &[Status]) -> fmt::Result {
    copies.iter().try_for_each(|status| write!(f, "; {status}"))
}

impl std::error::Error for Error {}

/// So that `?` takes it in a function that returns [`watchkeeper_api::Result`]. What passes is then
/// [`is_retryable`](watchkeeper_api::Error::is_retryable), with this error at the end of its sources; an
/// object that is not there is [`is_not_found`](watchkeeper_api::Error::is_not_found).
impl From<Error> for watchkeeper_api::Error {
    fn from(error: Error) -> Self {
        let reason = match &error.0.why {
            Why::Behind { .. } | Why::NotSynced { .. } | Why::Late { .. } => {
                Reason::NotYet(Box::new(error))
            }
            Why::NotFound => Reason::Status(Box::new(not_found(error.to_string()))),
            Why::Unreadable { .. }
            | Why::NotFollowed
            | Why::NotSelected { .. }
            | Why::Lagged
            | Why::Stopped => Reason::Other(error.to_string().into()),
        };
        reason.into()
    }
}

/// What a server says of an object that is not there.
fn not_found(message: String) -> Answer {
    Answer {
        status: "Failure".into(),
        message: message.into(),
        reason: "NotFound".into(),
        code: 404,
        ..Answer::default()
    }
}
