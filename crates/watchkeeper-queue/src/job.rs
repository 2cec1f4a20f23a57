//! A key held, and the duty to answer.

use std::fmt;
use std::hash::Hash;
use std::ops::Deref;
use std::time::Duration;

use crate::queue::{Answer, RateLimitingQueue};
use crate::state::Taken;

/// A key taken from a [`RateLimitingQueue`], and the duty to say how its run went.
///
/// Until the job is answered no other worker gets the key. A job dropped without an answer, as in
/// a panic or a cancelled task, counts as a failure: the key comes back after its backoff.
#[must_use = "a job dropped unanswered counts as failed; answer with `done`, `retry` or `after`"]
pub struct Job<K: Clone + Eq + Hash> {
    queue: RateLimitingQueue<K>,
    key: K,
    taken: Taken,
    answered: bool,
}

impl<K: Clone + Eq + Hash> Job<K> {
    pub(crate) fn new(queue: RateLimitingQueue<K>, key: K, taken: Taken) -> Self {
        Self { queue, key, taken, answered: false }
    }

    /// The key to work on.
    pub fn key(&self) -> &K {
        &self.key
    }

    /// The highest priority that the key was added with for this run. It keeps it when it comes
    /// back after a failure, or after a delay.
    #[must_use]
    pub fn priority(&self) -> i32 {
        self.taken.priority
    }

    /// It went well: failures are forgotten. The key comes back when it is added again.
    ///
    /// The classic `forget` and `done`.
    pub fn done(mut self) {
        self.answer(Answer::Done);
    }

    /// It failed: the key comes back after its backoff.
    ///
    /// The classic `add_rate_limited` and `done`.
    pub fn retry(mut self) {
        self.answer(Answer::Retry);
    }

    /// It went well, and the key comes back after `delay`; failures are forgotten.
    ///
    /// The classic `forget`, `add_after` and `done`.
    pub fn after(mut self, delay: Duration) {
        self.answer(Answer::After(delay));
    }

    /// It failed, and the key comes back after `delay`, say because the server asked for that.
    /// The failure counts for the next backoff.
    pub fn retry_after(mut self, delay: Duration) {
        self.answer(Answer::RetryAfter(delay));
    }

    fn answer(&mut self, answer: Answer) {
        if !self.answered {
            self.answered = true;
            self.queue.answer(&self.key, self.taken, answer);
        }
    }
}

impl<K: Clone + Eq + Hash> Drop for Job<K> {
    fn drop(&mut self) {
        self.answer(Answer::Retry);
    }
}

impl<K: Clone + Eq + Hash> Deref for Job<K> {
    type Target = K;

    fn deref(&self) -> &K {
        &self.key
    }
}

impl<K: Clone + Eq + Hash + fmt::Debug> fmt::Debug for Job<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Job").field(&self.key).finish()
    }
}
