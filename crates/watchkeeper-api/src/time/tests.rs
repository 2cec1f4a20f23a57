//! Times against known dates and a naive calendar.

use proptest::prelude::*;

use super::{MicroTime, Time};

#[test]
fn known_moments() {
    let cases = [
        ("1970-01-01T00:00:00Z", 0),
        ("2000-02-29T12:34:56Z", 951_827_696),
        ("2026-03-01T12:00:00Z", 1_772_366_400),
        ("1969-12-31T23:59:59Z", -1),
        ("9999-12-31T23:59:59Z", 253_402_300_799),
        ("0000-01-01T00:00:00Z", -62_167_219_200),
    ];
    for (text, seconds) in cases {
        assert_eq!(text.parse(), Ok(Time::from_unix(seconds)));
        assert_eq!(Time::from_unix(seconds).to_string(), text);
    }
}

#[test]
fn fractions_and_offsets() {
    let time: MicroTime = "2026-03-01T12:00:00.123456789-02:30".parse().unwrap();
    assert_eq!(time.to_string(), "2026-03-01T14:30:00.123456Z");
    let before: MicroTime = "1969-12-31T23:59:59.5Z".parse().unwrap();
    assert_eq!(before.unix_micros(), -500_000);
    assert_eq!(Time::from(before).unix(), -1);
}

#[test]
fn what_is_no_time() {
    let wrong = [
        "",
        "now",
        "2026-03-01",
        "2026-03-01 12:00:00Z",
        "2026-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z",
        "2026-01-00T00:00:00Z",
        "2026-01-01T24:00:00Z",
        "2026-01-01T00:60:00Z",
        "2026-01-01T00:00:60Z",
        "2026-01-01T00:00:00",
        "2026-01-01T00:00:00.Z",
        "2026-01-01T00:00:00+1:00",
        "2026-01-01T00:00:00Zz",
        "+026-01-01T00:00:00Z",
        "0000-01-01T00:00:00+01:00",
        "2026-01-01T00:00:00+25:00",
        "２026-01-01T00:00:00Z",
    ];
    for text in wrong {
        assert!(text.parse::<Time>().is_err(), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(micros in -62_167_219_200_000_000_i64..253_402_300_799_999_999) {
        let time = MicroTime::from_unix_micros(micros);
        prop_assert_eq!(time.to_string().parse(), Ok(time));
        let time = Time::from(time);
        prop_assert_eq!(time.to_string().parse(), Ok(time));
    }

    #[test]
    fn text_order_is_time_order(a in 0_i64..253_402_300_799, b in 0_i64..253_402_300_799) {
        let (a, b) = (Time::from_unix(a), Time::from_unix(b));
        prop_assert_eq!(a.cmp(&b), a.to_string().cmp(&b.to_string()));
    }

    #[test]
    fn any_text_is_refused_or_read(text in "[0-9TZ:.+-]{0,30}") {
        if let Ok(time) = text.parse::<MicroTime>() {
            prop_assert_eq!(time.to_string().parse(), Ok(time));
        }
    }
}
