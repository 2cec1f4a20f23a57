//! F-02: the token bucket.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use super::*;

#[tokio::test(start_paused = true)]
async fn f_02_a_burst_and_then_the_rate() {
    let limit = RateLimit::new(5.0, 10);
    let start = Instant::now();
    for _ in 0..10 {
        assert_eq!(limit.accept().await, Duration::ZERO);
    }
    assert!(!limit.try_accept());
    for _ in 0..5 {
        limit.accept().await;
    }
    let took = start.elapsed();
    assert!((Duration::from_millis(999)..Duration::from_millis(1010)).contains(&took), "{took:?}");
    tokio::time::advance(Duration::from_secs(60)).await;
    assert_eq!(
        (0..20).filter(|_| limit.try_accept()).count(),
        10,
        "no more than the burst is saved"
    );
}

/// Whoever waits waits for a token of its own.
#[tokio::test(start_paused = true)]
async fn f_02_many_who_wait_share_one_rate() {
    let limit = RateLimit::new(100.0, 1);
    assert!(limit.try_accept());
    let start = Instant::now();
    let mut waiting = tokio::task::JoinSet::new();
    for _ in 0..10 {
        let limit = limit.clone();
        waiting.spawn(async move {
            for _ in 0..10 {
                limit.accept().await;
            }
        });
    }
    waiting.join_all().await;
    let took = start.elapsed();
    assert!((Duration::from_millis(999)..Duration::from_millis(1010)).contains(&took), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn f_02_a_rate_is_kept_to_however_long_it_lasts() {
    let limit = RateLimit::new(1.0 / 1.031_425, 1);
    for round in 0..10_000 {
        assert!(limit.try_accept(), "after {round} rounds");
        assert!(!limit.try_accept(), "after {round} rounds");
        tokio::time::advance(Duration::from_secs(2)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn f_02_who_goes_away_gives_its_place_back() {
    let limit = RateLimit::new(1.0, 1);
    assert!(limit.try_accept());
    {
        let mut waiting = pin!(limit.accept());
        let mut context = Context::from_waker(Waker::noop());
        assert!(matches!(waiting.as_mut().poll(&mut context), Poll::Pending));
    }
    let waited = limit.accept().await;
    assert!(waited <= Duration::from_millis(1001), "{waited:?}");
}

#[tokio::test(start_paused = true)]
async fn h_01_a_rate_that_is_not_positive_is_no_limit() {
    for limit in [RateLimit::unlimited(), RateLimit::new(-1.0, 0), RateLimit::new(f64::NAN, 0)] {
        assert_eq!((0..1000).filter(|_| limit.try_accept()).count(), 1000);
        assert_eq!(limit.accept().await, Duration::ZERO);
    }
}

#[tokio::test(start_paused = true)]
async fn f_02_never_is_never() {
    let limit = RateLimit::never();
    assert!(!limit.try_accept());
    let year = Duration::from_secs(31_536_000);
    assert!(tokio::time::timeout(year, limit.accept()).await.is_err());
    assert_eq!(format!("{limit:?}"), "RateLimit(never)");
}
