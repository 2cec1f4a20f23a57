//! How reconciles are paced, limited and repeated.

use std::num::NonZeroUsize;
use std::time::Duration;

use watchkeeper_queue::{ItemExponentialFailure, RateLimiter, RateLimitingQueue};

use super::ControllerBuilder;
use crate::limit::Limit;
use crate::request::Request;

impl<H, S> ControllerBuilder<H, S> {
    /// How many objects are reconciled at once; one unless said otherwise, and never fewer.
    pub fn workers(mut self, workers: usize) -> Self {
        self.parts.workers = NonZeroUsize::new(workers).unwrap_or(NonZeroUsize::MIN);
        self
    }

    /// Shares a limit of reconciles at once with other controllers. Of several limits each is kept.
    pub fn limit(mut self, limit: &Limit) -> Self {
        self.parts.policy.limits.add(limit);
        self
    }

    /// How long one reconcile may take; as long as it likes unless said otherwise. One that takes longer is
    /// dropped where it waits, and counts as failed.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.parts.policy.timeout = Some(timeout);
        self
    }

    /// A panic of the reconcile function ends the controller, and with it its manager, instead of counting as
    /// a failure of one object (upstream: `RecoverPanic: false`).
    pub fn end_with_panics(mut self) -> Self {
        self.parts.policy.recovers = false;
        self
    }

    /// Collects what changes for so long before an object is looked at: once for a burst of changes. The time
    /// counts from the first of them, so that an object which always changes has its turn. What is there at the
    /// start, retries and [`Action::after`](crate::Action::after) do not wait longer.
    pub fn debounce(mut self, time: Duration) -> Self {
        self.parts.debounce = Some(time);
        self
    }

    /// Leaves an object alone as long as it has this annotation, such as `example.com/paused`, whatever its
    /// value. When the annotation comes or goes, that is told whatever the predicates of the source say, so
    /// that the object is looked at when it is resumed.
    pub fn paused_by(mut self, annotation: &str) -> Self {
        self.parts.paused_by = Some(annotation.into());
        self
    }

    /// How long an object that failed is left alone: `first` after its first failure, twice as long after each
    /// that follows, at most `longest`. Success forgets the failures. Five milliseconds and a thousand seconds
    /// unless said otherwise, as upstream. A [`Failure`](crate::Failure) may say a time of its own.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use watchkeeper_api::core::v1::ConfigMap;
    /// # use watchkeeper_cache::Watch;
    /// # use watchkeeper_client::Client;
    /// # use watchkeeper_controller::{Action, Controller};
    /// # fn f(client: &Client, maps: &Watch<ConfigMap>) {
    /// let controller = Controller::new(client, "greeter", maps)
    ///     .backoff(Duration::from_millis(100), Duration::from_mins(5))
    ///     .reconcile(async |_request, _ctx| Ok(Action::done()));
    /// # }
    /// ```
    pub fn backoff(self, first: Duration, longest: Duration) -> Self {
        self.rate_limiter(move || ItemExponentialFailure::new(first, longest))
    }

    /// What says how long an object that failed is left alone, made anew for each run of the controller
    /// (upstream: `Options.RateLimiter`): [`MaxOf`](watchkeeper_queue::MaxOf) several, or one of one's own.
    pub fn rate_limiter<L>(mut self, limiter: impl Fn() -> L + Send + Sync + 'static) -> Self
    where
        L: RateLimiter<Request> + Send + 'static,
    {
        let queue = move |options| RateLimitingQueue::with_options(limiter(), options);
        self.parts.queue = Box::new(queue);
        self
    }
}
