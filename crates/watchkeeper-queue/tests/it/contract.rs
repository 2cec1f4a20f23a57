//! What upstream's queues promise, statement by statement (docs/parity/queue.md).

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};
use watchkeeper_queue::{
    AddOptions, ItemExponentialFailure, Measured, MetricsProvider, QueueOptions, RateLimitingQueue,
    ReadyQueue, per_item_rate_limiter,
};

fn queue() -> RateLimitingQueue<&'static str> {
    RateLimitingQueue::named("test", per_item_rate_limiter())
}

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn some(n: usize) -> NonZeroUsize {
    NonZeroUsize::new(n).expect("some")
}

#[tokio::test(start_paused = true)]
async fn w_07_after_a_shutdown_adds_are_ignored_whatever_their_form() {
    let queue = queue();
    let kept = queue.keep("kept");
    queue.shut_down();
    queue.add("a");
    queue.add_all(["b", "c"]);
    queue.add_after("d", ms(1));
    queue.add_rate_limited("e");
    kept.add();
    assert_eq!((queue.len(), queue.delayed()), (0, 0));
    assert_eq!(queue.get().await, None);
}

#[tokio::test(start_paused = true)]
async fn w_08_what_was_queued_is_handed_out_after_a_shutdown() {
    let queue = queue();
    queue.add_all(["a", "b"]);
    queue.shut_down();
    assert_eq!(queue.get().await, Some("a"));
    assert_eq!(queue.get().await, Some("b"));
    assert_eq!(queue.get().await, None);
}

#[tokio::test(start_paused = true)]
async fn w_08_who_gets_waits_for_a_key() {
    let queue = queue();
    assert!(timeout(ms(3_600_000), queue.get()).await.is_err());
    let (key, ()) = tokio::join!(queue.get(), async { queue.add("a") });
    assert_eq!(key, Some("a"));
}

#[tokio::test(start_paused = true)]
async fn w_09_a_shutdown_does_not_wait_for_what_is_held() {
    let queue = queue();
    queue.add_all(["a", "b"]);
    let (one, _two) = (queue.next().await, queue.next().await);
    queue.shut_down();
    assert_eq!((queue.held(), queue.get().await), (2, None));
    drop(one);
    assert_eq!((queue.held(), queue.delayed()), (1, 0));
}

/// Upstream's `TestQueueDrainageUsingShutDownWithDrain` ends only when each key was answered for.
#[tokio::test(start_paused = true)]
async fn w_12_a_key_taken_by_the_classic_call_and_never_done_holds_up_a_drain() {
    let queue = queue();
    queue.add("a");
    queue.get().await;
    assert!(timeout(ms(3_600_000), queue.shut_down_with_drain()).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn w_12_a_job_cannot_be_forgotten() {
    let queue = queue();
    queue.add("a");
    let job = queue.next().await;
    let start = Instant::now();
    let (drained, ()) =
        tokio::join!(timeout(ms(1), queue.shut_down_with_drain()), async { drop(job) });
    // A drain that nobody wakes is looked at again when the timeout ends.
    assert_eq!((drained, start.elapsed()), (Ok(()), ms(0)));
}

#[tokio::test(start_paused = true)]
async fn w_18_a_delayed_key_that_is_added_fires_again_at_its_time() {
    let queue = queue();
    let start = Instant::now();
    queue.add_after("a", ms(50));
    queue.add("a");
    let mut times = Vec::new();
    for _ in 0..2 {
        queue.next().await.unwrap().done();
        times.push(start.elapsed());
    }
    assert_eq!(times, [ms(0), ms(50)]);
}

/// Upstream's channel holds a thousand and then blocks.
#[tokio::test(start_paused = true)]
async fn w_20_adding_for_later_never_waits() {
    let queue = RateLimitingQueue::new(per_item_rate_limiter());
    (0..5000_u64).for_each(|key| queue.add_after(key, ms(5000 - key)));
    assert_eq!((queue.len(), queue.delayed()), (0, 5000));
    tokio::time::advance(ms(5000)).await;
    assert_eq!(queue.get().await, Some(4999));
    assert_eq!((queue.len(), queue.delayed()), (4999, 0));
}

/// Collects from the one queue it was told of.
#[derive(Debug, Default)]
struct One(Mutex<Option<Weak<dyn Measured>>>);

impl MetricsProvider for One {
    fn queue_made(&self, name: &str, queue: Weak<dyn Measured>) {
        assert_eq!(name, "measured");
        let before = self.0.lock().expect("no panic").replace(queue);
        assert!(before.is_none(), "each queue is told once");
    }
}

#[tokio::test(start_paused = true)]
async fn w_22_every_add_for_later_counts_as_a_retry() {
    let one = Arc::new(One::default());
    let metrics = Some(Arc::clone(&one) as Arc<dyn MetricsProvider>);
    let options = QueueOptions { name: "measured".to_owned(), metrics, ..QueueOptions::default() };
    let queue = RateLimitingQueue::with_options(per_item_rate_limiter(), options);
    let figures = || one.0.lock().unwrap().clone()?.upgrade().map(|queue| queue.figures());
    let retries = || figures().unwrap().retries;
    queue.add("a");
    assert_eq!(retries(), 0);
    queue.add_after("a", ms(10));
    queue.add_after("a", ms(20));
    queue.add_after("a", Duration::ZERO);
    queue.add_rate_limited("a");
    assert_eq!(retries(), 4);
    queue.next().await.unwrap().retry();
    queue.next().await.unwrap().after(ms(5));
    queue.next().await.unwrap().done();
    assert_eq!(retries(), 6);
    queue.shut_down();
    queue.add_after("a", ms(10));
    assert_eq!(retries(), 6);
    drop(queue);
    assert_eq!(figures(), None);
}

/// Upstream's delaying queue has a goroutine and a ticker that outlive a drain.
#[tokio::test(start_paused = true)]
async fn w_23_a_queue_has_no_task_that_could_leak() {
    let queue = queue();
    queue.add_after("a", ms(50));
    queue.add_rate_limited("b");
    queue.shut_down_with_drain().await;
    assert_eq!(Handle::current().metrics().num_alive_tasks(), 0);
}

#[tokio::test(start_paused = true)]
async fn p_01_everything_can_be_said_of_an_add_and_the_priority_is_told() {
    let queue = queue();
    let start = Instant::now();
    let options = AddOptions { priority: 7, after: Some(ms(20)), rate_limited: false };
    queue.add_with("a", options);
    queue.add_with("b", AddOptions { priority: -3, rate_limited: true, after: None });
    let mut seen = Vec::new();
    for _ in 0..2 {
        let job = queue.next().await.unwrap();
        seen.push((*job, job.priority(), start.elapsed()));
        job.done();
    }
    assert_eq!(seen, [("b", -3, ms(5)), ("a", 7, ms(20))]);
}

#[tokio::test(start_paused = true)]
async fn p_01_a_key_that_comes_back_keeps_its_priority() {
    let queue = queue();
    queue.add_with("a", AddOptions { priority: 7, ..AddOptions::default() });
    queue.next().await.unwrap().retry();
    queue.next().await.unwrap().after(ms(1));
    queue.next().await.unwrap().retry_after(ms(1));
    drop(queue.next().await.unwrap());
    let job = queue.next().await.unwrap();
    assert_eq!(job.priority(), 7);
    job.done();
    queue.add("a");
    assert_eq!(queue.next().await.unwrap().priority(), 0);
}

#[tokio::test(start_paused = true)]
async fn p_07_of_a_delay_and_a_limit_the_smaller_counts() {
    let queue = RateLimitingQueue::new(ItemExponentialFailure::new(ms(10), ms(1000)));
    let start = Instant::now();
    let add = |after| {
        queue.add_with("a", AddOptions { after: Some(after), rate_limited: true, priority: 0 });
    };
    let mut times = Vec::new();
    for after in [ms(5), ms(100), ms(0)] {
        add(after);
        queue.get().await;
        times.push(start.elapsed());
        queue.done(&"a");
    }
    assert_eq!(times, [ms(5), ms(25), ms(25)]);
    assert_eq!(queue.num_requeues(&"a"), 3);
}

/// What is handed out is somebody's: shut down or not, it is answered for.
#[tokio::test(start_paused = true)]
async fn p_08_a_drain_waits_for_what_was_handed_out_and_nothing_queued_is_lost() {
    let queue = queue();
    queue.add_with("low", AddOptions { priority: -100, ..AddOptions::default() });
    queue.add("a");
    let job = queue.next().await.unwrap();
    let mut drain = Box::pin(queue.shut_down_with_drain());
    assert!(timeout(ms(1), &mut drain).await.is_err());
    let start = Instant::now();
    let (drained, ()) = tokio::join!(timeout(ms(1), drain), async { job.done() });
    assert_eq!((drained, start.elapsed()), (Ok(()), ms(0)));
    assert_eq!(queue.get().await, Some("low"));
    assert_eq!(queue.get().await, None);
}

#[tokio::test(start_paused = true)]
async fn p_08_an_add_is_seen_at_once() {
    let queue = queue();
    for key in ["a", "b", "c"] {
        queue.add(key);
    }
    assert_eq!(queue.len(), 3);
}

/// controller-runtime's read its state for a log line without the lock.
#[tokio::test(start_paused = true)]
async fn p_11_what_a_queue_tells_of_itself_takes_no_part_in_its_work() {
    let queue = queue();
    queue.add("a");
    assert_eq!(format!("{queue:?}"), r#"RateLimitingQueue { name: "test", .. }"#);
    let job = queue.next().await.unwrap();
    assert_eq!(format!("{job:?}"), r#"Job("a")"#);
    assert_eq!(format!("{:?}", queue.keep("b")), r#"KeptKey("b")"#);
}

/// Takes the key that comes first in the alphabet.
#[derive(Default)]
struct Alphabet(BTreeSet<&'static str>);

impl ReadyQueue<&'static str> for Alphabet {
    fn push(&mut self, key: &'static str, _priority: i32) {
        self.0.insert(key);
    }

    fn touch(&mut self, _key: &&'static str, _priority: i32) {}

    fn pop(&mut self) -> Option<&'static str> {
        self.0.pop_first()
    }
}

#[tokio::test(start_paused = true)]
async fn a_queue_may_have_an_order_of_ones_own() {
    let limiter = per_item_rate_limiter();
    let queue = RateLimitingQueue::with_hook(limiter, QueueOptions::default(), Alphabet::default());
    queue.add_all(["c", "a", "b"]);
    queue.shut_down();
    let mut order = Vec::new();
    while let Some(job) = queue.next().await {
        order.push(*job);
        job.done();
    }
    assert_eq!(order, ["a", "b", "c"]);
}

#[tokio::test(start_paused = true)]
async fn a_batch_takes_what_is_ready_and_no_more_than_asked() {
    let queue = queue();
    queue.add_all(["a", "b", "c"]);
    queue.add_after("late", ms(5));
    assert_eq!(queue.get_batch(some(2)).await.unwrap(), ["a", "b"]);
    let jobs = queue.next_batch(some(2)).await.unwrap();
    assert_eq!(jobs.iter().map(|job| **job).collect::<Vec<_>>(), ["c"]);
    queue.add("c");
    drop(jobs);
    queue.done_all(&["a", "b", "nobody"]);
    assert_eq!((queue.len(), queue.held(), queue.num_requeues(&"c")), (1, 0, 1));
    assert_eq!(queue.get_batch(some(9)).await.unwrap(), ["c"]);
    assert_eq!(queue.get_batch(some(9)).await.unwrap(), ["late"]);
    queue.shut_down();
    assert!(queue.next_batch(some(1)).await.is_none());
    assert_eq!(queue.get_batch(some(1)).await, None);
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_waits_and_is_dropped_takes_nothing() {
    let queue = queue();
    assert!(timeout(ms(1), queue.next_batch(some(3))).await.is_err());
    queue.add_all(["a", "b"]);
    assert_eq!((queue.len(), queue.held()), (2, 0));
}

#[tokio::test(start_paused = true)]
async fn a_kept_key_is_a_key_like_others() {
    let key = Arc::new("a");
    let queue = RateLimitingQueue::new(per_item_rate_limiter());
    let kept = queue.keep(Arc::clone(&key));
    kept.add();
    kept.add_with(AddOptions { priority: 4, ..AddOptions::default() });
    queue.add(Arc::clone(&key));
    assert_eq!((queue.len(), **kept.key()), (1, "a"));
    let job = queue.next().await.unwrap();
    assert_eq!(job.priority(), 4);
    kept.add_with(AddOptions { rate_limited: true, ..AddOptions::default() });
    job.done();
    assert_eq!(queue.delayed(), 1);
    drop(kept);
    queue.next().await.unwrap().done();
    assert_eq!(Arc::strong_count(&key), 1, "nothing is left of it");
}

#[tokio::test(start_paused = true)]
async fn a_job_answers_for_its_own_run_and_no_later_one() {
    let queue = queue();
    queue.add("a");
    let job = queue.next().await.unwrap();
    queue.done(&"a");
    queue.add("b");
    let other = queue.next().await.unwrap();
    job.done();
    assert_eq!(queue.held(), 1);
    other.done();
    assert_eq!(queue.held(), 0);
}

/// Upstream's `TestReinsert`, `TestBasic` with many producers and consumers: four add each key, a moment after
/// one another, so that it is held while the others do.
#[tokio::test(start_paused = true)]
async fn w_01_many_producers_and_consumers_share_each_key() {
    const KEYS: u32 = 50;
    let queue: RateLimitingQueue<u32> = RateLimitingQueue::new(per_item_rate_limiter());
    let held = Arc::new(Mutex::new(BTreeSet::new()));
    let mut consumers = JoinSet::new();
    for _ in 0..10 {
        let (queue, held) = (queue.clone(), Arc::clone(&held));
        consumers.spawn(async move {
            let mut taken = Vec::new();
            while let Some(job) = queue.next().await {
                assert!(held.lock().unwrap().insert(*job), "{} was handed out twice", *job);
                taken.push(*job);
                tokio::time::sleep(ms(5)).await;
                held.lock().unwrap().remove(&*job);
                job.done();
            }
            taken
        });
    }
    let mut producers = JoinSet::new();
    for late in 0..4 {
        let queue = queue.clone();
        producers.spawn(async move {
            tokio::time::sleep(ms(late)).await;
            for key in 0..KEYS {
                queue.add(key);
                tokio::time::sleep(ms(2)).await;
            }
        });
    }
    producers.join_all().await;
    queue.shut_down_with_drain().await;
    let taken = consumers.join_all().await.concat();
    let runs = |key| taken.iter().filter(|taken| **taken == key).count();
    // One for the first add, and one for the three that came while it was held.
    assert!((0..KEYS).all(|key| runs(key) == 2), "{:?}", (0..KEYS).map(runs).collect::<Vec<_>>());
}
