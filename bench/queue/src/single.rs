//! One thread: a thousand keys go in, and a thousand come out, again and again.

use std::hash::Hash;
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::time::Duration;

use watchkeeper_queue::{AddOptions, RateLimitingQueue, State, default_controller_rate_limiter};

use crate::{Clock, Run};

const KEYS: u64 = 1000;
const TIMES: usize = 1000;
const ALL: usize = KEYS as usize * TIMES;
const MANY: u64 = 1_000_000;
const PRIORITIES: [i32; 3] = [0, -100, 10];

pub(crate) fn queue<K: Clone + Eq + Hash + Send + 'static>() -> RateLimitingQueue<K> {
    RateLimitingQueue::new(default_controller_rate_limiter())
}

/// A number below `limit` for each key, the same in every program.
pub(crate) fn drawn(key: u64, limit: u64) -> u64 {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) % limit
}

/// By the classic calls.
pub(crate) async fn cycle<K: Clone + Eq + Hash + Send + 'static>(key: impl Fn(u64) -> K) -> Run {
    let keys: Vec<K> = (0..KEYS).map(key).collect();
    let queue = queue();
    let clock = Clock::start();
    for _ in 0..TIMES {
        for key in &keys {
            queue.add(key.clone());
        }
        for _ in 0..KEYS {
            let key = queue.get().await.expect("a key");
            queue.done(black_box(&key));
        }
    }
    clock.stop(ALL)
}

/// By the classic calls, with three priorities.
pub(crate) async fn mixed() -> Run {
    let queue = queue();
    let clock = Clock::start();
    for _ in 0..TIMES {
        for key in 0..KEYS {
            let priority = PRIORITIES[key as usize % PRIORITIES.len()];
            queue.add_with(key, AddOptions { priority, ..AddOptions::default() });
        }
        for _ in 0..KEYS {
            let key = queue.get().await.expect("a key");
            queue.done(black_box(&key));
        }
    }
    clock.stop(ALL)
}

/// A million keys at once.
pub(crate) async fn million() -> Run {
    let queue = queue();
    let clock = Clock::start();
    (0..MANY).for_each(|key| queue.add(key));
    for _ in 0..MANY {
        let key = queue.get().await.expect("a key");
        queue.done(black_box(&key));
    }
    clock.stop(MANY as usize)
}

/// By jobs.
pub(crate) async fn jobs() -> Run {
    let queue = queue();
    let clock = Clock::start();
    for _ in 0..TIMES {
        (0..KEYS).for_each(|key| queue.add(key));
        for _ in 0..KEYS {
            black_box(queue.next().await.expect("a key")).done();
        }
    }
    clock.stop(ALL)
}

/// By jobs, of keys whose places are kept.
pub(crate) async fn kept() -> Run {
    let queue = queue();
    let kept: Vec<_> = (0..KEYS).map(|key| queue.keep(key)).collect();
    let clock = Clock::start();
    for _ in 0..TIMES {
        kept.iter().for_each(|key| key.add());
        for _ in 0..KEYS {
            black_box(queue.next().await.expect("a key")).done();
        }
    }
    clock.stop(ALL)
}

/// Thirty-two keys at once.
pub(crate) async fn batch() -> Run {
    const BATCH: NonZeroUsize = NonZeroUsize::new(32).unwrap();
    let queue = queue();
    let clock = Clock::start();
    for _ in 0..TIMES {
        for first in (0..KEYS).step_by(BATCH.get()) {
            queue.add_all(first..KEYS.min(first + BATCH.get() as u64));
        }
        while !queue.is_empty() {
            let keys = queue.get_batch(BATCH).await.expect("keys");
            queue.done_all(black_box(&keys));
        }
    }
    clock.stop(ALL)
}

/// Adds of keys that are queued already.
pub(crate) fn known() -> Run {
    let queue = queue();
    (0..KEYS).for_each(|key| queue.add(key));
    let clock = Clock::start();
    for _ in 0..TIMES {
        (0..KEYS).for_each(|key| queue.add(black_box(key)));
    }
    let run = clock.stop(ALL);
    assert_eq!(queue.len(), KEYS as usize);
    run
}

/// What decides, without the lock, by the keys.
pub(crate) fn state() -> Run {
    let mut state = State::default();
    let clock = Clock::start();
    for _ in 0..TIMES {
        for key in 0..KEYS {
            state.add(key, 0);
        }
        while let Some(key) = state.next(Duration::ZERO) {
            state.done(black_box(&key));
        }
    }
    clock.stop(ALL)
}

/// What decides, without the lock, by places that are kept.
pub(crate) fn slot() -> Run {
    let mut state = State::default();
    let slots: Vec<_> = (0..KEYS).map(|key| state.keep(key)).collect();
    let clock = Clock::start();
    for _ in 0..TIMES {
        for slot in &slots {
            state.add_slot(*slot, 0);
        }
        while let Some(taken) = state.take(Duration::ZERO) {
            state.done_slot(black_box(taken).slot);
        }
    }
    clock.stop(ALL)
}
