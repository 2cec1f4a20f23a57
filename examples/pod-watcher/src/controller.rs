//! The lab: an informer fills a store and a queue of keys, workers look the keys up in the store.
//!
//! Made after the first controller that client-go's own examples show. Three boxes, and what each
//! is for:
//!
//! - the **informer** follows the server and keeps a copy of its pods, the store;
//! - the **queue** holds keys, not pods: what happened to a pod since is in the store, so a burst
//!   of changes to one pod costs one look, and no two workers have the same pod;
//! - a **worker** takes a key, reads the store through the lister and does its work. A failure
//!   comes back after a while, at most [`RETRIES`] times.

use std::any::Any;
use std::fmt;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;

use tokio::task::JoinSet;
use watchkeeper::cache::{Lister, SharedInformer, Subscription};
use watchkeeper::prelude::*;
use watchkeeper::queue::default_controller_rate_limiter;

use crate::Outcome;
use crate::printer::Printer;

/// How often a pod that fails is tried again before it is given up.
pub const RETRIES: u32 = 5;

/// What is done with a pod that came, changed or went: its key, and what the store has of it.
pub type Handler = dyn Fn(&ObjectKey, Option<&Pod>) -> Outcome + Send + Sync;

/// Watches pods.
pub struct PodController {
    factory: SharedInformerFactory,
    subscription: Subscription,
    worker: Worker,
}

impl PodController {
    /// Watches the pods of `namespace` and prints what becomes of them.
    #[must_use]
    pub fn new(client: &Client, namespace: &str, printer: Printer) -> Self {
        let factory = SharedInformerFactory::new(client);
        let informer = factory.informer_for(Select::<Pod>::all().namespace(namespace));
        let queue = RateLimitingQueue::named("pods", default_controller_rate_limiter());
        let subscription = enqueue_keys(&informer, queue.clone());
        let handler = Arc::new(print_pods(printer.clone()));
        let worker = Worker { queue, pods: informer.lister(), handler, printer };
        Self { factory, subscription, worker }
    }

    /// Wraps or replaces what is done with a pod: `wrap` gets the handler there is.
    #[must_use]
    pub fn wrapped<H>(mut self, wrap: impl FnOnce(Arc<Handler>) -> H) -> Self
    where
        H: Fn(&ObjectKey, Option<&Pod>) -> Outcome + Send + Sync + 'static,
    {
        self.worker.handler = Arc::new(wrap(self.worker.handler));
        self
    }

    /// Follows the server and works until `shutdown` completes, then works off what is queued.
    ///
    /// # Errors
    ///
    /// When the informer ends before it has synced.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops the informer and the workers where they stand.
    pub async fn run(&self, workers: u16, shutdown: impl Future<Output = ()>) -> Outcome {
        let queue = &self.worker.queue;
        let mut shutdown = pin!(shutdown);
        self.worker.printer.line("Starting Pod controller");
        let running = self.factory.start();
        tokio::select! {
            biased;
            () = &mut shutdown => return Ok(()),
            synced = self.factory.wait_for_cache_sync() => {
                synced.map_err(|error| format!("the informer of pods ended: {error}"))?;
            }
        }
        let mut working = JoinSet::new();
        for _ in 0..workers {
            working.spawn(self.worker.clone().run());
        }
        shutdown.await;
        self.worker.printer.line("Stopping Pod controller");
        drop(running);
        queue.shut_down();
        working.join_all().await;
        Ok(())
    }

    /// Waits until every pod that was there at the start is in the queue, or has been.
    ///
    /// # Cancel safety
    ///
    /// The future may be dropped at any time.
    pub async fn told_everything(&self) {
        // It ends only with the controller, and then there is nothing to wait for.
        let _synced = self.subscription.synced().await;
    }
}

impl fmt::Debug for PodController {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PodController").field("factory", &self.factory).finish_non_exhaustive()
    }
}

/// Queues the key of every pod that came, changed or went.
fn enqueue_keys(
    informer: &SharedInformer<Pod>,
    queue: RateLimitingQueue<ObjectKey>,
) -> Subscription {
    informer.add_event_handler(move |change| queue.add(change.object().key()))
}

/// The lab's business logic: tells whether the pod is there.
fn print_pods(printer: Printer) -> impl Fn(&ObjectKey, Option<&Pod>) -> Outcome {
    move |key, pod| {
        match pod {
            Some(pod) => printer.line(format_args!("Sync/Add/Update for Pod {}", pod.name())),
            None => printer.line(format_args!("Pod {key} does not exist anymore")),
        }
        Ok(())
    }
}

/// Takes keys from the queue, one after the other. Clones share the queue.
#[derive(Clone)]
struct Worker {
    queue: RateLimitingQueue<ObjectKey>,
    pods: Lister<Pod>,
    handler: Arc<Handler>,
    printer: Printer,
}

impl Worker {
    /// Works until the queue is shut down and empty.
    async fn run(self) {
        while let Some(key) = self.queue.get().await {
            let outcome = self.handle(&key);
            self.answer(&key, outcome);
            // Given back last: until here no other worker gets this key.
            self.queue.done(&key);
        }
    }

    /// Reads the store and calls the handler. Its crash is a failure like any other.
    fn handle(&self, key: &ObjectKey) -> Outcome {
        let pod = self.pods.get(key.clone());
        catch_unwind(AssertUnwindSafe(|| (self.handler)(key, pod.as_deref())))
            .unwrap_or_else(|panic| Err(format!("the handler crashed: {}", words(&*panic))))
    }

    /// Tells the rate limiter, and so the queue, how it went.
    fn answer(&self, key: &ObjectKey, outcome: Outcome) {
        match outcome {
            Ok(()) => self.queue.forget(key),
            Err(problem) if self.queue.num_requeues(key) < RETRIES => {
                self.printer.line(format_args!("Error syncing pod {key}: {problem}"));
                self.queue.add_rate_limited(key.clone());
            }
            Err(problem) => {
                self.queue.forget(key);
                self.printer.line(format_args!("Dropping pod {key} out of the queue: {problem}"));
            }
        }
    }
}

/// What a panic said.
fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no words")
}
