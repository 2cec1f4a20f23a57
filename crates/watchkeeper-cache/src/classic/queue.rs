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

    /// Whether what is stored differs from what was pushed. Who hands deltas on to another says what that one
    /// says.
    fn transforms(&self) -> bool;

    /// As [`push`](Self::push), of a list. What is in it as the very value that `kept` has did not change since
    /// it was stored: it is what a transform made of it before, and not transformed again. Who transforms
    /// nothing pushes it as [`Delta::Replaced`], and who hands deltas on to another hands `kept` on, too:
    ///
    /// ```
    /// use watchkeeper_cache::classic::{ReflectorStore, Refused};
    /// use watchkeeper_cache::{Delta, DeltaQueue, Item, Replacement, Store};
    ///
    /// /// A queue that says what enters it.
    /// struct Loud<K>(DeltaQueue<K>);
    ///
    /// impl<K: Item> ReflectorStore<K> for Loud<K> {
    ///     async fn push(&self, delta: Delta<K>) -> Result<(), Refused> {
    ///         println!("something happened");
    ///         self.0.push(delta).await
    ///     }
    ///
    ///     fn transforms(&self) -> bool {
    ///         self.0.transforms()
    ///     }
    ///
    ///     async fn push_list(&self, list: Replacement<K>, kept: &Store<K>) -> Result<(), Refused> {
    ///         println!("{} objects came", list.items.len());
    ///         self.0.push_list(list, kept).await
    ///     }
    /// }
    /// ```
    ///
    /// Neither has a default, which would let whatever is behind such a queue transform a second time:
    ///
    /// ```compile_fail,E0046
    /// # use watchkeeper_cache::classic::{ReflectorStore, Refused};
    /// # use watchkeeper_cache::{Delta, DeltaQueue, Item};
    /// # struct Loud<K>(DeltaQueue<K>);
    /// impl<K: Item> ReflectorStore<K> for Loud<K> {
    ///     async fn push(&self, delta: Delta<K>) -> Result<(), Refused> {
    ///         self.0.push(delta).await
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`push`](Self::push).
    ///
    /// # Cancel safety
    /// Dropping the future before it completes takes nothing.
    fn push_list(
        &self,
        list: Replacement<K>,
        kept: &Store<K>,
    ) -> impl Future<Output = Result<(), Refused>> + Send;
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

    /// The object that is not taken.
    pub(crate) const fn key(&self) -> Option<&ObjectKey> {
        match &self.0 {
            Why::Closed => None,
            Why::Failed { key, .. } | Why::Transform { key, .. } => Some(key),
        }
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

/// Calls the transform for every object of a delta that enters a queue (C-34). A deletion is one whatever
/// becomes of the last state.
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
            let (key, version) = (last.item_key(), last.item_version().to_owned());
            match one(last) {
                Ok(last) => Delta::Deleted(last),
                Err(refused) => {
                    tracing::error!(error = %refused, "an object is gone, and its last state left out");
                    Delta::Vanished { key, version }
                }
            }
        }
        Delta::Replaced(list) => Delta::Replaced(transformed_list(Some(transform), list, None)),
        delta @ (Delta::Vanished { .. }
        | Delta::Unreadable { .. }
        | Delta::Bookmark(_)
        | Delta::Sync) => delta,
    })
}

/// Calls the transform for every object of a list but those that are `kept`. What fails is set aside, as what
/// cannot be read is: the copy keeps what it has of it.
pub(crate) fn transformed_list<K: Item>(
    transform: Option<&Transform<K>>,
    list: Replacement<K>,
    kept: Option<&Store<K>>,
) -> Replacement<K> {
    let Some(transform) = transform else { return list };
    let Replacement { items: raw, mut unreadable, nameless, version } = list;
    let mut items = Vec::with_capacity(raw.len());
    for object in raw {
        let key = object.item_key();
        let known = kept.and_then(|kept| kept.get(&key));
        if known.is_some_and(|known| Arc::ptr_eq(&known, &object)) {
            items.push(object);
            continue;
        }
        match transform_one(transform, object) {
            Ok(object) => items.push(object),
            Err(refused) => {
                tracing::error!(error = %refused, "an object of a list is left out");
                unreadable.push(key);
            }
        }
    }
    Replacement { items, unreadable, nameless, version }
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
