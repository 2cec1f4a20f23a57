//! Takes a key, reconciles it, answers for it.

use std::any::Any;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::time::{Instant, timeout};
use tracing::{Instrument, Span};
use watchkeeper_queue::{AddOptions, Job, RateLimitingQueue};

use crate::action::Action;
use crate::failure::{Failure, Retry};
use crate::handle::Shared;
use crate::id::{Ids, ReconcileId};
use crate::limit::Limits;
use crate::metrics::Stopwatch;
use crate::part::{Begun, Part};
use crate::reconciler::{Outcome, Reconciler};
use crate::request::Request;
use crate::source::Wire;
use crate::span;
use crate::trace::{Happened, When};

#[cfg(test)]
mod tests;

/// What the workers of one controller share.
pub(crate) struct Worker {
    pub(crate) shared: Arc<Shared>,
    pub(crate) queue: RateLimitingQueue<Request>,
    pub(crate) reconciler: Arc<dyn Reconciler>,
    /// Which objects they may begin with.
    pub(crate) part: Part,
    pub(crate) ids: Ids,
    pub(crate) policy: Policy,
    /// The controller itself, as a cause.
    pub(crate) own: Arc<str>,
}

/// How a controller treats its reconciles.
#[derive(Clone)]
pub(crate) struct Policy {
    /// How long one may take.
    pub(crate) timeout: Option<Duration>,
    /// Whether a panic is a failure of one object; otherwise it ends the controller.
    pub(crate) recovers: bool,
    pub(crate) limits: Limits,
    /// The annotation by which an object is paused, and who knows of it.
    pub(crate) pause: Option<(Arc<str>, Arc<dyn Wire>)>,
}

impl Default for Policy {
    fn default() -> Self {
        Self { timeout: None, recovers: true, limits: Limits::default(), pause: None }
    }
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
            if self.is_paused(&job) {
                self.leave(job);
                continue;
            }
            if !self.part.has(&job) {
                self.pass(job);
                continue;
            }
            self.shared.trace.take(&job, self.queue.is_delayed(&job));
            let _room = tokio::select! {
                biased;
                () = &mut stop => return,
                room = self.policy.limits.room() => room,
            };
            // Once more: the wait may have been long.
            if self.is_paused(&job) {
                self.leave(job);
                continue;
            }
            let Some(begun) = self.part.begin(&job) else {
                self.pass(job);
                continue;
            };
            let id = self.ids.next();
            let span = span::of_reconcile(&self.shared, &job, id);
            self.reconcile(job, id, begun, &span).instrument(span.clone()).await;
        }
    }

    fn is_paused(&self, request: &Request) -> bool {
        let Some((annotation, source)) = &self.policy.pause else { return false };
        source.has_annotation(request, annotation)
    }

    /// Does nothing about an object that is paused.
    fn leave(&self, job: Job<Request>) {
        self.shared.counters.paused.add();
        self.shared.sources.began(&job);
        tracing::debug!(controller = self.shared.name, key = %*job, "paused");
        job.done();
    }

    /// Does nothing about an object that is another process's: that one looks at it.
    fn pass(&self, job: Job<Request>) {
        tracing::debug!(controller = self.shared.name, key = %*job, "of another's share");
        self.shared.failures.forget(&job);
        job.done();
    }

    async fn reconcile(&self, job: Job<Request>, id: ReconcileId, begun: Begun, span: &Span) {
        let _active = self.shared.counters.begin();
        let _timed = self.shared.stopwatch.as_ref().map(Timed::begin);
        self.begin(&job);
        let context = begun.context.clone().with_id(id);
        let reconciling = async { self.reconciler.reconcile(job.key().clone(), context).await };
        match begun.unless_lost(self.outcome(reconciling)).await {
            Some(outcome) => self.answer(job, outcome, span),
            None => {
                span::given_up(span);
                tracing::warn!(controller = self.shared.name, key = %*job, "given up: lost with its shard");
                self.shared.failures.forget(&job);
                job.done();
            }
        }
    }

    async fn outcome(&self, reconciling: impl Future<Output = Outcome>) -> Outcome {
        if !self.policy.recovers {
            return self.in_time(reconciling).await;
        }
        // A panic in one reconcile is a failure of that object, not of the controller.
        let reconciling = AssertUnwindSafe(self.in_time(reconciling)).catch_unwind();
        reconciling.await.unwrap_or_else(|panic| {
            self.shared.counters.panics.add();
            Err(panicked(&*panic))
        })
    }

    fn begin(&self, job: &Job<Request>) {
        self.shared.sources.began(job.key());
        self.shared.trace.begin(job.key());
        if tracing::enabled!(tracing::Level::DEBUG)
            && let Some(why) = self.shared.trace.why(job.key())
        {
            let because: Vec<_> = why.last.iter().map(ToString::to_string).collect();
            let because = because.join("; ");
            tracing::debug!(controller = self.shared.name, key = %**job, because, "reconciles");
        }
    }

    /// A reconcile that takes too long is given up where it waits.
    async fn in_time(&self, reconciling: impl Future<Output = Outcome>) -> Outcome {
        let Some(limit) = self.policy.timeout else { return reconciling.await };
        timeout(limit, reconciling).await.unwrap_or_else(|_late| {
            self.shared.counters.timeouts.add();
            Err(Failure::new(format!("not done within {limit:?}")))
        })
    }

    fn answer(&self, job: Job<Request>, outcome: Outcome, span: &Span) {
        match outcome {
            Ok(action) => self.succeeded(job, action, span),
            Err(failure) => self.failed(job, &failure, span),
        }
    }

    fn succeeded(&self, job: Job<Request>, action: Action, span: &Span) {
        tracing::debug!(controller = self.shared.name, key = %*job, ?action, "reconciled");
        self.shared.failures.forget(&job);
        let delay = action.delay(Instant::now());
        span::succeeded(span, delay);
        let Some(delay) = delay else {
            self.shared.counters.succeeded.add();
            return job.done();
        };
        self.shared.counters.asked_again.add();
        self.note(&job, Happened::Asked, When::after(Some(delay)));
        match action.with_priority() {
            None => job.after(delay),
            Some(priority) => {
                let request = job.key().clone();
                job.done();
                let after = Some(delay);
                let options = AddOptions { priority, after, ..AddOptions::default() };
                self.queue.add_with(request, options);
            }
        }
    }

    fn failed(&self, job: Job<Request>, failure: &Failure, span: &Span) {
        let (retry, controller) = (failure.retry(), &*self.shared.name);
        span::failed(span, failure, retry.delay());
        let counters = &self.shared.counters;
        counters.failed.add();
        self.shared.failures.note(&job, failure.to_string());
        if failure.is_conflict() {
            counters.conflicts.add();
            tracing::debug!(controller, key = %*job, %failure, %retry, "reconcile met a newer object");
        } else if failure.is_behind() {
            counters.behind.add();
            tracing::debug!(controller, key = %*job, %failure, %retry, "reconcile came before its own writes");
        } else if failure.is_stopped() {
            tracing::debug!(controller, key = %*job, %failure, %retry, "reconcile came after its copies were stopped");
        } else {
            tracing::error!(controller, key = %*job, %failure, %retry, "reconcile failed");
        }
        match retry {
            Retry::Backoff => {
                self.note(&job, Happened::Failed, When::Later);
                job.retry();
            }
            Retry::After(delay) => {
                self.note(&job, Happened::Failed, When::after(Some(delay)));
                job.retry_after(delay);
            }
            Retry::Never => {
                counters.terminal.add();
                job.done();
            }
        }
    }

    fn note(&self, request: &Request, what: Happened, when: When) {
        self.shared.trace.note(request, &self.own, what, None, when);
    }
}

/// A reconcile under way, measured also where it is cut off.
struct Timed<'a> {
    stopwatch: &'a Stopwatch,
    begun: Instant,
}

impl<'a> Timed<'a> {
    fn begin(stopwatch: &'a Stopwatch) -> Self {
        Self { stopwatch, begun: Instant::now() }
    }
}

impl Drop for Timed<'_> {
    fn drop(&mut self) {
        self.stopwatch.observe(self.begun.elapsed());
    }
}

/// A panic as a failure, with its message if it has one.
fn panicked(panic: &(dyn Any + Send)) -> Failure {
    Failure::new(format!("panic: {}", text_of(panic)))
}

/// The message of a panic.
pub(crate) fn text_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("(no message)")
}
