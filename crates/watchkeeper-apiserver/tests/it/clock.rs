//! Moments as text.

use std::time::Duration;

use watchkeeper_apiserver::Now;

/// As `metav1.Time` and `metav1.MicroTime` have them.
#[test]
fn a_moment_is_told_to_the_second_or_to_the_millionth_of_one() {
    for (moment, second, micro) in [
        (Duration::ZERO, "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000000Z"),
        (
            Duration::new(1_767_225_601, 6_999),
            "2026-01-01T00:00:01Z",
            "2026-01-01T00:00:01.000006Z",
        ),
        (
            Duration::new(1_767_225_601, 120_000_000),
            "2026-01-01T00:00:01Z",
            "2026-01-01T00:00:01.120000Z",
        ),
    ] {
        assert_eq!((&*Now(moment).rfc3339(), &*Now(moment).rfc3339_micro()), (second, micro));
    }
}

#[test]
fn a_moment_that_no_calendar_has_is_the_epoch() {
    assert_eq!(Now(Duration::MAX).rfc3339(), "1970-01-01T00:00:00Z");
}

#[test]
fn what_was_told_is_read() {
    let moment = Now(Duration::new(1_767_225_601, 6_000));
    assert_eq!(Now::parse(&moment.rfc3339_micro()), Some(moment));
    assert_eq!(
        Now::parse("2026-01-01T01:00:01+01:00"),
        Some(Now(Duration::from_secs(1_767_225_601)))
    );
    assert_eq!(Now::parse("1969-12-31T23:59:59Z"), None, "before the epoch");
    assert_eq!(Now::parse("today"), None);
}

#[test]
fn moments_are_counted_up_to_the_last_one() {
    let at = |seconds| Now(Duration::from_secs(seconds));
    assert_eq!(at(5).plus(Duration::from_secs(2)), at(7));
    assert_eq!(Now(Duration::MAX).plus(Duration::from_secs(1)), Now(Duration::MAX));
    assert_eq!(at(7).since(at(5)), Duration::from_secs(2));
    assert_eq!(at(5).since(at(7)), Duration::ZERO);
}
