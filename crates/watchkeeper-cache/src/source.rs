//! What a controller listens to: a watch or some namespaces, and which of its changes count.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use watchkeeper_api::{Kind, Object, ObjectKey};

use crate::change::Change;
use crate::changes::Changes;
use crate::hub::{Desk, HandlerOptions};
use crate::item::Item;
use crate::namespaces::Namespaces;
use crate::status::Status;
use crate::watch::{Subscription, Watch};

type Predicate<K> = Arc<dyn Fn(&Change<K>) -> bool + Send + Sync>;
type Handler<K> = Box<dyn FnMut(&Change<K>) + Send>;

/// The changes of a [`Watch`] or of [`Namespaces`], or some of them. Made with [`From`], [`Watch::when`] or
/// [`Namespaces::when`].
pub struct Source<K: Item> {
    origin: Arc<dyn Origin<K>>,
    predicates: Vec<Predicate<K>>,
}

/// Where changes come from.
trait Origin<K: Item>: Send + Sync + fmt::Debug {
    fn subscribe(&self, options: HandlerOptions, handler: Handler<K>) -> Subscription;
    fn place(&self, options: HandlerOptions, desk: &Arc<Desk<K>>) -> Subscription;
    fn kind(&self) -> &Kind;
    fn namespaces(&self) -> Option<Vec<String>>;
    fn named(&self) -> Option<&str>;
    fn status(&self) -> Vec<Status>;
    fn peek(&self, key: ObjectKey) -> Option<Arc<K>>;
    fn peek_all(&self) -> Vec<Arc<K>>;
}

impl<K: Item> Origin<K> for Watch<K> {
    fn subscribe(&self, options: HandlerOptions, handler: Handler<K>) -> Subscription {
        self.subscribe_with(options, handler)
    }

    fn place(&self, options: HandlerOptions, desk: &Arc<Desk<K>>) -> Subscription {
        self.place(options, desk)
    }

    fn kind(&self) -> &Kind {
        self.kind()
    }

    fn namespaces(&self) -> Option<Vec<String>> {
        self.in_namespace().map(|namespace| vec![namespace.to_owned()])
    }

    fn named(&self) -> Option<&str> {
        self.named()
    }

    fn status(&self) -> Vec<Status> {
        vec![self.status()]
    }

    fn peek(&self, key: ObjectKey) -> Option<Arc<K>> {
        self.peek(key)
    }

    fn peek_all(&self) -> Vec<Arc<K>> {
        self.peek_all()
    }
}

impl<K: Object> Origin<K> for Namespaces<K> {
    fn subscribe(&self, options: HandlerOptions, handler: Handler<K>) -> Subscription {
        self.subscribe_with(options, handler)
    }

    fn place(&self, options: HandlerOptions, desk: &Arc<Desk<K>>) -> Subscription {
        self.place(options, desk)
    }

    fn kind(&self) -> &Kind {
        self.kind()
    }

    fn namespaces(&self) -> Option<Vec<String>> {
        Some(self.namespaces())
    }

    fn named(&self) -> Option<&str> {
        self.named()
    }

    fn status(&self) -> Vec<Status> {
        self.status()
    }

    fn peek(&self, key: ObjectKey) -> Option<Arc<K>> {
        self.peek(key)
    }

    fn peek_all(&self) -> Vec<Arc<K>> {
        self.peek_all()
    }
}

impl<K: Item> Source<K> {
    fn of(origin: impl Origin<K> + 'static) -> Self {
        Self { origin: Arc::new(origin), predicates: Vec::new() }
    }

    /// Only the changes for which `predicate` holds, too.
    #[must_use]
    pub fn when(mut self, predicate: impl Fn(&Change<K>) -> bool + Send + Sync + 'static) -> Self {
        self.predicates.push(Arc::new(predicate));
        self
    }

    /// Also the changes for which `predicate` holds, whatever was said before.
    ///
    /// ```
    /// # use watchkeeper_api::{Object, core::v1::Pod};
    /// # use watchkeeper_cache::{Source, Watch};
    /// # fn f(pods: &Watch<Pod>) -> Source<Pod> {
    /// pods.when(|change| change.object().label("app").is_some()).or_when(|change| change.is_deleted())
    /// # }
    /// ```
    #[must_use]
    pub fn or_when(
        mut self,
        predicate: impl Fn(&Change<K>) -> bool + Send + Sync + 'static,
    ) -> Self {
        let before = std::mem::take(&mut self.predicates);
        if before.is_empty() {
            return self;
        }
        self.when(move |change| predicate(change) || before.iter().all(|holds| holds(change)))
    }

    /// The object of this key as the copy has it now, whether or not its changes are told.
    #[must_use]
    pub fn peek(&self, key: impl Into<ObjectKey>) -> Option<Arc<K>> {
        self.origin.peek(key.into())
    }

    /// The objects as the copy has them now, whether or not their changes are told.
    #[must_use]
    pub fn peek_all(&self) -> Vec<Arc<K>> {
        self.origin.peek_all()
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
        let wanted = move |change: &Change<K>| {
            if predicates.iter().all(|predicate| predicate(change)) {
                handler(change);
            }
        };
        self.origin.subscribe(options, Box::new(wanted))
    }

    /// The changes as a stream: what there is and every change, as far as it is wanted, in order.
    pub fn changes(&self) -> Changes<K> {
        self.changes_with(HandlerOptions::default())
    }

    /// As [`changes`](Self::changes), with a name, a resync period and an overflow policy.
    pub fn changes_with(&self, options: HandlerOptions) -> Changes<K> {
        Changes::new(self.clone(), options)
    }

    pub(crate) fn place(&self, options: HandlerOptions, desk: &Arc<Desk<K>>) -> Subscription {
        self.origin.place(options, desk)
    }

    /// The kind of the objects.
    #[must_use]
    pub fn kind(&self) -> &Kind {
        self.origin.kind()
    }

    /// The namespaces that it tells of now; none if that is every one, or if the objects are of the cluster.
    #[must_use]
    pub fn namespaces(&self) -> Option<Vec<String>> {
        self.origin.namespaces()
    }

    /// The one name that the objects have, if their fields are selected by it.
    #[must_use]
    pub fn named(&self) -> Option<&str> {
        self.origin.named()
    }

    /// How the copies underneath are doing.
    #[must_use]
    pub fn status(&self) -> Vec<Status> {
        self.origin.status()
    }
}

impl<K: Item> From<&Watch<K>> for Source<K> {
    fn from(watch: &Watch<K>) -> Self {
        watch.clone().into()
    }
}

impl<K: Item> From<Watch<K>> for Source<K> {
    fn from(watch: Watch<K>) -> Self {
        Self::of(watch)
    }
}

impl<K: Object> From<&Namespaces<K>> for Source<K> {
    fn from(namespaces: &Namespaces<K>) -> Self {
        namespaces.clone().into()
    }
}

impl<K: Object> From<Namespaces<K>> for Source<K> {
    fn from(namespaces: Namespaces<K>) -> Self {
        Self::of(namespaces)
    }
}

impl<K: Item> From<&Self> for Source<K> {
    fn from(source: &Self) -> Self {
        source.clone()
    }
}

impl<K: Item> Clone for Source<K> {
    fn clone(&self) -> Self {
        Self { origin: Arc::clone(&self.origin), predicates: self.predicates.clone() }
    }
}

impl<K: Item> fmt::Debug for Source<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({:?}, {} predicates)", self.origin, self.predicates.len())
    }
}

/// A handler of the objects for which `keep` holds. An object that begins to be kept is told as added, one
/// that ceases to be as deleted (upstream: `FilteringResourceEventHandler`, C-47).
///
/// It remembers the keys of the objects that it has told of, since changes that waited may come as one: the
/// last state of an object that was told of may be one that is not kept, and its end is told all the same.
pub fn filtered<K: Item>(
    keep: impl Fn(&K) -> bool + Send,
    mut handler: impl FnMut(&Change<K>) + Send,
) -> impl FnMut(&Change<K>) + Send {
    let mut told = BTreeSet::new();
    // What was told is noted before the handler is called, which may panic.
    move |change| match change {
        Change::Added { new, .. } => {
            if keep(new) {
                told.insert(change.key());
                handler(change);
            }
        }
        Change::Updated { old, new } => {
            let (key, kept) = (change.key(), keep(new));
            match (told.contains(&key), kept) {
                (true, true) => handler(change),
                (false, true) => {
                    told.insert(key);
                    handler(&Change::Added { new: Arc::clone(new), initial: false });
                }
                (true, false) => {
                    told.remove(&key);
                    let last = Arc::clone(old);
                    handler(&Change::Deleted { last, final_state_unknown: false });
                }
                (false, false) => {}
            }
        }
        Change::Deleted { .. } => {
            if told.remove(&change.key()) {
                handler(change);
            }
        }
    }
}

#[cfg(test)]
mod tests;
