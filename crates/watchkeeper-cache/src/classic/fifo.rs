//! The queue that keeps the newest state of each object and nothing of how it came about.

use std::fmt;
use std::sync::Arc;

use watchkeeper_api::ObjectKey;

use super::queue::{ReflectorStore, Refused};
use super::shell::Shell;
use crate::delta::{Delta, Replacement};
use crate::item::Item;
use crate::store::Store;

mod state;

use state::State;

/// Objects by key, each once and in its newest state, in the order in which they came (upstream: `FIFO`).
///
/// An object that changes while it waits keeps its place. One that is deleted while it waits is never
/// popped, so who must know of deletions takes a [`DeltaFifo`](super::DeltaFifo).
///
/// ```
/// # use std::sync::Arc;
/// # use watchkeeper_api::core::v1::ConfigMap;
/// # use watchkeeper_api::{Object, object};
/// # use watchkeeper_cache::classic::Fifo;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let map = |name: &str| Arc::new(object!(ConfigMap { metadata: { name: name, namespace: "shop" } }));
/// let queue = Fifo::new();
/// queue.add(map("a"))?;
/// queue.add(map("b"))?;
/// queue.add(map("a"))?;
/// assert_eq!(queue.pop().await.unwrap().name(), "a");
/// assert_eq!(queue.pop().await.unwrap().name(), "b");
/// # Ok(())
/// # }
/// ```
pub struct Fifo<K: Item> {
    shell: Shell<State<K>>,
}

impl<K: Item> Fifo<K> {
    /// An empty queue.
    #[must_use]
    pub fn new() -> Self {
        Self { shell: Shell::new(State::new()) }
    }

    /// Adds an object, or its newest state.
    ///
    /// # Errors
    /// [`Refused`], when the queue is closed.
    pub fn add(&self, object: Arc<K>) -> Result<(), Refused> {
        self.change(|state| state.add(object))
    }

    /// Adds an object unless it waits already; for one that was popped and could not be handled.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn add_if_not_present(&self, object: Arc<K>) -> Result<(), Refused> {
        self.change(|state| state.add_if_not_present(object))
    }

    /// The same as [`add`](Self::add).
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn update(&self, object: Arc<K>) -> Result<(), Refused> {
        self.add(object)
    }

    /// The object is not to be popped.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn delete(&self, key: &ObjectKey) -> Result<(), Refused> {
        self.change(|state| state.delete(key))
    }

    /// These are all that wait. Who waited before keeps its place.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn replace(&self, objects: Vec<Arc<K>>) -> Result<(), Refused> {
        self.change(|state| state.replace(objects))
    }

    /// The object that waits longest, when there is one; `None` once the queue is closed and empty.
    ///
    /// # Cancel safety
    /// Dropping the future before it completes takes nothing.
    pub async fn pop(&self) -> Option<Arc<K>> {
        let popped = self.shell.when(|state| match state.pop() {
            Some(object) => Some(Some(object)),
            None => state.closed.then_some(None),
        });
        popped.await
    }

    /// Takes no more. What waits can still be popped.
    pub fn close(&self) {
        self.shell.change(|state| state.closed = true);
    }

    /// Whether it takes no more (upstream: `IsClosed`).
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.shell.look(|state| state.closed)
    }

    /// Changes nothing: what waits is told anyway, and what was popped is not known any more (upstream:
    /// `Resync`).
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn resync(&self) -> Result<(), Refused> {
        self.change(|_| {})
    }

    /// Whether the objects of the first [`replace`](Self::replace) are popped or gone, or something else
    /// came before it.
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
            false => (state.closed && state.len() == 0).then_some(false),
        });
        synced.await
    }

    /// The object, if it waits.
    #[must_use]
    pub fn get(&self, key: &ObjectKey) -> Option<Arc<K>> {
        self.shell.look(|state| state.get(key).cloned())
    }

    /// What waits, in order.
    #[must_use]
    pub fn list(&self) -> Vec<Arc<K>> {
        self.shell.look(State::list)
    }

    /// The keys that wait, in the order in which they will be popped (upstream: `ListKeys`).
    #[must_use]
    pub fn list_keys(&self) -> Vec<ObjectKey> {
        self.shell.look(State::list_keys)
    }

    /// How many wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shell.look(State::len)
    }

    /// Whether none waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn change(&self, change: impl FnOnce(&mut State<K>)) -> Result<(), Refused> {
        self.shell.change(|state| {
            if state.closed {
                return Err(Refused::CLOSED);
            }
            change(state);
            Ok(())
        })
    }
}

impl<K: Item> ReflectorStore<K> for Fifo<K> {
    async fn push(&self, delta: Delta<K>) -> Result<(), Refused> {
        match delta {
            Delta::Added(object) | Delta::Updated(object) => self.add(object),
            Delta::Deleted(last) => self.delete(&last.item_key()),
            Delta::Vanished { key, .. } => self.delete(&key),
            Delta::Replaced(list) => self.replace(list.items),
            Delta::Unreadable { .. } | Delta::Bookmark(_) | Delta::Sync => self.resync(),
        }
    }

    fn transforms(&self) -> bool {
        false
    }

    async fn push_list(&self, list: Replacement<K>, _: &Store<K>) -> Result<(), Refused> {
        self.push(Delta::Replaced(list)).await
    }

    async fn closed(&self) {
        self.shell.when(|state| state.closed.then_some(())).await;
    }
}

impl<K: Item> Default for Fifo<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Item> fmt::Debug for Fifo<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fifo({} objects)", self.len())
    }
}
