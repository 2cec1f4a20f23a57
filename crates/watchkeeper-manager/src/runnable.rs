//! What a manager runs, and how it is told to stop.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error as StdError;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, PoisonError};

use watchkeeper_api::{Error, Kind, Result};
use watchkeeper_client::Client;
use watchkeeper_client::access::Need;
use watchkeeper_controller::{Controller, ControllerHandle, Home, Limit, Reconciler, Stop};

use crate::sync::{Mutex, MutexGuard, Notify};

pub(crate) type Running = Pin<Box<dyn Future<Output = Result<()>> + Send>>;

/// On which replicas something runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// On all of them.
    Everywhere,
    /// Where the lease is held; on all of them if there is no election.
    Leading,
}

/// A part of the process that runs until told to stop.
pub(crate) struct Runnable {
    pub(crate) name: String,
    pub(crate) group: Group,
    start: Start,
}

enum Start {
    Once(Option<Box<dyn FnOnce(Stop) -> Running + Send>>),
    Again(Box<dyn Fn(Stop) -> Running + Send>),
}

impl Runnable {
    pub(crate) fn once<F, Fut, E>(name: &str, group: Group, run: F) -> Self
    where
        F: FnOnce(Stop) -> Fut + Send + 'static,
        Fut: Future<Output = Result<(), E>> + Send + 'static,
        E: Into<Box<dyn StdError + Send + Sync>>,
    {
        let start = |stop| -> Running {
            let running = run(stop);
            Box::pin(async move { running.await.map_err(own) })
        };
        Self { name: name.to_owned(), group, start: Start::Once(Some(Box::new(start))) }
    }

    pub(crate) fn again<F, Fut, E>(name: &str, group: Group, run: F) -> Self
    where
        F: Fn(Stop) -> Fut + Send + 'static,
        Fut: Future<Output = Result<(), E>> + Send + 'static,
        E: Into<Box<dyn StdError + Send + Sync>>,
    {
        let start = move |stop| -> Running {
            let running = run(stop);
            Box::pin(async move { running.await.map_err(own) })
        };
        Self { name: name.to_owned(), group, start: Start::Again(Box::new(start)) }
    }

    fn controller(controller: Controller) -> Self {
        let name = controller.name().to_owned();
        let group = if is_everywhere(&controller) { Group::Everywhere } else { Group::Leading };
        let controller = Arc::new(controller);
        Self::again(&name, group, move |stop| {
            let controller = Arc::clone(&controller);
            async move { controller.run(async move { stop.requested().await }).await }
        })
    }

    /// Whether it has not been started, or can be once more.
    pub(crate) const fn can_start(&self) -> bool {
        !matches!(self.start, Start::Once(None))
    }

    /// Starts it; `None` if it was started before and can be started once.
    pub(crate) fn start(&mut self, stop: Stop) -> Option<Running> {
        match &mut self.start {
            Start::Once(start) => start.take().map(|start| start(stop)),
            Start::Again(start) => Some(start(stop)),
        }
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
    added_everywhere: Notify,
    added_leading: Notify,
}

#[derive(Default)]
struct Waiting {
    runnables: Vec<Runnable>,
    names: BTreeSet<String>,
    needs: Vec<Need>,
    handles: Vec<ControllerHandle>,
    /// By the kind that is reconciled: its group and name.
    limits: BTreeMap<(String, String), Limit>,
    begun: bool,
    over: bool,
}

impl Registry {
    /// An empty one with the limits of another.
    pub(crate) fn limited_as(other: &Self) -> Self {
        let limits = other.lock().limits.clone();
        Self { waiting: Mutex::new(Waiting { limits, ..Waiting::default() }), ..Self::default() }
    }

    /// Keeps a runnable for the start, or for the manager that runs already.
    pub(crate) fn add(&self, runnable: Runnable) {
        let mut waiting = self.lock();
        if waiting.over {
            tracing::warn!(runnable = runnable.name, "not started: the manager has stopped");
            return;
        }
        let group = runnable.group;
        waiting.runnables.push(runnable);
        drop(waiting);
        self.signal(group).notify_one();
    }

    /// Waits until something may have been added to a group.
    pub(crate) async fn added(&self, group: Group) {
        self.signal(group).notified().await;
    }

    const fn signal(&self, group: Group) -> &Notify {
        match group {
            Group::Everywhere => &self.added_everywhere,
            Group::Leading => &self.added_leading,
        }
    }

    /// Notes a controller.
    fn handles(&self, handle: &ControllerHandle) {
        self.lock().handles.push(handle.clone());
    }

    /// The controllers so far, in the order in which they were made.
    pub(crate) fn controllers(&self) -> Vec<ControllerHandle> {
        self.lock().handles.clone()
    }

    /// Limits the reconciles of a kind.
    pub(crate) fn limit(&self, kind: &Kind, reconciles: usize) {
        self.lock().limits.insert(named(kind), Limit::new(reconciles));
    }

    pub(crate) fn limit_of(&self, kind: &Kind) -> Option<Limit> {
        self.lock().limits.get(&named(kind)).cloned()
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

    /// What of a group was added and not taken.
    ///
    /// # Errors
    /// A name is taken twice.
    pub(crate) fn take(&self, group: Group) -> Result<Vec<Runnable>> {
        let mut waiting = self.lock();
        let taken: Vec<_> = waiting.runnables.extract_if(.., |r| r.group == group).collect();
        for Runnable { name, .. } in &taken {
            if !waiting.names.insert(name.clone()) {
                return Err(Error::other(format!(
                    "two controllers or runnables are called {name}"
                )));
            }
        }
        Ok(taken)
    }

    /// Nothing is started any more. What was not taken is dropped: it may hold the manager, which holds it.
    pub(crate) fn close(&self) {
        let mut waiting = self.lock();
        waiting.over = true;
        let never_started = std::mem::take(&mut waiting.runnables);
        drop(waiting);
        drop(never_started);
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One that has a share runs where the others run, and writes what is its own.
fn is_everywhere(controller: &Controller) -> bool {
    controller.is_everywhere() || controller.share().is_some()
}

/// Whatever its version.
fn named(kind: &Kind) -> (String, String) {
    (kind.group.to_string(), kind.kind.to_string())
}

/// The home of a manager's controllers: a finished one is kept by the manager.
#[derive(Clone)]
pub struct Registered {
    pub(crate) registry: Arc<Registry>,
    /// For those who run on every replica.
    pub(crate) unfenced: Client,
    pub(crate) wrap: Option<Arc<Wrap>>,
}

/// Puts something around the reconcile function of a controller of this name.
pub(crate) type Wrap = dyn Fn(&str, Arc<dyn Reconciler>) -> Arc<dyn Reconciler> + Send + Sync;

impl Home for Registered {
    /// To stop and start it alone, to give it other sources, to ask how it is doing; or to be dropped.
    type Output = ControllerHandle;

    fn take(self, mut controller: Controller) -> ControllerHandle {
        if is_everywhere(&controller) {
            controller = controller.client(&self.unfenced);
        }
        if let Some(wrap) = &self.wrap {
            let name = controller.name().to_owned();
            controller = controller.wrapped(|reconciler| wrap(&name, reconciler));
        }
        self.registry.need(controller.needs().iter().cloned());
        let handle = controller.handle();
        self.registry.handles(&handle);
        self.registry.add(Runnable::controller(controller));
        handle
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
