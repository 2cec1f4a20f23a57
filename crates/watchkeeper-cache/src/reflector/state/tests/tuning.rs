//! Reflectors in other ways than their own.

use std::num::NonZeroU32;

use expect_test::expect;

use super::*;

/// Upstream's `WatchListPageSize`: lists come in pages whatever the version.
#[test]
fn c_03_the_size_of_pages_is_the_callers() {
    let tuning = Tuning { page: NonZeroU32::new(7), ..Tuning::default() };
    check_tuned(
        tuning,
        "
        failed other
        page @20 a@1 more=x
        failed expired
        page @21 a@1 more=y
        page @21 b@2
        failed other
        woken
        failed other
        ",
        expect![[r#"
            > watch @ with initial events
            failed other
              > list @0 limit=7
            page @20 a@1 more=x
              > list @ limit=7 more=x
            failed expired
              > list @0
            page @21 a@1 more=y
              > list @ limit=7 more=y
            page @21 b@2
              = replaced @21 a@1 b@2
              > watch @21
            failed other
              > sleep 812ms
            woken
              > watch @21 with initial events
            failed other
              > list @21 limit=7
        "#]],
    );
}

#[test]
fn the_waits_after_failures_are_the_callers() {
    let ms = Duration::from_millis;
    let tuning = Tuning { waits: Some((ms(10), ms(30))), ..Tuning::default() };
    let mut state = State::<Tiny>::new(1, String::new()).tuned(tuning);
    state.start();
    let mut now = Duration::ZERO;
    for step in [10, 20, 30, 30] {
        let Next::Sleep { until } = state.step(trouble("busy"), now).next else {
            panic!("{now:?}")
        };
        let delay = until - now;
        assert!(delay >= ms(step) && delay <= ms(2 * step), "{delay:?} for {step}");
        now = until;
        state.step(Input::Woken, now);
    }
}

/// Watches last between once and twice this; upstream's least counts where it is more.
#[test]
fn watches_may_be_longer_and_not_shorter() {
    let timeouts = |shortest| {
        let tuning = Tuning { shortest_watch: Duration::from_secs(shortest), ..Tuning::default() };
        let mut state = State::<Tiny>::new(1, String::new()).tuned(tuning);
        let timeouts = (0..50).map(|_| match state.start() {
            Next::Watch(call) => call.timeout.as_secs(),
            other => panic!("{other:?}"),
        });
        timeouts.collect::<Vec<_>>()
    };
    assert!(timeouts(1000).iter().all(|timeout| (1000..=2000).contains(timeout)));
    assert!(timeouts(u64::MAX).iter().all(|timeout| (86_400..=172_800).contains(timeout)));
    assert!(timeouts(1).iter().all(|timeout| (300..=600).contains(timeout)));
    assert!(timeouts(1000).iter().any(|timeout| *timeout != timeouts(1000)[0]));
}
