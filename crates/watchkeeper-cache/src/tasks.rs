//! The futures of a cache and who runs them: added at any time, driven by one `run`, dropped with it.

use std::fmt;
use std::pin::Pin;

use crate::lock::lock;
use crate::sync::{JoinSet, Mutex, Notify};

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

    /// Runs what was added and what will be, until [`stop`](Self::stop). Can be done once. What is in progress
    /// then comes to its next wait and is dropped before this returns (C-68).
    pub(crate) async fn run(&self) {
        {
            let mut inbox = lock(&self.inbox);
            if inbox.runs != Runs::NotYet {
                tracing::warn!("a cache can be run once");
                return;
            }
            inbox.runs = Runs::Now;
        }
        let mut running = JoinSet::new();
        // Dropped before the tasks: whoever is woken by the end of one sees that all is over.
        let _over = StopOnDrop(self);
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
        running.shutdown().await;
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::Tasks;

    /// C-68: what the tasks hold is given back when the run returns, not some time later.
    #[tokio::test]
    async fn a_run_returns_after_its_tasks() {
        let (tasks, held) = (Tasks::default(), Arc::new(()));
        let (task_held, started) = (Arc::clone(&held), Arc::new(tokio::sync::Notify::new()));
        let tell = Arc::clone(&started);
        tasks.add(async move {
            tell.notify_one();
            std::future::pending::<()>().await;
            drop(task_held);
        });
        tokio::join!(tasks.run(), async {
            started.notified().await;
            tasks.stop();
        });
        assert_eq!(Arc::strong_count(&held), 1);
    }
}
