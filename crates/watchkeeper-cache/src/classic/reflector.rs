//! The reflector, to be run into any queue or store.

use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};
use watchkeeper_api::Object;

use super::list_watch::ListWatch;
use super::queue::{BoxError, ReflectorStore, Refused, Transform, transformed, transformed_list};
use crate::core::report::{Heard, Report};
use crate::core::telling::News;
use crate::delta::{Delta, Replacement};
use crate::hub::resync_period;
use crate::item::Item;
use crate::lock::lock;
use crate::reflector::message::Unreadable;
use crate::reflector::spans::Subject;
use crate::reflector::state::{State, Tuning};
use crate::reflector::{Onlooker, reflect};
use crate::rng;
use crate::status::{Phase, Status};
use crate::store::Store;
use crate::sync::Mutex;

type ShouldResync = Box<dyn Fn() -> bool + Send + Sync>;
/// Told what failed (upstream: `WatchErrorHandler`).
pub type ErrorHandler = Box<dyn Fn(&str) + Send + Sync>;

/// Follows the server and puts what it says into a queue or a store (upstream: `Reflector`).
///
/// It asks for everything there is, as a stream if the server can do that and as a list if not, then for what
/// changes, and takes up again what breaks off: with a watch from where it was if that will do, else with
/// everything. Nothing that a server answers ends it.
///
/// ```no_run
/// # use watchkeeper_api::core::v1::Pod;
/// # use watchkeeper_client::{Client, Select};
/// # use watchkeeper_cache::Store;
/// # use watchkeeper_cache::classic::{ListWatch, Reflector};
/// # async fn f(client: Client) {
/// let pods = Store::new();
/// let reflector = Reflector::new(ListWatch::new(&client, Select::<Pod>::all())).beside(&pods);
/// tokio::select! {
///     biased;
///     () = reflector.run(&pods) => {}
///     () = tokio::time::sleep(std::time::Duration::from_secs(60)) => {}
/// }
/// println!("{} pods at version {}", pods.len(), reflector.last_sync_resource_version());
/// # }
/// ```
pub struct Reflector<K: Item> {
    from: ListWatch<K>,
    transform: Option<Transform<K>>,
    resync: Option<Duration>,
    should_resync: Option<ShouldResync>,
    seed: u64,
    tuning: Tuning,
    onlooker: Alone<K>,
}

/// What is known of a reflector from outside.
struct Alone<K> {
    what: String,
    known: Store<K>,
    born: Instant,
    report: Mutex<Report>,
    pushed: Mutex<Pushed>,
    heard: Heard,
    on_error: Option<ErrorHandler>,
}

/// What was pushed so far.
#[derive(Default)]
struct Pushed {
    version: String,
    lists: u64,
    events: u64,
}

impl<K: Object> Reflector<K> {
    /// A reflector that reads there. Nothing happens until it [runs](Self::run).
    #[must_use]
    pub fn new(from: ListWatch<K>) -> Self {
        let onlooker = Alone {
            what: from.what.clone(),
            known: Store::new(),
            born: Instant::now(),
            report: Mutex::new(Report::default()),
            pushed: Mutex::new(Pushed::default()),
            heard: Heard::default(),
            on_error: None,
        };
        Self {
            from,
            transform: None,
            resync: None,
            should_resync: None,
            seed: rng::arbitrary(),
            tuning: Tuning::default(),
            onlooker,
        }
    }

    /// Takes objects that did not change from this store, mostly the one that it fills, so that a list costs no
    /// second copy.
    #[must_use]
    pub fn beside(mut self, store: &Store<K>) -> Self {
        self.onlooker.known = store.clone();
        self
    }

    /// Changes every object before it is pushed (C-34).
    ///
    /// What comes out is a `K` like any other, of which the type does not say that something is missing: written
    /// back with a PUT, it takes from the server what the transform dropped. `Cache::transformed` hands
    /// out what cannot be written.
    #[must_use]
    pub fn transform(
        mut self,
        transform: impl Fn(Arc<K>) -> Result<Arc<K>, BoxError> + Send + Sync + 'static,
    ) -> Self {
        self.transform = Some(Arc::new(transform));
        self
    }

    /// Asks for a resync so often, a second apart at least; never if it is zero, or not set.
    #[must_use]
    pub const fn resync(mut self, period: Duration) -> Self {
        self.resync = Some(period);
        self
    }

    /// Lets resyncs be skipped: those before which this says no (C-21).
    #[must_use]
    pub fn should_resync(
        mut self,
        should_resync: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Self {
        self.should_resync = Some(Box::new(should_resync));
        self
    }

    /// Is told what failed, each time that it is something else (upstream: `WatchErrorHandler`), and which
    /// objects cannot be read, each once a version and ten a minute at most. Without one it is logged.
    #[must_use]
    pub fn watch_error_handler(mut self, handler: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.onlooker.on_error = Some(Box::new(handler));
        self
    }

    /// Where jitter and timeouts come from; another one in every process, unless it is set.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Lists are asked for in pages of so many objects, also where a server may send them in one: one that
    /// answers from its cache does, and one that streams sends no list (upstream: `WatchListPageSize`).
    /// Without it pages are of 500, and asked for only where the server reads anew.
    #[must_use]
    pub const fn page_size(mut self, objects: NonZeroU32) -> Self {
        self.tuning.page = Some(objects);
        self
    }

    /// Waits so long after a failure, twice as long after each that follows, and at most `longest`; each with
    /// jitter, up to twice. 800 milliseconds and 30 seconds unless set; between a millisecond and a day
    /// (upstream: `ReflectorOptions.Backoff`).
    #[must_use]
    pub const fn backoff(mut self, first: Duration, longest: Duration) -> Self {
        self.tuning.waits = Some((first, longest));
        self
    }

    /// Asks for watches that last at least so long, and at most twice. Five minutes unless set, which is the
    /// least; a day is the most (upstream: `MinWatchTimeout`).
    #[must_use]
    pub const fn min_watch_timeout(mut self, timeout: Duration) -> Self {
        self.tuning.shortest_watch = timeout;
        self
    }

    /// Follows the server until `into` is closed or the future is dropped.
    ///
    /// # Cancel safety
    /// Dropping the future ends its connections. What was pushed stays; running again begins anew with all
    /// that there is.
    pub async fn run(&self, into: &impl ReflectorStore<K>) {
        let state = State::new(self.seed, String::new()).tuned(self.tuning);
        let _over = OverOnDrop(&self.onlooker.report);
        let into = Noting { reflector: self, into };
        tokio::select! {
            biased;
            () = into.closed() => {}
            () = reflect(&self.onlooker, &self.from, state, &into) => {}
            () = self.resyncs(&into) => {}
        }
    }

    async fn resyncs(&self, into: &impl ReflectorStore<K>) {
        let Some(period) = resync_period(self.resync) else { return std::future::pending().await };
        loop {
            sleep(period).await;
            if !self.should_resync.as_ref().is_none_or(|should_resync| should_resync()) {
                continue;
            }
            if let Err(refused) = into.push(Delta::Sync).await {
                if refused.is_closed() {
                    return;
                }
                // The next may be taken, and what the server says is another matter.
                tracing::error!(error = %refused, "a resync was refused");
            }
        }
    }

    /// The version of what was pushed last; empty before the first list (upstream:
    /// `LastSyncResourceVersion`). What is still in a queue may be behind.
    #[must_use]
    pub fn last_sync_resource_version(&self) -> String {
        lock(&self.onlooker.pushed).version.clone()
    }

    /// What failed last, unless it has worked since.
    #[must_use]
    pub fn last_error(&self) -> Option<String> {
        lock(&self.onlooker.report).last_error()
    }

    /// How it is doing. Lists and changes are those that were pushed, so the version is that of the last;
    /// objects are those of the store that it is [beside](Self::beside).
    #[must_use]
    pub fn status(&self) -> Status {
        let Alone { what, known, born, report, pushed, heard, .. } = &self.onlooker;
        let status = lock(report).status();
        let listed = self.from.listed().filter(|_| status.phase == Phase::Listing);
        let pushed = lock(pushed);
        Status {
            what: what.clone(),
            synced: pushed.lists > 0,
            version: pushed.version.clone(),
            objects: known.len(),
            listed,
            replaces: pushed.lists,
            events: pushed.events,
            last_event_age: heard.age(born.elapsed()),
            ..status
        }
    }
}

/// A run that is over, or was dropped, follows nothing.
struct OverOnDrop<'a>(&'a Mutex<Report>);

impl Drop for OverOnDrop<'_> {
    fn drop(&mut self) {
        lock(self.0).stop();
    }
}

/// Remembers what was pushed.
struct Noting<'a, K: Item, S> {
    reflector: &'a Reflector<K>,
    into: &'a S,
}

impl<K: Item, S> Noting<'_, K, S> {
    fn note(&self, version: String, lists: u64, events: u64) {
        let mut pushed = lock(&self.reflector.onlooker.pushed);
        pushed.lists += lists;
        pushed.events += events;
        if !version.is_empty() {
            pushed.version = version;
        }
    }
}

impl<K: Object, S: ReflectorStore<K>> ReflectorStore<K> for Noting<'_, K, S> {
    async fn push(&self, delta: Delta<K>) -> Result<(), Refused> {
        // Asked first: of a deletion whose last state cannot be transformed only the key is left.
        let version = version_of(&delta).to_owned();
        let is_list = matches!(delta, Delta::Replaced(_));
        let is_event = delta.is_of_one();
        let delta = transformed(self.reflector.transform.as_ref(), delta)?;
        self.into.push(delta).await?;
        self.note(version, u64::from(is_list), u64::from(is_event));
        Ok(())
    }

    fn transforms(&self) -> bool {
        self.reflector.transform.is_some() || self.into.transforms()
    }

    async fn push_list(&self, list: Replacement<K>, kept: &Store<K>) -> Result<(), Refused> {
        let version = list.version.clone();
        let list = transformed_list(self.reflector.transform.as_ref(), list, Some(kept));
        self.into.push_list(list, kept).await?;
        self.note(version, 1, 0);
        Ok(())
    }

    async fn closed(&self) {
        self.into.closed().await;
    }
}

fn version_of<K: Item>(delta: &Delta<K>) -> &str {
    match delta {
        Delta::Added(object) | Delta::Updated(object) | Delta::Deleted(object) => {
            object.item_version()
        }
        Delta::Replaced(list) => &list.version,
        Delta::Bookmark(version)
        | Delta::Vanished { version, .. }
        | Delta::Unreadable { version, .. } => version,
        Delta::Sync => "",
    }
}

impl<K: Object> Onlooker<K> for Alone<K> {
    fn known(&self) -> &Store<K> {
        &self.known
    }

    /// In which namespace is told with it.
    fn subject(&self) -> Subject {
        Subject { resource: self.what.clone(), namespace: None }
    }

    fn now(&self) -> Duration {
        self.born.elapsed()
    }

    fn at(&self, time: Duration) -> Instant {
        self.born + time
    }

    fn heard(&self) {
        self.heard.at(self.now());
    }

    /// What the reflector gets around at once is not worth a word.
    fn report(&self, state: &mut State<K>) {
        let news = lock(&self.report).note(state);
        self.tell(news);
    }

    fn set_aside(&self, which: &Unreadable) {
        let news = lock(&self.report).set_aside(which, self.born.elapsed());
        self.tell(news);
    }
}

impl<K: Object> Alone<K> {
    fn tell(&self, news: Option<News>) {
        match (news, &self.on_error) {
            (None, _) | (Some(News::Found), Some(_)) => {}
            (Some(News::Lost { error, .. }), Some(handler)) => handler(&error),
            (Some(News::SetAside { object, version, reason, .. }), Some(handler)) => {
                handler(&format!("{object} @{version} cannot be read: {reason}"));
            }
            (Some(news), None) => news.log(&self.what, lock(&self.pushed).lists > 0),
        }
    }
}

impl<K: Item> fmt::Debug for Reflector<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reflector({:?} @{})", self.from, lock(&self.onlooker.pushed).version)
    }
}
