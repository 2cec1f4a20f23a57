//! How keys go out.

use std::hash::Hash;
use std::num::NonZeroUsize;
use std::pin::pin;
use std::time::Duration;

use tokio::time::Instant;

use super::{Change, Inner, RateLimitingQueue};
use crate::job::Job;
use crate::state::Taken;
use crate::sync::sleep_until;

impl<K: Clone + Eq + Hash> RateLimitingQueue<K> {
    /// Waits for the next key and holds it as a [`Job`]; `None` when the queue is shut down and
    /// empty.
    ///
    /// # Cancel safety
    ///
    /// Dropping the returned future before it completes takes no key.
    pub async fn next(&self) -> Option<Job<K>> {
        let (taken, key) = self.wait_for(Inner::take_one).await?;
        Some(Job::new(self.clone(), key, taken))
    }

    /// Waits for a key and holds it and those that are ready beside it, at most `max` in all;
    /// `None` when the queue is shut down and empty.
    ///
    /// # Cancel safety
    ///
    /// Dropping the returned future before it completes takes no key.
    pub async fn next_batch(&self, max: NonZeroUsize) -> Option<Vec<Job<K>>> {
        let taken = self.wait_for(|inner, now| inner.take_many(max, now)).await?;
        let jobs = taken.into_iter().map(|(taken, key)| Job::new(self.clone(), key, taken));
        Some(jobs.collect())
    }

    /// Waits for the next key; `None` when the queue is shut down and empty.
    ///
    /// The classic call: the key is held until [`done`](Self::done) is called with it, whatever
    /// becomes of the caller. Prefer [`next`](Self::next).
    ///
    /// # Cancel safety
    ///
    /// Dropping the returned future before it completes takes no key.
    pub async fn get(&self) -> Option<K> {
        let (_, key) = self.wait_for(Inner::take_one).await?;
        Some(key)
    }

    /// Waits for a key, and takes it and those that are ready beside it, at most `max` in all;
    /// `None` when the queue is shut down and empty. Each is held until [`done`](Self::done) or
    /// [`done_all`](Self::done_all) is called with it.
    ///
    /// # Cancel safety
    ///
    /// Dropping the returned future before it completes takes no key.
    pub async fn get_batch(&self, max: NonZeroUsize) -> Option<Vec<K>> {
        let taken = self.wait_for(|inner, now| inner.take_many(max, now)).await?;
        Some(taken.into_iter().map(|(_, key)| key).collect())
    }

    /// Waits until `take` finds something, or the end.
    #[inline]
    async fn wait_for<T>(
        &self,
        mut take: impl FnMut(&mut Inner<K>, Duration) -> Option<T>,
    ) -> Option<T> {
        // Whoever finds something at once need not register.
        match self.look(&mut take, false) {
            Look::Found(found) => Some(found),
            Look::End => None,
            Look::Wait(_) => self.register_for(take).await,
        }
    }

    /// Waits until `take` finds something, or the end, as one of those who are to be woken.
    async fn register_for<T>(
        &self,
        mut take: impl FnMut(&mut Inner<K>, Duration) -> Option<T>,
    ) -> Option<T> {
        loop {
            let mut woken = pin!(self.shared.wake.notified());
            woken.as_mut().enable();
            let wake_at = match self.look(&mut take, true) {
                Look::Found(found) => return Some(found),
                Look::End => return None,
                Look::Wait(wake_at) => wake_at,
            };
            let _waiting = Waiting(self);
            #[cfg(test)]
            super::tests::gap();
            tokio::select! {
                biased;
                () = woken => {}
                () = sleep_until_or_forever(wake_at) => {}
            }
        }
    }

    /// Looks once; counts the caller among those who wait if it is to and finds nothing.
    #[inline]
    fn look<T>(
        &self,
        take: &mut impl FnMut(&mut Inner<K>, Duration) -> Option<T>,
        is_to_wait: bool,
    ) -> Look<T> {
        let mut inner = self.lock_in_time();
        let now = self.time_for(&inner);
        if let Some(found) = take(&mut inner, now) {
            // One alarm may make several keys ready while the other waiters have gone to work.
            let ready = inner.state.len().min(1);
            self.leave(inner, Change { ready, ..Change::default() });
            return Look::Found(found);
        }
        if inner.state.is_shutting_down() {
            return Look::End;
        }
        inner.waiting += usize::from(is_to_wait);
        Look::Wait(inner.state.wake_at().and_then(|at| self.shared.start.checked_add(at)))
    }
}

/// What a worker finds.
enum Look<T> {
    Found(T),
    End,
    /// Nothing before then.
    Wait(Option<Instant>),
}

/// One who waits, counted.
struct Waiting<'a, K: Clone + Eq + Hash>(&'a RateLimitingQueue<K>);

impl<K: Clone + Eq + Hash> Drop for Waiting<'_, K> {
    fn drop(&mut self) {
        self.0.lock().waiting -= 1;
    }
}

impl<K: Clone + Eq + Hash> Inner<K> {
    #[inline]
    fn take_one(&mut self, now: Duration) -> Option<(Taken, K)> {
        let taken = self.state.take(now)?;
        let key = self.state.key(taken.slot)?.clone();
        Some((taken, key))
    }

    fn take_many(&mut self, max: NonZeroUsize, now: Duration) -> Option<Vec<(Taken, K)>> {
        self.state.advance(now);
        let count = self.state.len().min(max.get());
        let taken: Vec<_> = (0..count).map_while(|_| self.take_one(now)).collect();
        (!taken.is_empty()).then_some(taken)
    }
}

async fn sleep_until_or_forever(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}
