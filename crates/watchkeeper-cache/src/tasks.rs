//! The futures of a cache and who runs them: added at any time, driven by one `run`, dropped with it.

use std::fmt;
use std::pin::Pin;
use std::sync::Mutex;

use tokio::sync::Notify;
use tokio::task::JoinSet;

use crate::lock::lock;

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Futures that wait to be run, or are.
#[derive(Default)]
pub(crate) struct Tasks {
    inbox: Mutex<Inbox>,
    changed: Notify,
}

#[derive(Default)]
struct Inbox {
    waiting: Vec<Task>,
    runs: Runs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Runs {
    #[default]
    NotYet,
    Now,
    Over,
}

impl Tasks {
    /// Runs `task` as soon as somebody runs these tasks; drops it if that is over.
    pub(crate) fn add(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut inbox = lock(&self.inbox);
        if inbox.runs != Runs::Over {
            inbox.waiting.push(Box::pin(task));
            drop(inbox);
            self.changed.notify_one();
        }
    }

    /// Ends the run, whenever it is.
    pub(crate) fn stop(&self) {
        let dropped = {
            let mut inbox = lock(&self.inbox);
            inbox.runs = Runs::Over;
            std::mem::take(&mut inbox.waiting)
        };
        drop(dropped);
        self.changed.notify_one();
    }

    /// Runs what was added and what will be, until [`stop`](Self::stop). Can be done once.
    pub(crate) async fn run(&self) {
        {
            let mut inbox = lock(&self.inbox);
            if inbox.runs != Runs::NotYet {
                tracing::warn!("a cache can be run once");
                return;
            }
            inbox.runs = Runs::Now;
        }
        let _over = StopOnDrop(self);
        let mut running = JoinSet::new();
        while let Some(tasks) = self.take() {
            for task in tasks {
                running.spawn(task);
            }
            tokio::select! {
                biased;
                () = self.changed.notified() => {}
                Some(ended) = running.join_next() => {
                    if let Err(error) = ended {
                        tracing::error!(%error, "a task of the cache ended badly");
                    }
                }
            }
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        lock(&self.inbox).runs == Runs::Over
    }

    fn take(&self) -> Option<Vec<Task>> {
        let mut inbox = lock(&self.inbox);
        (inbox.runs != Runs::Over).then(|| std::mem::take(&mut inbox.waiting))
    }
}

/// A run that is dropped is over: nothing that is added later would ever be run.
struct StopOnDrop<'a>(&'a Tasks);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inbox = lock(&self.inbox);
        write!(f, "Tasks({:?}, {} waiting)", inbox.runs, inbox.waiting.len())
    }
}
