//! F-04: backoff and polling.

use std::cell::Cell;

use super::*;

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn steps(mut backoff: Backoff, count: usize) -> Vec<Duration> {
    std::iter::repeat_with(|| backoff.step()).take(count).collect()
}

#[test]
fn f_04_the_wait_grows_to_its_cap_and_no_further() {
    let backoff = Backoff { cap: Some(ms(50)), ..Backoff::new(ms(10), 3.0, 10) };
    assert_eq!(steps(backoff, 5), [ms(10), ms(30), ms(50), ms(50), ms(50)]);
    let backoff = Backoff::new(ms(10), 2.0, 2);
    assert_eq!(steps(backoff, 4), [ms(10), ms(20), ms(40), ms(40)]);
    assert_eq!(steps(Backoff::new(ms(10), 0.0, 9), 3), [ms(10); 3]);
}

#[test]
fn f_04_at_its_cap_a_backoff_has_no_steps_left() {
    let mut backoff = Backoff { cap: Some(ms(15)), ..Backoff::new(ms(10), 2.0, 10) };
    backoff.step();
    assert_eq!((backoff.duration, backoff.steps), (ms(15), 0));
}

#[test]
fn f_04_jitter_adds_up_to_its_part_and_the_seed_decides() {
    let jittery = |seed| steps(Backoff::conflict().seed(seed), 5);
    for wait in jittery(1) {
        assert!((ms(10)..=ms(11)).contains(&wait), "{wait:?}");
    }
    assert_eq!(jittery(1), jittery(1));
    assert_ne!(jittery(1), jittery(2));
    assert_eq!(jitter(ms(10), 0.5, 0.0), ms(10));
    assert_eq!(jitter(ms(10), 0.5, 1.0), ms(15));
    assert_eq!(jitter(Duration::MAX, 9.0, 1.0), Duration::MAX);
}

#[test]
fn f_03_the_usual_backoffs_are_upstreams() {
    let retry = Backoff::conflict();
    assert_eq!((retry.steps, retry.duration), (5, ms(10)));
    assert_eq!(
        (retry.factor.to_bits(), retry.jitter.to_bits()),
        (1.0_f64.to_bits(), 0.1_f64.to_bits())
    );
    let busy = Backoff::busy();
    assert_eq!((busy.steps, busy.duration), (4, ms(10)));
    assert_eq!(
        (busy.factor.to_bits(), busy.jitter.to_bits()),
        (5.0_f64.to_bits(), 0.1_f64.to_bits())
    );
}

#[tokio::test(start_paused = true)]
async fn f_04_a_delay_starts_over_after_a_quiet_time() {
    let mut delay = Delay::new(Backoff::new(ms(10), 2.0, 10), ms(1000));
    assert_eq!([delay.step(), delay.step(), delay.step()], [ms(10), ms(20), ms(40)]);
    tokio::time::advance(ms(1000)).await;
    assert_eq!(delay.step(), ms(80));
    tokio::time::advance(ms(1001)).await;
    assert_eq!(delay.step(), ms(10));
}

#[tokio::test(start_paused = true)]
async fn f_04_polling_ends_when_done_or_late() {
    let tries = Cell::new(0);
    let work = || {
        tries.set(tries.get() + 1);
        let done = tries.get() == 3;
        async move { Ok(done) }
    };
    let start = Instant::now();
    poll(ms(100), ms(1000), true, work).await.unwrap();
    assert_eq!((tries.get(), start.elapsed()), (3, ms(200)));
    let error = poll(ms(100), ms(1000), false, || async { Ok(false) }).await.unwrap_err();
    assert!(error.is_timeout(), "{error}");
    let error = poll(ms(1), ms(9), true, || async { Err(Error::other("no")) }).await.unwrap_err();
    assert_eq!(error.to_string(), "no");
}

#[tokio::test(start_paused = true)]
async fn f_04_until_counts_from_the_start_or_from_the_end() {
    for (sliding, expected) in [(true, 3), (false, 5)] {
        let rounds = Cell::new(0);
        let work = || {
            rounds.set(rounds.get() + 1);
            sleep(ms(50))
        };
        let ended = tokio::time::timeout(ms(425), until_dropped(ms(100), sliding, work)).await;
        assert!(ended.is_err());
        assert_eq!(rounds.get(), expected);
    }
}
