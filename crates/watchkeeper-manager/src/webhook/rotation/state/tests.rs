//! Years of certificates, step by step.

use expect_test::{Expect, expect};

use super::*;

const HOUR: Duration = Duration::from_secs(60 * 60);

fn names() -> Vec<String> {
    vec!["a.b.svc".to_owned()]
}

/// What is done from the day 0 on, each time that something is to be done.
fn check(days: u64, lives: Lives, expected: Expect) {
    let (mut now, mut told, mut kept) = (Time::from_unix(0), String::new(), None::<Kept>);
    // The start of 1970 is the day 0.
    let shown = |time: Time| format!("{:.1}", time.unix() as f64 / DAY.as_secs_f64());
    loop {
        match next(now, lives, &names(), kept.as_ref()) {
            Step::Authority(authority) => {
                told += &format!("{} authority until {}\n", shown(now), shown(authority.until));
                let serving = kept.take().and_then(|kept| kept.serving);
                kept = Some(Kept { authority, serving });
            }
            Step::Serving(validity) => {
                told += &format!("{} serving until {}\n", shown(now), shown(validity.until));
                let serving = Some(Serving { validity, names: names() });
                let kept = kept.as_mut().expect("nobody vouches for it");
                assert!(validity.until <= kept.authority.until, "it outlives its authority");
                kept.serving = serving;
            }
            Step::Rest(until) => {
                assert!(until > now, "nothing to do, and no rest");
                now = until;
            }
        }
        if now >= after(Time::from_unix(0), DAY * u32::try_from(days).expect("days")) {
            return expected.assert_eq(&told);
        }
    }
}

#[test]
fn a_certificate_is_renewed_when_a_third_is_left() {
    check(
        200,
        Lives::default(),
        expect![[r#"
        0.0 authority until 1825.0
        0.0 serving until 90.0
        60.0 serving until 150.0
        120.0 serving until 210.0
        180.0 serving until 270.0
    "#]],
    );
}

#[test]
fn an_authority_is_trusted_before_it_vouches() {
    let lives = Lives { serving: 3 * DAY, authority: 12 * DAY };
    check(
        20,
        lives,
        expect![[r#"
        0.0 authority until 12.0
        0.0 serving until 3.0
        2.0 serving until 5.0
        4.0 serving until 7.0
        6.0 authority until 18.0
        6.0 serving until 9.0
        8.0 serving until 11.0
        10.0 serving until 13.0
        12.0 authority until 24.0
        12.0 serving until 15.0
        14.0 serving until 17.0
        16.0 serving until 19.0
        18.0 authority until 30.0
        18.0 serving until 21.0
    "#]],
    );
}

fn kept(authority_age: Duration, serving_left: Duration) -> (Time, Kept) {
    let now = Time::from_unix(1_000_000_000);
    let made = before(now, authority_age);
    let authority = Validity { from: before(made, SKEW), until: after(made, 1825 * DAY) };
    let until = after(now, serving_left);
    let validity = Validity { from: before(until, 90 * DAY), until };
    (now, Kept { authority, serving: Some(Serving { validity, names: names() }) })
}

#[test]
fn a_new_authority_settles_for_an_hour_unless_there_is_no_time() {
    let step = |age, left| {
        let (now, kept) = kept(age, left);
        (now, next(now, Lives::default(), &names(), Some(&kept)))
    };
    let (now, waits) = step(Duration::ZERO, 10 * DAY);
    assert_eq!(waits, Step::Rest(after(now, HOUR)));
    assert!(matches!(step(HOUR, 10 * DAY).1, Step::Serving(_)));
    assert!(matches!(step(Duration::ZERO, Duration::ZERO).1, Step::Serving(_)));
    let (now, waits) = step(Duration::ZERO, 10 * SKEW);
    assert_eq!(waits, Step::Rest(after(now, 9 * SKEW)));
}

#[test]
fn other_names_need_another_certificate_at_once() {
    let (now, kept) = kept(10 * DAY, 80 * DAY);
    let others = ["x".to_owned()];
    assert!(matches!(next(now, Lives::default(), &others, Some(&kept)), Step::Serving(_)));
    assert!(matches!(next(now, Lives::default(), &names(), Some(&kept)), Step::Rest(_)));
}

#[test]
fn certificates_are_good_from_five_minutes_before_they_were_made() {
    let (now, kept) = kept(10 * DAY, 10 * DAY);
    let lives = Lives::default();
    let from = Time::from_unix(now.unix() - 300);
    let since = |life| Validity { from, until: after(now, life) };
    assert_eq!(next(now, lives, &names(), None), Step::Authority(since(lives.authority)));
    assert_eq!(next(now, lives, &names(), Some(&kept)), Step::Serving(since(lives.serving)));
}
