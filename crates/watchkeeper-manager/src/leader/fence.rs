//! What keeps a leader from writing after its lease.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Arc, PoisonError};
use std::task::Poll;
use std::time::Duration;

use http::{Method, Request, Response, header};
use tokio::time::Instant;
use watchkeeper_api::MicroTime;
use watchkeeper_client::{Body, BoxError, Client, Next, NotSent, status_answer};
use watchkeeper_controller::Clock;

use crate::sync::{Mutex, MutexGuard, Notify, sleep_until};

/// Lets writes through while this replica surely holds the lease.
///
/// It judges by two clocks, and the stricter counts: that of the runtime, and the wall clock, which goes on
/// while a machine is asleep.
#[derive(Clone, Debug)]
pub struct Fence {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    /// For people.
    lease: String,
    clock: Clock,
    gate: Mutex<Gate>,
    /// The fence was closed, or a write has ended.
    changed: Notify,
}

#[derive(Debug, Default)]
struct Gate {
    until: Option<Until>,
    /// How often it was closed: a write is of the term in which it began.
    closings: u64,
    /// Writes that were let out, and have not ended.
    under_way: usize,
    /// When the last one ended of which nobody knows whether it is, or will be, stored.
    doubt: Option<Instant>,
}

/// When the last write may be sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Until {
    pub(crate) at: Instant,
    pub(crate) date: MicroTime,
}

impl Fence {
    pub(crate) fn new(lease: String, clock: Clock) -> Self {
        let (gate, changed) = (Mutex::default(), Notify::new());
        Self { shared: Arc::new(Shared { lease, clock, gate, changed }) }
    }

    /// Whether a write would be sent now.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.open_until(&self.gate()).is_some()
    }

    /// A client whose writes are sent only while the fence is open. Reads always are.
    ///
    /// A write that is refused here is answered with 503 and the reason `NotLeader`: nothing was stored. One
    /// that is on its way when the fence closes is given up; whether it was stored is not known then.
    ///
    /// To begin an exec, an attach or a port-forward counts as a write. A stream that is open is not ended by
    /// the fence: the server carries on what it was asked for.
    ///
    /// ```
    /// # use watchkeeper_client::Client;
    /// # use watchkeeper_manager::{LeaderElection, LeaderElector};
    /// # fn f(client: &Client) -> watchkeeper_api::Result<()> {
    /// let elector = LeaderElector::new(client, LeaderElection::new("my-operator").namespace("shop"))?;
    /// let client = elector.fence().guard(client);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn guard(&self, client: &Client) -> Client {
        let fence = self.clone();
        client.clone().intercept(move |request, next| pass(fence.clone(), request, next))
    }

    pub(crate) fn open(&self, until: Until) {
        self.gate().until = Some(until);
    }

    /// Lets nothing out any more, and has what is on its way given up.
    pub(crate) fn close(&self) {
        let mut gate = self.gate();
        if gate.until.take().is_some() {
            gate.closings += 1;
        }
        drop(gate);
        self.shared.changed.notify_waiters();
    }

    /// Waits until every write that was let out has ended, and tells when the last one ended that may be
    /// stored later.
    pub(crate) async fn at_rest(&self) -> Option<Instant> {
        loop {
            // Made before the look, it hears of what changes after it.
            let changed = self.shared.changed.notified();
            let (under_way, doubt) = {
                let gate = self.gate();
                (gate.under_way, gate.doubt)
            };
            if under_way == 0 {
                return doubt;
            }
            changed.await;
        }
    }

    /// Until when it is open; `None` if it is not.
    fn open_until(&self, gate: &Gate) -> Option<Instant> {
        let until = gate.until?;
        let open = Instant::now() < until.at && self.shared.clock.micro_now() < until.date;
        open.then_some(until.at)
    }

    fn gate(&self) -> MutexGuard<'_, Gate> {
        self.shared.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a write out, if it may be.
    pub(crate) fn begin(&self) -> Option<Write<'_>> {
        let mut gate = self.gate();
        self.open_until(&gate)?;
        gate.under_way += 1;
        Some(Write { fence: self, closings: gate.closings, answered: false })
    }
}

/// A write that was let out. One that ends without an answer may be stored later.
pub(crate) struct Write<'a> {
    fence: &'a Fence,
    closings: u64,
    answered: bool,
}

impl Write<'_> {
    /// Until when it may be sent; `None` if it may not be any more.
    fn until(&self) -> Option<Instant> {
        let gate = self.fence.gate();
        self.fence.open_until(&gate).filter(|_| gate.closings == self.closings)
    }

    /// Completes when it may not be sent any more. A renewal in between moves the moment.
    async fn is_over(&self) {
        loop {
            let changed = self.fence.shared.changed.notified();
            let Some(until) = self.until() else { return };
            // Not past the next look at the wall clock.
            let look = Instant::now() + LOOK;
            tokio::select! {
                biased;
                () = changed => {}
                () = sleep_until(until.min(look)) => {}
            }
        }
    }

    /// What `sending` comes to; `None` if the write is over before. The fence is asked before every poll: a
    /// process that slept may find its connection ready before any clock of it has rung.
    pub(crate) async fn answer<T>(&self, sending: impl Future<Output = T>) -> Option<T> {
        let (mut sending, mut over) = (pin!(sending), pin!(self.is_over()));
        poll_fn(|task| {
            if self.until().is_none() {
                return Poll::Ready(None);
            }
            if let Poll::Ready(answer) = sending.as_mut().poll(task) {
                return Poll::Ready(Some(answer));
            }
            over.as_mut().poll(task).map(|()| None)
        })
        .await
    }
}

impl Drop for Write<'_> {
    fn drop(&mut self) {
        let mut gate = self.fence.gate();
        gate.under_way -= 1;
        if !self.answered {
            gate.doubt = Some(Instant::now());
        }
        drop(gate);
        self.fence.shared.changed.notify_waiters();
    }
}

/// How often a write under way looks at the wall clock whether it may still be.
const LOOK: Duration = Duration::from_millis(100);

async fn pass(
    fence: Fence,
    request: Request<Body>,
    next: Next,
) -> Result<Response<Body>, BoxError> {
    if reads(&request) {
        return next.send(request).await;
    }
    let lease = &fence.shared.lease;
    let Some(mut write) = fence.begin() else {
        let what = format!("not sent: this replica does not hold the lease {lease}");
        let mut answer = status_answer(503, "NotLeader", &what);
        answer.extensions_mut().insert(NotSent);
        return Ok(answer);
    };
    let Some(answer) = write.answer(next.send(request)).await else {
        return Err(
            format!("given up: this replica may not hold the lease {lease} any more").into()
        );
    };
    // A server or a proxy that says 5xx may have the request still, or have stored it.
    write.answered = answer.as_ref().is_ok_and(|answer| !answer.status().is_server_error());
    answer
}

/// Whether a request changes nothing. One that turns its connection into another begins an exec, an attach or
/// a port-forward.
fn reads(request: &Request<Body>) -> bool {
    matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS)
        && !request.headers().contains_key(header::UPGRADE)
}

#[cfg(test)]
mod tests;
