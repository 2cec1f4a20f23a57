//! The lab as a controller: one function from a key to what is to be done, with a copy of the pods to read.
//!
//! Informer, store, queue and workers are there all the same; they are the toolkit's. What is left
//! is what this program wants to be different: after [`RETRIES`] failures a pod is given up, while
//! a controller would go on trying.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::future::{Future, pending};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;
use tokio::task::JoinSet;
use watchkeeper::cache::Cache;
use watchkeeper::controller::Feed;
use watchkeeper::prelude::*;

use crate::Outcome;
use crate::lab::{self, RETRIES, Task};

/// Works until `shutdown` completes and what is begun is finished. `told` is called when every pod
/// that was there at the start was handled. If the informer crashes, everything ends with what it said.
pub(crate) async fn run(
    client: &Client,
    task: Task,
    workers: u16,
    shutdown: impl Future<Output = ()> + Send,
    told: impl FnOnce(),
) -> Outcome {
    let cache = Cache::new(client);
    let pods = cache.watch_only(Select::<Pod>::all().namespace(&task.namespace));
    let remembered: BTreeSet<ObjectKey> = task.remembered().map(|pod| pod.key()).collect();
    let asked = remembered.clone();

    let printer = task.printer.clone();
    printer.line("Starting Pod controller");
    let (handled, mut handling) = watch::channel(Some(BTreeSet::new()));
    let handled = Arc::new(handled);
    let counted = Arc::clone(&handled);
    let state = Pods { pods: pods.clone(), task, tries: Mutex::default(), handled };
    let controller = Controller::new(client, "pod-watcher", &pods)
        .workers(workers.into())
        // Nobody tells of what had gone before the first list.
        .source("the pods of the last run", move |feed: Feed| asks(feed, asked.clone()))
        .with(state)
        .reconcile(Pods::reconcile);
    let everything = async {
        if pods.synced().await.is_ok() {
            let listed = pods.peek_all();
            let first = remembered.into_iter().chain(listed.iter().map(|pod| pod.key()));
            let first: BTreeSet<ObjectKey> = first.collect();
            // The sender lives as long as the controller.
            let all = |handled: &Handled| handled.as_ref().is_some_and(|of| first.is_subset(of));
            drop(handling.wait_for(all).await);
            counted.send_replace(None);
            told();
        }
        pending::<()>().await;
    };
    let mut following = JoinSet::new();
    let followed = cache.clone();
    following.spawn(async move { followed.run().await });
    let outcome = tokio::select! {
        biased;
        ended = lab::ended("the informer of pods", &mut following) => ended,
        ended = controller.run(shutdown) => ended.map_err(|error| error.to_string()),
        () = everything => Ok(()),
    };
    printer.line("Stopping Pod controller");
    cache.shut_down();
    while following.join_next().await.is_some() {}
    outcome
}

/// Asks for a look at each of `keys`.
async fn asks(feed: Feed, keys: BTreeSet<ObjectKey>) -> Result<(), Infallible> {
    keys.into_iter().for_each(|key| feed.request(key));
    feed.told_all();
    pending().await
}

/// What was handled, as long as somebody waits for the first of all: who runs for months sees many keys.
type Handled = Option<BTreeSet<ObjectKey>>;

/// What the reconcile function works with.
struct Pods {
    pods: Watch<Pod>,
    task: Task,
    /// How often a pod has failed since it last went well.
    tries: Mutex<BTreeMap<ObjectKey, u32>>,
    handled: Arc<watch::Sender<Handled>>,
}

impl Pods {
    async fn reconcile(&self, request: Request, _ctx: Context) -> Result<Action, Failure> {
        let pod = self.pods.get(&request).await?;
        let outcome = self.task.handle(&request, pod.as_deref());
        let answer = self.answer(&request, outcome);
        self.handled.send_if_modified(|handled| {
            handled.as_mut().is_some_and(|handled| handled.insert(request.key))
        });
        answer
    }

    fn answer(&self, key: &ObjectKey, outcome: Outcome) -> Result<Action, Failure> {
        let mut tries = self.tries.lock().unwrap_or_else(PoisonError::into_inner);
        let Err(problem) = outcome else {
            tries.remove(key);
            return Ok(Action::done());
        };
        let failed = tries.entry(key.clone()).or_default();
        let printer = &self.task.printer;
        if *failed < RETRIES {
            *failed += 1;
            printer.line(format_args!("Error syncing pod {key}: {problem}"));
            return Err(Failure::new(problem));
        }
        tries.remove(key);
        printer.line(format_args!("Dropping pod {key} out of the queue: {problem}"));
        Ok(Action::done())
    }
}
