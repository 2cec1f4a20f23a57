//! What users of the queue write: guards, classic calls, both on one queue.

use std::time::Duration;

mod contract;
mod load;

use tokio::task::JoinSet;
use tokio::time::Instant;
use watchkeeper_queue::{
    Order, QueueOptions, RateLimitingQueue, default_controller_rate_limiter, per_item_rate_limiter,
};

fn queue() -> RateLimitingQueue<String> {
    RateLimitingQueue::named("test", per_item_rate_limiter())
}

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

#[tokio::test(start_paused = true)]
async fn a_job_dropped_unanswered_comes_back_later_each_time() {
    let queue = queue();
    let start = Instant::now();
    queue.add("a".to_owned());
    let mut times = Vec::new();
    for _ in 0..4 {
        drop(queue.next().await.unwrap());
        times.push(start.elapsed());
    }
    assert_eq!(times, [ms(0), ms(5), ms(15), ms(35)]);
    assert_eq!(queue.num_requeues(&"a".to_owned()), 4);
}

#[tokio::test(start_paused = true)]
async fn a_panicking_worker_gives_its_key_back() {
    let queue = queue();
    queue.add("a".to_owned());
    let mut workers = JoinSet::new();
    let held = queue.clone();
    workers.spawn(async move {
        let _job = held.next().await;
        panic!("a bug in a reconciler");
    });
    assert!(workers.join_next().await.unwrap().unwrap_err().is_panic());
    assert_eq!(queue.held(), 0);
    assert_eq!(queue.next().await.unwrap().key(), "a");
}

#[tokio::test(start_paused = true)]
async fn answers_decide_when_a_key_comes_back_and_what_is_forgotten() {
    let queue = queue();
    let key = "a".to_owned();
    let start = Instant::now();
    queue.add(key.clone());
    queue.next().await.unwrap().retry();
    queue.next().await.unwrap().retry_after(ms(100));
    assert_eq!(queue.num_requeues(&key), 2);
    let job = queue.next().await.unwrap();
    assert_eq!(start.elapsed(), ms(105));
    job.after(ms(1000));
    assert_eq!(queue.num_requeues(&key), 0);
    queue.next().await.unwrap().done();
    assert_eq!(start.elapsed(), ms(1105));
    assert_eq!((queue.len(), queue.held(), queue.delayed()), (0, 0, 0));
}

/// And the loop that the field's tutorials show.
#[tokio::test(start_paused = true)]
async fn w_31_the_classic_calls_work_box_by_box() {
    let queue = RateLimitingQueue::named("pods", default_controller_rate_limiter());
    queue.add("a");
    queue.add("b");
    let mut failures = 3;
    let mut log = Vec::new();
    while let Some(key) = queue.get().await {
        log.push((key, queue.num_requeues(&key)));
        if key == "a" && failures > 0 {
            failures -= 1;
            queue.add_rate_limited(key);
        } else {
            queue.forget(&key);
        }
        queue.done(&key);
        if queue.is_empty() && queue.delayed() == 0 {
            queue.shut_down();
        }
    }
    assert_eq!(log, [("a", 0), ("b", 0), ("a", 1), ("a", 2), ("a", 3)]);
}

#[tokio::test(start_paused = true)]
async fn a_guard_and_a_classic_call_share_one_queue() {
    let queue = queue();
    queue.add("a".to_owned());
    let job = queue.next().await.unwrap();
    queue.add("a".to_owned());
    assert_eq!(queue.len(), 0);
    job.done();
    assert_eq!(queue.get().await.as_deref(), Some("a"));
    queue.done(&"a".to_owned());
    assert_eq!(queue.held(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_delay_beyond_all_time_is_kept_and_harms_nobody() {
    let queue = queue();
    queue.add_after("never".to_owned(), Duration::MAX);
    queue.add("a".to_owned());
    assert_eq!(queue.get().await.as_deref(), Some("a"));
    assert_eq!(queue.delayed(), 1);
    let waited = tokio::time::timeout(Duration::from_secs(3600), queue.get()).await;
    assert!(waited.is_err());
}

#[tokio::test(start_paused = true)]
async fn the_same_seed_hands_out_the_same_order() {
    assert_eq!(seeded(7).await, seeded(7).await);
    let mut orders = Vec::new();
    for seed in 0..5 {
        orders.push(seeded(seed).await);
    }
    orders.dedup();
    assert!(orders.len() > 1, "five seeds, one order: {orders:?}");
}

async fn seeded(seed: u64) -> Vec<u32> {
    let options = QueueOptions {
        name: "seeded".to_owned(),
        order: Order::Seeded(seed),
        ..QueueOptions::default()
    };
    let queue = RateLimitingQueue::with_options(per_item_rate_limiter(), options);
    (0..10).for_each(|key| queue.add(key));
    queue.shut_down();
    let mut order = Vec::new();
    while let Some(job) = queue.next().await {
        order.push(*job);
        job.done();
    }
    order
}
