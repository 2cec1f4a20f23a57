//! What happened to one object, as the classic queue keeps it.

use std::fmt;
use std::sync::Arc;

use watchkeeper_api::ObjectKey;

use crate::change::Change;
use crate::delta::Delta;
use crate::item::Item;

/// Everything that happened to one object since somebody asked last, the oldest first; never empty
/// (upstream: `Deltas`).
#[derive(Debug)]
pub struct Deltas<K> {
    /// Which object.
    pub key: ObjectKey,
    /// What happened to it.
    pub list: Vec<ObjectDelta<K>>,
    /// Whether the queue had not synced when this left it.
    pub is_in_initial_list: bool,
}

impl<K> Deltas<K> {
    /// What happened first.
    #[must_use]
    pub fn oldest(&self) -> Option<&ObjectDelta<K>> {
        self.list.first()
    }

    /// What happened last.
    #[must_use]
    pub fn newest(&self) -> Option<&ObjectDelta<K>> {
        self.list.last()
    }
}

/// One thing that happened to an object (upstream: `Delta`, with its `DeltaType`).
#[derive(Debug)]
pub enum ObjectDelta<K> {
    /// The server said: added.
    Added(Arc<K>),
    /// The server said: modified.
    Updated(Arc<K>),
    /// The object was in a list.
    Replaced(Arc<K>),
    /// It is told again though nothing happened.
    Sync(Arc<K>),
    /// It is gone.
    Deleted(DeletedObject<K>),
}

impl<K> ObjectDelta<K> {
    /// The object, if there is one: of what vanished unseen there may be none.
    #[must_use]
    pub const fn object(&self) -> Option<&Arc<K>> {
        match self {
            Self::Added(object)
            | Self::Updated(object)
            | Self::Replaced(object)
            | Self::Sync(object) => Some(object),
            Self::Deleted(deleted) => deleted.object(),
        }
    }

    /// Whether the object is gone.
    #[must_use]
    pub const fn is_deleted(&self) -> bool {
        matches!(self, Self::Deleted(_))
    }

    /// What a store must do about it.
    #[must_use]
    pub fn into_delta(self) -> Delta<K> {
        match self {
            Self::Added(object) => Delta::Added(object),
            Self::Updated(object) | Self::Replaced(object) | Self::Sync(object) => {
                Delta::Updated(object)
            }
            Self::Deleted(DeletedObject::Seen(last)) => Delta::Deleted(last),
            Self::Deleted(DeletedObject::FinalStateUnknown { key, .. }) => {
                Delta::Vanished { key, version: String::new() }
            }
        }
    }
}

impl<K> Clone for ObjectDelta<K> {
    fn clone(&self) -> Self {
        match self {
            Self::Added(object) => Self::Added(Arc::clone(object)),
            Self::Updated(object) => Self::Updated(Arc::clone(object)),
            Self::Replaced(object) => Self::Replaced(Arc::clone(object)),
            Self::Sync(object) => Self::Sync(Arc::clone(object)),
            Self::Deleted(deleted) => Self::Deleted(deleted.clone()),
        }
    }
}

/// An object that is gone (upstream: `DeletedObject`, `DeletedFinalStateUnknown`).
#[derive(Debug)]
pub enum DeletedObject<K> {
    /// The deletion was seen, with the last state.
    Seen(Arc<K>),
    /// It was missing from a list, so its last state is what was known, if anything was.
    FinalStateUnknown {
        /// Which object.
        key: ObjectKey,
        /// What was known of it.
        last: Option<Arc<K>>,
    },
}

impl<K> DeletedObject<K> {
    /// The last state known.
    #[must_use]
    pub const fn object(&self) -> Option<&Arc<K>> {
        match self {
            Self::Seen(last) => Some(last),
            Self::FinalStateUnknown { last, .. } => last.as_ref(),
        }
    }
}

impl<K: Item> DeletedObject<K> {
    /// Namespace and name; of a tombstone those that it was made with, whatever it holds (upstream:
    /// `DeletionHandlingObjectToName`).
    #[must_use]
    pub fn key(&self) -> ObjectKey {
        match self {
            Self::Seen(last) => last.item_key(),
            Self::FinalStateUnknown { key, .. } => key.clone(),
        }
    }

    /// The deletion that a change tells, if it tells one.
    #[must_use]
    pub fn of(change: &Change<K>) -> Option<Self> {
        match change {
            Change::Deleted { last, final_state_unknown: false } => {
                Some(Self::Seen(Arc::clone(last)))
            }
            Change::Deleted { last, final_state_unknown: true } => {
                let (key, last) = (last.item_key(), Some(Arc::clone(last)));
                Some(Self::FinalStateUnknown { key, last })
            }
            Change::Added { .. } | Change::Updated { .. } => None,
        }
    }
}

impl<K> Clone for DeletedObject<K> {
    fn clone(&self) -> Self {
        match self {
            Self::Seen(last) => Self::Seen(Arc::clone(last)),
            Self::FinalStateUnknown { key, last } => {
                Self::FinalStateUnknown { key: key.clone(), last: last.clone() }
            }
        }
    }
}

/// `added @3`, `deleted last seen @2`, for logs and the tests.
impl<K: Item> fmt::Display for ObjectDelta<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self {
            Self::Added(_) => "added",
            Self::Updated(_) => "updated",
            Self::Replaced(_) => "replaced",
            Self::Sync(_) => "sync",
            Self::Deleted(DeletedObject::Seen(_)) => "deleted",
            Self::Deleted(DeletedObject::FinalStateUnknown { .. }) => "deleted, last seen",
        };
        match self.object() {
            Some(object) => write!(f, "{word} @{}", object.item_version()),
            None => write!(f, "{word} never"),
        }
    }
}
