//! The queue of the field's tutorials: by object, with everything that happened to it since.

use std::fmt;
use std::sync::Arc;

use watchkeeper_api::ObjectKey;

use super::deltas::{DeletedObject, Deltas};
use super::queue::{
    KnownObjects, Popped, Queue, ReflectorStore, Refused, Transform, transformed, transformed_list,
};
use super::shell::Shell;
use crate::delta::{Delta, Replacement};
use crate::item::Item;
use crate::store::Store;

mod state;

use state::State;

/// How many deltas wait at most, unless it is said.
const CAPACITY: usize = 1024;

/// Deltas by object (upstream: `DeltaFIFO`, before 1.36 the queue of every informer).
///
/// - An object is in the queue once, at the place of the first thing that happened to it; what happens to
///   it meanwhile is added there. [`pop`](Self::pop) hands out all of it.
/// - A list becomes a delta for each object that is in it, and a deletion, its final state unknown, for each
///   one that was [known](Self::known_objects) or queued and is not.
/// - Of two deletions in a row one is kept. Nothing else is merged.
///
/// Different objects leave in another order than the server told, and a list is told object by object: what
/// is a moment for [`DeltaQueue`](crate::DeltaQueue) is not one for this. Informers run on that one; this
/// one is for those who know it, or who want to be told at once of all that happened to an object.
///
/// One consumer takes deltas out: asking for the next says that the ones before were applied.
///
/// ```
/// # use std::sync::Arc;
/// # use watchkeeper_api::core::v1::ConfigMap;
/// # use watchkeeper_api::object;
/// # use watchkeeper_cache::classic::DeltaFifo;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let map = |version: &str| {
///     let meta = object!(ConfigMap { metadata: { name: "a", namespace: "shop", resource_version: version } });
///     Arc::new(meta)
/// };
/// let queue = DeltaFifo::new();
/// queue.add(map("1"))?;
/// queue.update(map("2"))?;
/// let deltas = queue.pop().await.unwrap();
/// assert_eq!(deltas.key.to_string(), "shop/a");
/// assert_eq!(deltas.list.len(), 2);
/// # Ok(())
/// # }
/// ```
pub struct DeltaFifo<K: Item> {
    shell: Shell<State<K>>,
    known: Option<Arc<dyn KnownObjects<K>>>,
    transform: Option<Transform<K>>,
    capacity: usize,
}

impl<K: Item> DeltaFifo<K> {
    /// An empty queue, which knows no objects but those in it.
    #[must_use]
    pub fn new() -> Self {
        Self { shell: Shell::new(State::new()), known: None, transform: None, capacity: CAPACITY }
    }

    /// Sees what vanished by what is known, mostly the [`Store`](crate::Store) that the deltas are applied to
    /// (upstream: `KnownObjects`).
    #[must_use]
    pub fn known_objects(mut self, known: impl KnownObjects<K> + 'static) -> Self {
        self.known = Some(Arc::new(known));
        self
    }

    /// Changes every object as it enters (C-34).
    ///
    /// What comes out is a `K` like any other, of which the type does not say that something is missing: written
    /// back with a PUT, it takes from the server what the transform dropped. `Cache::transformed` hands
    /// out what cannot be written.
    #[must_use]
    pub fn transform(
        mut self,
        transform: impl Fn(Arc<K>) -> Result<Arc<K>, super::BoxError> + Send + Sync + 'static,
    ) -> Self {
        self.transform = Some(Arc::new(transform));
        self
    }

    /// Tells the objects of lists as [`Sync`](super::ObjectDelta::Sync) instead of
    /// [`Replaced`](super::ObjectDelta::Replaced) (upstream: without `EmitDeltaTypeReplaced`).
    #[must_use]
    pub fn lists_as_syncs(mut self) -> Self {
        self.shell = self.shell.map(|state| state.lists_as_syncs = true);
        self
    }

    /// From so many deltas on a reflector waits before it adds more; 1024 unless set. The calls below do not
    /// wait.
    #[must_use]
    pub fn capacity(mut self, deltas: usize) -> Self {
        self.capacity = deltas.max(1);
        self
    }

    /// The object is new.
    ///
    /// # Errors
    /// [`Refused`], when the queue is closed or the transform failed.
    pub fn add(&self, object: Arc<K>) -> Result<(), Refused> {
        self.put(Delta::Added(object))
    }

    /// The object has another state.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn update(&self, object: Arc<K>) -> Result<(), Refused> {
        self.put(Delta::Updated(object))
    }

    /// The object is gone. Of one that is neither known nor queued, nothing is told (C-26). If the transform
    /// fails, it is gone with what was last known of it.
    ///
    /// # Errors
    /// [`Refused`], when the queue is closed.
    pub fn delete(&self, deleted: DeletedObject<K>) -> Result<(), Refused> {
        let deleted = match deleted {
            DeletedObject::Seen(last) => return self.put(Delta::Deleted(last)),
            deleted @ DeletedObject::FinalStateUnknown { .. } => deleted,
        };
        self.shell.change(|state| {
            state.open()?;
            state.delete(deleted, self.known.as_deref());
            Ok(())
        })
    }

    /// These objects, of this version, are all there is (C-27).
    ///
    /// # Errors
    /// [`Refused`], when the queue is closed.
    pub fn replace(&self, items: Vec<Arc<K>>, version: &str) -> Result<(), Refused> {
        let version = version.to_owned();
        self.put(Delta::Replaced(Replacement {
            items,
            unreadable: Vec::new(),
            nameless: false,
            version,
        }))
    }

    /// Tells every known object once more, but for those to which something happened anyway (C-29).
    ///
    /// # Errors
    /// [`Refused`], when the queue is closed.
    pub fn resync(&self) -> Result<(), Refused> {
        self.put(Delta::Sync)
    }

    /// What happened to the object that waits longest, when there is one; `None` once the queue is closed
    /// and empty.
    ///
    /// # Cancel safety
    /// Dropping the future before it completes takes nothing.
    pub async fn pop(&self) -> Option<Deltas<K>> {
        let popped = self.shell.when(|state| match state.pop() {
            Some(deltas) => Some(Some(deltas)),
            None => state.is_closed().then_some(None),
        });
        popped.await
    }

    /// Takes no more. What waits can still be popped.
    pub fn close(&self) {
        self.shell.change(State::close);
    }

    /// Whether it takes no more (upstream: `IsClosed`).
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.shell.look(State::is_closed)
    }

    /// Whether the last object of the first list was popped (C-28), or something else came before any list.
    #[must_use]
    pub fn has_synced(&self) -> bool {
        self.shell.look(State::has_synced)
    }

    /// Waits until it [has synced](Self::has_synced) (upstream: `HasSyncedChecker`); `false` if it was closed
    /// and emptied before.
    ///
    /// # Cancel safety
    /// Waiting changes nothing: the future may be dropped at any time.
    pub async fn synced(&self) -> bool {
        let synced = self.shell.when(|state| match state.has_synced() {
            true => Some(true),
            false => (state.is_closed() && state.len() == 0).then_some(false),
        });
        synced.await
    }

    /// The keys that wait, in the order in which they will be popped.
    #[must_use]
    pub fn list_keys(&self) -> Vec<ObjectKey> {
        self.shell.look(|state| state.keys().cloned().collect())
    }

    fn put(&self, delta: Delta<K>) -> Result<(), Refused> {
        let delta = transformed(self.transform.as_ref(), delta)?;
        self.shell.change(|state| {
            state.open()?;
            state.push(delta, self.known.as_deref());
            Ok(())
        })
    }
}

impl<K: Item> DeltaFifo<K> {
    /// Adds what was transformed, when there is room.
    async fn enter(&self, delta: Delta<K>) -> Result<(), Refused> {
        let mut delta = Some(delta);
        let known = self.known.as_deref();
        let pushed = self.shell.when(|state| match state.open() {
            Err(closed) => Some(Err(closed)),
            Ok(()) if state.len() >= self.capacity => None,
            Ok(()) => delta.take().map(|delta| {
                state.push(delta, known);
                Ok(())
            }),
        });
        pushed.await
    }
}

impl<K: Item> ReflectorStore<K> for DeltaFifo<K> {
    async fn push(&self, delta: Delta<K>) -> Result<(), Refused> {
        self.enter(transformed(self.transform.as_ref(), delta)?).await
    }

    async fn closed(&self) {
        self.shell.when(|state| state.is_closed().then_some(())).await;
    }

    fn transforms(&self) -> bool {
        self.transform.is_some()
    }

    async fn push_list(&self, list: Replacement<K>, kept: &Store<K>) -> Result<(), Refused> {
        let list = transformed_list(self.transform.as_ref(), list, Some(kept));
        self.enter(Delta::Replaced(list)).await
    }
}

impl<K: Item> Queue<K> for DeltaFifo<K> {
    const IN_ORDER: bool = false;

    async fn next(&self) -> Option<Popped<K>> {
        let next = self.shell.when(|state| match state.next() {
            Some(popped) => Some(Some(popped)),
            None => state.is_closed().then_some(None),
        });
        next.await
    }

    fn close(&self) {
        self.close();
    }

    fn has_synced(&self) -> bool {
        self.has_synced()
    }

    fn len(&self) -> usize {
        self.shell.look(State::len)
    }
}

impl<K: Item> Default for DeltaFifo<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Item> fmt::Debug for DeltaFifo<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (keys, deltas) = self.shell.look(|state| (state.keys().count(), state.len()));
        write!(f, "DeltaFifo({keys} objects, {deltas} deltas)")
    }
}

#[cfg(test)]
mod tests;
