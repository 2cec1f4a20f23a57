//! What an own write made, which the copy has to come to.

use super::Seen;
use crate::selection::Selected;
use crate::version::Version;

/// What an own write made, or what the server was found to have.
#[derive(Debug)]
pub(super) struct Floor {
    pub(super) ticket: u64,
    pub(super) version: Version,
    /// Not known of what was asked for.
    pub(super) uid: String,
    pub(super) selected: Selected,
    /// The moment at which the write was answered, or the server asked: what began then or later came after it.
    pub(super) made: u64,
    /// The own write that ended it.
    pub(super) over: Option<u64>,
}

/// The newest of an object that is from before the seal: who reads waits for no later write.
pub(super) fn newest(floors: &[Floor], seal: u64) -> Option<&Floor> {
    floors.iter().rev().find(|floor| floor.ticket < seal)
}

/// Whether only the server knows if one of them is selected.
pub(super) fn has_unsure(floors: &[Floor]) -> bool {
    floors.iter().any(|floor| floor.selected == Selected::Unsure)
}

impl Floor {
    /// Whether the copy has yet to come to it.
    pub(super) fn holds(&self, seen: Option<Seen<'_>>, reached: Option<Version>) -> bool {
        let shown = seen.and_then(|seen| Version::parse(seen.version));
        // A copy whose versions are opaque cannot tell when it has caught up: fail open.
        let is_behind = shown.max(reached).is_some_and(|newest| newest < self.version);
        is_behind && (self.selected != Selected::No || shown.is_some())
    }

    pub(super) fn is_of(&self, uid: &str) -> bool {
        !uid.is_empty() && self.uid == uid
    }

    /// Whether the object left the selection with it, after what was made before.
    pub(super) fn leaves(&self, made: &Self) -> bool {
        self.selected == Selected::No && self.version > made.version
    }
}
