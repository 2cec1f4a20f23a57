//! What keeps a leader from writing after its lease.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http::{Method, Request, Response};
use tokio::time::{Instant, sleep_until};
use watchkeeper_api::MicroTime;
use watchkeeper_client::{Body, BoxError, Client, Next, status_answer};
use watchkeeper_controller::Clock;

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
    until: Mutex<Option<Until>>,
}

/// When the last write may be sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Until {
    pub(crate) at: Instant,
    pub(crate) date: MicroTime,
}

impl Fence {
    pub(crate) fn new(lease: String, clock: Clock) -> Self {
        Self { shared: Arc::new(Shared { lease, clock, until: Mutex::new(None) }) }
    }

    /// Whether a write would be sent now.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.until().is_some()
    }

    /// A client whose writes are sent only while the fence is open. Reads always are.
    ///
    /// A write that is refused here is answered with 503 and the reason `NotLeader`: nothing was stored. One
    /// that is on its way when the fence closes is given up; whether it was stored is not known then.
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
        *self.lock() = Some(until);
    }

    pub(crate) fn close(&self) {
        *self.lock() = None;
    }

    /// Until when it is open; `None` if it is not.
    fn until(&self) -> Option<Instant> {
        let until = (*self.lock())?;
        let open = Instant::now() < until.at && self.shared.clock.micro_now() < until.date;
        open.then_some(until.at)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Until>> {
        self.shared.until.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Completes when the fence is closed. A renewal in between moves the moment.
    async fn closed(&self) {
        while let Some(until) = self.until() {
            // Not past the next look at the wall clock, and not past a lease that is given up.
            let look = Instant::now() + LOOK;
            sleep_until(until.min(look)).await;
        }
    }
}

/// How often a write under way looks whether it may still be.
const LOOK: Duration = Duration::from_millis(100);

async fn pass(
    fence: Fence,
    request: Request<Body>,
    next: Next,
) -> Result<Response<Body>, BoxError> {
    if reads(request.method()) {
        return next.send(request).await;
    }
    let lease = &fence.shared.lease;
    if !fence.is_open() {
        let what = format!("not sent: this replica does not hold the lease {lease}");
        return Ok(status_answer(503, "NotLeader", &what));
    }
    tokio::select! {
        biased;
        answer = next.send(request) => answer,
        () = fence.closed() => {
            Err(format!("given up: this replica may not hold the lease {lease} any more").into())
        }
    }
}

fn reads(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}
