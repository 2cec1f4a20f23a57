//! How long to wait after a failure: 0.8 s doubling to 30 s, with jitter, fresh again after two quiet minutes.

use std::time::Duration;

use crate::rng::Rng;

const FIRST: Duration = Duration::from_millis(800);
const LONGEST: Duration = Duration::from_secs(30);
const QUIET: Duration = Duration::from_secs(120);

/// The failures of one reflector. Nobody else's failures or successes count (upstream's figures,
/// `client-go/tools/cache/reflector.go`: 800 ms, 30 s, factor 2, jitter 1, reset after 2 min).
#[derive(Debug)]
pub(crate) struct Backoff {
    first: Duration,
    longest: Duration,
    next: Duration,
    /// When the last wait ends.
    last: Option<Duration>,
}

impl Backoff {
    pub(crate) const fn new() -> Self {
        Self::between(FIRST, LONGEST)
    }

    /// Another first step, and another longest one.
    pub(crate) const fn between(first: Duration, longest: Duration) -> Self {
        Self { first, longest, next: first, last: None }
    }

    /// The wait after a failure at `now`: between once and twice the present step.
    pub(crate) fn delay(&mut self, now: Duration, rng: &mut Rng) -> Duration {
        if self.last.is_some_and(|last| now.saturating_sub(last) > QUIET) {
            self.next = self.first;
        }
        let step = self.next;
        self.next = step.saturating_mul(2).min(self.longest);
        let delay = rng.between(step, step);
        self.last = Some(now.saturating_add(delay));
        delay
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_doubles_to_its_cap_and_starts_over_after_quiet() {
        let (mut backoff, mut rng) = (Backoff::new(), Rng::new(7));
        let mut now = Duration::ZERO;
        for step in [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000] {
            let step = Duration::from_millis(step);
            let delay = backoff.delay(now, &mut rng);
            assert!(delay >= step && delay <= step * 2, "{delay:?} for {step:?}");
            now += delay;
        }
        now += QUIET;
        let delay = backoff.delay(now, &mut rng);
        assert!(delay >= LONGEST, "{delay:?}");
        now += delay + QUIET + FIRST;
        let delay = backoff.delay(now, &mut rng);
        assert!(delay <= FIRST * 2, "{delay:?}");
    }
}
