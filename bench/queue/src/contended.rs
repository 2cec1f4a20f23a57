//! Four who add and four who take, on two threads.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::runtime::Builder;
use tokio::task::{JoinSet, yield_now};
use watchkeeper_queue::RateLimitingQueue;

use crate::single::queue;
use crate::{Clock, Outcome, Run};

const WORKERS: usize = 4;
const KEYS: usize = 100_000;

/// Each adds keys of its own; those who take them do so one by one, or so many at once.
pub(crate) fn run(batch: Option<usize>) -> Outcome<Run> {
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_time().build()?;
    let queue = queue();
    let left = Arc::new(AtomicUsize::new(WORKERS * KEYS));
    let clock = Clock::start();
    runtime.block_on(async {
        let mut tasks = JoinSet::new();
        for _ in 0..WORKERS {
            match batch.and_then(NonZeroUsize::new) {
                None => tasks.spawn(take(queue.clone(), Arc::clone(&left))),
                Some(max) => tasks.spawn(take_batches(queue.clone(), Arc::clone(&left), max)),
            };
        }
        for worker in 0..WORKERS {
            tasks.spawn(add(queue.clone(), worker * KEYS));
        }
        tasks.join_all().await;
    });
    let run = clock.stop(WORKERS * KEYS);
    assert_eq!((left.load(Ordering::Relaxed), queue.held()), (0, 0));
    Ok(run)
}

async fn add(queue: RateLimitingQueue<usize>, first: usize) {
    for key in first..first + KEYS {
        queue.add(key);
        if key % 64 == 0 {
            yield_now().await;
        }
    }
}

async fn take(queue: RateLimitingQueue<usize>, left: Arc<AtomicUsize>) {
    while let Some(key) = queue.get().await {
        queue.done(&key);
        if left.fetch_sub(1, Ordering::Relaxed) == 1 {
            queue.shut_down();
        }
    }
}

async fn take_batches(queue: RateLimitingQueue<usize>, left: Arc<AtomicUsize>, max: NonZeroUsize) {
    while let Some(keys) = queue.get_batch(max).await {
        queue.done_all(&keys);
        if left.fetch_sub(keys.len(), Ordering::Relaxed) == keys.len() {
            queue.shut_down();
        }
    }
}
