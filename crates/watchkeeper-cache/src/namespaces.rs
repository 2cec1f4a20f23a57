//! Some namespaces as one, and which ones can change while it runs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::{Kind, Object, ObjectKey};
use watchkeeper_client::Select;

use crate::cache::Cache;
use crate::change::Change;
use crate::changes::Changes;
use crate::error::{Error, Result, Why};
use crate::hub::{Calls, Control, Desk, Group, HandlerOptions};
use crate::lock::lock;
use crate::source::Source;
use crate::status::Status;
use crate::sync::Mutex;
use crate::watch::{Places, Subscription, Watch};

/// The copies of some namespaces, read and listened to as one (Q-08). Which namespaces can be
/// [changed](Self::set) at any time (Q-11).
///
/// Each namespace is a [`Watch`] of its own, shared with whoever else watches it, with its own connection and
/// permission. Namespaces come in their order, so lists are in the order of the keys.
///
/// ```
/// # use watchkeeper_api::core::v1::ConfigMap;
/// # use watchkeeper_apiserver::ApiServer;
/// # use watchkeeper_cache::Cache;
/// # use watchkeeper_client::{Client, Select};
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let cache = Cache::new(&Client::new(ApiServer::new()));
/// let maps = cache.watch_namespaces(Select::<ConfigMap>::all(), ["shop", "bank"]);
/// let subscription = maps.subscribe(|change| println!("{change}"));
/// # let work = async {
/// maps.synced().await?;
/// assert!(maps.list().await?.is_empty());
/// maps.set(["shop", "mill"]);
/// maps.synced().await?;
/// assert!(maps.get(("bank", "a")).await.unwrap_err().is_not_followed());
/// # Ok(())
/// # };
/// # let ended = tokio::select! { biased; ended = work => ended, () = cache.run() => Ok(()) };
/// # drop(subscription);
/// # ended
/// # }
/// ```
pub struct Namespaces<K: Object> {
    shared: Arc<Shared<K>>,
}

struct Shared<K: Object> {
    cache: Cache,
    select: Select<K>,
    /// Of handlers that do not say when.
    resync: Option<Duration>,
    state: Mutex<State<K>>,
}

struct State<K: Object> {
    watches: BTreeMap<String, Watch<K>>,
    listeners: BTreeMap<u64, Listener<K>>,
    next: u64,
}

impl<K: Object> State<K> {
    /// Takes a namespace out. To be dropped without the lock.
    fn remove(&mut self, namespace: &str) -> (Option<Watch<K>>, Vec<Subscription>) {
        let listeners = self.listeners.values_mut();
        let places = listeners.filter_map(|l| l.places.remove(namespace)).collect();
        (self.watches.remove(namespace), places)
    }
}

/// Where a handler's changes come together, and its place at each namespace.
struct Listener<K: Object> {
    options: HandlerOptions,
    desk: Arc<Desk<K>>,
    places: BTreeMap<String, Subscription>,
}

impl<K: Object> Listener<K> {
    fn listen(&mut self, namespace: &str, watch: &Watch<K>) {
        if !self.desk.group.is_over() {
            let place = watch.place(self.options.clone(), &self.desk);
            self.places.insert(namespace.to_owned(), place);
        }
    }
}

impl Cache {
    /// The copies of some namespaces as one, and which ones can change. The namespace of `select` counts for
    /// nothing.
    pub fn watch_namespaces<K: Object, N: Into<String>>(
        &self,
        select: Select<K>,
        namespaces: impl IntoIterator<Item = N>,
    ) -> Namespaces<K> {
        Namespaces::of(self, select, namespaces, None)
    }
}

impl<K: Object> Namespaces<K> {
    pub(crate) fn of<N: Into<String>>(
        cache: &Cache,
        select: Select<K>,
        namespaces: impl IntoIterator<Item = N>,
        resync: Option<Duration>,
    ) -> Self {
        let state = State { watches: BTreeMap::new(), listeners: BTreeMap::new(), next: 0 };
        let shared = Shared { cache: cache.clone(), select, resync, state: Mutex::new(state) };
        let watched = Self { shared: Arc::new(shared) };
        watched.set(namespaces);
        watched
    }

    /// Follows these namespaces from now on, and no others. Those that stay are not touched.
    ///
    /// Handlers are told of what is in a new namespace. Of one that is given up they are told nothing: its
    /// objects are not gone.
    pub fn set<N: Into<String>>(&self, namespaces: impl IntoIterator<Item = N>) {
        let wanted: BTreeSet<String> = namespaces.into_iter().map(Into::into).collect();
        let mut state = lock(&self.shared.state);
        let unwanted: Vec<String> =
            state.watches.keys().filter(|known| !wanted.contains(*known)).cloned().collect();
        let given_up: Vec<_> = unwanted.iter().map(|namespace| state.remove(namespace)).collect();
        for namespace in wanted {
            self.add_to(&mut state, namespace);
        }
        drop(state);
        drop(given_up);
    }

    /// Follows one namespace more; says whether it is new.
    pub fn add(&self, namespace: impl Into<String>) -> bool {
        self.add_to(&mut lock(&self.shared.state), namespace.into())
    }

    fn add_to(&self, state: &mut State<K>, namespace: String) -> bool {
        if state.watches.contains_key(&namespace) {
            return false;
        }
        let select = self.shared.select.clone().namespace(&namespace);
        let watch = self.shared.cache.watch_only(select);
        for listener in state.listeners.values_mut() {
            listener.listen(&namespace, &watch);
        }
        state.watches.insert(namespace, watch);
        true
    }

    /// Gives a namespace up; says whether it was followed.
    pub fn remove(&self, namespace: &str) -> bool {
        // Dropped when the lock is let go: what a handler holds may be the last of these namespaces.
        let (watch, places) = lock(&self.shared.state).remove(namespace);
        drop(places);
        watch.is_some()
    }

    /// The namespaces followed, in order.
    #[must_use]
    pub fn namespaces(&self) -> Vec<String> {
        lock(&self.shared.state).watches.keys().cloned().collect()
    }

    /// The copy of one namespace.
    #[must_use]
    pub fn watch(&self, namespace: &str) -> Option<Watch<K>> {
        lock(&self.shared.state).watches.get(namespace).cloned()
    }

    /// The object of this key, with every write that this process made to it before: see [`Watch::get`].
    ///
    /// # Errors
    /// [`is_not_followed`](crate::Error::is_not_followed) for a namespace that is not followed, where nobody
    /// can say whether it exists. As [`Watch::get`].
    ///
    /// # Cancel safety
    /// Reading changes nothing: the future may be dropped at any time.
    pub async fn get(&self, key: impl Into<ObjectKey>) -> Result<Option<Arc<K>>> {
        let key = key.into();
        match self.watch(&key.namespace) {
            Some(watch) => watch.get(key).await,
            None => Err(self.not_followed(&key.to_string())),
        }
    }

    /// The object of this key as its copy has it now; none of a namespace that is not followed.
    #[must_use]
    pub fn peek(&self, key: impl Into<ObjectKey>) -> Option<Arc<K>> {
        let key = key.into();
        self.watch(&key.namespace)?.peek(key)
    }

    /// Every object, in the order of the keys, with every write that this process made to them before: see
    /// [`Watch::list`]. Each namespace is of one moment; together they are not.
    ///
    /// # Errors
    /// As [`Watch::get`].
    ///
    /// # Cancel safety
    /// Reading changes nothing: the future may be dropped at any time.
    pub async fn list(&self) -> Result<Vec<Arc<K>>> {
        let mut list = Vec::new();
        for watch in self.watches() {
            list.extend(watch.list().await?);
        }
        Ok(list)
    }

    /// Every object of a namespace, in the order of the names: see [`Watch::list_in`].
    ///
    /// # Errors
    /// As [`get`](Self::get).
    ///
    /// # Cancel safety
    /// Reading changes nothing: the future may be dropped at any time.
    pub async fn list_in(&self, namespace: &str) -> Result<Vec<Arc<K>>> {
        match self.watch(namespace) {
            Some(watch) => watch.list().await,
            None => Err(self.not_followed(&format!("in {namespace}"))),
        }
    }

    /// Every object as its copy has it now, in the order of the keys.
    #[must_use]
    pub fn peek_all(&self) -> Vec<Arc<K>> {
        self.watches().iter().flat_map(Watch::peek_all).collect()
    }

    /// Every object of a namespace as its copy has it now, in the order of the names; none of a namespace that
    /// is not followed.
    #[must_use]
    pub fn peek_in(&self, namespace: &str) -> Vec<Arc<K>> {
        self.watch(namespace).map_or_else(Vec::new, |watch| watch.peek_all())
    }

    fn not_followed(&self, which: &str) -> Error {
        let subject = format!("{} {which}", self.shared.select.target().group_resource());
        Error::new(subject, Why::NotFollowed, Status::default())
    }

    /// Waits until every namespace that is followed now has every write that this process made before.
    ///
    /// # Errors
    /// As [`Watch::caught_up`].
    ///
    /// # Cancel safety
    /// Waiting changes nothing: the future may be dropped at any time.
    pub async fn caught_up(&self) -> Result<()> {
        for watch in self.watches() {
            watch.caught_up().await?;
        }
        Ok(())
    }

    /// Waits until every namespace that is followed now has its first list.
    ///
    /// # Errors
    /// As [`Watch::synced`].
    ///
    /// # Cancel safety
    /// Waiting changes nothing: the future may be dropped at any time.
    pub async fn synced(&self) -> Result<()> {
        for watch in self.watches() {
            watch.synced().await?;
        }
        Ok(())
    }

    /// Whether every namespace that is followed now has its first list.
    #[must_use]
    pub fn has_synced(&self) -> bool {
        self.watches().iter().all(Watch::has_synced)
    }

    /// How the copy of each namespace is doing.
    #[must_use]
    pub fn status(&self) -> Vec<Status> {
        self.watches().iter().map(Watch::status).collect()
    }

    /// Calls `handler` for everything there is and for every change, of the namespaces followed now and of
    /// those to come. One task calls it, of each object in order, and of each namespace that has something to
    /// tell in its turn.
    pub fn subscribe(&self, handler: impl FnMut(&Change<K>) + Send + 'static) -> Subscription {
        let options = HandlerOptions { resync: self.shared.resync, ..HandlerOptions::default() };
        self.subscribe_with(options, handler)
    }

    /// As [`subscribe`](Self::subscribe), with options. Each namespace has a buffer of that size, and what
    /// [`Overflow`](crate::Overflow) says of a full one holds for the handler as it would with one copy:
    ///
    /// - changes are merged by object, in the namespace whose buffer is full;
    /// - the copy of that namespace waits, with all who listen to it; the copies of the others do not;
    /// - the subscription ends, in all namespaces and for good: the handler is not called again, not for
    ///   namespaces that are added later either, and [`is_lagged`](Subscription::is_lagged) says so.
    pub fn subscribe_with(
        &self,
        options: HandlerOptions,
        handler: impl FnMut(&Change<K>) + Send + 'static,
    ) -> Subscription {
        let desk = Desk::of(handler);
        let subscription = self.place(options, &desk);
        self.shared.cache.add_task(desk.serve());
        subscription
    }

    /// A place at each namespace for a listener who is told from `desk`.
    pub(crate) fn place(&self, options: HandlerOptions, desk: &Arc<Desk<K>>) -> Subscription {
        let (what, group) = (options.name.clone(), Arc::clone(&desk.group));
        let mut listener = Listener { options, desk: Arc::clone(desk), places: BTreeMap::new() };
        let mut state = lock(&self.shared.state);
        for (namespace, watch) in &state.watches {
            listener.listen(namespace, watch);
        }
        let number = state.next;
        state.next += 1;
        state.listeners.insert(number, listener);
        drop(state);
        Subscription::at(Listening { shared: Arc::clone(&self.shared), group, number }, what)
    }

    /// As a stream: everything there is, marked as initial, and then every change. Nobody is called, and what
    /// was not asked for waits in a buffer.
    pub fn changes(&self) -> Changes<K> {
        Source::from(self).changes()
    }

    /// As [`changes`](Self::changes), with options; what they mean is told at
    /// [`subscribe_with`](Self::subscribe_with).
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

    /// The kind of the objects, as it was asked for.
    #[must_use]
    pub fn kind(&self) -> &Kind {
        self.shared.select.target()
    }

    /// The one name that the objects have, if their fields are selected by it.
    #[must_use]
    pub fn named(&self) -> Option<&str> {
        self.shared.select.named()
    }

    fn watches(&self) -> Vec<Watch<K>> {
        lock(&self.shared.state).watches.values().cloned().collect()
    }
}

impl<K: Object> Clone for Namespaces<K> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<K: Object> fmt::Debug for Namespaces<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Namespaces({:?}, {:?})", self.shared.select, self.namespaces())
    }
}

/// A handler's place at [`Namespaces`], until it is dropped.
struct Listening<K: Object> {
    shared: Arc<Shared<K>>,
    group: Arc<Group>,
    number: u64,
}

impl<K: Object> Places for Listening<K> {
    fn controls(&self) -> Vec<Arc<Control>> {
        let state = lock(&self.shared.state);
        let places = state.listeners.get(&self.number).map(|listener| listener.places.values());
        places.into_iter().flatten().flat_map(Subscription::controls).collect()
    }

    fn group(&self) -> Option<&Group> {
        Some(&self.group)
    }

    fn calls(&self) -> Arc<Calls> {
        self.group.calls()
    }
}

impl<K: Object> Drop for Listening<K> {
    fn drop(&mut self) {
        let listener = lock(&self.shared.state).listeners.remove(&self.number);
        listener.iter().for_each(|listener| listener.desk.leave());
        // Not under the lock: what the handler holds may be the last of these namespaces.
        drop(listener);
    }
}
