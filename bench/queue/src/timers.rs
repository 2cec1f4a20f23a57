//! A million keys for later.

use std::time::Duration;

use crate::single::{drawn, queue};
use crate::{Clock, Run};

const KEYS: u64 = 1_000_000;

/// Added for some time of the next ten minutes.
pub(crate) fn add() -> Run {
    let queue = queue();
    let clock = Clock::start();
    for key in 0..KEYS {
        queue.add_after(key, Duration::from_millis(drawn(key, 600_000) + 1000));
    }
    let run = clock.stop(KEYS as usize);
    assert_eq!(queue.delayed(), KEYS as usize);
    run
}

/// Added for one of the next ten milliseconds, then taken and given back.
pub(crate) async fn soon() -> Run {
    let queue = queue();
    let clock = Clock::start();
    for key in 0..KEYS {
        queue.add_after(key, Duration::from_micros(drawn(key, 10_000) + 1));
    }
    for _ in 0..KEYS {
        let key = queue.get().await.expect("a key");
        queue.done(&key);
    }
    let run = clock.stop(KEYS as usize);
    assert_eq!(queue.delayed() + queue.len(), 0);
    run
}
