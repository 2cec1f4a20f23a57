//! What users hold: a copy of some objects, to read and to listen to.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;
use watchkeeper_api::{Kind, ObjectKey};

use crate::change::Change;
use crate::changes::Changes;
use crate::core::Core;
use crate::error::Result;
use crate::hub::{Calls, Control, Desk, Group, HandlerOptions};
use crate::item::Item;
use crate::lock::lock;
use crate::source::Source;
use crate::status::Status;
use crate::store::{Index, Snapshot, Store};
use crate::sync::Mutex;

mod lists;

/// A copy of some objects of the server, kept up to date: lister, index and source of changes in one.
///
/// Cheap to clone; all clones, and all watches of the same objects made from one
/// [`Cache`](crate::Cache), share one copy and one connection. The server is followed while the cache
/// [runs](crate::Cache::run) and until the last handle (watch, source, lister or subscription) is dropped.
pub struct Watch<K: Item> {
    pub(crate) core: Arc<Core<K>>,
    pub(crate) handle: Arc<Handle>,
    deadline: Duration,
}

/// Dropped with the last handle of a copy, which ends its reflector.
#[derive(Debug)]
pub(crate) struct Handle {
    open: Mutex<Option<oneshot::Sender<()>>>,
}

impl Handle {
    /// A handle, and what is closed when it is dropped.
    pub(crate) fn new() -> (Arc<Self>, oneshot::Receiver<()>) {
        let (open, closed) = oneshot::channel();
        (Arc::new(Self { open: Mutex::new(Some(open)) }), closed)
    }

    /// Ends the reflector although there are handles.
    pub(crate) fn close(&self) {
        lock(&self.open).take();
    }

    pub(crate) fn is_open(&self) -> bool {
        lock(&self.open).is_some()
    }
}

impl<K: Item> Watch<K> {
    pub(crate) const fn new(core: Arc<Core<K>>, handle: Arc<Handle>, deadline: Duration) -> Self {
        Self { core, handle, deadline }
    }

    /// The object of this key, with every write that this process made to it before the call.
    ///
    /// Waits for the first list, for the answer to a write of this key that is under way, and for the copy
    /// to reach the version of the last one. Writes made by others, or later, are not waited for. A copy of one
    /// namespace or name has no object of another ([`in_namespace`](Self::in_namespace), [`named`](Self::named)).
    ///
    /// # Errors
    /// [`is_behind`](crate::Error::is_behind) or [`is_not_synced`](crate::Error::is_not_synced) when the
    /// deadline ([`Cache::read_deadline`](crate::Cache::read_deadline)) has passed,
    /// [`is_unreadable`](crate::Error::is_unreadable) at once when such a write came back as what cannot be read,
    /// [`is_stopped`](crate::Error::is_stopped) when there is nothing left to wait for.
    ///
    /// # Cancel safety
    /// Reading changes nothing: the future may be dropped at any time.
    pub async fn get(&self, key: impl Into<ObjectKey>) -> Result<Option<Arc<K>>> {
        self.core.read(&key.into(), self.deadline).await
    }

    /// As [`get`](Self::get), but instead of waiting it fails: for those who would rather come back later.
    ///
    /// # Errors
    /// As [`get`](Self::get), at once.
    pub fn try_get(&self, key: impl Into<ObjectKey>) -> Result<Option<Arc<K>>> {
        self.core.read_now(&key.into())
    }

    /// The object of this key as the copy has it now, which may be older than this process's own writes.
    #[must_use]
    pub fn peek(&self, key: impl Into<ObjectKey>) -> Option<Arc<K>> {
        self.core.store.get(&key.into())
    }

    /// The copy as it is now, which costs nothing and does not change any more. It may lack this process's own
    /// writes.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot<K> {
        self.core.store.snapshot()
    }

    /// The store underneath.
    #[must_use]
    pub fn store(&self) -> &Store<K> {
        &self.core.store
    }

    /// An index: finds objects by the values that `of` computes from them. Can be made at any time, and goes
    /// with the last clone of it.
    ///
    /// `of` must be pure; a panic in it leaves its object out of the index.
    pub fn index<V, I>(&self, of: impl Fn(&K) -> I + Send + Sync + 'static) -> Index<K, V>
    where
        V: Ord + Clone + Send + Sync + 'static,
        I: IntoIterator<Item = V>,
    {
        self.core.store.index(of)
    }

    /// Calls `handler` for everything there is, marked as initial, and then for every change, in order.
    ///
    /// Handlers run on tasks of the cache, one for each, so a slow one delays no other: changes wait in its
    /// own buffer, and when that is full, changes of one object are merged ([`HandlerOptions`] offers other
    /// policies). A panic costs the change it struck.
    pub fn subscribe(&self, handler: impl FnMut(&Change<K>) + Send + 'static) -> Subscription {
        self.subscribe_with(HandlerOptions::default(), handler)
    }

    /// As [`subscribe`](Self::subscribe), with a name, a resync period, and a say in what happens when the
    /// handler is slow.
    pub fn subscribe_with(
        &self,
        options: HandlerOptions,
        handler: impl FnMut(&Change<K>) + Send + 'static,
    ) -> Subscription {
        let control = self.core.subscribe(&options, handler);
        self.held(control, options.name)
    }

    /// A place for a listener who is told from `desk`.
    pub(crate) fn place(&self, options: HandlerOptions, desk: &Desk<K>) -> Subscription {
        let control = self.core.place(&options, desk);
        self.held(control, options.name)
    }

    fn held(&self, control: Arc<Control>, what: String) -> Subscription {
        let place = OnePlace { control, _handle: Arc::clone(&self.handle) };
        Subscription { places: Box::new(place), what }
    }

    /// As a stream: everything there is, marked as initial, and then every change. Nobody is called, and what
    /// was not asked for waits in a buffer.
    pub fn changes(&self) -> Changes<K> {
        Source::from(self).changes()
    }

    /// As [`changes`](Self::changes), with options: a name, a resync period, and a say in what happens when too
    /// many wait.
    pub fn changes_with(&self, options: HandlerOptions) -> Changes<K> {
        Source::from(self).changes_with(options)
    }

    /// The changes for which `predicate` holds, as a source for a controller.
    pub fn when(
        &self,
        predicate: impl Fn(&Change<K>) -> bool + Send + Sync + 'static,
    ) -> Source<K> {
        Source::from(self).when(predicate)
    }

    /// Waits until the first list is in the copy.
    ///
    /// # Errors
    /// [`is_stopped`](crate::Error::is_stopped) when that will not happen any more.
    ///
    /// # Cancel safety
    /// The future may be dropped at any time.
    pub async fn synced(&self) -> Result<()> {
        self.core.synced().await
    }

    /// Whether the first list is in the copy (upstream: `HasSynced`).
    #[must_use]
    pub fn has_synced(&self) -> bool {
        self.core.is_synced()
    }

    /// How the copy is doing, and why it is not synced.
    #[must_use]
    pub fn status(&self) -> Status {
        self.core.status()
    }

    /// The kind of the objects. Of a kind that was asked for by its plural only, the name and the scope are
    /// known once the server has told them.
    #[must_use]
    pub fn kind(&self) -> &Kind {
        self.core.scope.kind()
    }

    /// The one namespace that the objects are of, if it is one.
    #[must_use]
    pub fn in_namespace(&self) -> Option<&str> {
        self.core.scope.namespace.as_deref()
    }

    /// The one name that the objects have, if their fields are selected by it.
    #[must_use]
    pub fn named(&self) -> Option<&str> {
        self.core.scope.name.as_deref()
    }
}

impl<K: Item> Clone for Watch<K> {
    fn clone(&self) -> Self {
        Self {
            core: Arc::clone(&self.core),
            handle: Arc::clone(&self.handle),
            deadline: self.deadline,
        }
    }
}

impl<K: Item> fmt::Debug for Watch<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Watch({:?})", self.core)
    }
}

/// A handler's place at a copy, or at several as one ([`Namespaces`](crate::Namespaces)). Dropping it ends the
/// calls: one in progress is completed, what waits is not delivered. [`shut_down`](Self::shut_down) waits for
/// that one, too.
#[must_use = "dropping a subscription ends it"]
pub struct Subscription {
    places: Box<dyn Places>,
    what: String,
}

/// Where a handler listens. To be dropped with its subscription.
pub(crate) trait Places: Send + Sync {
    /// Its place at each copy of now.
    fn controls(&self) -> Vec<Arc<Control>>;

    /// What these have in common, if it can be several.
    fn group(&self) -> Option<&Group>;

    /// The calls of the handler, at all of them.
    fn calls(&self) -> Arc<Calls>;
}

struct OnePlace {
    control: Arc<Control>,
    _handle: Arc<Handle>,
}

impl Places for OnePlace {
    fn controls(&self) -> Vec<Arc<Control>> {
        vec![Arc::clone(&self.control)]
    }

    fn group(&self) -> Option<&Group> {
        None
    }

    fn calls(&self) -> Arc<Calls> {
        self.control.calls()
    }
}

impl Drop for OnePlace {
    fn drop(&mut self) {
        self.control.close();
    }
}

impl Subscription {
    pub(crate) fn at(places: impl Places + 'static, what: String) -> Self {
        Self { places: Box::new(places), what }
    }

    pub(crate) fn controls(&self) -> Vec<Arc<Control>> {
        self.places.controls()
    }

    /// Whether the handler was called for everything there was as it came (C-60); of several namespaces, in
    /// each that is followed now.
    #[must_use]
    pub fn has_synced(&self) -> bool {
        self.controls().iter().all(|control| control.synced.get())
    }

    /// Waits until the handler was called for everything there was as it came; returns early, with `false`,
    /// if the subscription has ended.
    ///
    /// # Cancel safety
    /// The future may be dropped at any time.
    pub async fn synced(&self) -> bool {
        loop {
            let late = self.controls().into_iter().find(|control| !control.synced.get());
            let Some(late) = late else { return true };
            let synced = late.synced.wait_for(|synced| synced || late.is_closed()).await;
            // A namespace that was given up meanwhile is waited for by nobody.
            if self.is_over()
                || !synced && self.controls().iter().any(|control| Arc::ptr_eq(control, &late))
            {
                return false;
            }
        }
    }

    /// Ends the subscription, as dropping it does, and waits until a call in progress has returned: after this
    /// the handler is not called any more (upstream: `ShutDownEventHandler`, C-64). A handler that blocks on this
    /// for itself waits for its own return, for ever; it drops its subscription instead.
    ///
    /// # Cancel safety
    /// The subscription has ended, whether or not this was waited for.
    ///
    /// ```
    /// # use watchkeeper_api::core::v1::ConfigMap;
    /// # use watchkeeper_cache::Watch;
    /// # async fn f(maps: &Watch<ConfigMap>) {
    /// let subscription = maps.subscribe(|change| println!("{change}"));
    /// subscription.shut_down().await;
    /// // What the handler wrote to can be taken away now.
    /// # }
    /// ```
    pub async fn shut_down(self) {
        let calls = self.places.calls();
        drop(self);
        calls.ended().await;
    }

    /// How many changes wait for the handler.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.controls().iter().map(|control| control.pending()).sum()
    }

    /// Whether the subscription was ended because the handler was too slow
    /// ([`Overflow::Disconnect`](crate::Overflow::Disconnect)); of several namespaces, in one of them.
    #[must_use]
    pub fn is_lagged(&self) -> bool {
        match self.places.group() {
            Some(group) => group.is_lagged(),
            None => self.controls().iter().any(|control| control.is_lagged()),
        }
    }

    /// Whether the handler will not be called any more for what is followed now.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        let controls = self.controls();
        self.is_over() || !controls.is_empty() && controls.iter().all(|control| control.is_closed())
    }

    /// Whether it has ended for what will be followed, too.
    fn is_over(&self) -> bool {
        self.places.group().is_some_and(Group::is_over)
    }
}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Subscription({}, {:?})", self.what, self.controls())
    }
}
