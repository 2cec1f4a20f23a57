//! The waits, one test a rule.

use std::time::Duration;

use proptest::prelude::*;

use super::*;

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn waits(limiter: &mut impl RateLimiter<&'static str>, n: usize) -> Vec<Duration> {
    (0..n).map(|_| limiter.when(&"a", Duration::ZERO)).collect()
}

/// 5, 10, 20 ms … 655.36 s at the 18th call, 1000 s from the 19th.
#[test]
fn w_24_a_failing_key_waits_twice_as_long_each_time_up_to_the_maximum() {
    let mut limiter = per_item_rate_limiter();
    let waits = waits(&mut limiter, 200);
    assert_eq!(waits[..5], [ms(5), ms(10), ms(20), ms(40), ms(80)]);
    assert_eq!(waits[17], ms(655_360));
    assert!(waits[18..].iter().all(|wait| *wait == ms(1_000_000)));
    assert_eq!(limiter.num_requeues(&"a"), 200);
}

/// A hundred come through at once and the rest 100 ms apart, as long as their own waits are shorter.
#[test]
fn w_25_the_limiter_of_controllers_is_the_longer_of_both() {
    let mut limiter = default_controller_rate_limiter();
    let first: Vec<_> = (0..5).map(|_| limiter.when(&1000, Duration::ZERO)).collect();
    assert_eq!(first, [ms(5), ms(10), ms(20), ms(40), ms(80)]);
    let others: Vec<_> = (0..97).map(|key| limiter.when(&key, Duration::ZERO)).collect();
    assert!(others[..95].iter().all(|wait| *wait == ms(5)));
    assert_eq!(others[95..], [ms(100), ms(200)]);
    assert_eq!(limiter.num_requeues(&1000), 5);
}

#[test]
fn w_26_the_limiter_of_items_starts_at_a_millisecond() {
    let mut limiter = default_item_based_rate_limiter();
    let waits = waits(&mut limiter, 30);
    assert_eq!(waits[..3], [ms(1), ms(2), ms(4)]);
    assert_eq!(waits[19..22], [ms(524_288), ms(1_000_000), ms(1_000_000)]);
}

/// Upstream's `TestItemExponentialFailureRateLimiterOverFlow`.
#[test]
fn w_24_a_wait_that_overflows_is_the_maximum() {
    let mut limiter = ItemExponentialFailure::new(ms(1), ms(1_000_000));
    let last = |limiter: &mut ItemExponentialFailure<_>, key, n: usize| {
        (0..n).map(|_| limiter.when(&key, Duration::ZERO)).last()
    };
    assert_eq!(last(&mut limiter, "one", 6), Some(ms(32)));
    assert_eq!(last(&mut limiter, "overflow", 1001), Some(ms(1_000_000)));
}

#[test]
fn w_24_success_makes_the_next_wait_short_again_and_leaves_other_keys_alone() {
    let mut limiter = default_item_based_rate_limiter();
    waits(&mut limiter, 3);
    limiter.when(&"b", Duration::ZERO);
    limiter.forget(&"a");
    assert_eq!(limiter.num_requeues(&"a"), 0);
    assert_eq!(limiter.when(&"a", Duration::ZERO), ms(1));
    assert_eq!(limiter.when(&"b", Duration::ZERO), ms(2));
}

#[test]
fn w_27_a_bucket_lets_a_burst_through_and_spaces_the_rest() {
    let mut bucket = Bucket::new(ms(100), 100);
    let waits = waits(&mut bucket, 103);
    assert!(waits[..100].iter().all(Duration::is_zero));
    assert_eq!(waits[100..], [ms(100), ms(200), ms(300)]);
    assert_eq!(RateLimiter::<&str>::num_requeues(&bucket, &"a"), 0);
}

#[test]
fn a_bucket_fills_while_nobody_comes_but_not_above_its_burst() {
    let mut bucket = Bucket::new(ms(100), 2);
    waits(&mut bucket, 2);
    assert_eq!(bucket.when(&"a", ms(150)), Duration::ZERO);
    assert_eq!(bucket.when(&"a", ms(150)), ms(50));
    let late = ms(10_000);
    let late_waits: Vec<_> = (0..3).map(|_| bucket.when(&"a", late)).collect();
    assert_eq!(late_waits, [ms(0), ms(0), ms(100)]);
}

#[test]
fn w_28_fast_then_slow() {
    let mut limiter = ItemFastSlow::new(ms(5), ms(10_000), 3);
    assert_eq!(waits(&mut limiter, 5), [ms(5), ms(5), ms(5), ms(10_000), ms(10_000)]);
    limiter.forget(&"a");
    assert_eq!(waits(&mut limiter, 1), [ms(5)]);
}

/// Every counter advances, also that of a limiter whose wait is the shorter one.
#[test]
fn w_29_the_longest_wait_wins_and_all_limiters_count() {
    let mut limiter = MaxOf::new([
        Box::new(ItemFastSlow::new(ms(5), ms(10_000), 2)) as Box<dyn RateLimiter<_> + Send>,
        Box::new(ItemExponentialFailure::new(ms(1), ms(1000))),
    ]);
    let expected = [ms(5), ms(5), ms(10_000), ms(10_000)];
    assert_eq!(waits(&mut limiter, 4), expected);
    assert_eq!(limiter.num_requeues(&"a"), 4);
    limiter.forget(&"a");
    assert_eq!(limiter.num_requeues(&"a"), 0);
    assert_eq!(waits(&mut limiter, 4), expected);
}

#[test]
fn w_30_a_maximum_cuts_the_wait() {
    let mut limiter = WithMaxWait::new(per_item_rate_limiter(), ms(15));
    assert_eq!(waits(&mut limiter, 3), [ms(5), ms(10), ms(15)]);
}

proptest! {
    #[test]
    fn no_wait_leaves_its_bounds(base in 0..u64::MAX, max in 0..u64::MAX, n in 1..300_usize) {
        let (base, max) = (Duration::from_nanos(base), Duration::from_nanos(max));
        let waits = waits(&mut ItemExponentialFailure::new(base, max), n);
        prop_assert_eq!(waits[0], base.min(max));
        prop_assert!(waits.iter().all(|wait| *wait <= max));
        prop_assert!(waits.is_sorted());
    }
}
