//! The copies of a cache by type and selection, each for as long as somebody holds it.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::sync::{Arc, Weak};

use crate::core::Core;
use crate::item::Item;
use crate::watch::Handle;

/// So many copies that are over are borne.
const FEW: usize = 16;

/// The copies by type and selection.
#[derive(Debug, Default)]
pub(super) struct Copies {
    by_name: BTreeMap<(TypeId, String), Box<dyn AnyCopy>>,
    /// How many the last look at all of them left.
    left: usize,
    /// Copies that nobody can ask for again, by the type that the server sends and selection.
    unshared: Vec<(TypeId, String, Weak<Handle>)>,
}

/// A copy that lives as long as its handles.
struct Copy<K: Item> {
    core: Weak<Core<K>>,
    handle: Weak<Handle>,
}

/// A copy whose type of object is not known here.
trait AnyCopy: Any + Send + Debug {
    fn is_alive(&self) -> bool;
}

impl Copies {
    /// The copy of that name and what holds it, unless it is over.
    pub(super) fn get<K: Item>(&self, name: &str) -> Option<(Arc<Core<K>>, Arc<Handle>)> {
        let copy = self.by_name.get(&key::<K>(name))?;
        downcast::<K>(&**copy)?.open()
    }

    /// Keeps a copy, and forgets those without handles now and then: a program may watch another selection
    /// every minute.
    pub(super) fn insert<K: Item>(
        &mut self,
        name: &str,
        core: &Arc<Core<K>>,
        handle: &Arc<Handle>,
    ) {
        if self.by_name.len() > 2 * self.left {
            self.by_name.retain(|_, copy| copy.is_alive());
            self.left = self.by_name.len().max(FEW);
        }
        let copy = Copy { core: Arc::downgrade(core), handle: Arc::downgrade(handle) };
        self.by_name.insert(key::<K>(name), Box::new(copy));
    }

    /// Forgets the copy of that name. What holds it, unless it was over.
    pub(super) fn remove<K: Item>(&mut self, name: &str) -> Option<Arc<Handle>> {
        let copy = self.by_name.remove(&key::<K>(name))?;
        downcast::<K>(&*copy)?.open().map(|(_, handle)| handle)
    }

    /// Remembers a copy that is not shared: it goes with the selection of the type that the server sends.
    pub(super) fn insert_unshared<K: Item>(&mut self, name: &str, handle: &Arc<Handle>) {
        self.unshared
            .retain(|(.., handle)| handle.upgrade().is_some_and(|handle| handle.is_open()));
        self.unshared.push((TypeId::of::<K>(), name.to_owned(), Arc::downgrade(handle)));
    }

    /// Forgets the copies of that name that are not shared. What holds those that were not over.
    pub(super) fn remove_unshared<K: Item>(&mut self, name: &str) -> Vec<Arc<Handle>> {
        let of = TypeId::of::<K>();
        let gone = self.unshared.extract_if(.., |(kind, known, _)| *kind == of && known == name);
        let handles = gone.filter_map(|(.., handle)| handle.upgrade());
        handles.filter(|handle| handle.is_open()).collect()
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.by_name.len()
    }
}

fn key<K: Item>(name: &str) -> (TypeId, String) {
    (TypeId::of::<K>(), name.to_owned())
}

fn downcast<K: Item>(copy: &dyn AnyCopy) -> Option<&Copy<K>> {
    (copy as &dyn Any).downcast_ref()
}

impl<K: Item> Copy<K> {
    fn open(&self) -> Option<(Arc<Core<K>>, Arc<Handle>)> {
        let handle = self.handle.upgrade().filter(|handle| handle.is_open())?;
        Some((self.core.upgrade()?, handle))
    }
}

impl<K: Item> AnyCopy for Copy<K> {
    fn is_alive(&self) -> bool {
        self.open().is_some()
    }
}

impl<K: Item> Debug for Copy<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Copy({:?})", self.core.upgrade())
    }
}
