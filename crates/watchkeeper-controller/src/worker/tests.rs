//! Outcomes in paused time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use watchkeeper_api::ObjectKey;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_queue::per_item_rate_limiter;

use super::*;
use crate::context::Context;
use crate::failing::Failures;
use crate::failure::OrFail;
use crate::figures::Counters;
use crate::handle::ControllerHandle;
use crate::limit::Limit;
use crate::reconciler::Stateless;
use crate::sources::Sources;
use crate::switch::Switch;
use crate::testing;

mod flight;

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn request(name: &str) -> Request {
    ObjectKey::from(("shop", name)).into()
}

/// Workers that run until the set is dropped or the sender says stop.
struct Running {
    queue: RateLimitingQueue<Request>,
    stop: watch::Sender<bool>,
    workers: JoinSet<()>,
    handle: ControllerHandle,
}

fn shared() -> Shared {
    Shared {
        name: "test".to_owned(),
        cluster: Arc::default(),
        kind: ConfigMap::KIND,
        workers: 1,
        sources: Sources::default(),
        trace: Arc::default(),
        failures: Failures::default(),
        counters: Counters::default(),
        stopwatch: None,
        switch: Switch::default(),
        queue: Mutex::default(),
    }
}

fn start(count: usize, reconciler: impl Reconciler) -> Running {
    start_with(Policy::default(), count, reconciler)
}

fn start_with(policy: Policy, count: usize, reconciler: impl Reconciler) -> Running {
    let queue = RateLimitingQueue::new(per_item_rate_limiter());
    let worker = Arc::new(Worker {
        shared: Arc::new(shared()),
        queue: queue.clone(),
        reconciler: Arc::new(reconciler),
        part: Part::All(testing::context(&testing::nowhere()).0),
        ids: Ids::new(1),
        policy,
        own: "test".into(),
    });
    let handle = ControllerHandle::new(Arc::clone(&worker.shared));
    let (stop, stopped) = watch::channel(false);
    let mut workers = JoinSet::new();
    for _ in 0..count {
        let mut stopped = stopped.clone();
        let stop = async move { drop(stopped.wait_for(|stop| *stop).await) };
        workers.spawn(Arc::clone(&worker).work(stop));
    }
    Running { queue, stop, workers, handle }
}

type Log = Arc<Mutex<Vec<(String, Duration)>>>;

/// Reconciles as `answer` says for the n-th call, and logs when.
fn logging(answer: impl Fn(usize) -> Outcome + Send + Sync + 'static) -> (Log, impl Reconciler) {
    let (log, calls, start) = (Log::default(), AtomicUsize::new(0), Instant::now());
    let logged = Arc::clone(&log);
    let reconcile = move |request: Request, _: Context| {
        logged.lock().unwrap().push((request.name().to_owned(), start.elapsed()));
        let outcome = answer(calls.fetch_add(1, Ordering::Relaxed));
        async { outcome }
    };
    (log, Stateless(reconcile))
}

fn times(log: &Log) -> Vec<u128> {
    log.lock().unwrap().iter().map(|(_, at)| at.as_millis()).collect()
}

/// N-01.
#[tokio::test(start_paused = true)]
async fn n_01_a_failing_object_comes_back_later_each_time_until_it_succeeds() {
    let (log, reconciler) = logging(|call| match call {
        0..3 => Err("not yet")?,
        _ => Ok(Action::done()),
    });
    let running = start(1, reconciler);
    running.queue.add(request("a"));
    sleep(ms(1000)).await;
    assert_eq!(times(&log), [0, 5, 15, 35]);
    running.queue.add(request("a"));
    sleep(ms(1000)).await;
    assert_eq!(times(&log)[4..], [1000]);
    assert_eq!(running.queue.num_requeues(&request("a")), 0);
}

#[tokio::test(start_paused = true)]
async fn what_fails_can_be_asked_for_until_it_goes_well() {
    let (_log, reconciler) = logging(|call| match call {
        0..3 => Err("not yet")?,
        _ => Ok(Action::done()),
    });
    let running = start(1, reconciler);
    running.queue.add(request("a"));
    sleep(ms(20)).await;
    let failing: Vec<_> = running.handle.failing().iter().map(ToString::to_string).collect();
    assert_eq!(failing, ["shop/a failed 3 times: not yet"]);
    assert_eq!(running.handle.failing()[0].age, ms(5));
    sleep(ms(1000)).await;
    assert_eq!(running.handle.failing(), []);
}

/// N-01: success with a wish forgets the failures, and is followed at its time.
#[tokio::test(start_paused = true)]
async fn n_01_an_action_says_when_to_look_again() {
    let (log, reconciler) = logging(|call| match call {
        0 => Ok(Action::after(ms(300))),
        1 => Ok(Action::at(Instant::now() + ms(200))),
        _ => Ok(Action::done()),
    });
    let running = start(1, reconciler);
    running.queue.add(request("a"));
    sleep(ms(10_000)).await;
    assert_eq!(times(&log), [0, 300, 500]);
}

/// N-01.
#[tokio::test(start_paused = true)]
async fn n_01_a_failure_may_ask_for_a_time_or_for_none() {
    let (log, reconciler) = logging(|call| match call {
        0 => Err("throttled").retry_after(ms(700))?,
        _ => Err("nonsense").terminal()?,
    });
    let running = start(1, reconciler);
    running.queue.add(request("a"));
    sleep(ms(2_000_000)).await;
    assert_eq!(times(&log), [0, 700]);
}

/// The longest of all durations is for ever: the object is looked at when it changes.
#[tokio::test(start_paused = true)]
async fn an_object_may_stay_away_for_ever() {
    let (log, reconciler) = logging(|call| match call {
        0 => Ok(Action::after(Duration::MAX)),
        _ => Err("throttled").retry_after(Duration::MAX)?,
    });
    let running = start(1, reconciler);
    running.queue.add(request("a"));
    sleep(ms(1000)).await;
    running.queue.add(request("a"));
    sleep(ms(2_000_000)).await;
    assert_eq!(times(&log), [0, 1000]);
}

/// N-03.
#[tokio::test(start_paused = true)]
async fn n_03_a_panic_is_a_failure_of_one_object_and_the_worker_goes_on() {
    let (log, reconciler) = logging(|call| {
        assert!(call != 0, "a bug");
        Ok(Action::done())
    });
    let running = start(1, reconciler);
    running.queue.add(request("a"));
    running.queue.add(request("b"));
    sleep(ms(1000)).await;
    let names: Vec<_> = log.lock().unwrap().iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(names, ["a", "b", "a"]);
    assert_eq!(running.queue.held(), 0);
    let figures = running.handle.status().figures;
    assert_eq!((figures.panics, figures.failed, figures.succeeded, figures.active), (1, 1, 2, 0));
}

#[test]
fn a_panic_tells_its_message() {
    let caught = |panic: fn()| std::panic::catch_unwind(panic).unwrap_err();
    assert_eq!(panicked(&*caught(|| panic!("text"))).to_string(), "panic: text");
    assert_eq!(panicked(&*caught(|| panic!("number {}", 1))).to_string(), "panic: number 1");
}

#[tokio::test(start_paused = true)]
async fn workers_share_the_objects_and_none_is_reconciled_twice_at_once() {
    let busy = Arc::new(Mutex::new(Vec::new()));
    let most = Arc::new(AtomicUsize::new(0));
    let (seen, peak) = (Arc::clone(&busy), Arc::clone(&most));
    let reconciler = Stateless(move |request: Request, _: Context| {
        let (busy, most) = (Arc::clone(&busy), Arc::clone(&most));
        async move {
            {
                let mut busy = busy.lock().unwrap();
                assert!(!busy.contains(&request), "{request} is reconciled twice at once");
                busy.push(request.clone());
                most.fetch_max(busy.len(), Ordering::Relaxed);
            }
            sleep(ms(10)).await;
            busy.lock().unwrap().retain(|held| *held != request);
            Ok(Action::done())
        }
    });
    let running = start(3, reconciler);
    for _ in 0..20 {
        for name in ["a", "b", "c", "d"] {
            running.queue.add(request(name));
        }
        sleep(ms(3)).await;
    }
    sleep(ms(1000)).await;
    assert!(seen.lock().unwrap().is_empty());
    assert_eq!(peak.load(Ordering::Relaxed), 3);
    let panics = ["a", "b", "c", "d"].map(|name| running.queue.num_requeues(&request(name)));
    assert_eq!(panics, [0; 4]);
}

/// N-10.
#[tokio::test(start_paused = true)]
async fn n_10_a_stop_lets_the_running_reconcile_finish_and_takes_no_more_keys() {
    let finish = Arc::new(Notify::new());
    let (done, wait) = (Arc::new(AtomicUsize::new(0)), Arc::clone(&finish));
    let count = Arc::clone(&done);
    let reconciler = Stateless(move |_: Request, _: Context| {
        let (done, wait) = (Arc::clone(&done), Arc::clone(&wait));
        async move {
            wait.notified().await;
            done.fetch_add(1, Ordering::Relaxed);
            Ok(Action::done())
        }
    });
    let mut running = start(1, reconciler);
    running.queue.add(request("a"));
    running.queue.add(request("b"));
    sleep(ms(1)).await;
    running.stop.send_replace(true);
    assert!(timeout(ms(60_000), running.workers.join_next()).await.is_err(), "it is waited for");
    finish.notify_one();
    running.workers.join_next().await.unwrap().unwrap();
    assert_eq!(count.load(Ordering::Relaxed), 1);
    assert_eq!(running.queue.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_worker_gives_its_key_back() {
    let reconciler = Stateless(|_: Request, _: Context| std::future::pending::<Outcome>());
    let mut running = start(1, reconciler);
    running.queue.add(request("a"));
    sleep(ms(1)).await;
    assert_eq!(running.queue.held(), 1);
    running.workers.shutdown().await;
    assert_eq!((running.queue.held(), running.queue.delayed()), (0, 1));
}

/// N-03: `RecoverPanic: false`.
#[tokio::test(start_paused = true)]
async fn n_03_a_panic_ends_the_worker_if_that_is_asked_for() {
    let (_log, reconciler) = logging(|_| panic!("a bug"));
    let policy = Policy { recovers: false, ..Policy::default() };
    let mut running = start_with(policy, 1, reconciler);
    running.queue.add(request("a"));
    let ended = running.workers.join_next().await.unwrap();
    assert!(ended.unwrap_err().is_panic());
    assert_eq!(running.handle.status().figures.active, 0);
}

/// N-04.
#[tokio::test(start_paused = true)]
async fn n_04_a_reconcile_that_takes_too_long_is_given_up_and_tried_again() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let reconciler = Stateless(move |_: Request, _: Context| {
        let call = counted.fetch_add(1, Ordering::Relaxed);
        async move {
            sleep(ms(if call < 2 { 10_000 } else { 999 })).await;
            Ok(Action::done())
        }
    });
    let policy = Policy { timeout: Some(ms(1000)), ..Policy::default() };
    let running = start_with(policy, 1, reconciler);
    running.queue.add(request("a"));
    sleep(ms(10_000)).await;
    let figures = running.handle.status().figures;
    assert_eq!((figures.timeouts, figures.failed, figures.succeeded), (2, 2, 1));
    assert_eq!(calls.load(Ordering::Relaxed), 3);
}

/// N-05.
#[tokio::test(start_paused = true)]
async fn n_05_each_reconcile_has_an_id_of_its_own() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let ids = Arc::clone(&seen);
    let reconciler = Stateless(move |_: Request, ctx: Context| {
        ids.lock().unwrap().push(ctx.id().to_string());
        async { Ok(Action::done()) }
    });
    let running = start(1, reconciler);
    for name in ["a", "b", "a"] {
        running.queue.add(request(name));
        sleep(ms(10)).await;
    }
    let ids = seen.lock().unwrap().clone();
    let expected = Ids::new(1);
    assert_eq!(ids, [(); 3].map(|()| expected.next().to_string()));
}

/// N-02.
#[tokio::test(start_paused = true)]
async fn n_02_an_action_may_say_before_whom_the_object_comes_back() {
    let (log, reconciler) = logging(|call| match call {
        0 => Ok(Action::after(ms(100)).priority(10)),
        1 => Ok(Action::after(ms(100))),
        _ => Ok(Action::done()),
    });
    let running = start(1, reconciler);
    running.queue.add(request("a"));
    sleep(ms(1)).await;
    running.queue.add(request("b"));
    sleep(ms(1)).await;
    running.stop.send_replace(true);
    sleep(ms(200)).await;
    running.queue.add(request("c"));
    let job = running.queue.next().await.unwrap();
    assert_eq!((job.name(), job.priority()), ("a", 10));
    job.done();
    assert_eq!(log.lock().unwrap().len(), 2);
}

/// Two controllers of three workers each, and a limit of four.
#[tokio::test(start_paused = true)]
async fn a_limit_is_shared_by_all_who_have_it() {
    let limit = Limit::new(4);
    let mut limits = Limits::default();
    limits.add(&limit);
    limits.add(&limit);
    let policy = Policy { limits, ..Policy::default() };
    let reconciler = || {
        Stateless(|_: Request, _: Context| async {
            sleep(ms(1000)).await;
            Ok(Action::done())
        })
    };
    let (one, two) =
        (start_with(policy.clone(), 3, reconciler()), start_with(policy, 3, reconciler()));
    for name in ["a", "b", "c"] {
        one.queue.add(request(name));
        two.queue.add(request(name));
    }
    let figures = || [&one, &two].map(|running| running.handle.status().figures);
    sleep(ms(500)).await;
    assert_eq!(figures().map(|figures| figures.active).iter().sum::<usize>(), 4);
    assert_eq!(limit.running(), 4);
    sleep(ms(1000)).await;
    assert_eq!(figures().map(|figures| figures.active).iter().sum::<usize>(), 2);
    sleep(ms(1000)).await;
    assert_eq!(figures().map(|figures| figures.succeeded), [3, 3]);
    assert_eq!(limit.running(), 0);
}

/// Who has room in one limit and waits for it in another runs in neither.
#[tokio::test(start_paused = true)]
async fn who_waits_for_room_elsewhere_is_not_counted_as_running() {
    let (wide, narrow) = (Limit::new(4), Limit::new(1));
    let mut limits = Limits::default();
    limits.add(&wide);
    limits.add(&narrow);
    let reconciler = Stateless(|_: Request, _: Context| async {
        sleep(ms(1000)).await;
        Ok(Action::done())
    });
    let running = start_with(Policy { limits, ..Policy::default() }, 3, reconciler);
    ["a", "b", "c"].iter().for_each(|name| running.queue.add(request(name)));
    for under_way in [1, 1, 1, 0] {
        sleep(ms(500)).await;
        assert_eq!((wide.running(), narrow.running()), (under_way, under_way));
        assert_eq!(running.handle.status().figures.active, under_way);
        sleep(ms(500)).await;
    }
    assert_eq!(running.handle.status().figures.succeeded, 3);
}

/// N-01: what of a failure follows is counted by its kind.
#[tokio::test(start_paused = true)]
async fn n_01_outcomes_are_counted_by_their_kind() {
    let (_log, reconciler) = logging(|call| match call {
        0 => Err("soon").retry_after(ms(10))?,
        1 => Ok(Action::after(ms(10))),
        2 => Err("again")?,
        _ => Err("nonsense").terminal()?,
    });
    let running = start(1, reconciler);
    running.queue.add(request("a"));
    sleep(ms(60_000)).await;
    let figures = running.handle.status().figures;
    assert_eq!((figures.failed, figures.terminal, figures.asked_again), (3, 1, 1));
    let why = running.handle.why(("shop", "a")).unwrap();
    assert_eq!(why.to_string(), "last: test: failed before\nnext: \n");
}
