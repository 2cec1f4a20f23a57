//! The queue under several threads.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::task::JoinSet;
use watchkeeper_queue::{AddOptions, RateLimitingQueue, per_item_rate_limiter};

const KEYS: usize = 40;

/// What is true of each key while the queue works, and at its end.
#[derive(Default)]
struct Ledger {
    held: Mutex<BTreeMap<usize, bool>>,
    runs: Mutex<BTreeMap<usize, usize>>,
}

impl Ledger {
    fn took(&self, key: usize) {
        let was_held = self.held.lock().expect("no panic").insert(key, true);
        assert_ne!(was_held, Some(true), "{key} was handed out twice");
        *self.runs.lock().expect("no panic").entry(key).or_default() += 1;
    }

    fn gave_back(&self, key: usize) {
        self.held.lock().expect("no panic").insert(key, false);
    }
}

async fn produce(queue: RateLimitingQueue<usize>, seed: usize) {
    let kept = queue.keep(seed % KEYS);
    for number in 0..2000_usize {
        let key = number.wrapping_mul(7).wrapping_add(seed) % KEYS;
        let priority = [0, -100, 5][number % 3];
        match number % 5 {
            0 => queue.add(key),
            1 => queue.add_with(key, AddOptions { priority, ..AddOptions::default() }),
            2 => queue.add_all([key, (key + 1) % KEYS]),
            3 => queue.add_after(key, std::time::Duration::from_micros(50)),
            _ => kept.add(),
        }
        if number % 64 == 0 {
            tokio::task::yield_now().await;
        }
    }
}

async fn consume(queue: RateLimitingQueue<usize>, ledger: Arc<Ledger>, batch: usize) {
    let max = NonZeroUsize::new(batch).expect("some");
    while let Some(jobs) = queue.next_batch(max).await {
        for job in &jobs {
            ledger.took(**job);
        }
        tokio::task::yield_now().await;
        for job in jobs {
            ledger.gave_back(*job);
            job.done();
        }
    }
}

/// controller-runtime's `TestFuzzPriorityQueue` and its data race: nothing is handed out twice,
/// nobody waits for ever, and each key that was added last of all runs once more.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn p_11_threads_neither_race_nor_stall() {
    let queue = RateLimitingQueue::new(per_item_rate_limiter());
    let ledger = Arc::new(Ledger::default());
    let mut consumers = JoinSet::new();
    for worker in 0..4 {
        consumers.spawn(consume(queue.clone(), Arc::clone(&ledger), worker + 1));
    }
    let mut producers = JoinSet::new();
    for seed in 0..4 {
        producers.spawn(produce(queue.clone(), seed * 11));
    }
    producers.join_all().await;
    queue.add_all(0..KEYS);
    queue.shut_down_with_drain().await;
    consumers.join_all().await;
    assert_eq!((queue.len(), queue.held(), queue.delayed()), (0, 0, 0));
    assert_eq!(ledger.runs.lock().unwrap().len(), KEYS);
}

/// As many keys as the largest clusters have pods, several times over: each is handed out once, half of them by
/// way of a time to wait for.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_million_keys_are_handed_out_once_each() {
    const MANY: usize = 1_000_000;
    let queue = RateLimitingQueue::new(per_item_rate_limiter());
    queue.add_all(0..MANY / 2);
    queue.add_all((0..MANY / 2).rev());
    (MANY / 2..MANY).for_each(|key| queue.add_after(key, std::time::Duration::from_millis(1)));
    let times: Arc<Vec<AtomicU8>> = Arc::new((0..MANY).map(|_| AtomicU8::new(0)).collect());
    let left = Arc::new(AtomicUsize::new(MANY));
    let mut consumers = JoinSet::new();
    for _ in 0..4 {
        let (queue, times, left) = (queue.clone(), Arc::clone(&times), Arc::clone(&left));
        consumers.spawn(async move {
            while let Some(job) = queue.next().await {
                times[*job].fetch_add(1, Ordering::Relaxed);
                job.done();
                if left.fetch_sub(1, Ordering::Relaxed) == 1 {
                    queue.shut_down();
                }
            }
        });
    }
    consumers.join_all().await;
    assert!(times.iter().all(|times| times.load(Ordering::Relaxed) == 1));
    assert_eq!((queue.len(), queue.held(), queue.delayed()), (0, 0, 0));
}
