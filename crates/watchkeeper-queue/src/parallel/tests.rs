use std::sync::Mutex;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use super::*;

fn some(n: usize) -> NonZeroUsize {
    NonZeroUsize::new(n).unwrap()
}

/// Which pieces were done, in which order; `during` is what each takes.
async fn done(pieces: Pieces, stop: impl Future<Output = ()>) -> Vec<usize> {
    let done = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&done);
    let work = move |piece| {
        let log = Arc::clone(&log);
        async move {
            sleep(Duration::from_millis(10)).await;
            log.lock().unwrap().push(piece);
        }
    };
    parallelize_until(stop, pieces, work).await;
    Arc::into_inner(done).unwrap().into_inner().unwrap()
}

/// Upstream's `TestParallelizeUntil`, with its cases.
#[tokio::test(start_paused = true)]
async fn w_35_each_piece_is_done_exactly_once() {
    for (count, workers, chunk) in [
        (1000, 10, 1),
        (1000, 10, 10),
        (1000, 10, 100),
        (999, 10, 13),
        (1, 7, 7),
        (0, 3, 2),
        (10, 3, usize::MAX),
    ] {
        let pieces = Pieces { count, workers: some(workers), chunk: some(chunk) };
        let mut done = done(pieces, std::future::pending()).await;
        done.sort_unstable();
        assert_eq!(done, (0..count).collect::<Vec<_>>(), "{pieces:?}");
    }
}

#[test]
fn w_35_there_are_no_more_workers_than_chunks() {
    let tasks = |count, workers, chunk| {
        Pieces { count, workers: some(workers), chunk: some(chunk) }.tasks()
    };
    assert_eq!([tasks(100, 7, 10), tasks(100, 7, 30), tasks(101, 70, 10)], [7, 4, 11]);
    assert_eq!([tasks(0, 7, 10), tasks(1, 7, 10)], [0, 1]);
}

#[tokio::test(start_paused = true)]
async fn w_35_no_piece_is_begun_after_the_stop_and_those_begun_are_finished() {
    let pieces = Pieces { count: 100, workers: some(2), chunk: some(10) };
    let mut done = done(pieces, sleep(Duration::from_millis(25))).await;
    done.sort_unstable();
    assert_eq!(done, [0, 1, 2, 10, 11, 12]);
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "piece 3")]
async fn w_35_a_panic_of_a_piece_is_the_callers() {
    let pieces = Pieces { count: 10, workers: some(2), chunk: some(1) };
    let work = async |piece: usize| assert!(piece != 3, "piece {piece}");
    parallelize_until(std::future::pending(), pieces, work).await;
}

#[tokio::test(start_paused = true)]
async fn w_35_who_goes_away_takes_the_tasks_along() {
    let pieces = Pieces { count: 10, workers: some(3), chunk: some(1) };
    let held = Arc::new(Notify::new());
    let waits = Arc::clone(&held);
    let work = move |_| {
        let waits = Arc::clone(&waits);
        async move { waits.notified().await }
    };
    let all = parallelize_until(std::future::pending(), pieces, work);
    assert!(timeout(Duration::from_millis(1), all).await.is_err());
    tokio::task::yield_now().await;
    assert_eq!(Arc::strong_count(&held), 1);
}
