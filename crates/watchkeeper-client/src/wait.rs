//! Waiting again and again: backoff, and polling (upstream: `apimachinery/pkg/util/wait`).

use std::future::Future;
use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};
use watchkeeper_api::{Error, Result};

#[cfg(test)]
mod tests;

/// Waits that grow (upstream: `wait.Backoff`).
///
/// ```
/// use std::time::Duration;
/// use watchkeeper_client::wait::Backoff;
///
/// let ms = Duration::from_millis;
/// let mut backoff = Backoff { cap: Some(ms(35)), ..Backoff::new(ms(10), 2.0, 5) };
/// let waits: Vec<_> = std::iter::repeat_with(|| backoff.step()).take(4).collect();
/// assert_eq!(waits, [ms(10), ms(20), ms(35), ms(35)]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Backoff {
    /// The next wait.
    pub duration: Duration,
    /// What it is multiplied with at each step; not, where this is zero.
    pub factor: f64,
    /// A random part of the wait, at most this often the wait, is added.
    pub jitter: f64,
    /// How many more steps change the wait.
    pub steps: u32,
    /// The wait grows no further than this, and the steps end there.
    pub cap: Option<Duration>,
    /// What jitter is made from.
    pub seed: u64,
}

impl Backoff {
    /// Without jitter and without cap.
    #[must_use]
    pub const fn new(duration: Duration, factor: f64, steps: u32) -> Self {
        Self { duration, factor, jitter: 0.0, steps, cap: None, seed: 0 }
    }

    /// Upstream's `retry.DefaultRetry`: for a conflict with somebody who writes now and then.
    #[must_use]
    pub const fn conflict() -> Self {
        Self { jitter: 0.1, ..Self::new(Duration::from_millis(10), 1.0, 5) }
    }

    /// Upstream's `retry.DefaultBackoff`: for a conflict with somebody who writes all the time.
    #[must_use]
    pub const fn busy() -> Self {
        Self { jitter: 0.1, ..Self::new(Duration::from_millis(10), 5.0, 4) }
    }

    /// Makes jitter from `seed`.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The next wait, and one step further.
    pub fn step(&mut self) -> Duration {
        let wait = self.duration;
        if self.steps > 0 {
            self.steps -= 1;
            self.grow();
        }
        let random = fraction(&mut self.seed);
        jitter(wait, self.jitter, random)
    }

    fn grow(&mut self) {
        if self.factor != 0.0 {
            self.duration = scale(self.duration, self.factor);
        }
        if let Some(cap) = self.cap.filter(|cap| self.duration > *cap) {
            (self.duration, self.steps) = (cap, 0);
        }
    }
}

/// Waits that grow, and start small again after a quiet time (upstream: `Backoff.DelayWithReset`).
#[derive(Clone, Debug)]
pub struct Delay {
    first: Backoff,
    now: Backoff,
    reset: Duration,
    last: Option<Instant>,
}

impl Delay {
    /// Starts over with `backoff` when nobody asked for `reset`.
    #[must_use]
    pub fn new(backoff: Backoff, reset: Duration) -> Self {
        Self { now: backoff.clone(), first: backoff, reset, last: None }
    }

    /// The next wait.
    pub fn step(&mut self) -> Duration {
        let now = Instant::now();
        if self.last.is_some_and(|last| now.saturating_duration_since(last) > self.reset) {
            self.now = Backoff { seed: self.now.seed, ..self.first.clone() };
        }
        self.last = Some(now);
        self.now.step()
    }
}

/// `wait`, and up to `factor` times as much more: as much of that as `random`, between 0 and 1, says
/// (upstream: `wait.Jitter`). A factor that is not positive adds nothing, which is upstream's one.
#[must_use]
pub fn jitter(wait: Duration, factor: f64, random: f64) -> Duration {
    if factor > 0.0 { wait.saturating_add(scale(wait, factor * random)) } else { wait }
}

/// Does `work` every `interval` until it says that it is done (upstream: `PollUntilContextTimeout`).
/// `immediate`: the first time at once.
///
/// # Errors
/// What `work` says; [`is_timeout`](watchkeeper_api::Error::is_timeout) when it was not done in time.
///
/// # Cancel safety
/// Dropping the future drops the work under way.
pub async fn poll<F>(
    interval: Duration,
    timeout: Duration,
    immediate: bool,
    mut work: impl FnMut() -> F,
) -> Result<()>
where
    F: Future<Output = Result<bool>>,
{
    let polling = async {
        if immediate && work().await? {
            return Ok(());
        }
        loop {
            sleep(interval).await;
            if work().await? {
                return Ok(());
            }
        }
    };
    let late = || Err(Error::from(watchkeeper_api::error::Why::Late(timeout)));
    tokio::time::timeout(timeout, polling).await.unwrap_or_else(|_elapsed| late())
}

/// Does `work` again and again with `interval` between (upstream: `wait.Until`). `sliding`: between the end
/// of one and the start of the next; otherwise between their starts. Ends when it is dropped.
///
/// # Cancel safety
/// Dropping the future drops the work under way.
pub async fn until_dropped<F>(interval: Duration, sliding: bool, mut work: impl FnMut() -> F)
where
    F: Future<Output = ()>,
{
    loop {
        let begun = Instant::now();
        work().await;
        match begun.checked_add(interval) {
            Some(next) if !sliding => sleep_until(next).await,
            _ => sleep(interval).await,
        }
    }
}

fn scale(wait: Duration, by: f64) -> Duration {
    Duration::try_from_secs_f64(wait.as_secs_f64() * by).unwrap_or(Duration::MAX)
}

/// The next number of a sequence between 0 and 1 (SplitMix64).
fn fraction(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let bits = u32::try_from((z ^ (z >> 31)) >> 32).unwrap_or(u32::MAX);
    f64::from(bits) / (f64::from(u32::MAX) + 1.0)
}
