//! What must change in the copy.

use std::sync::Arc;

use watchkeeper_api::ObjectKey;

use crate::item::Item;

/// What must change in the local copy, on the way from the reflector to the store.
///
/// The words are upstream's (`DeltaType`); `Replaced` is the atomic kind (`ReplacedAll`): one delta holds
/// the whole list, so that nobody ever sees half of it.
#[derive(Debug)]
pub enum Delta<K> {
    /// The server said: added.
    Added(Arc<K>),
    /// The server said: modified.
    Updated(Arc<K>),
    /// The server said: deleted. Holds the last state.
    Deleted(Arc<K>),
    /// The server said: deleted. The last state could not be read.
    Vanished {
        /// Which object.
        key: ObjectKey,
        /// In which version it went; empty where that is not known.
        version: String,
    },
    /// The server said what became of it, and that could not be read, or not be kept: the copy keeps what it
    /// has of the object.
    Unreadable {
        /// Which object.
        key: ObjectKey,
        /// Of which version it is.
        version: String,
    },
    /// This is all there is; whatever the copy has beside it is gone, its final state unknown. Save that it is
    /// [nameless](Replacement::nameless): then nothing is.
    Replaced(Replacement<K>),
    /// The version moved on without a change here.
    Bookmark(String),
    /// Tell the handlers whose resync is due of everything once more.
    Sync,
}

impl<K> Delta<K> {
    /// Whether it changes one object.
    pub(crate) const fn is_of_one(&self) -> bool {
        match self {
            Self::Added(_) | Self::Updated(_) | Self::Deleted(_) | Self::Vanished { .. } => true,
            Self::Unreadable { .. } | Self::Replaced(_) | Self::Bookmark(_) | Self::Sync => false,
        }
    }
}

impl<K: Item> Delta<K> {
    /// The key of the object that it is about, if it is about one.
    pub(crate) fn key(&self) -> Option<ObjectKey> {
        match self {
            Self::Added(object) | Self::Updated(object) | Self::Deleted(object) => {
                Some(object.item_key())
            }
            Self::Vanished { key, .. } | Self::Unreadable { key, .. } => Some(key.clone()),
            Self::Replaced(_) | Self::Bookmark(_) | Self::Sync => None,
        }
    }
}

/// The whole of a list.
#[derive(Debug)]
pub struct Replacement<K> {
    /// Every object, in the server's order.
    pub items: Vec<Arc<K>>,
    /// Objects of the list that could not be read; the copy keeps what it has of them.
    pub unreadable: Vec<ObjectKey>,
    /// Whether there is an object in the list of which not even the key could be read. It may be any that the copy
    /// has and that is not in `items`, so the copy keeps them all.
    pub nameless: bool,
    /// The version of the list.
    pub version: String,
}

impl<K> Default for Replacement<K> {
    fn default() -> Self {
        let (items, unreadable, version) = (Vec::new(), Vec::new(), String::new());
        Self { items, unreadable, nameless: false, version }
    }
}
