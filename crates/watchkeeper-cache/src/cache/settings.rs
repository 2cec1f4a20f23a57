//! What the copies of a cache have in common. Each setting counts for the copies that are made from the
//! handle on which it was set; a copy that is there already keeps its own.

use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use watchkeeper_client::RequestMetrics;

use super::Cache;
use crate::core::WatchErrorHandler;
use crate::informer_metrics::MetricsProvider;
use crate::reflector::state::Tuning;
use crate::rng;
use crate::status::Status;

/// Of one handle.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) seed: u64,
    pub(super) deadline: Duration,
    pub(super) tuning: Tuning,
    pub(super) content_limit: Option<usize>,
    pub(super) meters: Option<(String, Arc<dyn MetricsProvider>)>,
    pub(super) on_error: Option<WatchErrorHandler>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: rng::arbitrary(),
            deadline: Duration::from_secs(10),
            tuning: Tuning::default(),
            content_limit: None,
            meters: None,
            on_error: None,
        }
    }
}

impl Cache {
    /// Where jitter and timeouts come from; another one in every process, unless it is set.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        self
    }

    /// How long a read may wait for this process's own writes; ten seconds unless set. Counts for watches
    /// made from this handle on.
    #[must_use]
    pub const fn read_deadline(mut self, deadline: Duration) -> Self {
        self.settings.deadline = deadline;
        self
    }

    /// Lists are asked for in pages of so many objects, also where a server may send them in one: one that
    /// answers from its cache does, and one that streams sends no list (upstream: `WatchListPageSize`).
    /// Without it pages are of 500, and asked for only where the server reads anew. Counts for copies made
    /// from this handle on.
    #[must_use]
    pub const fn page_size(mut self, objects: NonZeroU32) -> Self {
        self.settings.tuning.page = Some(objects);
        self
    }

    /// Waits so long after a failure, twice as long after each that follows, and at most `longest`; each with
    /// jitter, up to twice. 800 milliseconds and 30 seconds unless set; between a millisecond and a day
    /// (upstream: `ReflectorOptions.Backoff`). Counts for copies made from this handle on; each copy has
    /// waits of its own.
    #[must_use]
    pub const fn backoff(mut self, first: Duration, longest: Duration) -> Self {
        self.settings.tuning.waits = Some((first, longest));
        self
    }

    /// Asks for watches that last at least so long, and at most twice. Five minutes unless set, which is the
    /// least; a day is the most (upstream: `MinWatchTimeout`). Counts for copies made from this handle on.
    #[must_use]
    pub const fn min_watch_timeout(mut self, timeout: Duration) -> Self {
        self.settings.tuning.shortest_watch = timeout;
        self
    }

    /// How many bytes the objects of a copy may take; as many as there are, unless set. Of each object those
    /// bytes count that the server sent of it, which in JSON is more than a copy keeps, also where a projection or
    /// a transform keeps a part; of packed objects those that are kept. Counts for copies made from this handle on,
    /// each by itself.
    ///
    /// What would be more is not taken in: the list or the watch is ended, and the copy stays as it is, as one
    /// does whose server cannot be reached. Its status says at how much it was given up, and that it is
    /// [refused](Status::refused), so that a controller that needs it waits, and the others run; it is tried
    /// again each five minutes. While everything is listed anew the objects are there twice.
    ///
    /// ```
    /// # use watchkeeper_api::core::v1::{ConfigMap, Secret};
    /// # use watchkeeper_cache::Cache;
    /// # use watchkeeper_client::Client;
    /// # fn f(cache: &Cache) {
    /// let secrets = cache.clone().content_limit(64 << 20).watch::<Secret>();
    /// let maps = cache.watch::<ConfigMap>(); // without a limit
    /// # }
    /// ```
    #[must_use]
    pub const fn content_limit(mut self, bytes: usize) -> Self {
        self.settings.content_limit = Some(bytes);
        self
    }

    /// Is told when a copy fails to follow the server, each time that it fails in another way: what is
    /// copied, and its last error, are in the status (upstream: `SetWatchErrorHandler`). Also when an object
    /// cannot be read, once a version and ten times a minute at most: the status names it. Without a handler
    /// both are logged. It is called where the server is followed, so it should return soon, and its panic is
    /// one of [`run`](Self::run). Counts for copies made from this handle on.
    ///
    /// ```no_run
    /// # use watchkeeper_cache::Cache;
    /// # use watchkeeper_client::Client;
    /// # fn f(client: &Client) {
    /// let cache = Cache::new(client).watch_error_handler(|status| eprintln!("{status}"));
    /// # }
    /// ```
    #[must_use]
    pub fn watch_error_handler(
        mut self,
        handler: impl Fn(&Status) + Send + Sync + 'static,
    ) -> Self {
        self.settings.on_error = Some(Arc::new(handler));
        self
    }

    /// Tells `provider` of every copy that is made from this handle on, so that it can be measured; `name`
    /// tells the caches of a process apart.
    #[must_use]
    pub fn metrics(mut self, name: impl Into<String>, provider: Arc<dyn MetricsProvider>) -> Self {
        self.settings.meters = Some((name.into(), provider));
        self
    }

    /// Counts and measures the lists and watches of every copy that is made from this handle on, as
    /// [`Client::metrics`](watchkeeper_client::Client::metrics) does for other requests.
    #[must_use]
    pub fn request_metrics(mut self, metrics: Arc<dyn RequestMetrics>) -> Self {
        self.client = self.client.metrics(metrics);
        self
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("seed", &self.seed)
            .field("deadline", &self.deadline)
            .field("tuning", &self.tuning)
            .field("content_limit", &self.content_limit)
            .field("meters", &self.meters)
            .finish_non_exhaustive()
    }
}
