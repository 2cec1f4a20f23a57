//! What must change in the copy.

use std::sync::Arc;

use watchkeeper_api::ObjectKey;

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
    Vanished(ObjectKey),
    /// This is all there is; whatever the copy has beside it is gone, its final state unknown.
    Replaced(Replacement<K>),
    /// The version moved on without a change here.
    Bookmark(String),
    /// Tell the handlers whose resync is due of everything once more.
    Sync,
}

/// The whole of a list.
#[derive(Debug)]
pub struct Replacement<K> {
    /// Every object, in the server's order.
    pub items: Vec<Arc<K>>,
    /// Objects of the list that could not be read; the copy keeps what it has of them.
    pub unreadable: Vec<ObjectKey>,
    /// The version of the list.
    pub version: String,
}
