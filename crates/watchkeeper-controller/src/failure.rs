//! How a reconcile says that it failed, and what shall follow.

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use watchkeeper_api::error::Why;

#[cfg(test)]
mod tests;

type Cause = dyn StdError + 'static;
type BoxError = Box<dyn StdError + Send + Sync>;

/// Why a reconcile failed, and when to try again.
///
/// Every error turns into one with `?`: this toolkit's, those of other libraries, text, boxes. It
/// is tried again after the key's backoff, unless [`terminal`](Self::terminal) or
/// [`retry_after`](Self::retry_after) say otherwise. It is no `std::error::Error` itself, which
/// is what lets `?` take them all.
pub struct Failure {
    why: BoxError,
    again: Again,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Again {
    Backoff,
    After(Duration),
    OnChange,
}

/// What the worker does about a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retry {
    /// After the key's backoff.
    Backoff,
    /// After this time, because the reconciler or the server asked for it.
    After(Duration),
    /// Not before something changes.
    Never,
}

impl Retry {
    /// How long it waits, where that is said.
    pub(crate) const fn delay(self) -> Option<Duration> {
        match self {
            Self::After(delay) => Some(delay),
            Self::Backoff | Self::Never => None,
        }
    }
}

impl fmt::Display for Retry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Backoff => f.write_str("after a backoff"),
            Self::After(delay) => write!(f, "after {delay:?}"),
            Self::Never => f.write_str("when something changes"),
        }
    }
}

impl Failure {
    /// A failure to be tried again after the key's backoff.
    pub fn new(why: impl Into<BoxError>) -> Self {
        Self { why: why.into(), again: Again::Backoff }
    }

    /// Trying again would not help: the object is looked at when it changes, not before.
    /// Controller-runtime's `TerminalError`.
    #[must_use]
    pub fn terminal(self) -> Self {
        Self { again: Again::OnChange, ..self }
    }

    /// Try again after `delay` rather than after the backoff.
    #[must_use]
    pub fn retry_after(self, delay: Duration) -> Self {
        Self { again: Again::After(delay), ..self }
    }

    /// Whether trying again would not help.
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        self.again == Again::OnChange
    }

    /// Whether the object had changed since it was read. Such a failure is part of normal work:
    /// the next try sees the new object.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        Why::of(&*self.why).is_some_and(Why::is_conflict)
    }

    /// Whether a copy had not caught up with this process's own writes
    /// ([`Watch::try_get`](watchkeeper_cache::Watch::try_get), or a read whose deadline has passed). Such a
    /// failure is part of normal work, too: the object is skipped and looked at again.
    #[must_use]
    pub fn is_behind(&self) -> bool {
        let mut errors = chain(&*self.why).filter_map(|error| error.downcast_ref());
        errors.any(watchkeeper_cache::Error::is_behind)
    }

    /// Whether a copy was read after whoever ran it had stopped, as when a program ends.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        let mut errors = chain(&*self.why).filter_map(|error| error.downcast_ref());
        errors.any(watchkeeper_cache::Error::is_stopped)
    }

    /// The error itself.
    #[must_use]
    pub fn why(&self) -> &(dyn StdError + Send + Sync + 'static) {
        &*self.why
    }

    /// What shall follow. The server's wish for a pause counts if the reconciler has none.
    pub(crate) fn retry(&self) -> Retry {
        match self.again {
            Again::OnChange => Retry::Never,
            Again::After(delay) => Retry::After(delay),
            Again::Backoff => match Why::of(&*self.why).and_then(Why::retry_after) {
                Some(delay) => Retry::After(delay),
                None => Retry::Backoff,
            },
        }
    }
}

/// An error and what caused it, outermost first.
fn chain(error: &Cause) -> impl Iterator<Item = &Cause> {
    std::iter::successors(Some(error), |error| Cause::source(*error))
}

impl<E: Into<BoxError>> From<E> for Failure {
    fn from(why: E) -> Self {
        Self::new(why)
    }
}

/// The whole chain in one line; a cause that its effect already tells is left out.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut said = String::new();
        for error in chain(&*self.why) {
            let text = error.to_string();
            if said.is_empty() {
                said = text;
            } else if !said.contains(&text) {
                said.push_str(": ");
                said.push_str(&text);
            }
        }
        f.write_str(&said)
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Failure").field("why", &self.why).field("again", &self.again).finish()
    }
}

/// Says on the spot what shall follow an error: `client.get(…).await.terminal()?`.
pub trait OrFail<T> {
    /// Turns an error into a [terminal](Failure::terminal) failure.
    ///
    /// # Errors
    ///
    /// Fails if `self` is an error.
    fn terminal(self) -> Result<T, Failure>;

    /// Turns an error into a failure that is [tried again](Failure::retry_after) after `delay`.
    ///
    /// # Errors
    ///
    /// Fails if `self` is an error.
    fn retry_after(self, delay: Duration) -> Result<T, Failure>;
}

impl<T, E: Into<Failure>> OrFail<T> for Result<T, E> {
    fn terminal(self) -> Result<T, Failure> {
        self.map_err(|error| error.into().terminal())
    }

    fn retry_after(self, delay: Duration) -> Result<T, Failure> {
        self.map_err(|error| error.into().retry_after(delay))
    }
}
