//! `queue`: what `bench-queue` of the folder beside this one measures, with the scheduler that controllers
//! of kube-rs have: it delays and deduplicates, and hands out to one task. Keys are not given back to it, as
//! its controllers keep what runs in another table.

#[expect(dead_code, reason = "the programs beside it need the rest")]
#[path = "../../../decode/src/process.rs"]
mod process;

use futures::{StreamExt, poll, stream};
use kube::runtime::scheduler::{ScheduleRequest, Scheduler, scheduler};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::error::Error;
use std::hash::Hash;
use std::hint::black_box;
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;
use std::time::Duration;
use tokio::time::Instant;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

const KEYS: u64 = 1000;
const TIMES: usize = 200;
const MANY: u64 = 1_000_000;

fn main() -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [held, what, count] = &args[..]
        && held == "held"
    {
        let [heap, resident] = runtime.block_on(held_by_keys(what, count.parse()?))?;
        println!("{heap} {resident}");
        return Ok(());
    }
    for line in std::io::stdin().lines() {
        let ([wall, cpu], keys) = runtime.block_on(measure(&line?))?;
        let of_a_thousand = |nanos: u128| nanos * 1000 / keys as u128;
        println!("{} {}", of_a_thousand(wall), of_a_thousand(cpu));
    }
    Ok(())
}

async fn measure(what: &str) -> Outcome<([u128; 2], usize)> {
    let again = KEYS as usize * TIMES;
    Ok(match what {
        "cycle" => (cycle(|key| key).await, again),
        "names" => (cycle(name).await, again),
        "known" => (known().await, again),
        "million" => (million().await, MANY as usize),
        "timers" => (timers().await, MANY as usize),
        "soon" => (soon().await, MANY as usize),
        _ => return Err(format!("{what} is not measured").into()),
    })
}

/// What is to be scheduled.
type Requests<K> = Rc<RefCell<VecDeque<ScheduleRequest<K>>>>;

/// A scheduler, and where it gets its requests from.
struct Queue<K, S> {
    requests: Requests<K>,
    scheduler: Pin<Box<Scheduler<K, S>>>,
}

fn queue<K: Clone + Eq + Hash>() -> Queue<K, impl stream::Stream<Item = ScheduleRequest<K>>> {
    let requests = Requests::default();
    let coming = Rc::clone(&requests);
    let coming = stream::poll_fn(move |_| match coming.borrow_mut().pop_front() {
        Some(request) => Poll::Ready(Some(request)),
        None => Poll::Pending,
    });
    Queue { requests, scheduler: Box::pin(scheduler(coming)) }
}

impl<K: Clone + Eq + Hash, S: stream::Stream<Item = ScheduleRequest<K>>> Queue<K, S> {
    fn add(&self, message: K) {
        self.add_after(message, Duration::ZERO);
    }

    fn add_after(&self, message: K, delay: Duration) {
        let run_at = Instant::now() + delay;
        self.requests.borrow_mut().push_back(ScheduleRequest { message, run_at });
    }

    async fn get(&mut self) -> K {
        self.scheduler.next().await.expect("a key")
    }

    /// Takes in what was added, and hands out nothing.
    async fn take_in(&mut self) {
        assert!(poll!(self.scheduler.as_mut().hold().next()).is_pending());
    }
}

async fn cycle<K: Clone + Eq + Hash>(key: impl Fn(u64) -> K) -> [u128; 2] {
    let keys: Vec<K> = (0..KEYS).map(key).collect();
    let mut queue = queue();
    let clock = Clock::start();
    for _ in 0..TIMES {
        keys.iter().for_each(|key| queue.add(key.clone()));
        for _ in 0..KEYS {
            black_box(queue.get().await);
        }
    }
    clock.stop()
}

async fn known() -> [u128; 2] {
    let mut queue = queue();
    (0..KEYS).for_each(|key| queue.add(key));
    queue.take_in().await;
    let clock = Clock::start();
    for _ in 0..TIMES {
        (0..KEYS).for_each(|key| queue.add(black_box(key)));
        queue.take_in().await;
    }
    clock.stop()
}

async fn million() -> [u128; 2] {
    let mut queue = queue();
    let clock = Clock::start();
    (0..MANY).for_each(|key| queue.add(key));
    for _ in 0..MANY {
        black_box(queue.get().await);
    }
    clock.stop()
}

async fn timers() -> [u128; 2] {
    let mut queue = queue();
    let clock = Clock::start();
    for key in 0..MANY {
        queue.add_after(key, Duration::from_millis(drawn(key, 600_000) + 1000));
    }
    queue.take_in().await;
    clock.stop()
}

async fn soon() -> [u128; 2] {
    let mut queue = queue();
    let clock = Clock::start();
    for key in 0..MANY {
        queue.add_after(key, Duration::from_micros(drawn(key, 10_000) + 1));
    }
    for _ in 0..MANY {
        black_box(queue.get().await);
    }
    clock.stop()
}

/// Bytes of the heap and of resident memory that a key in a queue holds beyond itself.
async fn held_by_keys(what: &str, count: u64) -> Outcome<[i64; 2]> {
    let keys = 0..count;
    Ok(match what {
        "ready" => moved(keys.collect(), |_: &u64| Duration::ZERO).await,
        "names" => moved(keys.map(name).collect(), |_: &String| Duration::ZERO).await,
        "later" => {
            let after = |key: &u64| Duration::from_millis(drawn(*key, 600_000) + 600_000);
            moved(keys.collect(), after).await
        }
        _ => return Err(format!("{what} is not measured").into()),
    })
}

/// Keys are moved into a queue: what grows is what they hold beyond themselves.
async fn moved<K: Clone + Eq + Hash>(keys: Vec<K>, delay: impl Fn(&K) -> Duration) -> [i64; 2] {
    let (count, mut queue) = (keys.len() as i64, queue());
    let before = [heap(), process::memory("VmRSS")];
    for key in keys {
        let delay = delay(&key);
        queue.add_after(key, delay);
        // At once, so that no line of requests grows.
        if queue.requests.borrow().len() == KEYS as usize {
            queue.take_in().await;
        }
    }
    queue.take_in().await;
    let after = [heap(), process::memory("VmRSS")];
    [0, 1].map(|of| (after[of] as i64 - before[of] as i64) / count)
}

fn name(key: u64) -> String {
    format!("namespace-{}/pod-{key}", key % 7)
}

/// A number below `limit` for each key, the same in every program.
fn drawn(key: u64, limit: u64) -> u64 {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) % limit
}

/// A measurement under way.
struct Clock {
    start: std::time::Instant,
    cpu: Duration,
}

impl Clock {
    fn start() -> Self {
        Self { start: std::time::Instant::now(), cpu: process::cpu() }
    }

    /// Wall and CPU nanoseconds.
    fn stop(self) -> [u128; 2] {
        [self.start.elapsed().as_nanos(), (process::cpu() - self.cpu).as_nanos()]
    }
}

/// Bytes that the allocator has given out and not got back, with what it needs for itself.
fn heap() -> u64 {
    // SAFETY: it takes nothing and locks what it reads.
    let info = unsafe { libc::mallinfo2() };
    (info.uordblks + info.hblkhd) as u64
}
