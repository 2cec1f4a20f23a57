//! What a manager runs, and how it is told to stop.

use std::error::Error as StdError;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use watchkeeper_api::{Error, Result};
use watchkeeper_client::access::Need;
use watchkeeper_controller::{Controller, Home, Stop};

type Running = Pin<Box<dyn Future<Output = Result<()>> + Send>>;

/// A part of the process that runs until told to stop.
pub(crate) struct Runnable {
    pub(crate) name: String,
    start: Box<dyn FnOnce(Stop) -> Running + Send>,
}

impl Runnable {
    pub(crate) fn new<F, Fut, E>(name: &str, run: F) -> Self
    where
        F: FnOnce(Stop) -> Fut + Send + 'static,
        Fut: Future<Output = Result<(), E>> + Send + 'static,
        E: Into<Box<dyn StdError + Send + Sync>>,
    {
        let start = |stop| -> Running {
            let running = run(stop);
            Box::pin(async move { running.await.map_err(own) })
        };
        Self { name: name.to_owned(), start: Box::new(start) }
    }

    fn controller(controller: Controller) -> Self {
        let name = controller.name().to_owned();
        let start = |stop: Stop| -> Running {
            Box::pin(controller.run(async move { stop.requested().await }))
        };
        Self { name, start: Box::new(start) }
    }

    pub(crate) fn start(self, stop: Stop) -> Running {
        (self.start)(stop)
    }
}

/// This toolkit's errors as they are, others by what they say.
fn own(error: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
    match error.into().downcast::<Error>() {
        Ok(error) => *error,
        Err(other) => Error::other(other.to_string()),
    }
}

/// What a manager was given and has not started yet.
#[derive(Default)]
pub(crate) struct Registry {
    waiting: Mutex<Waiting>,
    pub(crate) added: Notify,
}

#[derive(Default)]
struct Waiting {
    runnables: Vec<Runnable>,
    needs: Vec<Need>,
    begun: bool,
    over: bool,
}

impl Registry {
    /// Keeps a runnable for the start, or for the manager that runs already.
    pub(crate) fn add(&self, runnable: Runnable) {
        let mut waiting = self.lock();
        if waiting.over {
            tracing::warn!(runnable = runnable.name, "not started: the manager has stopped");
            return;
        }
        waiting.runnables.push(runnable);
        drop(waiting);
        self.added.notify_one();
    }

    /// Notes what something needs.
    pub(crate) fn need(&self, needs: impl IntoIterator<Item = Need>) {
        self.lock().needs.extend(needs);
    }

    pub(crate) fn needs(&self) -> Vec<Need> {
        let mut needs = self.lock().needs.clone();
        needs.sort();
        needs.dedup();
        needs
    }

    /// Marks the start; false if there was one before.
    pub(crate) fn begin(&self) -> bool {
        !std::mem::replace(&mut self.lock().begun, true)
    }

    pub(crate) fn take(&self) -> Vec<Runnable> {
        std::mem::take(&mut self.lock().runnables)
    }

    /// Nothing is started any more.
    pub(crate) fn close(&self) {
        self.lock().over = true;
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The home of a manager's controllers: a finished one is kept by the manager.
#[derive(Clone)]
pub struct Registered(pub(crate) Arc<Registry>);

impl Home for Registered {
    type Output = ();

    fn take(self, controller: Controller) {
        self.0.need(controller.needs().iter().cloned());
        self.0.add(Runnable::controller(controller));
    }
}

impl fmt::Debug for Registered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Registered")
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry").finish_non_exhaustive()
    }
}
