//! What both styles have in common: what is done with a pod, and how often.

use std::any::Any;
use std::fmt;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use clap::ValueEnum;
use tokio::sync::watch;
use tokio::task::{JoinError, JoinSet};
use watchkeeper::prelude::*;

use crate::printer::Printer;
use crate::{Outcome, classic, controller};

/// How often a pod that fails is tried again before it is given up.
pub const RETRIES: u32 = 5;

/// What is done with a pod that came, changed or went: its key, and what the store has of it.
pub type Handler = dyn Fn(&ObjectKey, Option<&Pod>) -> Outcome + Send + Sync;

/// How the lab is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Style {
    /// Box by box, as client-go's tutorials do.
    #[default]
    Classic,
    /// One reconcile function; the boxes are the toolkit's.
    Controller,
}

/// Watches the pods of a namespace, in either style.
pub struct PodController {
    client: Client,
    style: Style,
    task: Task,
    told: watch::Sender<bool>,
}

/// What there is to do.
#[derive(Clone)]
pub(crate) struct Task {
    pub(crate) namespace: String,
    /// Pods that were known on the last run.
    pub(crate) remembered: Vec<String>,
    pub(crate) handler: Arc<Handler>,
    pub(crate) printer: Printer,
}

impl PodController {
    /// Watches the pods of `namespace` and prints what becomes of them.
    #[must_use]
    pub fn new(client: &Client, namespace: &str, printer: Printer, style: Style) -> Self {
        let task = Task {
            namespace: namespace.to_owned(),
            remembered: Vec::new(),
            handler: Arc::new(print_pods(printer.clone())),
            printer,
        };
        Self { client: client.clone(), style, task, told: watch::Sender::new(false) }
    }

    /// Suppose that this pod was there on the last run: if it is not any more, that is told.
    #[must_use]
    pub fn remembering(mut self, name: &str) -> Self {
        self.task.remembered.push(name.to_owned());
        self
    }

    /// Wraps or replaces what is done with a pod: `wrap` gets the handler there is.
    #[must_use]
    pub fn wrapped<H>(mut self, wrap: impl FnOnce(Arc<Handler>) -> H) -> Self
    where
        H: Fn(&ObjectKey, Option<&Pod>) -> Outcome + Send + Sync + 'static,
    {
        self.task.handler = Arc::new(wrap(self.task.handler));
        self
    }

    /// Follows the server and works until `shutdown` completes.
    ///
    /// # Errors
    ///
    /// When the server cannot be followed.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops the informer and the workers where they stand.
    pub async fn run(&self, workers: u16, shutdown: impl Future<Output = ()> + Send) -> Outcome {
        let (task, told) = (self.task.clone(), || _ = self.told.send_replace(true));
        match self.style {
            Style::Classic => {
                Box::pin(classic::run(&self.client, task, workers, shutdown, told)).await
            }
            Style::Controller => {
                Box::pin(controller::run(&self.client, task, workers, shutdown, told)).await
            }
        }
    }

    /// Waits until every pod that was there at the start was told, or will be before the end.
    ///
    /// # Cancel safety
    ///
    /// The future may be dropped at any time.
    pub async fn told_everything(&self) {
        let mut told = self.told.subscribe();
        // The sender is this controller's own.
        drop(told.wait_for(|told| *told).await);
    }
}

impl Task {
    /// Calls the handler. Its crash is a failure like any other.
    pub(crate) fn handle(&self, key: &ObjectKey, pod: Option<&Pod>) -> Outcome {
        catch_unwind(AssertUnwindSafe(|| (self.handler)(key, pod)))
            .unwrap_or_else(|panic| Err(format!("the handler crashed: {}", words(&*panic))))
    }

    /// The pods that were known on the last run, as far as anything is known of them.
    pub(crate) fn remembered(&self) -> impl Iterator<Item = Arc<Pod>> {
        let pod =
            |name: &String| object!(Pod { metadata: { name: name, namespace: &*self.namespace } });
        self.remembered.iter().map(pod).map(Arc::new)
    }
}

impl fmt::Debug for PodController {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PodController({:?}, {})", self.style, self.task.namespace)
    }
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

/// Waits for one of the tasks to end, which none should do by itself.
pub(crate) async fn ended(who: &str, tasks: &mut JoinSet<()>) -> Outcome {
    let how = match tasks.join_next().await {
        Some(Err(error)) => failure(error),
        Some(Ok(())) | None => "ended by itself".to_owned(),
    };
    Err(format!("{who} {how}"))
}

/// What a task that did not come to its end has to say.
pub(crate) fn failure(error: JoinError) -> String {
    match error.try_into_panic() {
        Ok(panic) => format!("crashed: {}", words(&*panic)),
        Err(error) => error.to_string(),
    }
}

/// What a panic said.
fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no words")
}
