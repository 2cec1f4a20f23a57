//! What did change in the copy.

use std::fmt;
use std::sync::Arc;

use watchkeeper_api::ObjectKey;

use crate::item::{Item, unchanged};

/// What did change in the local copy, as handlers are told (upstream: `OnAdd`, `OnUpdate`, `OnDelete`).
///
/// For each object the changes come in order and are a subsequence of the states the server had: none is
/// invented, some may be skipped, the last one is not. Nothing is promised between different objects.
/// Values are shared with the store and with every other handler.
#[derive(Debug)]
pub enum Change<K> {
    /// The object is new to the copy, or to this handler.
    Added {
        /// The object.
        new: Arc<K>,
        /// Part of what was there when the handler began to listen.
        initial: bool,
    },
    /// The object has another state. With `old` and `new` of the same version it is a [resync](Self::is_resync).
    Updated {
        /// As it was before.
        old: Arc<K>,
        /// As it is now.
        new: Arc<K>,
    },
    /// The object is gone.
    Deleted {
        /// The last state known.
        last: Arc<K>,
        /// The deletion itself was not seen, so `last` may be older than the object's true last state
        /// (upstream: `DeletedFinalStateUnknown`).
        final_state_unknown: bool,
    },
}

impl<K> Change<K> {
    /// The object in its newest state.
    #[must_use]
    pub const fn object(&self) -> &Arc<K> {
        match self {
            Self::Added { new, .. } | Self::Updated { new, .. } => new,
            Self::Deleted { last, .. } => last,
        }
    }

    /// The state before, if there was one.
    #[must_use]
    pub const fn old(&self) -> Option<&Arc<K>> {
        match self {
            Self::Updated { old, .. } => Some(old),
            Self::Added { .. } | Self::Deleted { .. } => None,
        }
    }

    /// Whether the object is gone.
    #[must_use]
    pub const fn is_deleted(&self) -> bool {
        matches!(self, Self::Deleted { .. })
    }

    /// Whether this is part of what was there when the handler began to listen.
    #[must_use]
    pub const fn is_initial(&self) -> bool {
        matches!(self, Self::Added { initial: true, .. })
    }
}

impl<K: Item> Change<K> {
    /// Whether nothing changed and the handler is told again because its resync period has passed.
    #[must_use]
    pub fn is_resync(&self) -> bool {
        matches!(self, Self::Updated { old, new } if unchanged(&**old, &**new))
    }

    pub(crate) fn key(&self) -> ObjectKey {
        self.object().item_key()
    }
}

impl<K> Clone for Change<K> {
    fn clone(&self) -> Self {
        match self {
            Self::Added { new, initial } => Self::Added { new: Arc::clone(new), initial: *initial },
            Self::Updated { old, new } => {
                Self::Updated { old: Arc::clone(old), new: Arc::clone(new) }
            }
            Self::Deleted { last, final_state_unknown } => {
                Self::Deleted { last: Arc::clone(last), final_state_unknown: *final_state_unknown }
            }
        }
    }
}

/// One line a change, for logs and the tests: `update default/a @3 -> @4`.
impl<K: Item> fmt::Display for Change<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = self.object().item_version();
        match self {
            Self::Added { initial: true, .. } => {
                write!(f, "add {} @{version} (initial)", self.key())
            }
            Self::Added { .. } => write!(f, "add {} @{version}", self.key()),
            Self::Updated { .. } if self.is_resync() => {
                write!(f, "resync {} @{version}", self.key())
            }
            Self::Updated { old, .. } => {
                write!(f, "update {} @{} -> @{version}", self.key(), old.item_version())
            }
            Self::Deleted { final_state_unknown: true, .. } => {
                write!(f, "delete {} last seen @{version}", self.key())
            }
            Self::Deleted { .. } => write!(f, "delete {} @{version}", self.key()),
        }
    }
}
