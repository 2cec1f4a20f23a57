//! One copy with all that hangs on it: store, listeners, floors, status.
//!
//! A delta is applied to the store and handed to the listeners under one lock, so a listener that comes
//! late gets what there is and then what follows, without a gap and without a repetition.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use tokio::time::Instant;
use watchkeeper_api::Kind;

use crate::change::Change;
use crate::delta::{Delta, Replacement};
use crate::floors::Floors;
use crate::hub::{Control, Desk, Group, HandlerOptions, Hub, Post};
use crate::informer_metrics::{Figures, Holding, Measured, Meter};
use crate::item::Item;
use crate::latest::Latest;
use crate::ledger::Ledger;
use crate::lock::lock;
use crate::reflector::message::Unreadable;
use crate::reflector::state::State;
use crate::selection::Selection;
use crate::status::{Phase, Status};
use crate::store::Store;
use crate::sync::{Mutex, Notify};
use crate::tasks::Tasks;

mod aside;
mod classic;
mod own_writes;
mod read;
pub(crate) mod report;
pub(crate) mod telling;

use report::{Heard, Report};
use telling::News;

/// What is later than time can tell may as well be then.
const FAR_AWAY: Duration = Duration::from_secs(30 * 365 * 24 * 3600);

/// What a core is a copy of.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    pub(crate) kind: Kind,
    /// The kind as the server tells it, where only its plural was known.
    pub(crate) named: Arc<OnceLock<Kind>>,
    /// `deployments.apps in shop`, for people.
    pub(crate) what: String,
    /// The one namespace, if it is one.
    pub(crate) namespace: Option<String>,
    /// The one name, if the fields select by it.
    pub(crate) name: Option<String>,
    /// What else selects the objects.
    pub(crate) selection: Selection,
}

impl Scope {
    /// The kind, as far as it is known.
    pub(crate) fn kind(&self) -> &Kind {
        self.named.get().unwrap_or(&self.kind)
    }
}

/// A copy and its surroundings.
pub(crate) struct Core<K> {
    pub(crate) scope: Scope,
    pub(crate) store: Store<K>,
    hub: Mutex<Hub<K>>,
    /// A listener came that may have a resync of its own.
    pub(crate) hub_changed: Notify,
    floors: Mutex<Floors>,
    /// A read waits for what only the server knows.
    asked: Notify,
    progress: Latest<Progress>,
    report: Mutex<Report>,
    events: AtomicU64,
    replaces: AtomicU64,
    /// How many objects of the list under way have come.
    pub(crate) listed: Arc<AtomicU64>,
    /// What its objects take.
    pub(crate) ledger: Arc<Ledger>,
    heard: Heard,
    born: Instant,
    /// Where somebody wants to hear of it.
    meter: OnceLock<Meter>,
    on_error: OnceLock<WatchErrorHandler>,
    /// Not owned: the tasks own the core.
    tasks: Weak<Tasks>,
}

/// How far the copy has come. Every step wakes those who wait for one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Progress {
    pub(crate) synced: bool,
    pub(crate) stopped: bool,
}

/// Told how a copy is doing when it fails.
pub(crate) type WatchErrorHandler = Arc<dyn Fn(&Status) + Send + Sync>;

impl<K: Item> Core<K> {
    pub(crate) fn new(scope: Scope, tasks: &Arc<Tasks>) -> Arc<Self> {
        Arc::new(Self {
            scope,
            store: Store::new(),
            hub: Mutex::new(Hub::new()),
            hub_changed: Notify::new(),
            floors: Mutex::new(Floors::default()),
            asked: Notify::new(),
            progress: Latest::default(),
            report: Mutex::new(Report::default()),
            events: AtomicU64::new(0),
            replaces: AtomicU64::new(0),
            listed: Arc::default(),
            ledger: Arc::default(),
            heard: Heard::default(),
            born: Instant::now(),
            meter: OnceLock::new(),
            on_error: OnceLock::new(),
            tasks: Arc::downgrade(tasks),
        })
    }

    /// The time since the core was made.
    pub(crate) fn now(&self) -> Duration {
        self.born.elapsed()
    }

    pub(crate) fn at(&self, time: Duration) -> Instant {
        self.born.checked_add(time).unwrap_or_else(|| self.born + FAR_AWAY)
    }

    // ---- the way in --------------------------------------------------------------------------------

    /// Takes in a delta: store first, then the listeners, then those who wait for it.
    pub(crate) fn take(&self, delta: Delta<K>) {
        let began = self.meter.get().map(|_| Instant::now());
        self.apply(delta);
        if let (Some(meter), Some(began)) = (self.meter.get(), began) {
            meter.processed(began.elapsed());
        }
    }

    fn apply(&self, delta: Delta<K>) {
        let mut hub = lock(&self.hub);
        let is_list = matches!(delta, Delta::Replaced(_));
        let first_list = is_list && !self.store.is_filled();
        if matches!(delta, Delta::Sync) {
            return hub.resync(self.now(), &self.store.snapshot());
        }
        let is_event = delta.is_of_one();
        let before = self.store.reached();
        let changes = self.change(delta);
        if is_list {
            hub.publish_list(&changes);
        } else {
            hub.publish(&changes);
        }
        if first_list {
            hub.synced();
        }
        drop(hub);
        self.replaces.fetch_add(u64::from(is_list), Ordering::Relaxed);
        self.events.fetch_add(u64::from(is_event), Ordering::Relaxed);
        if is_list && self.store.reached() < before {
            lock(&self.floors).clear();
        }
        self.lower_floors(&changes);
        self.step(|progress| progress.synced |= is_list);
    }

    /// Changes the store, and what is known of objects that cannot be read: as one, or a read in between would
    /// hold the one against the other.
    fn change(&self, delta: Delta<K>) -> Vec<Change<K>> {
        let mut floors = lock(&self.floors);
        let readable = match &delta {
            Delta::Unreadable { key, .. } => {
                floors.set_aside(key.clone());
                None
            }
            Delta::Replaced(list) if !(list.unreadable.is_empty() && floors.is_all_readable()) => {
                heed(list, &mut floors);
                None
            }
            delta if !floors.is_all_readable() => delta.key(),
            _ => {
                drop(floors);
                return self.store.apply(delta);
            }
        };
        let changes = self.store.apply(delta);
        readable.into_iter().for_each(|key| floors.told(&key));
        if let Some(reached) = self.store.reached() {
            floors.reached(reached);
        }
        changes
    }

    fn lower_floors(&self, changes: &[Change<K>]) {
        let mut floors = lock(&self.floors);
        if floors.is_empty() {
            return;
        }
        for change in changes.iter().filter(|change| change.is_deleted()) {
            let may_return = self.scope.selection.may_return();
            floors.lost(&change.key(), change.object().item_uid(), may_return);
        }
        if let Some(reached) = self.store.reached() {
            floors.reached(reached);
        }
    }

    fn step(&self, change: impl FnOnce(&mut Progress)) {
        self.progress.change(change);
    }

    /// So many deltas wait, where somebody wants to hear of it: to count them takes the queue's lock.
    pub(crate) fn queued(&self, count: impl FnOnce() -> usize) {
        if let Some(meter) = self.meter.get() {
            meter.queued(count());
        }
    }

    /// From now on somebody wants to hear of it.
    pub(crate) fn measure(&self) {
        self.meter.get_or_init(Meter::default);
    }

    /// Waits until every listener that asks to be waited for has room.
    pub(crate) async fn room(&self) {
        loop {
            let Some(full) = lock(&self.hub).blocking() else { return };
            full.room.notified().await;
        }
    }

    pub(crate) fn next_resync(&self) -> Option<Duration> {
        lock(&self.hub).next_resync()
    }

    /// From now on failures are told to `handler` instead of the log.
    pub(crate) fn tell_errors(&self, handler: WatchErrorHandler) {
        self.on_error.get_or_init(|| handler);
    }

    pub(crate) fn heard(&self) {
        self.heard.at(self.now());
    }

    pub(crate) fn report(&self, state: &mut State<K>) {
        let news = lock(&self.report).note(state);
        self.tell(news);
    }

    /// The copy goes without an object, as it could not be read.
    pub(crate) fn set_aside(&self, which: &Unreadable) {
        let news = lock(&self.report).set_aside(which, self.now());
        self.tell(news);
    }

    fn tell(&self, news: Option<News>) {
        match (news, self.on_error.get()) {
            (None, _) | (Some(News::Found), Some(_)) => {}
            (Some(News::Lost { .. } | News::SetAside { .. }), Some(handler)) => {
                handler(&self.status());
            }
            (Some(news), None) => news.log(&self.scope.what, self.progress.get().synced),
        }
    }

    /// The task that follows the server panicked: it is about to be dropped.
    pub(crate) fn crashed(&self, words: &str) {
        lock(&self.report).crash(words);
    }

    pub(crate) fn has_crashed(&self) -> bool {
        lock(&self.report).has_crashed()
    }

    /// Stops the core when it is dropped, in whatever state.
    pub(crate) fn stop_on_drop(self: &Arc<Self>) -> StopOnDrop<K> {
        StopOnDrop(Arc::clone(self))
    }

    /// Nobody follows the server any more: whoever waits is told, and the listeners' tasks end.
    pub(crate) fn stop(&self) {
        lock(&self.report).stop();
        lock(&self.hub).close();
        self.step(|progress| progress.stopped = true);
    }

    // ---- listeners ---------------------------------------------------------------------------------

    pub(crate) fn subscribe(
        &self,
        options: &HandlerOptions,
        handler: impl FnMut(&Change<K>) + Send + 'static,
    ) -> Arc<Control> {
        let post = self.post(options, None);
        let control = Arc::clone(&post.control);
        match self.tasks.upgrade() {
            Some(tasks) => tasks.add(post.serve(handler)),
            None => control.close(),
        }
        control
    }

    /// A place for a listener that listens elsewhere, too, or is told by a task of its own.
    pub(crate) fn place(&self, options: &HandlerOptions, desk: &Desk<K>) -> Arc<Control> {
        let post = self.post(options, Some(&desk.group));
        let control = Arc::clone(&post.control);
        if self.tasks.strong_count() == 0 {
            control.close();
        }
        desk.add(post);
        control
    }

    fn post(&self, options: &HandlerOptions, group: Option<&Arc<Group>>) -> Arc<Post<K>> {
        let post = {
            let mut hub = lock(&self.hub);
            let synced = self.store.is_filled();
            hub.subscribe(options, self.now(), &self.store.snapshot(), synced, group)
        };
        self.hub_changed.notify_one();
        post
    }

    // ---- status ------------------------------------------------------------------------------------

    pub(crate) fn status(&self) -> Status {
        let Progress { synced, .. } = self.progress.get();
        let status = lock(&self.report).status();
        let is_listing = status.phase == Phase::Listing;
        Status {
            what: self.scope.what.clone(),
            synced,
            version: self.store.version(),
            objects: self.store.len(),
            listed: is_listing.then(|| self.listed.load(Ordering::Relaxed)),
            replaces: self.replaces.load(Ordering::Relaxed),
            events: self.events.load(Ordering::Relaxed),
            last_event_age: self.heard.age(self.now()),
            handlers: lock(&self.hub).len(),
            ..status
        }
    }
}

/// What a list says of what cannot be read: all of it, or more of it where an object in it has no name, which may
/// be any of those that could not be read before.
fn heed<K: Item>(list: &Replacement<K>, floors: &mut Floors) {
    if !list.nameless {
        return floors.listed(&list.unreadable);
    }
    list.items.iter().for_each(|item| floors.told(&item.item_key()));
    list.unreadable.iter().for_each(|key| floors.set_aside(key.clone()));
}

impl<K: Item> Measured for Core<K> {
    fn figures(&self) -> Figures {
        let (version, handlers) = (self.store.version(), lock(&self.hub).pending());
        let none = Meter::default();
        let meter = self.meter.get().unwrap_or(&none);
        let holding = Holding { content: self.ledger.content(), ..self.store.holding() };
        meter.figures(&version, holding, handlers)
    }
}

/// Held by the task that follows the server: however that ends, the core knows.
pub(crate) struct StopOnDrop<K: Item>(Arc<Core<K>>);

impl<K: Item> StopOnDrop<K> {
    pub(crate) fn core(&self) -> Arc<Core<K>> {
        Arc::clone(&self.0)
    }
}

impl<K: Item> Drop for StopOnDrop<K> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl<K: Item> fmt::Debug for Core<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.status())
    }
}
