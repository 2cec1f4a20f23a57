//! The work queue.

use std::collections::VecDeque;
use std::future::Future;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use loom::future::block_on;
use loom::thread::spawn;

use super::ended;
use crate::limiter::per_item_rate_limiter;
use crate::mistaken::{Careless, LateCount, Wake};
use crate::queue::RateLimitingQueue;

type Key = &'static str;

fn new_queue() -> RateLimitingQueue<Key> {
    RateLimitingQueue::new(per_item_rate_limiter())
}

/// What hands out keys, rightly or wrongly.
trait Keys: Clone + Send + 'static {
    fn add(&self, key: Key);
    fn get(&self) -> impl Future<Output = Key>;
}

impl Keys for RateLimitingQueue<Key> {
    fn add(&self, key: Key) {
        Self::add(self, key);
    }

    async fn get(&self) -> Key {
        Self::get(self).await.expect("the queue is open")
    }
}

type CarelessQueue = Arc<Careless<VecDeque<Key>>>;

impl Keys for CarelessQueue {
    fn add(&self, key: Key) {
        self.change(Wake::One, |keys| keys.push_back(key));
    }

    async fn get(&self) -> Key {
        self.wait_for(VecDeque::pop_front).await
    }
}

fn two_keys_for_two_workers(queue: &impl Keys) {
    let worker = || {
        let queue = queue.clone();
        spawn(move || block_on(queue.get()))
    };
    let workers = [worker(), worker()];
    queue.add("a");
    queue.add("b");
    let mut taken = workers.map(ended);
    taken.sort_unstable();
    assert_eq!(taken, ["a", "b"]);
}

/// Each of two workers gets one of two keys that come together.
pub fn each_worker_gets_a_key_of_a_batch() {
    let queue = new_queue();
    let worker = || {
        let queue = queue.clone();
        spawn(move || block_on(queue.get()))
    };
    let workers = [worker(), worker()];
    queue.add_all(["a", "b"]);
    let mut taken = workers.map(ended);
    taken.sort_unstable();
    assert_eq!(taken, [Some("a"), Some("b")]);
}

/// A shell that counts who waits, and wakes nobody when nobody does, loses a wake-up if it counts after the
/// look.
pub fn a_late_count_loses_a_wake_up() {
    let queue = Arc::new(LateCount::new(VecDeque::new()));
    let worker = Arc::clone(&queue);
    let worker = spawn(move || block_on(worker.wait_for(VecDeque::pop_front)));
    queue.change(|keys: &mut VecDeque<Key>| keys.push_back("a"));
    assert_eq!(ended(worker), "a");
}

/// Each of two workers gets one of two keys.
pub fn each_worker_gets_a_key() {
    two_keys_for_two_workers(&new_queue());
}

/// The same of the careless shell: two keys leave one permit.
pub fn a_careless_shell_loses_a_wake_up() {
    two_keys_for_two_workers(&CarelessQueue::new(Careless::new(VecDeque::new())));
}

/// A worker that turned away after it was woken leaves the key to the other.
pub fn a_cancelled_worker_leaves_its_wake_up() {
    let queue = new_queue();
    let (leaver, stayer) = (queue.clone(), queue.clone());
    let leaver = spawn(move || {
        let mut getting = std::pin::pin!(leaver.get());
        match getting.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            // It came too late to leave empty-handed: the other gets the next.
            Poll::Ready(_key) => leaver.add("b"),
            Poll::Pending => {}
        }
    });
    let stayer = spawn(move || block_on(stayer.get()));
    queue.add("a");
    ended(leaver);
    assert!(ended(stayer).is_some());
}

/// A key that was added while it was held is handed out once more when it is given back.
pub fn a_key_added_while_held_comes_again() {
    let queue = new_queue();
    queue.add("a");
    let job = block_on(queue.next()).expect("a key");
    let (adder, worker) = (queue.clone(), queue.clone());
    let adder = spawn(move || adder.add("a"));
    let worker = spawn(move || block_on(worker.get()));
    job.done();
    ended(adder);
    assert_eq!(ended(worker), Some("a"));
}

/// A shutdown ends every wait.
pub fn a_shutdown_wakes_every_worker() {
    let queue = new_queue();
    let worker = || {
        let queue = queue.clone();
        spawn(move || block_on(queue.get()))
    };
    let workers = [worker(), worker()];
    queue.shut_down();
    assert_eq!(workers.map(ended), [None, None]);
}

/// A drain ends when the last key comes back, however that falls.
pub fn a_drain_ends_with_the_last_key() {
    let queue = new_queue();
    queue.add("a");
    queue.add("b");
    let jobs = [block_on(queue.next()), block_on(queue.next())];
    let [one, two] = jobs.map(|job| spawn(move || job.expect("a key").done()));
    block_on(queue.shut_down_with_drain());
    assert_eq!(queue.held(), 0);
    ended(one);
    ended(two);
}

/// A shutdown ends a drain that has begun.
pub fn a_shutdown_ends_a_drain() {
    let queue = new_queue();
    queue.add("a");
    let job = block_on(queue.next()).expect("a key");
    let mut drain = std::pin::pin!(queue.shut_down_with_drain());
    assert!(drain.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    let closer = queue.clone();
    let closer = spawn(move || closer.shut_down());
    block_on(drain);
    ended(closer);
    drop(job);
}
