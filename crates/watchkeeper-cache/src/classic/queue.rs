//! What stands between a reflector and a store, as traits: the queue is a parameter.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use watchkeeper_api::ObjectKey;

use super::deltas::Deltas;
use crate::delta::{Delta, Replacement};
use crate::item::Item;
use crate::store::Store;
use crate::tasks::words;

/// An error of somebody else's code.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Changes an object on its way into a queue, such as by dropping what nobody reads (upstream:
/// `TransformFunc`). Called once for each object that enters, never for a tombstone or a resync. An object for
/// which it fails or panics is left out; its deletion counts all the same, as one whose last state was not seen.
pub type Transform<K> = Arc<dyn Fn(Arc<K>) -> Result<Arc<K>, BoxError> + Send + Sync>;

/// Where a reflector puts what the server told it (upstream: `ReflectorStore`): a store, or a queue before one.
#[diagnostic::on_unimplemented(
    message = "no reflector can run into `{Self}`",
    note = "use a `Store`, a `DeltaQueue`, a `DeltaFifo`, a `Fifo`, an `UndeltaStore`, or implement `ReflectorStore`"
)]
pub trait ReflectorStore<K: Item>: Send + Sync {
    /// Takes what must change, once there is room. [`Delta::Sync`] asks for a resync.
    ///
    /// # Errors
    /// [`Refused`], when it is closed or a transform failed.
    ///
    /// # Cancel safety
    /// Dropping the future before it completes takes nothing.
    fn push(&self, delta: Delta<K>) -> impl Future<Output = Result<(), Refused>> + Send;

    /// Waits until nothing is taken any more. A reflector that runs into it then ends although nothing comes;
    /// into one that never says so it ends when something is [refused](Refused::closed).
    ///
    /// # Cancel safety
    /// Waiting changes nothing: the future may be dropped at any time.
    fn closed(&self) -> impl Future<Output = ()> + Send {
        std::future::pending()
    }

    /// Whether what is stored differs from what was pushed. A reflector then makes every object anew, so that
    /// none is transformed twice.
    fn transforms(&self) -> bool {
        false
    }
}

/// Deltas that wait for one consumer (upstream: `Queue`).
///
/// The in-order [`DeltaQueue`](crate::DeltaQueue) and the classic [`DeltaFifo`](super::DeltaFifo) are both
/// one, and informers run on either.
pub trait Queue<K: Item>: ReflectorStore<K> {
    /// Whether deltas leave in the order in which they came. From others, the version of an object says
    /// nothing about how far the store has come: they tell that by [`Delta::Bookmark`]s.
    const IN_ORDER: bool;

    /// What comes next, when there is something; `None` once the queue is closed and empty. Asking for the
    /// next says that the one before was applied.
    ///
    /// # Cancel safety
    /// Dropping the future before it completes takes nothing.
    fn next(&self) -> impl Future<Output = Option<Popped<K>>> + Send;

    /// Takes no more. What is in the queue can still be taken out.
    fn close(&self);

    /// Whether the first list has left the queue.
    fn has_synced(&self) -> bool;

    /// How much waits.
    fn len(&self) -> usize;

    /// Whether nothing waits.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What a queue hands out.
#[derive(Debug)]
pub enum Popped<K> {
    /// One delta, which may hold a whole list.
    Delta {
        /// What must change.
        delta: Delta<K>,
        /// Whether the queue had not synced yet (C-39).
        is_in_initial_list: bool,
    },
    /// Everything that happened to one object since the last time.
    Deltas(Deltas<K>),
}

impl<K> Popped<K> {
    /// Whether the queue had not synced when this left it (upstream: `isInInitialList`).
    #[must_use]
    pub const fn is_in_initial_list(&self) -> bool {
        match self {
            Self::Delta { is_in_initial_list, .. } => *is_in_initial_list,
            Self::Deltas(deltas) => deltas.is_in_initial_list,
        }
    }
}

/// The objects that are known already, so that a queue sees what vanished (upstream: `KeyListerGetter`).
pub trait KnownObjects<K>: Send + Sync {
    /// Every key.
    fn list_keys(&self) -> Vec<ObjectKey>;

    /// The object of a key.
    fn get_by_key(&self, key: &ObjectKey) -> Option<Arc<K>>;
}

impl<K: Item> KnownObjects<K> for Store<K> {
    fn list_keys(&self) -> Vec<ObjectKey> {
        self.snapshot().iter().map(|object| object.item_key()).collect()
    }

    fn get_by_key(&self, key: &ObjectKey) -> Option<Arc<K>> {
        self.get(key)
    }
}

/// Why a queue did not take something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(Why);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Why {
    Closed,
    Failed { key: ObjectKey, reason: String },
    Transform { key: ObjectKey, reason: String },
}

impl Refused {
    pub(crate) const CLOSED: Self = Self(Why::Closed);

    /// Nothing is taken any more: a reflector that is told so ends.
    #[must_use]
    pub const fn closed() -> Self {
        Self::CLOSED
    }

    /// What happened to this object is not taken. A reflector logs it and goes on.
    #[must_use]
    pub fn failed(key: ObjectKey, reason: impl Into<String>) -> Self {
        Self(Why::Failed { key, reason: reason.into() })
    }

    /// The queue takes nothing any more (upstream: `ErrFIFOClosed`).
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        matches!(self.0, Why::Closed)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Why::Closed => f.write_str("the queue is closed"),
            Why::Failed { key, reason } => write!(f, "{key} is not taken: {reason}"),
            Why::Transform { key, reason } => write!(f, "the transform of {key} failed: {reason}"),
        }
    }
}

impl std::error::Error for Refused {}

impl From<Refused> for watchkeeper_api::Error {
    fn from(refused: Refused) -> Self {
        Self::other(refused.to_string())
    }
}

/// Calls the transform for every object of a delta that enters a queue (C-34). What fails of a list is set
/// aside, as what cannot be read is: the copy keeps what it has of it. A deletion is one whatever becomes of
/// the last state.
pub(crate) fn transformed<K: Item>(
    transform: Option<&Transform<K>>,
    delta: Delta<K>,
) -> Result<Delta<K>, Refused> {
    let Some(transform) = transform else { return Ok(delta) };
    let one = |object: Arc<K>| transform_one(transform, object);
    Ok(match delta {
        Delta::Added(object) => Delta::Added(one(object)?),
        Delta::Updated(object) => Delta::Updated(one(object)?),
        Delta::Deleted(last) => {
            let key = last.item_key();
            match one(last) {
                Ok(last) => Delta::Deleted(last),
                Err(refused) => {
                    tracing::error!(error = %refused, "an object is gone, and its last state left out");
                    Delta::Vanished(key)
                }
            }
        }
        Delta::Replaced(Replacement { items, mut unreadable, version }) => {
            let mut kept = Vec::with_capacity(items.len());
            for object in items {
                let key = object.item_key();
                match one(object) {
                    Ok(object) => kept.push(object),
                    Err(refused) => {
                        tracing::error!(error = %refused, "an object of a list is left out");
                        unreadable.push(key);
                    }
                }
            }
            Delta::Replaced(Replacement { items: kept, unreadable, version })
        }
        delta @ (Delta::Vanished(_) | Delta::Bookmark(_) | Delta::Sync) => delta,
    })
}

/// A panic costs the object that it struck, as an error does.
fn transform_one<K: Item>(transform: &Transform<K>, object: Arc<K>) -> Result<Arc<K>, Refused> {
    let key = object.item_key();
    let reason = match catch_unwind(AssertUnwindSafe(|| transform(object))) {
        Ok(Ok(object)) => return Ok(object),
        Ok(Err(error)) => error.to_string(),
        Err(panic) => format!("it panicked: {}", words(&*panic)),
    };
    Err(Refused(Why::Transform { key, reason }))
}
