//! When to ask the other side for a sign of life, and when to stop waiting for one.

use std::future::Future as _;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

/// A sign of life is asked for so often, and waited for so long (upstream's numbers for exec).
const PING_EVERY: Duration = Duration::from_secs(5);
pub(super) const PATIENCE: Duration = Duration::from_secs(61);

/// What has been heard, and when.
pub(super) struct Pulse {
    alarm: Pin<Box<Sleep>>,
    heard: Instant,
}

/// What is to be done.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// To ask for a sign of life.
    Ping,
    /// Nothing was heard for [`PATIENCE`]; who does not mind may ask again.
    Late,
}

impl Pulse {
    pub(super) fn new() -> Self {
        let heard = Instant::now();
        Self { alarm: Box::pin(sleep_until(heard + PING_EVERY)), heard }
    }

    /// Something was heard.
    pub(super) fn hear(&mut self) {
        self.heard = Instant::now();
    }

    /// Ready when there is something to be done. Time in which nobody asked does not count.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Due> {
        ready!(self.alarm.as_mut().poll(cx));
        let now = Instant::now();
        if now.saturating_duration_since(self.alarm.deadline()) >= PING_EVERY {
            // Nobody looked for a while: that nothing was heard tells nothing.
            self.heard = now;
        }
        let end = self.heard + PATIENCE;
        let next = now + PING_EVERY;
        self.alarm.as_mut().reset(if end > now { next.min(end) } else { next });
        Poll::Ready(if end > now { Due::Ping } else { Due::Late })
    }
}
