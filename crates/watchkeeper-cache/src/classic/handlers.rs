//! Handlers as three functions.

use std::fmt;
use std::sync::Arc;

use super::deltas::DeletedObject;
use crate::change::Change;

type OnAdd<K> = Box<dyn FnMut(&Arc<K>, bool) + Send>;
type OnUpdate<K> = Box<dyn FnMut(&Arc<K>, &Arc<K>) + Send>;
type OnDelete<K> = Box<dyn FnMut(&DeletedObject<K>) + Send>;

/// A handler made of up to three functions (upstream: `ResourceEventHandlerDetailedFuncs`). What nobody gave
/// a function for is passed over.
///
/// ```
/// # use watchkeeper_api::Object;
/// # use watchkeeper_api::core::v1::Pod;
/// use watchkeeper_cache::classic::ResourceEventHandlerFuncs;
///
/// let handler = ResourceEventHandlerFuncs::<Pod>::new()
///     .on_add(|pod, is_in_initial_list| println!("{} is there, at first: {is_in_initial_list}", pod.name()))
///     .on_update(|old, new| println!("{} -> {}", old.resource_version(), new.resource_version()))
///     .on_delete(|deleted| println!("{} is gone", deleted.key()))
///     .handler();
/// ```
pub struct ResourceEventHandlerFuncs<K> {
    on_add: OnAdd<K>,
    on_update: OnUpdate<K>,
    on_delete: OnDelete<K>,
}

impl<K: 'static> ResourceEventHandlerFuncs<K> {
    /// A handler that does nothing.
    #[must_use]
    pub fn new() -> Self {
        let (on_add, on_update) = (Box::new(|_: &_, _| {}), Box::new(|_: &_, _: &_| {}));
        Self { on_add, on_update, on_delete: Box::new(|_| {}) }
    }

    /// Is told of an object that is new, and whether it was there at the beginning.
    #[must_use]
    pub fn on_add(mut self, on_add: impl FnMut(&Arc<K>, bool) + Send + 'static) -> Self {
        self.on_add = Box::new(on_add);
        self
    }

    /// Is told the old and the new state of an object.
    #[must_use]
    pub fn on_update(mut self, on_update: impl FnMut(&Arc<K>, &Arc<K>) + Send + 'static) -> Self {
        self.on_update = Box::new(on_update);
        self
    }

    /// Is told of an object that is gone.
    #[must_use]
    pub fn on_delete(mut self, on_delete: impl FnMut(&DeletedObject<K>) + Send + 'static) -> Self {
        self.on_delete = Box::new(on_delete);
        self
    }
}

impl<K: crate::item::Item> ResourceEventHandlerFuncs<K> {
    /// The handler, for an informer.
    pub fn handler(mut self) -> impl FnMut(&Change<K>) + Send + 'static {
        move |change| match change {
            Change::Added { new, initial } => (self.on_add)(new, *initial),
            Change::Updated { old, new } => (self.on_update)(old, new),
            Change::Deleted { .. } => {
                DeletedObject::of(change).iter().for_each(&mut self.on_delete);
            }
        }
    }
}

impl<K: 'static> Default for ResourceEventHandlerFuncs<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K> fmt::Debug for ResourceEventHandlerFuncs<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ResourceEventHandlerFuncs")
    }
}
