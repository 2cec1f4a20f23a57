//! The shell in paused time, and under two threads.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use tokio::time::{advance, timeout};

use super::*;
use crate::limiter::per_item_rate_limiter;

fn queue<K: Clone + Eq + Hash + Send + 'static>() -> RateLimitingQueue<K> {
    RateLimitingQueue::new(per_item_rate_limiter())
}

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

type Getting<'a> = Pin<Box<dyn Future<Output = Option<&'static str>> + 'a>>;

fn getting<'a>(queue: &'a RateLimitingQueue<&'static str>) -> Getting<'a> {
    Box::pin(queue.get())
}

/// What is answered at this moment, not before and not after: whoever nobody wakes is looked at again when a
/// timeout ends, and would have its key then.
async fn woken_after<T>(expected: Duration, waits: impl Future<Output = T>) -> T {
    let start = Instant::now();
    let answer = timeout(ms(60_000), waits).await.expect("an answer");
    assert_eq!(start.elapsed(), expected, "nobody was woken");
    answer
}

async fn woken_now<T>(waits: impl Future<Output = T>) -> T {
    woken_after(Duration::ZERO, waits).await
}

fn poll(future: &mut Getting<'_>) -> Poll<Option<&'static str>> {
    future.as_mut().poll(&mut Context::from_waker(Waker::noop()))
}

#[tokio::test(start_paused = true)]
async fn a_waiting_worker_gets_a_key_that_is_added() {
    let queue = queue();
    let mut worker = getting(&queue);
    assert!(poll(&mut worker).is_pending());
    queue.add("a");
    assert_eq!(worker.await, Some("a"));
}

#[tokio::test(start_paused = true)]
async fn w_15_a_delayed_key_comes_at_its_time_and_one_without_delay_at_once() {
    let queue = queue();
    let start = Instant::now();
    queue.add_after("late", ms(50));
    queue.add_after("soon", ms(10));
    queue.add_after("now", Duration::ZERO);
    let mut seen = Vec::new();
    for _ in 0..3 {
        let key = queue.get().await.unwrap();
        seen.push((key, start.elapsed()));
    }
    assert_eq!(seen, [("now", ms(0)), ("soon", ms(10)), ("late", ms(50))]);
}

/// An alarm that is already set is moved forward.
#[tokio::test(start_paused = true)]
async fn w_16_a_waiting_worker_hears_of_an_earlier_time() {
    let queue = queue();
    let start = Instant::now();
    queue.add_after("a", ms(60_000));
    let mut worker = getting(&queue);
    assert!(poll(&mut worker).is_pending());
    queue.add_after("a", ms(10));
    assert_eq!(worker.await, Some("a"));
    assert_eq!(start.elapsed(), ms(10));
}

#[tokio::test(start_paused = true)]
async fn w_09_a_shutdown_wakes_every_waiting_worker() {
    let queue = queue();
    let mut workers = [getting(&queue), getting(&queue), getting(&queue)];
    for worker in &mut workers {
        assert!(poll(worker).is_pending());
    }
    queue.shut_down();
    queue.shut_down();
    for worker in workers {
        assert_eq!(worker.await, None);
    }
    assert!(queue.shutting_down());
}

#[tokio::test(start_paused = true)]
async fn two_keys_added_in_a_row_reach_two_waiting_workers() {
    let queue = queue();
    let (mut one, mut two) = (getting(&queue), getting(&queue));
    assert!(poll(&mut one).is_pending());
    assert!(poll(&mut two).is_pending());
    queue.add("a");
    queue.add("b");
    assert_eq!(poll(&mut one), Poll::Ready(Some("a")));
    assert_eq!(poll(&mut two), Poll::Ready(Some("b")));
}

#[tokio::test(start_paused = true)]
async fn a_worker_that_is_cancelled_after_its_wake_up_hands_it_on() {
    let queue = queue();
    let (mut one, mut two) = (getting(&queue), getting(&queue));
    assert!(poll(&mut one).is_pending());
    assert!(poll(&mut two).is_pending());
    queue.add("a");
    drop(one);
    assert_eq!(poll(&mut two), Poll::Ready(Some("a")));
}

/// The worker that set the first alarm leaves; the other one has to hear it.
#[tokio::test(start_paused = true)]
async fn no_alarm_is_lost_with_the_worker_that_set_it() {
    let queue = queue();
    let (mut one, mut two) = (getting(&queue), getting(&queue));
    assert!(poll(&mut one).is_pending());
    assert!(poll(&mut two).is_pending());
    queue.add_after("a", ms(10));
    assert!(poll(&mut one).is_pending());
    assert!(poll(&mut two).is_pending());
    drop(one);
    advance(ms(10)).await;
    assert_eq!(woken_now(two).await, Some("a"));
}

#[tokio::test(start_paused = true)]
async fn two_keys_due_together_reach_two_workers() {
    let queue = queue();
    queue.add_after("a", ms(10));
    queue.add_after("b", ms(10));
    let (mut one, mut two) = (getting(&queue), getting(&queue));
    assert!(poll(&mut one).is_pending());
    assert!(poll(&mut two).is_pending());
    advance(ms(10)).await;
    assert_eq!(poll(&mut one), Poll::Ready(Some("a")));
    assert_eq!(woken_now(two).await, Some("b"));
}

#[tokio::test(start_paused = true)]
async fn w_10_a_drain_ends_when_the_last_held_key_comes_back() {
    let queue = queue();
    queue.add("a");
    queue.add("b");
    let job = queue.next().await.unwrap();
    let draining = queue.clone();
    let mut drain = Box::pin(async move { draining.shut_down_with_drain().await });
    let mut context = Context::from_waker(Waker::noop());
    assert!(drain.as_mut().poll(&mut context).is_pending());
    job.done();
    assert!(drain.as_mut().poll(&mut context).is_ready());
    assert_eq!(queue.get().await, Some("b"));
    assert_eq!(queue.get().await, None);
}

/// Nobody who waits, nobody who is woken: each notice costs as much as the call.
#[tokio::test(start_paused = true)]
async fn who_waits_is_counted_and_nobody_else() {
    let queue = queue();
    let waiting = || queue.lock().waiting;
    let (mut one, mut two) = (getting(&queue), getting(&queue));
    assert!(poll(&mut one).is_pending());
    assert!(poll(&mut two).is_pending());
    assert_eq!(waiting(), 2);
    queue.add("a");
    assert_eq!(poll(&mut one), Poll::Ready(Some("a")));
    assert_eq!(waiting(), 1);
    drop(two);
    assert_eq!(waiting(), 0);
    queue.add("b");
    assert_eq!(queue.get().await, Some("b"));
    assert_eq!(waiting(), 0);
}

/// Each key that comes back due wakes somebody, however it comes.
#[tokio::test(start_paused = true)]
async fn every_way_in_wakes_a_waiting_worker() {
    let queue = queue();
    let kept = queue.keep("kept");
    let later = AddOptions { after: Some(ms(5)), ..AddOptions::default() };
    let ways: [(&str, Duration, &dyn Fn()); 6] = [
        ("a", ms(0), &|| queue.add("a")),
        ("a", ms(0), &|| queue.add_with("a", AddOptions::default())),
        ("a", ms(0), &|| queue.add_after("a", Duration::ZERO)),
        ("a", ms(0), &|| queue.add_all(["a"])),
        ("kept", ms(0), &|| kept.add()),
        ("kept", ms(5), &|| kept.add_with(later)),
    ];
    for (key, due, way) in ways {
        let mut worker = getting(&queue);
        assert!(poll(&mut worker).is_pending());
        way();
        assert_eq!(woken_after(due, worker).await, Some(key));
        queue.done(&key);
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_comes_wakes_as_many_as_it_has_keys() {
    let queue = queue();
    let (mut one, mut two, mut three) = (getting(&queue), getting(&queue), getting(&queue));
    for worker in [&mut one, &mut two, &mut three] {
        assert!(poll(worker).is_pending());
    }
    queue.add_all(["a", "b", "a"]);
    let both = woken_now(async { tokio::join!(one, two) }).await;
    assert_eq!(both, (Some("a"), Some("b")));
    assert!(poll(&mut three).is_pending());
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_comes_back_wakes_as_many_as_it_has_keys_to_run_again() {
    let queue = queue();
    queue.add_all(["a", "b", "c"]);
    let some = std::num::NonZeroUsize::new(8).unwrap();
    let batch = queue.get_batch(some).await.unwrap();
    queue.add_all(["a", "b"]);
    let (mut one, mut two) = (getting(&queue), getting(&queue));
    assert!(poll(&mut one).is_pending());
    assert!(poll(&mut two).is_pending());
    queue.done_all(&batch);
    let both = woken_now(async { tokio::join!(one, two) }).await;
    assert_eq!(both, (Some("a"), Some("b")));
    assert_eq!(queue.held(), 2);
}

#[tokio::test(start_paused = true)]
async fn w_11_a_shutdown_ends_a_drain_at_once() {
    let queue = queue();
    queue.add("a");
    let _job = queue.next().await.unwrap();
    let mut drain = Box::pin(queue.shut_down_with_drain());
    let mut context = Context::from_waker(Waker::noop());
    assert!(drain.as_mut().poll(&mut context).is_pending());
    queue.shut_down();
    assert!(drain.as_mut().poll(&mut context).is_ready());
}

thread_local! {
    /// What happens in the gap of the next worker that finds nothing.
    static IN_THE_GAP: RefCell<Option<Box<dyn FnOnce()>>> = const { RefCell::new(None) };
}

/// Called where another thread is most likely to spoil a careless shell: after the look, before
/// the wait.
pub(super) fn gap() {
    let meanwhile = IN_THE_GAP.take();
    if let Some(meanwhile) = meanwhile {
        meanwhile();
    }
}

/// A careless shell looks, then waits. Two keys added while two workers stand between these leave
/// one stored permit: one worker takes a key, the other sleeps beside the second one.
#[tokio::test(start_paused = true)]
async fn no_wake_up_is_lost_between_the_look_and_the_wait() {
    let queue = queue();
    let worker = |queue: RateLimitingQueue<&'static str>| -> Getting<'static> {
        Box::pin(async move { queue.get().await })
    };
    let mut one = worker(queue.clone());
    let two = Rc::new(RefCell::new(worker(queue.clone())));
    let (adder, inner) = (queue.clone(), Rc::clone(&two));
    IN_THE_GAP.set(Some(Box::new(move || {
        IN_THE_GAP.set(Some(Box::new(move || {
            adder.add("a");
            adder.add("b");
        })));
        assert_eq!(poll(&mut inner.borrow_mut()), Poll::Ready(Some("a")));
    })));
    assert_eq!(poll(&mut one), Poll::Ready(Some("b")));
    assert!(queue.is_empty());
}
