//! What a controller listens to: a watch, and which of its changes count.

use std::fmt;
use std::sync::Arc;

use watchkeeper_api::Kind;

use crate::change::Change;
use crate::hub::HandlerOptions;
use crate::item::Item;
use crate::watch::{Subscription, Watch};

type Predicate<K> = Arc<dyn Fn(&Change<K>) -> bool + Send + Sync>;

/// The changes of a [`Watch`], or some of them. Made of a watch with [`From`] or
/// [`Watch::when`].
pub struct Source<K: Item> {
    watch: Watch<K>,
    predicates: Vec<Predicate<K>>,
}

impl<K: Item> Source<K> {
    /// Only the changes for which `predicate` holds, too.
    #[must_use]
    pub fn when(mut self, predicate: impl Fn(&Change<K>) -> bool + Send + Sync + 'static) -> Self {
        self.predicates.push(Arc::new(predicate));
        self
    }

    /// Whether a change is one of this source.
    #[must_use]
    pub fn wants(&self, change: &Change<K>) -> bool {
        self.predicates.iter().all(|predicate| predicate(change))
    }

    /// Calls `handler` for what there is and for every change, as far as it is wanted, in order.
    pub fn subscribe(&self, handler: impl FnMut(&Change<K>) + Send + 'static) -> Subscription {
        self.subscribe_with(HandlerOptions::default(), handler)
    }

    /// As [`subscribe`](Self::subscribe), with a name, a resync period and an overflow policy.
    pub fn subscribe_with(
        &self,
        options: HandlerOptions,
        mut handler: impl FnMut(&Change<K>) + Send + 'static,
    ) -> Subscription {
        let predicates = self.predicates.clone();
        self.watch.subscribe_with(options, move |change| {
            if predicates.iter().all(|predicate| predicate(change)) {
                handler(change);
            }
        })
    }

    /// The watch underneath.
    #[must_use]
    pub const fn watch(&self) -> &Watch<K> {
        &self.watch
    }

    /// The kind of the objects.
    #[must_use]
    pub fn kind(&self) -> &Kind {
        self.watch.kind()
    }
}

impl<K: Item> From<&Watch<K>> for Source<K> {
    fn from(watch: &Watch<K>) -> Self {
        watch.clone().into()
    }
}

impl<K: Item> From<Watch<K>> for Source<K> {
    fn from(watch: Watch<K>) -> Self {
        Self { watch, predicates: Vec::new() }
    }
}

impl<K: Item> From<&Self> for Source<K> {
    fn from(source: &Self) -> Self {
        source.clone()
    }
}

impl<K: Item> Clone for Source<K> {
    fn clone(&self) -> Self {
        Self { watch: self.watch.clone(), predicates: self.predicates.clone() }
    }
}

impl<K: Item> fmt::Debug for Source<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({:?}, {} predicates)", self.watch, self.predicates.len())
    }
}

/// A handler of the objects for which `keep` holds. An object that begins to be kept is told as added, one
/// that ceases to be as deleted (upstream: `FilteringResourceEventHandler`, C-47).
pub fn filtered<K>(
    keep: impl Fn(&K) -> bool + Send,
    mut handler: impl FnMut(&Change<K>) + Send,
) -> impl FnMut(&Change<K>) + Send {
    move |change| match change {
        Change::Updated { old, new } => match (keep(old), keep(new)) {
            (true, true) => handler(change),
            (false, true) => handler(&Change::Added { new: Arc::clone(new), initial: false }),
            (true, false) => {
                let last = Arc::clone(old);
                handler(&Change::Deleted { last, final_state_unknown: false });
            }
            (false, false) => {}
        },
        Change::Added { new: object, .. } | Change::Deleted { last: object, .. } => {
            if keep(object) {
                handler(change);
            }
        }
    }
}
