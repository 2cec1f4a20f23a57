//! How keys come back.

use std::hash::Hash;
use std::time::Duration;

use super::add::Place;
use super::{Change, Inner, RateLimitingQueue};
use crate::state::Taken;

/// How a worker answers for its key.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Answer {
    Done,
    Retry,
    After(Duration),
    RetryAfter(Duration),
}

impl<K: Clone + Eq + Hash> RateLimitingQueue<K> {
    /// Gives back a key taken with [`get`](Self::get). A key that is not held is ignored.
    pub fn done(&self, key: &K) {
        let mut inner = self.lock_in_time();
        let ready = inner.state.done(key).into();
        self.leave(inner, Change { ready, is_returned: true, ..Change::default() });
    }

    /// Gives back each of `keys`, as taken with [`get_batch`](Self::get_batch).
    pub fn done_all(&self, keys: &[K]) {
        let mut inner = self.lock_in_time();
        let ready = keys.iter().filter(|key| inner.state.done(key)).count();
        self.leave(inner, Change { ready, is_returned: true, ..Change::default() });
    }

    /// Answers for a held key: the rate limiter, the next run and the key itself under one lock.
    pub(crate) fn answer(&self, key: &K, taken: Taken, answer: Answer) {
        let mut inner = self.lock_in_time();
        let now = if let Answer::Done = answer { Duration::ZERO } else { self.now() };
        let mut change = match inner.delay(key, answer, now) {
            // Held: nobody can take it before it is given back.
            Some(delay) => {
                inner.state.count_retry();
                let place = Place::Kept(taken.slot, key);
                Change { ready: 0, ..inner.add_in(place, taken.priority, now, Some(delay)) }
            }
            None => Change::default(),
        };
        change.ready = inner.state.done_slot(taken.slot).into();
        change.is_returned = true;
        self.leave(inner, change);
    }
}

impl<K> Inner<K> {
    /// Tells the limiter how the run went; when the key must come back.
    fn delay(&mut self, key: &K, answer: Answer, now: Duration) -> Option<Duration> {
        match answer {
            Answer::Done => {
                self.limiter.forget(key);
                None
            }
            Answer::After(delay) => {
                self.limiter.forget(key);
                Some(delay)
            }
            Answer::Retry => Some(self.limiter.when(key, now)),
            Answer::RetryAfter(delay) => {
                self.limiter.when(key, now);
                Some(delay)
            }
        }
    }
}
