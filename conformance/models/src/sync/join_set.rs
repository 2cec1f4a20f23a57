//! `tokio::task::JoinSet` without a runtime: its tasks run while somebody waits for the next that ends.

use std::any::Any;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// How a task may end badly: here it ends the model.
#[derive(Clone, Copy, Debug)]
pub enum JoinError {}

impl JoinError {
    /// What the task panicked with.
    ///
    /// # Errors
    /// None.
    pub fn try_into_panic(self) -> Result<Box<dyn Any + Send>, Self> {
        match self {}
    }
}

/// Tasks that end with it.
#[derive(Default)]
pub struct JoinSet {
    tasks: Vec<Task>,
}

impl JoinSet {
    /// Without tasks.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a task.
    pub fn spawn(&mut self, task: impl Future<Output = ()> + Send + 'static) {
        self.tasks.push(Box::pin(task));
    }

    /// Runs the tasks until one ends; `None` when there is none.
    pub async fn join_next(&mut self) -> Option<Result<(), JoinError>> {
        poll_fn(|context| {
            if self.tasks.is_empty() {
                return Poll::Ready(None);
            }
            let ended =
                self.tasks.iter_mut().position(|task| task.as_mut().poll(context).is_ready());
            let Some(ended) = ended else { return Poll::Pending };
            drop(self.tasks.remove(ended));
            Poll::Ready(Some(Ok(())))
        })
        .await
    }

    /// Ends every task where it stands.
    pub async fn shutdown(&mut self) {
        self.tasks.clear();
        std::future::ready(()).await;
    }
}

impl std::fmt::Debug for JoinSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "JoinSet({})", self.tasks.len())
    }
}
