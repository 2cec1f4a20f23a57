//! How many are called, and when no more.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::*;

#[tokio::test(start_paused = true)]
async fn each_batch_is_twice_the_last_and_at_once() {
    let start = Instant::now();
    let seconds = std::sync::Mutex::new(Vec::new());
    let (done, ended) = slow_start(10, |number| {
        seconds.lock().unwrap().push((start.elapsed().as_secs(), number));
        async {
            sleep(Duration::from_secs(1)).await;
            Ok::<_, &str>(())
        }
    })
    .await;
    assert_eq!((done, ended), (10, Ok(())));
    let at = |second| seconds.lock().unwrap().iter().filter(|(at, _)| *at == second).count();
    assert_eq!([at(0), at(1), at(2), at(3)], [1, 2, 4, 3]);
    let numbers: Vec<_> = seconds.lock().unwrap().iter().map(|(_, number)| *number).collect();
    assert_eq!(numbers, (0..10).collect::<Vec<_>>());
}

#[tokio::test]
async fn no_batch_follows_one_in_which_one_failed() {
    let calls = AtomicUsize::new(0);
    let work = |fails: usize| {
        let calls = &calls;
        move |number| {
            calls.fetch_add(1, Ordering::Relaxed);
            async move { if number >= fails { Err(number) } else { Ok(()) } }
        }
    };
    assert_eq!(slow_start(500, work(0)).await, (0, Err(0)));
    assert_eq!(calls.swap(0, Ordering::Relaxed), 1);
    assert_eq!(slow_start(500, work(5)).await, (5, Err(5)));
    assert_eq!(calls.swap(0, Ordering::Relaxed), 7);
    assert_eq!(slow_start(0, work(0)).await, (0, Ok(())));
    assert_eq!(calls.load(Ordering::Relaxed), 0);
}
