//! Where changes come from, and which requests they make.

use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::Object;
use watchkeeper_cache::{Change, HandlerOptions, Namespaces, Source, Status, Subscription, Watch};
use watchkeeper_queue::{AddOptions, RateLimitingQueue};

use crate::request::Request;

/// The priority of what is looked at although nothing changed: it waits behind what did (B-05). The queue
/// lets the oldest go first from time to time, so it does not wait for ever.
const UNCHANGED: i32 = -100;

/// What a controller can be told by: a watch, some namespaces, or part of their changes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` tells of no changes",
    note = "pass `&watch`, or `watch.when(|change| …)` for some of its changes"
)]
pub trait IntoSource {
    /// What changes.
    type Object: Object;

    /// The changes.
    fn into_source(self) -> Source<Self::Object>;
}

impl<K: Object> IntoSource for &Watch<K> {
    type Object = K;

    fn into_source(self) -> Source<K> {
        self.into()
    }
}

impl<K: Object> IntoSource for &Namespaces<K> {
    type Object = K;

    fn into_source(self) -> Source<K> {
        self.into()
    }
}

impl<K: Object> IntoSource for Source<K> {
    type Object = K;

    fn into_source(self) -> Self {
        self
    }
}

/// A source and its mapping, whatever their types; connected when the controller starts.
pub(crate) trait Wire: Send + Sync {
    /// Feeds `queue` from now on, with all there is once more every `resync`.
    fn connect(&self, queue: RateLimitingQueue<Request>, resync: Option<Duration>) -> Connection;
}

/// A source that feeds a queue until this is dropped.
pub(crate) struct Connection {
    /// Synced when the queue was told all there was.
    pub(crate) subscription: Subscription,
    /// How the copies are doing.
    pub(crate) status: Box<dyn Fn() -> Vec<Status> + Send + Sync>,
}

/// A source and which requests its changes make.
pub(crate) struct Mapped<K: Object, M> {
    pub(crate) source: Source<K>,
    pub(crate) map: Arc<M>,
}

impl<K, M> Wire for Mapped<K, M>
where
    K: Object,
    M: Fn(&Change<K>) -> Vec<Request> + Send + Sync + 'static,
{
    fn connect(&self, queue: RateLimitingQueue<Request>, resync: Option<Duration>) -> Connection {
        let (source, map) = (self.source.clone(), Arc::clone(&self.map));
        let name = queue.name().to_owned();
        let options = HandlerOptions { name, resync, ..HandlerOptions::default() };
        let subscription = source.subscribe_with(options, move |change| {
            let is_new = !change.is_initial() && !change.is_resync();
            let priority = if is_new { 0 } else { UNCHANGED };
            for request in map(change) {
                queue.add_with(request, AddOptions { priority, ..AddOptions::default() });
            }
        });
        Connection { subscription, status: Box::new(move || source.status()) }
    }
}
