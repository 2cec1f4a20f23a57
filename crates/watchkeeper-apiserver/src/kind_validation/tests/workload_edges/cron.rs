//! When and where it is time for a job.

use super::*;

fn cron_job(more: Value) -> Value {
    let spec = json!({"schedule": "@daily", "jobTemplate": job(json!({}))});
    json!({"spec": crate::patch::merge(&spec, &more)})
}

/// What is told here is what the library in Go says.
#[test]
fn schedules_that_cannot_be_read() {
    for (schedule, why) in [
        ("a", "expected exactly 5 fields, found 1: [a]"),
        ("1  2 3", "expected exactly 5 fields, found 3: [1 2 3]"),
        ("   ", "expected exactly 5 fields, found 0: []"),
        ("60 * * * *", "end of range (60) above maximum (59): 60"),
        ("* 24 * * *", "end of range (24) above maximum (23): 24"),
        ("* * 0 * *", "beginning of range (0) below minimum (1): 0"),
        ("* * 32 * *", "end of range (32) above maximum (31): 32"),
        ("* * * 13 *", "end of range (13) above maximum (12): 13"),
        ("* * * * 7", "end of range (7) above maximum (6): 7"),
        ("5-3 * * * *", "beginning of range (5) beyond end of range (3): 5-3"),
        ("*/0 * * * *", "step of range should be a positive number: */0"),
        ("*/-5 * * * *", "negative number (-5) not allowed: -5"),
        ("1/2/3 * * * *", "too many slashes: 1/2/3"),
        ("1-2-3 * * * *", "too many hyphens: 1-2-3"),
        ("x * * * *", r#"failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax"#),
        ("-1 * * * *", r#"failed to parse int from : strconv.Atoi: parsing "": invalid syntax"#),
        ("5/ * * * *", r#"failed to parse int from : strconv.Atoi: parsing "": invalid syntax"#),
        (
            "JAN * * * *",
            r#"failed to parse int from JAN: strconv.Atoi: parsing "JAN": invalid syntax"#,
        ),
        (
            "99999999999999999999 * * * *",
            r#"failed to parse int from 99999999999999999999: strconv.Atoi: parsing "99999999999999999999": value out of range"#,
        ),
        ("@often", "unrecognized descriptor: @often"),
        ("@DAILY", "unrecognized descriptor: @DAILY"),
        ("@every 1", r#"failed to parse duration @every 1: time: missing unit in duration "1""#),
        (
            "@every 1d",
            r#"failed to parse duration @every 1d: time: unknown unit "d" in duration "1d""#,
        ),
        ("@every .s", r#"failed to parse duration @every .s: time: invalid duration ".s""#),
        (
            "@every 99999999999h",
            r#"failed to parse duration @every 99999999999h: time: invalid duration "99999999999h""#,
        ),
        (
            "@every 9223372036854775808ns",
            r#"failed to parse duration @every 9223372036854775808ns: time: invalid duration "9223372036854775808ns""#,
        ),
    ] {
        let told = told("batch", "CronJob", cron_job(json!({"schedule": schedule})));
        assert_eq!(told, [format!("spec.schedule: Invalid value: \"{schedule}\": {why}")]);
    }
}

#[test]
fn schedules_that_can_be_read() {
    for schedule in [
        "* * * * *",
        "? ? ? ? ?",
        "0,30 */6 1-7/2 JAN-mar,12 MON-fri",
        "20/25 * * * *",
        "1,,2 * * * *",
        ", * * * *",
        "+5 * * * *",
        "*-x-y * * * *",
        "*/9223372036854775807 * * * *",
        "@yearly",
        "@midnight",
        "@every 1h30m.5s",
        "@every -1.5h",
        "@every 0",
        "@every -9223372036854775808ns",
    ] {
        let told = told("batch", "CronJob", cron_job(json!({"schedule": schedule})));
        assert_eq!(told, NONE, "{schedule}");
    }
}

/// A schedule that had a zone in it may have one, and none beside it.
#[test]
fn zones_in_schedules() {
    let check = |new: Value, old: Option<Value>, expected: Expect| {
        check_update("batch", "CronJob", cron_job(new), old.map(cron_job), expected);
    };
    let zoned = json!({"schedule": "TZ=UTC 0 * * * *"});
    check(
        zoned.clone(),
        None,
        expect![[
            r#"spec.schedule: Invalid value: "TZ=UTC 0 * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead"#
        ]],
    );
    check(zoned.clone(), Some(zoned.clone()), expect![[""]]);
    check(
        json!({"schedule": "CRON_TZ=UTC @daily", "timeZone": "UTC"}),
        Some(zoned.clone()),
        expect![[
            r#"spec.schedule: Invalid value: "CRON_TZ=UTC @daily": cannot use both timeZone field and TZ or CRON_TZ in schedule"#
        ]],
    );
    check(
        json!({"schedule": "TZ=0"}),
        Some(zoned.clone()),
        expect![[
            r#"spec.schedule: Invalid value: "TZ=0": invalid schedule format: runtime error: slice bounds out of range [:-1]"#
        ]],
    );
    check(
        json!({"schedule": "TZ=../x * * * * *"}),
        Some(zoned),
        expect![[
            r#"spec.schedule: Invalid value: "TZ=../x * * * * *": provided bad location ../x: time: invalid location name"#
        ]],
    );
}

#[test]
fn time_zones() {
    let told = |zone: &str| told("batch", "CronJob", cron_job(json!({"timeZone": zone})));
    let wrong = |zone: &str, why: &str| format!("spec.timeZone: Invalid value: \"{zone}\": {why}");
    let unknown = |zone: &str| wrong(zone, &format!("unknown time zone {zone}"));
    let explicit =
        "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
    assert_eq!(told(""), [wrong("", "timeZone must be nil or non-empty string")]);
    for zone in ["a b", "/", "a//b", "./UTC", "../UTC", "-a", "*", "abcdefghijklmno", "ü"] {
        assert_eq!(told(zone), [unknown(zone)]);
    }
    assert_eq!(told("a..b"), [wrong("a..b", "time: invalid location name")]);
    for zone in ["Mars/Olympus", "utc", "america/new_york", "Etc/Unknown", "1", "a-"] {
        assert_eq!(told(zone), [unknown(zone)]);
    }
    assert_eq!(told("Local"), [wrong("Local", explicit)]);
    assert_eq!(told("local"), [wrong("local", explicit), unknown("local")]);
    for zone in ["UTC", "America/New_York", "Asia/Kolkata", "US/Eastern", "Etc/GMT+5"] {
        assert_eq!(told(zone), NONE);
    }
    let old = cron_job(json!({"timeZone": "Mars/Olympus"}));
    check_update("batch", "CronJob", old.clone(), Some(old), expect![[""]]);
}

#[test]
fn templates_of_jobs_are_judged_as_jobs() {
    check(
        "batch",
        "CronJob",
        cron_job(json!({"failedJobsHistoryLimit": -1, "successfulJobsHistoryLimit": 0,
            "jobTemplate": {"spec": {"completionMode": "x", "podReplacementPolicy": "x"}}})),
        expect![[r#"
            spec.jobTemplate.spec.completionMode: Unsupported value: "x": supported values: "NonIndexed", "Indexed"
            spec.jobTemplate.spec.podReplacementPolicy: Unsupported value: "x": supported values: "Failed", "TerminatingOrFailed"
            spec.failedJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0"#]],
    );
}
