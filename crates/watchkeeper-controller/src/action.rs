//! When to look again.

use std::time::Duration;

use tokio::time::Instant;

/// What a reconcile that went well asks for.
///
/// Whatever it is, the object is looked at again when it changes, and its failures are forgotten.
/// The counterpart of controller-runtime's `reconcile.Result`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "return it from the reconcile function"]
pub struct Action {
    again: Again,
    priority: Option<i32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Again {
    OnChange,
    After(Duration),
    At(Instant),
}

impl Action {
    /// Nothing to do until something changes.
    pub const fn done() -> Self {
        Self::of(Again::OnChange)
    }

    /// Look again after `delay`, even if nothing changes.
    pub const fn after(delay: Duration) -> Self {
        Self::of(Again::After(delay))
    }

    /// Look again at a moment of the runtime's clock, even if nothing changes.
    pub const fn at(moment: Instant) -> Self {
        Self::of(Again::At(moment))
    }

    /// When it is looked at again, it goes before objects of a lower priority; it keeps the one that it had
    /// unless this is said (N-02). Changes have 0, and what is looked at although nothing changed -100.
    pub const fn priority(self, priority: i32) -> Self {
        Self { priority: Some(priority), ..self }
    }

    const fn of(again: Again) -> Self {
        Self { again, priority: None }
    }

    pub(crate) const fn with_priority(self) -> Option<i32> {
        self.priority
    }

    /// How long to wait as of `now`.
    pub(crate) fn delay(self, now: Instant) -> Option<Duration> {
        match self.again {
            Again::OnChange => None,
            Again::After(delay) => Some(delay),
            Again::At(moment) => Some(moment.saturating_duration_since(now)),
        }
    }
}
