//! Work that several callers wait for, and that need not end when they go (Go: `singleflight`).

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::task::Poll;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;

#[cfg(test)]
mod tests;

/// What ends work before it is done.
#[derive(Clone, Copy)]
pub(crate) enum EndsWith {
    /// That the [`SingleFlight`] is dropped. Who comes later waits for the same work.
    Owner,
    /// That nobody waits for it any more.
    LastCaller,
}

/// One piece of work at a time, whose answer is for all who came while it was under way.
pub(crate) struct SingleFlight<T> {
    last: Mutex<Last<T>>,
}

struct Last<T> {
    flight: Weak<Flight<T>>,
    /// The same, where it does not end with its callers.
    _kept: Option<Arc<Flight<T>>>,
}

/// Work under way, or done.
struct Flight<T> {
    answer: Arc<Answer<T>>,
    /// Dropped, it ends the work.
    _work: JoinSet<()>,
}

/// What work comes to, for whoever waits.
struct Answer<T> {
    outcome: OnceLock<Outcome<T>>,
    /// Has no permits: who asks for one waits until it is closed, and all are woken in the order in which they came.
    over: Semaphore,
}

/// What became of work that has begun.
#[derive(Clone)]
enum Outcome<T> {
    Done(T),
    Panicked,
    /// The runtime that it ran on is gone: that of who came first.
    LeftAlone,
}

impl<T: Clone> Answer<T> {
    async fn told(&self) -> Outcome<T> {
        drop(self.over.acquire().await);
        self.outcome.get().cloned().unwrap_or(Outcome::LeftAlone)
    }
}

/// Tells that the work is over when it goes, whatever the work came to.
struct Teller<T>(Arc<Answer<T>>);

impl<T> Drop for Teller<T> {
    fn drop(&mut self) {
        self.0.over.close();
    }
}

/// What it comes to, if it is polled to its end.
async fn outcome<T>(work: impl Future<Output = T>) -> Outcome<T> {
    let mut work = pin!(work);
    poll_fn(|cx| match catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(cx))) {
        Ok(polled) => polled.map(Outcome::Done),
        Err(_told) => Poll::Ready(Outcome::Panicked),
    })
    .await
}

impl<T: Clone + Send + Sync + 'static> SingleFlight<T> {
    pub(crate) fn new() -> Self {
        Self { last: Mutex::new(Last { flight: Weak::new(), _kept: None }) }
    }

    /// What the work under way comes to; `begin` makes it where there is none. `None` where it panicked.
    ///
    /// Work runs on the runtime of the caller who began it. Where that ends before the work, who still waits
    /// begins it again on his own; `None` where his own is the one that ends.
    ///
    /// # Cancel safety
    /// Dropping the future ends the work as `ends` says.
    pub(crate) async fn run<F>(&self, ends: EndsWith, begin: impl Fn() -> F) -> Option<T>
    where
        F: Future<Output = T> + Send + 'static,
    {
        loop {
            let (flight, is_ours) = self.join(ends, &begin);
            match flight.answer.told().await {
                Outcome::Done(value) => return Some(value),
                Outcome::Panicked => return None,
                Outcome::LeftAlone if is_ours => return None,
                Outcome::LeftAlone => {}
            }
        }
    }

    /// The work under way, and whether this began it.
    fn join<F>(&self, ends: EndsWith, begin: impl FnOnce() -> F) -> (Arc<Flight<T>>, bool)
    where
        F: Future<Output = T> + Send + 'static,
    {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(flight) = last.flight.upgrade().filter(|flight| !flight.answer.over.is_closed())
        {
            return (flight, false);
        }
        let answer = Arc::new(Answer { outcome: OnceLock::new(), over: Semaphore::new(0) });
        let teller = Teller(Arc::clone(&answer));
        let work = begin();
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let outcome = outcome(work).await;
            // Nobody else sets it.
            let _ = teller.0.outcome.set(outcome);
        });
        let flight = Arc::new(Flight { answer, _work: tasks });
        let kept = matches!(ends, EndsWith::Owner).then(|| Arc::clone(&flight));
        *last = Last { flight: Arc::downgrade(&flight), _kept: kept };
        (flight, true)
    }
}
