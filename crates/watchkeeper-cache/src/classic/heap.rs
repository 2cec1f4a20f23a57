//! A priority queue whose elements can be found and changed by key.

use std::fmt;

use super::queue::Refused;
use super::shell::Shell;

mod state;

use state::State;

type KeyOf<K, T> = Box<dyn Fn(&T) -> K + Send + Sync>;
type Less<T> = Box<dyn Fn(&T, &T) -> bool + Send + Sync>;

/// Elements of which the least comes first (upstream: `Heap`).
///
/// An element that is added again under its key takes the place that it has now. Elements of which neither
/// is less leave in any order, the same in every run.
///
/// ```
/// # use watchkeeper_cache::classic::Heap;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let heap = Heap::new(|(name, _): &(&str, u32)| *name, |a, b| a.1 < b.1);
/// heap.add(("late", 20))?;
/// heap.add(("soon", 10))?;
/// heap.add(("late", 5))?;
/// assert_eq!(heap.pop().await, Some(("late", 5)));
/// # Ok(())
/// # }
/// ```
pub struct Heap<K, T> {
    shell: Shell<State<K, T>>,
    key_of: KeyOf<K, T>,
    less: Less<T>,
}

impl<K: Ord + Clone, T: 'static> Heap<K, T> {
    /// An empty heap. `key_of` tells elements apart, `less` says which of two comes first; both must be
    /// pure and not use the heap.
    pub fn new(
        key_of: impl Fn(&T) -> K + Send + Sync + 'static,
        less: impl Fn(&T, &T) -> bool + Send + Sync + 'static,
    ) -> Self {
        let shell = Shell::new(State::new());
        Self { shell, key_of: Box::new(key_of), less: Box::new(less) }
    }

    /// Adds an element, or gives the one of its key another value.
    ///
    /// # Errors
    /// [`Refused`], when the heap is closed.
    pub fn add(&self, element: T) -> Result<(), Refused> {
        self.bulk_add([element])
    }

    /// Adds several elements as one step.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn bulk_add(&self, elements: impl IntoIterator<Item = T>) -> Result<(), Refused> {
        let keyed: Vec<_> = elements.into_iter().map(|e| ((self.key_of)(&e), e)).collect();
        self.change(|state| {
            keyed.into_iter().for_each(|(key, element)| state.put(key, element, &self.less));
        })
    }

    /// Adds an element unless there is one of its key.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn add_if_not_present(&self, element: T) -> Result<(), Refused> {
        let key = (self.key_of)(&element);
        self.change(|state| {
            if state.get(&key).is_none() {
                state.put(key, element, &self.less);
            }
        })
    }

    /// The same as [`add`](Self::add).
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn update(&self, element: T) -> Result<(), Refused> {
        self.add(element)
    }

    /// Removes the element of a key, and returns it if there was one.
    pub fn delete(&self, key: &K) -> Option<T> {
        self.shell.change(|state| state.remove(key, &self.less))
    }

    /// The least element, when there is one; `None` once the heap is closed and empty.
    ///
    /// # Cancel safety
    /// Dropping the future before it completes takes nothing.
    pub async fn pop(&self) -> Option<T> {
        let popped = self.shell.when(|state| match state.pop(&self.less) {
            Some(element) => Some(Some(element)),
            None => state.closed.then_some(None),
        });
        popped.await
    }

    /// Takes no more. What is in it can still be popped.
    pub fn close(&self) {
        self.shell.change(|state| state.closed = true);
    }

    /// Whether it is closed.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.shell.look(|state| state.closed)
    }

    /// Every key, in order.
    #[must_use]
    pub fn list_keys(&self) -> Vec<K> {
        self.shell.look(|state| state.keys().cloned().collect())
    }

    /// How many elements there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shell.look(State::len)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn change(&self, change: impl FnOnce(&mut State<K, T>)) -> Result<(), Refused> {
        self.shell.change(|state| {
            if state.closed {
                return Err(Refused::CLOSED);
            }
            change(state);
            Ok(())
        })
    }
}

impl<K: Ord + Clone, T: Clone + 'static> Heap<K, T> {
    /// The element of a key.
    #[must_use]
    pub fn get(&self, key: &K) -> Option<T> {
        self.shell.look(|state| state.get(key).cloned())
    }

    /// Every element, in the order of the keys.
    #[must_use]
    pub fn list(&self) -> Vec<T> {
        let list =
            |state: &State<K, T>| state.keys().filter_map(|key| state.get(key)).cloned().collect();
        self.shell.look(list)
    }
}

impl<K: Ord + Clone, T> fmt::Debug for Heap<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Heap({} elements)", self.shell.look(State::len))
    }
}
