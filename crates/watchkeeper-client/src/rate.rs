//! A limit on how much a client sends (upstream: `util/flowcontrol`, a token bucket).
//!
//! Off unless asked for, as upstream's users raise its five requests a second everywhere, and the server
//! protects itself by priority and fairness.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep};

#[cfg(test)]
mod tests;

/// At most so many requests a second, and some more in a burst. Clones share the limit.
///
/// ```
/// # use watchkeeper_client::{Client, RateLimit};
/// # fn f(client: Client) -> Client {
/// // What client-go does unless told otherwise.
/// client.rate_limit(RateLimit::new(5.0, 10))
/// # }
/// ```
#[derive(Clone)]
pub struct RateLimit(Arc<Bucket>);

struct Bucket {
    /// Tokens a second; not positive: no limit.
    rate: f64,
    burst: f64,
    /// Whether no request goes at all.
    never: bool,
    state: Mutex<State>,
}

#[derive(Clone, Copy)]
struct State {
    /// Negative: so many are waited for.
    tokens: f64,
    /// When the tokens were counted; `None` before the first one was taken.
    at: Option<Instant>,
}

impl RateLimit {
    /// `rate` requests a second on average, `burst` at once after a pause. No limit when `rate` is not
    /// positive, as upstream's negative QPS.
    #[must_use]
    pub fn new(rate: f64, burst: u32) -> Self {
        Self::bucket(rate, f64::from(burst.max(1)), false)
    }

    /// No limit (upstream: `NewFakeAlwaysRateLimiter`).
    #[must_use]
    pub fn unlimited() -> Self {
        Self::new(0.0, 1)
    }

    /// No request at all (upstream: `NewFakeNeverRateLimiter`): each waits until its deadline. For tests of what
    /// a program does without its server, and programs that are to watch only, as watches wait for no limit.
    ///
    /// ```
    /// # use watchkeeper_apiserver::ApiServer;
    /// # use watchkeeper_client::{Client, RateLimit};
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() {
    /// let client = Client::new(ApiServer::new()).rate_limit(RateLimit::never());
    /// assert!(client.server_version().await.is_err_and(|error| error.is_timeout()));
    /// # }
    /// ```
    #[must_use]
    pub fn never() -> Self {
        Self::bucket(0.0, 0.0, true)
    }

    fn bucket(rate: f64, burst: f64, never: bool) -> Self {
        let state = Mutex::new(State { tokens: burst, at: None });
        Self(Arc::new(Bucket { rate, burst, never, state }))
    }

    /// Requests a second; what is not positive is no limit, unless it is [`never`](Self::never).
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.0.rate
    }

    /// Takes leave to send one request, if that is possible at once.
    #[must_use]
    pub fn try_accept(&self) -> bool {
        !self.0.never && self.0.take(true).is_some()
    }

    /// Waits for leave to send one request, and tells how long it waited. Of [`never`](Self::never), it waits on.
    ///
    /// # Cancel safety
    /// Dropping the future gives its place back.
    pub async fn accept(&self) -> Duration {
        if self.0.never {
            return std::future::pending().await;
        }
        let Some(wait) = self.0.take(false).filter(|wait| !wait.is_zero()) else {
            return Duration::ZERO;
        };
        let place = Place { bucket: &self.0, taken: true };
        sleep(wait).await;
        place.used();
        if wait > Duration::from_secs(1) {
            tracing::info!(?wait, "waited for the client's own rate limit");
        } else if wait > Duration::from_millis(50) {
            tracing::debug!(?wait, "waited for the client's own rate limit");
        }
        wait
    }
}

impl Bucket {
    /// Takes a token, and tells when it is there. `None`: `now` was asked for, and it is not there now.
    fn take(&self, now: bool) -> Option<Duration> {
        if self.rate.is_nan() || self.rate <= 0.0 || self.rate.is_infinite() {
            return Some(Duration::ZERO);
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let time = Instant::now();
        if let Some(at) = state.at {
            let passed = time.saturating_duration_since(at).as_secs_f64();
            state.tokens = self.rate.mul_add(passed, state.tokens).min(self.burst);
        }
        state.at = Some(time);
        if now && state.tokens < 1.0 {
            return None;
        }
        state.tokens -= 1.0;
        let missing = (-state.tokens).max(0.0);
        Some(Duration::try_from_secs_f64(missing / self.rate).unwrap_or(Duration::MAX))
    }

    fn give_back(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.tokens = (state.tokens + 1.0).min(self.burst);
    }
}

/// A token that is waited for.
struct Place<'a> {
    bucket: &'a Bucket,
    taken: bool,
}

impl Place<'_> {
    fn used(mut self) {
        self.taken = false;
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if self.taken {
            self.bucket.give_back();
        }
    }
}

impl fmt::Debug for RateLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.never {
            return f.write_str("RateLimit(never)");
        }
        write!(f, "RateLimit({} a second, {} at once)", self.0.rate, self.0.burst)
    }
}
