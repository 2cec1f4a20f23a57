//! Reflector, queue and process function as one loop.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::Instant;
use watchkeeper_api::Object;

use super::list_watch::ListWatch;
use super::queue::{BoxError, Popped, Queue};
use super::reflector::Reflector;
use crate::delta::Delta;
use crate::item::Item;
use crate::latest::Latest;
use crate::lock::lock;
use crate::status::Status;
use crate::sync::Mutex;

/// What is done with what leaves the queue (upstream: `ProcessFunc`).
pub type Process<K> = Box<dyn FnMut(Popped<K>) -> Result<(), BoxError> + Send>;

/// What a [`ProcessLoop`] is made of (upstream: `cache.Config`).
pub struct Config<K: Item, Q> {
    /// What stands between the reflector and `process`.
    pub queue: Q,
    /// Reads the server. Its transform, resync period and error handler are the reflector's own:
    /// [`Reflector::transform`], [`Reflector::resync`] (upstream: `FullResyncPeriod`, `ShouldResync`),
    /// [`Reflector::watch_error_handler`].
    pub reflector: Reflector<K>,
    /// What is done with what leaves the queue. What fails is logged and not tried again (C-38).
    pub process: Process<K>,
}

impl<K: Object, Q: Queue<K>> Config<K, Q> {
    /// The plainest loop: no resync, no transform.
    pub fn new(
        queue: Q,
        from: ListWatch<K>,
        process: impl FnMut(Popped<K>) -> Result<(), BoxError> + Send + 'static,
    ) -> Self {
        Self { queue, reflector: Reflector::new(from), process: Box::new(process) }
    }
}

impl<K: Item, Q> fmt::Debug for Config<K, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Config({:?})", self.reflector)
    }
}

/// Takes what a reflector puts into a queue and hands it to a function (upstream: `cache.Controller`, which
/// has little to do with what is called a controller elsewhere).
///
/// ```no_run
/// # use watchkeeper_api::core::v1::Pod;
/// # use watchkeeper_client::{Client, Select};
/// use watchkeeper_cache::Store;
/// use watchkeeper_cache::classic::{Config, DeltaFifo, ListWatch, ProcessLoop, process_deltas};
///
/// # async fn f(client: Client) {
/// let pods = Store::new();
/// let queue = DeltaFifo::new().known_objects(pods.clone());
/// let from = ListWatch::new(&client, Select::<Pod>::all());
/// let store = pods.clone();
/// let pod_loop = ProcessLoop::new(Config::new(queue, from, move |popped| {
///     process_deltas(&store, popped, |change| println!("{change}"));
///     Ok(())
/// }));
/// pod_loop.run().await;
/// # }
/// ```
pub struct ProcessLoop<K: Item, Q> {
    queue: Q,
    reflector: Reflector<K>,
    process: Mutex<Process<K>>,
    progress: Latest<Progress>,
    ran: AtomicBool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    synced: bool,
    over: bool,
}

impl<K: Object, Q: Queue<K>> ProcessLoop<K, Q> {
    /// A loop. Nothing happens until it [runs](Self::run).
    #[must_use]
    pub fn new(config: Config<K, Q>) -> Self {
        let Config { queue, reflector, process } = config;
        let (process, progress) = (Mutex::new(process), Latest::default());
        Self { queue, reflector, process, progress, ran: AtomicBool::new(false) }
    }

    /// Follows the server and processes what it says, until it is [stopped](Self::stop) or the future is
    /// dropped. Can be done once. A panic of the process function comes out here.
    ///
    /// # Cancel safety
    /// Dropping the future ends its connections; what waits in the queue is not processed.
    pub async fn run(&self) {
        if self.ran.swap(true, Ordering::Relaxed) {
            tracing::warn!("a process loop can be run once");
            return;
        }
        let _over = OverOnDrop(&self.progress);
        let reflecting = async {
            self.reflector.run(&self.queue).await;
            // The queue is closed; what is in it is processed.
            std::future::pending::<()>().await;
        };
        tokio::select! {
            biased;
            () = self.consume() => {}
            () = reflecting => {}
        }
    }

    async fn consume(&self) {
        while let Some(popped) = self.queue.next().await {
            let is_list = matches!(popped, Popped::Delta { delta: Delta::Replaced(_), .. });
            let started = Instant::now();
            if let Err(error) = (lock(&self.process))(popped) {
                tracing::error!(%error, "what left the queue could not be processed");
            }
            let (took, waiting) = (started.elapsed(), self.queue.len());
            if is_slow(took, waiting) {
                tracing::warn!(?took, waiting, "slow event handlers hold up the queue");
            }
            if is_list || self.queue.has_synced() {
                self.progress.change(|progress| progress.synced = true);
            }
            tokio::task::coop::consume_budget().await;
        }
    }

    /// Ends the run, after what waits in the queue is processed.
    pub fn stop(&self) {
        self.queue.close();
    }

    /// Whether the first list was processed (upstream: `HasSynced`).
    #[must_use]
    pub fn has_synced(&self) -> bool {
        self.progress.get().synced
    }

    /// Waits until the first list was processed; `false` if the loop ended before.
    ///
    /// # Cancel safety
    /// Waiting changes nothing: the future may be dropped at any time.
    pub async fn synced(&self) -> bool {
        self.progress.wait_for(|progress| progress.synced || progress.over).await.synced
    }

    /// How far the reflector has come (upstream: `LastSyncResourceVersion`).
    #[must_use]
    pub fn last_sync_resource_version(&self) -> String {
        self.reflector.last_sync_resource_version()
    }

    /// What failed last between here and the server, unless it has worked since.
    #[must_use]
    pub fn last_error(&self) -> Option<String> {
        self.reflector.last_error()
    }

    /// How it is doing, as [`Reflector::status`] says, but synced once the first list was processed.
    #[must_use]
    pub fn status(&self) -> Status {
        Status { synced: self.has_synced(), ..self.reflector.status() }
    }

    /// The queue.
    #[must_use]
    pub const fn queue(&self) -> &Q {
        &self.queue
    }
}

/// C-41: worth a word when others wait for it.
fn is_slow(took: Duration, waiting: usize) -> bool {
    waiting > 10 && took > Duration::from_millis(100)
}

/// A run that is dropped is over.
struct OverOnDrop<'a>(&'a Latest<Progress>);

impl Drop for OverOnDrop<'_> {
    fn drop(&mut self) {
        self.0.change(|progress| progress.over = true);
    }
}

impl<K: Item, Q> fmt::Debug for ProcessLoop<K, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ProcessLoop({:?}, {:?})", self.reflector, self.progress.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c_41_a_slow_handler_is_told_of_when_others_wait() {
        let (short, long) = (Duration::from_millis(100), Duration::from_millis(101));
        assert!(is_slow(long, 11));
        assert!(!is_slow(short, 11));
        assert!(!is_slow(long, 10));
    }
}
