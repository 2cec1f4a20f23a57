//! The lab box by box, as client-go's tutorials have it.
//!
//! - the **informer** lists and watches the server and keeps a copy of its pods, the store, beside
//!   it; its handler puts the key of whatever changes into the queue;
//! - the **queue** holds keys, not pods: what happened to a pod since is in the store, so a burst
//!   of changes to one pod costs one look, and no two workers have the same pod;
//! - a **worker** takes a key, reads the store and does its work. A failure comes back after a
//!   while, at most [`RETRIES`] times.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;

use tokio::task::JoinSet;
use watchkeeper::cache::classic::{
    ClassicStore, Indexer, IndexerInformer, InformerOptions, ListWatch,
};
use watchkeeper::prelude::*;
use watchkeeper::queue::default_controller_rate_limiter;

use crate::Outcome;
use crate::lab::{RETRIES, Task, ended, failure};

/// Works until `shutdown` completes, then works off what is queued. `told` is called when every pod
/// that was there at the start is queued. If the informer or a worker crashes, everything ends with what it said.
pub(crate) async fn run(
    client: &Client,
    task: Task,
    workers: u16,
    shutdown: impl Future<Output = ()>,
    told: impl FnOnce(),
) -> Outcome {
    let queue = RateLimitingQueue::named("pods", default_controller_rate_limiter());
    let keys = queue.clone();
    let (indexer, informer) = IndexerInformer::new(
        InformerOptions::default(),
        ListWatch::new(client, Select::<Pod>::all().namespace(&task.namespace)),
        [],
        move |change| keys.add(change.object().key()),
    )
    .map_err(|error| error.to_string())?;
    // Known from the last run: if the first list has them not, they are told as gone.
    task.remembered().for_each(|pod| indexer.add(pod));

    let printer = task.printer.clone();
    printer.line("Starting Pod controller");
    let mut shutdown = pin!(shutdown);
    let informer = Arc::new(informer);
    let mut following = JoinSet::new();
    following.spawn(follow(Arc::clone(&informer)));
    tokio::select! {
        biased;
        () = &mut shutdown => return Ok(()),
        ended = ended("the informer of pods", &mut following) => return ended,
        true = informer.synced() => {}
    }
    told();
    let worker = Worker { queue: queue.clone(), pods: indexer, task };
    let mut working = JoinSet::new();
    for _ in 0..workers {
        working.spawn(worker.clone().run());
    }
    // Whatever ends before it is asked to is told: a program that waits on alone would look well.
    let mut outcome = tokio::select! {
        biased;
        () = shutdown => Ok(()),
        ended = ended("the informer of pods", &mut following) => ended,
        ended = ended("a worker", &mut working), if workers > 0 => ended,
    };
    printer.line("Stopping Pod controller");
    following.shutdown().await;
    queue.shut_down();
    while let Some(worker) = working.join_next().await {
        outcome = outcome.and(worker.map_err(|error| format!("a worker {}", failure(error))));
    }
    outcome
}

async fn follow(informer: Arc<IndexerInformer<Pod>>) {
    informer.run().await;
}

/// Takes keys from the queue, one after the other. Clones share the queue.
#[derive(Clone)]
struct Worker {
    queue: RateLimitingQueue<ObjectKey>,
    pods: Indexer<Pod>,
    task: Task,
}

impl Worker {
    /// Works until the queue is shut down and empty.
    async fn run(self) {
        while let Some(key) = self.queue.get().await {
            let pod = self.pods.get_by_key(&key);
            let outcome = self.task.handle(&key, pod.as_deref());
            self.answer(&key, outcome);
            // Given back last: until here no other worker gets this key.
            self.queue.done(&key);
        }
    }

    /// Tells the rate limiter, and so the queue, how it went.
    fn answer(&self, key: &ObjectKey, outcome: Outcome) {
        let printer = &self.task.printer;
        match outcome {
            Ok(()) => self.queue.forget(key),
            Err(problem) if self.queue.num_requeues(key) < RETRIES => {
                printer.line(format_args!("Error syncing pod {key}: {problem}"));
                self.queue.add_rate_limited(key.clone());
            }
            Err(problem) => {
                self.queue.forget(key);
                printer.line(format_args!("Dropping pod {key} out of the queue: {problem}"));
            }
        }
    }
}
