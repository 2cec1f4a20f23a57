//! Takes a key, reconciles it, answers for it.

use std::any::Any;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;

use futures_util::FutureExt;
use tokio::time::Instant;
use tracing::Instrument;
use watchkeeper_queue::{Job, RateLimitingQueue};

use crate::action::Action;
use crate::context::Context;
use crate::failure::{Failure, Retry};
use crate::reconciler::{Outcome, Reconciler};
use crate::request::Request;

#[cfg(test)]
mod tests;

/// What the workers of one controller share.
#[derive(Debug)]
pub(crate) struct Worker {
    pub(crate) name: String,
    pub(crate) queue: RateLimitingQueue<Request>,
    pub(crate) reconciler: Arc<dyn Reconciler>,
    pub(crate) context: Context,
}

impl Worker {
    /// Reconciles one object after another until `stop` completes; never leaves one half done.
    pub(crate) async fn work(self: Arc<Self>, stop: impl Future<Output = ()>) {
        let mut stop = pin!(stop);
        loop {
            let job = tokio::select! {
                biased;
                () = &mut stop => return,
                job = self.queue.next() => job,
            };
            let Some(job) = job else { return };
            let span = tracing::info_span!("reconcile", controller = self.name, key = %*job);
            self.reconcile(job).instrument(span).await;
        }
    }

    async fn reconcile(&self, job: Job<Request>) {
        // A panic in one reconcile is a failure of that object, not of the controller.
        let reconciling =
            async { self.reconciler.reconcile(job.key().clone(), self.context.clone()).await };
        let outcome = AssertUnwindSafe(reconciling).catch_unwind().await;
        self.answer(job, outcome.unwrap_or_else(|panic| Err(panicked(&*panic))));
    }

    fn answer(&self, job: Job<Request>, outcome: Outcome) {
        match outcome {
            Ok(action) => self.succeeded(job, action),
            Err(failure) => self.failed(job, &failure),
        }
    }

    fn succeeded(&self, job: Job<Request>, action: Action) {
        tracing::debug!(controller = self.name, key = %*job, ?action, "reconciled");
        match action.delay(Instant::now()) {
            Some(delay) => job.after(delay),
            None => job.done(),
        }
    }

    fn failed(&self, job: Job<Request>, failure: &Failure) {
        let retry = failure.retry();
        if failure.is_conflict() {
            tracing::debug!(controller = self.name, key = %*job, %failure, %retry, "reconcile met a newer object");
        } else if failure.is_behind() {
            tracing::debug!(controller = self.name, key = %*job, %failure, %retry, "reconcile came before its own writes");
        } else {
            tracing::error!(controller = self.name, key = %*job, %failure, %retry, "reconcile failed");
        }
        match retry {
            Retry::Backoff => job.retry(),
            Retry::After(delay) => job.retry_after(delay),
            Retry::Never => job.done(),
        }
    }
}

/// A panic as a failure, with its message if it has one.
fn panicked(panic: &(dyn Any + Send)) -> Failure {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    Failure::new(format!("panic: {}", text.unwrap_or("(no message)")))
}
