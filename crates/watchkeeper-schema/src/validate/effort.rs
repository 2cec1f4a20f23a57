//! How much work a validation may be.

use std::cell::Cell;

use crate::error::{FieldError, Reason};

/// Schemas asked, values compared with, states of patterns made, bytes of what is said: as much as anybody
/// would wait for.
const MOST: u64 = 5_000_000;
/// So many states of a pattern looking at one byte of text are as much work as one schema.
const STATES: u64 = 64;

/// What has been done of it.
#[derive(Default)]
pub(super) struct Effort(Cell<u64>);

impl Effort {
    /// Whether so much more may be done.
    pub(super) fn take(&self, much: u64) -> bool {
        self.0.set(self.0.get().saturating_add(much));
        !self.is_spent()
    }

    /// Whether a text may be matched with so many states.
    pub(super) fn take_states(&self, states: u64, bytes: usize) -> bool {
        self.take(states.saturating_mul(bytes as u64 + 1) / STATES)
    }

    /// Whether a mistake of that many bytes may be told beside the others: it is written some times over, and
    /// nobody reads ten thousand of them.
    pub(super) fn take_mistake(&self, bytes: usize) -> bool {
        self.take(200 + 2 * bytes as u64)
    }

    pub(super) fn is_spent(&self) -> bool {
        self.0.get() > MOST
    }

    /// What is said when it was too much.
    pub(super) fn complaint(&self) -> Option<FieldError> {
        let detail = "validating this value by its schema takes too long; shorten lists, patterns or enumerations";
        self.is_spent().then(|| FieldError::new(Reason::TooLong, "<nil>", None, detail))
    }
}
