//! When a schedule is due.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::actors::cron_job::fields::go_duration;
use crate::actors::cron_job::schedule::Schedule;
use crate::actors::cron_job::zone;

fn time(text: &str) -> Timestamp {
    text.parse().expect("a time")
}

/// The times that follow one another, as the clocks of the zone show them.
fn check(schedule: &str, zone: &str, after: &str, expected: &[&str]) {
    let zone = zone::find(zone).expect("a zone");
    let schedule = Schedule::parse(schedule, zone.clone()).expect("a schedule");
    let times = std::iter::successors(schedule.next(time(after)), |time| schedule.next(*time));
    let shown =
        |time: Timestamp| time.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string();
    let times: Vec<String> = times.take(expected.len()).map(shown).collect();
    assert_eq!(times, expected);
}

fn check_utc(schedule: &str, after: &str, expected: &[&str]) {
    let expected: Vec<String> =
        expected.iter().map(|text| format!("{}:00+00:00", text.replace(' ', "T"))).collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    check(schedule, "UTC", &format!("{}Z", after.replace(' ', "T")), &expected);
}

#[test]
fn fields_say_when_it_is_due() {
    let after = "2026-01-01 10:07:31";
    check_utc("* * * * *", after, &["2026-01-01 10:08", "2026-01-01 10:09"]);
    check_utc("*/15 * * * *", after, &["2026-01-01 10:15", "2026-01-01 10:30"]);
    check_utc(
        "5,50-52 * * * ?",
        after,
        &["2026-01-01 10:50", "2026-01-01 10:51", "2026-01-01 10:52", "2026-01-01 11:05"],
    );
    check_utc(
        "20/25 * * * *",
        after,
        &["2026-01-01 10:20", "2026-01-01 10:45", "2026-01-01 11:20"],
    );
    check_utc(
        "30 6-16/4 * * 1-5",
        after,
        &["2026-01-01 10:30", "2026-01-01 14:30", "2026-01-02 06:30"],
    );
    check_utc("0 0 31 * *", after, &["2026-01-31 00:00", "2026-03-31 00:00", "2026-05-31 00:00"]);
    check_utc("0 12 29 FEB *", after, &["2028-02-29 12:00"]);
    check_utc("0 0 * * sun", after, &["2026-01-04 00:00", "2026-01-11 00:00"]);
    check_utc("59 23 31 Dec *", "2026-12-31 23:59:00", &["2027-12-31 23:59"]);
}

/// Either will do, unless one of them is a star.
#[test]
fn days_of_the_month_and_of_the_week() {
    let after = "2026-01-01 00:00:00";
    check_utc("0 0 13 * 5", after, &["2026-01-02 00:00", "2026-01-09 00:00", "2026-01-13 00:00"]);
    check_utc("0 0 * * 5", after, &["2026-01-02 00:00", "2026-01-09 00:00"]);
    check_utc("0 0 13 * *", after, &["2026-01-13 00:00", "2026-02-13 00:00"]);
    check_utc("0 0 */15 * 5", after, &["2026-01-02 00:00", "2026-01-09 00:00", "2026-01-16 00:00"]);
}

#[test]
fn names_stand_for_fields() {
    let after = "2026-01-07 10:07:31";
    check_utc("@hourly", after, &["2026-01-07 11:00", "2026-01-07 12:00"]);
    check_utc("@daily", after, &["2026-01-08 00:00"]);
    check_utc("@midnight", after, &["2026-01-08 00:00"]);
    check_utc("@weekly", after, &["2026-01-11 00:00"]);
    check_utc("@monthly", after, &["2026-02-01 00:00"]);
    check_utc("@yearly", after, &["2027-01-01 00:00"]);
    check("@every 1h30m", "UTC", "2026-01-01T10:00:00Z", &["2026-01-01T11:30:00+00:00"]);
    check("@every 10ms", "UTC", "2026-01-01T10:00:00Z", &["2026-01-01T10:00:01+00:00"]);
}

#[test]
fn what_never_comes_is_not_due() {
    let schedule = Schedule::parse("59 23 31 2 *", TimeZone::UTC).expect("a schedule");
    assert_eq!(schedule.next(time("2026-01-01T00:00:00Z")), None);
    let schedule = Schedule::parse(", * * * *", TimeZone::UTC).expect("a schedule");
    assert_eq!(schedule.next(time("2026-01-01T00:00:00Z")), None);
}

const NEW_YORK: &str = "America/New_York";

/// An hour that the clocks skip is not made up for.
#[test]
fn clocks_go_forward() {
    let before = "2012-03-11T05:00:00Z";
    let hourly =
        ["2012-03-11T01:00:00-05:00", "2012-03-11T03:00:00-04:00", "2012-03-11T04:00:00-04:00"];
    check("0 * * * *", NEW_YORK, before, &hourly);
    check("0 2 * * *", NEW_YORK, before, &["2012-03-12T02:00:00-04:00"]);
    check("30 2 11 Mar ?", NEW_YORK, before, &["2013-03-11T02:30:00-04:00"]);
    check("0 3 * * *", NEW_YORK, before, &["2012-03-11T03:00:00-04:00"]);
}

/// An hour that comes twice is due twice.
#[test]
fn clocks_go_back() {
    let before = "2012-11-04T04:00:00Z";
    let twice =
        ["2012-11-04T01:30:00-04:00", "2012-11-04T01:30:00-05:00", "2012-11-05T01:30:00-05:00"];
    check("30 1 * * *", NEW_YORK, before, &twice);
    check("30 2 04 Nov ?", NEW_YORK, before, &["2012-11-04T02:30:00-05:00"]);
    let hourly =
        ["2012-11-04T01:00:00-04:00", "2012-11-04T01:00:00-05:00", "2012-11-04T02:00:00-05:00"];
    check("0 * * * *", NEW_YORK, before, &hourly);
}

#[test]
fn a_day_may_have_no_midnight() {
    let zone = "America/Sao_Paulo";
    check("0 0 * * *", zone, "2018-11-03T15:00:00Z", &["2018-11-05T00:00:00-02:00"]);
    check("0 9 4 * *", zone, "2018-11-03T15:00:00Z", &["2018-11-04T09:00:00-02:00"]);
}

#[test]
fn a_schedule_may_name_its_zone() {
    let utc = Schedule::parse("0 6 * * *", TimeZone::UTC).expect("a schedule");
    let tokyo = Schedule::parse("TZ=Asia/Tokyo 0 6 * * *", TimeZone::UTC).expect("a schedule");
    let cron_tz = Schedule::parse("CRON_TZ=Asia/Tokyo 0 6 * * *", TimeZone::UTC);
    assert_eq!(cron_tz.as_ref(), Ok(&tokyo));
    let after = time("2026-01-01T00:00:00Z");
    assert_eq!(utc.next(after), Some(time("2026-01-01T06:00:00Z")));
    assert_eq!(tokyo.next(after), Some(time("2026-01-01T21:00:00Z")));
}

#[test]
fn what_cannot_be_read_is_refused() {
    let refused = |text: &str| Schedule::parse(text, TimeZone::UTC).expect_err(text);
    for (text, why) in [
        ("", "empty spec string"),
        ("* * * *", "expected exactly 5 fields, found 4: [* * * *]"),
        ("60 * * * *", "end of range (60) above maximum (59): 60"),
        ("* 5-3 * * *", "beginning of range (5) beyond end of range (3): 5-3"),
        ("* * 0 * *", "beginning of range (0) below minimum (1): 0"),
        ("* * * * 7", "end of range (7) above maximum (6): 7"),
        ("*/0 * * * *", "step of range should be a positive number: */0"),
        ("1-2-3 * * * *", "too many hyphens: 1-2-3"),
        ("1/2/3 * * * *", "too many slashes: 1/2/3"),
        ("x * * * *", "failed to parse int from x"),
        ("*/-5 * * * *", "negative number (-5) not allowed: -5"),
        ("@often", "unrecognized descriptor: @often"),
        ("@every soon", "failed to parse duration @every soon"),
        (
            "TZ=Nowhere/Land * * * * *",
            "provided bad location Nowhere/Land: unknown time zone Nowhere/Land",
        ),
        ("TZ=UTC", "empty spec string"),
    ] {
        assert_eq!(refused(text), why, "{text}");
    }
}

#[test]
fn durations_are_those_of_go() {
    let seconds = |text| go_duration(text).map(|time| time.as_secs_f64());
    assert_eq!(seconds("1h30m"), Some(5400.0));
    assert_eq!(seconds("1.5h"), Some(5400.0));
    assert_eq!(seconds("250ms"), Some(0.25));
    assert_eq!(seconds(""), None);
    assert_eq!(seconds("90"), None);
    assert_eq!(seconds("1d"), None);
    assert_eq!(seconds("-5m"), None);
    assert_eq!(seconds("1..5h"), None);
}
