//! Jobs, and when it is time for them.

use super::*;

const JOB: Kind = ("batch", "Job");
const CRON_JOB: Kind = ("batch", "CronJob");

/// A job whose pods end, with more in its spec.
fn job(more: Value) -> Value {
    let pod = json!({"restartPolicy": "Never", "containers": [{"name": "a", "image": "i"}]});
    json!({"spec": crate::patch::merge(&json!({"template": {"spec": pod}}), &more)})
}

fn cron_job(more: Value) -> Value {
    let spec = json!({"schedule": "@daily", "jobTemplate": job(json!({}))});
    json!({"spec": crate::patch::merge(&spec, &more)})
}

/// Why a schedule cannot be read; nothing if it can.
fn unread(schedule: &str) -> String {
    let job = completed(CRON_JOB.0, CRON_JOB.1, cron_job(json!({ "schedule": schedule })));
    let errors = validate(CRON_JOB.0, CRON_JOB.1, &job, None);
    errors.iter().map(|error| error.detail.clone()).collect::<Vec<_>>().join("; ")
}

#[test]
fn fields_of_schedules_reach_from_end_to_end() {
    for schedule in [
        "0 0 1 1 0",
        "59 23 31 12 6",
        "0-59 0-23 1-31 1-12 0-6",
        "5-5 * * jan-dec sun-sat",
        "*/1 * * * *",
        "*/+5 * * * *",
        "1-5/2 * * * *",
    ] {
        assert_eq!(unread(schedule), "", "{schedule}");
    }
    for (schedule, why) in [
        ("* * 0-5 * *", "beginning of range (0) below minimum (1): 0-5"),
        ("50-60/2 * * * *", "end of range (60) above maximum (59): 50-60/2"),
        ("6-5 * * * *", "beginning of range (6) beyond end of range (5): 6-5"),
        ("5-x-1 * * * *", "too many hyphens: 5-x-1"),
        ("1-2/ * * * *", r#"failed to parse int from : strconv.Atoi: parsing "": invalid syntax"#),
        (
            "*/9223372036854775808 * * * *",
            r#"failed to parse int from 9223372036854775808: strconv.Atoi: parsing "9223372036854775808": value out of range"#,
        ),
        (
            "*/-9223372036854775808 * * * *",
            "negative number (-9223372036854775808) not allowed: -9223372036854775808",
        ),
        (
            "*/-9223372036854775809 * * * *",
            r#"failed to parse int from -9223372036854775809: strconv.Atoi: parsing "-9223372036854775809": value out of range"#,
        ),
        ("@every", "unrecognized descriptor: @every"),
    ] {
        assert_eq!(unread(schedule), why);
    }
}

#[test]
fn durations_that_can_be_read() {
    for every in [
        "1ns",
        "5us",
        "5µs",
        "5μs",
        "1ms",
        "1s",
        "1m",
        "1h",
        "1.s",
        ".5s",
        "+1h",
        "-0",
        "1h1m1.5s1ms",
        "9223372036854775807ns",
        "9223372036854775us",
        "9223372036854ms",
        "9223372036s",
        "153722867m",
        "2562047h",
        "9223372036.854775807s",
        "-9223372036.854775808s",
        "0.00000000000000000000000000000000000000001s",
    ] {
        assert_eq!(unread(&format!("@every {every}")), "", "{every}");
    }
}

#[test]
fn durations_that_cannot_be_read() {
    for (every, why) in [
        ("9223372036854776us", r#"time: invalid duration "9223372036854776us""#),
        ("9223372036855ms", r#"time: invalid duration "9223372036855ms""#),
        ("9223372037s", r#"time: invalid duration "9223372037s""#),
        ("153722868m", r#"time: invalid duration "153722868m""#),
        ("2562048h", r#"time: invalid duration "2562048h""#),
        ("9223372036.854775808s", r#"time: invalid duration "9223372036.854775808s""#),
        ("-9223372036.854775809s", r#"time: invalid duration "-9223372036.854775809s""#),
        ("-9223372036854775809ns", r#"time: invalid duration "-9223372036854775809ns""#),
        ("-9223372036854775808ns1ns", r#"time: invalid duration "-9223372036854775808ns1ns""#),
        ("-", r#"time: invalid duration "-""#),
        (".", r#"time: invalid duration ".""#),
        ("x", r#"time: invalid duration "x""#),
        ("1h2", r#"time: missing unit in duration "1h2""#),
        ("1.5", r#"time: missing unit in duration "1.5""#),
        (r#"1""#, r#"time: unknown unit "\"" in duration "1\"""#),
        (r"1\", r#"time: unknown unit "\\" in duration "1\\""#),
        ("1é", r#"time: unknown unit "\xc3\xa9" in duration "1\xc3\xa9""#),
        ("1s~", r#"time: unknown unit "s~" in duration "1s~""#),
    ] {
        let told = format!("failed to parse duration @every {every}: {why}");
        assert_eq!(unread(&format!("@every {every}")), told);
    }
}

#[test]
fn names_of_cron_jobs_leave_room_for_the_time() {
    let named = |length: usize| {
        let mut job = cron_job(json!({}));
        job["metadata"]["name"] = "a".repeat(length).into();
        job
    };
    assert_eq!(wrong(CRON_JOB, named(52)), "");
    assert_eq!(wrong(CRON_JOB, named(53)), "metadata.name Invalid");
    assert_eq!(wrong_update(CRON_JOB, &named(53), &named(53)), "");
    let told = |more: Value| wrong(CRON_JOB, cron_job(more));
    // The longest part of the name of a zone that there is.
    assert_eq!(told(json!({"timeZone": "America/Port-au-Prince"})), "");
    assert_eq!(told(json!({"concurrencyPolicy": "x"})), "spec.concurrencyPolicy NotSupported");
    assert_eq!(
        told(json!({"startingDeadlineSeconds": -1})),
        "spec.startingDeadlineSeconds Invalid"
    );
    assert_eq!(
        told(json!({"successfulJobsHistoryLimit": -1})),
        "spec.successfulJobsHistoryLimit Invalid"
    );
    let mut manual = json!({"jobTemplate": {"spec": {"manualSelector": false}}});
    assert_eq!(told(manual.clone()), "");
    manual["jobTemplate"]["spec"]["manualSelector"] = true.into();
    assert_eq!(told(manual), "spec.jobTemplate.spec.manualSelector NotSupported");
}

/// The labels that a job's selector and its template have, before there were labels with a prefix and since.
#[test]
fn jobs_from_before_there_were_prefixes_need_none() {
    let old_labels = json!({"controller-uid": "u", "job-name": "x"});
    let both = json!({"controller-uid": "u", "job-name": "x",
        "batch.kubernetes.io/controller-uid": "u", "batch.kubernetes.io/job-name": "x"});
    let labelled = |labels: &Value| {
        let mut job = completed(JOB.0, JOB.1, job(json!({})));
        job["spec"]["selector"] = json!({"matchLabels": {"controller-uid": "u"}});
        job["spec"]["template"]["metadata"]["labels"] = labels.clone();
        job
    };
    let told = |labels: &Value, old: Option<&Value>| {
        short(&validate(JOB.0, JOB.1, &labelled(labels), old))
    };
    let at = "spec.template.metadata.labels";
    let [uid, name] = ["controller-uid", "job-name"]
        .map(|label| format!("{at}[batch.kubernetes.io/{label}] Required"));
    assert_eq!(told(&both, None), "");
    assert_eq!(told(&old_labels, None), format!("{uid}; {name}"));
    assert_eq!(told(&old_labels, Some(&labelled(&old_labels))), "");
    let half = json!({"controller-uid": "u", "job-name": "x", "batch.kubernetes.io/job-name": "x"});
    assert_eq!(told(&half, Some(&labelled(&half))), "", "of two prefixes it had one");
    let half =
        json!({"controller-uid": "u", "job-name": "x", "batch.kubernetes.io/controller-uid": "u"});
    assert_eq!(told(&half, Some(&labelled(&half))), "", "of two prefixes it had the other");
    let errors = told(&old_labels, Some(&labelled(&both)));
    assert!(errors.starts_with(&format!("{uid}; {name}")), "{errors}");
    let mut by_hand = labelled(&json!({"a": "b"}));
    by_hand["spec"]["selector"] = json!({"matchLabels": {"a": "b"}});
    by_hand["spec"]["manualSelector"] = true.into();
    assert_eq!(short(&validate(JOB.0, JOB.1, &by_hand, None)), "");
    by_hand["spec"]["manualSelector"] = false.into();
    let told = short(&validate(JOB.0, JOB.1, &by_hand, None));
    assert!(told.ends_with("spec.selector Invalid"), "{told}");
}

#[test]
fn the_count_of_success_is_what_is_listed_at_most() {
    let told = |rule: Value| {
        wrong(
            JOB,
            job(json!({"completionMode": "Indexed", "completions": 5,
                "successPolicy": {"rules": [rule]}})),
        )
    };
    let at = "spec.successPolicy.rules[0].succeededCount Invalid";
    assert_eq!(told(json!({"succeededCount": 5})), "");
    assert_eq!(told(json!({"succeededCount": 6})), at);
    assert_eq!(told(json!({"succeededIndexes": "0,2-4", "succeededCount": 4})), "");
    assert_eq!(told(json!({"succeededIndexes": "0,2-4", "succeededCount": 5})), at);
    let many = |count: usize| {
        let rules = vec![json!({"succeededCount": 1}); count];
        wrong(
            JOB,
            job(
                json!({"completionMode": "Indexed", "completions": 5, "successPolicy": {"rules": rules}}),
            ),
        )
    };
    assert_eq!([many(20), many(21)], ["", "spec.successPolicy.rules TooMany"]);
    // Each of so many indexes but the last has five digits and a comma.
    let long = |last: &str| {
        let indexes: Vec<String> = (10_000..20_922).map(|at| at.to_string()).collect();
        let indexes = format!("{},{last}", indexes.join(","));
        let rule = json!({"succeededIndexes": indexes});
        let told = wrong(
            JOB,
            job(json!({"completionMode": "Indexed", "completions": 1_000_000,
                "successPolicy": {"rules": [rule]}})),
        );
        (indexes.len(), told)
    };
    assert_eq!(
        long("3000"),
        (65_536, "spec.successPolicy.rules[0].succeededIndexes Invalid".to_owned())
    );
    let told = long("30000");
    assert_eq!(told, (65_537, "spec.successPolicy.rules[0].succeededIndexes TooLong".to_owned()));
}

#[test]
fn only_resources_and_places_of_a_suspended_job_change() {
    let suspended = |pod: Value| {
        let pod = crate::patch::merge(&json!({"restartPolicy": "Never"}), &pod);
        json!({"spec": {"suspend": true, "manualSelector": true, "selector": {"matchLabels": {"a": "b"}},
            "template": {"metadata": {"labels": {"a": "b"}}, "spec": pod}}})
    };
    let containers = |image: &str, cpu: &str| json!([{"name": "a", "image": image, "resources": {"requests": {"cpu": cpu}}}]);
    let old = suspended(
        json!({"containers": containers("i", "1"), "initContainers": [{"name": "n", "image": "i"}]}),
    );
    let told = |more: Value| {
        let new = crate::patch::merge(&old, &json!({"spec": {"template": {"spec": more}}}));
        wrong_update(JOB, &old, &new)
    };
    let term = json!({"matchExpressions": [{"key": "k", "operator": "Exists"}]});
    let node =
        json!({"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}});
    let pods = json!({"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "k"}]});
    let resources = json!({"requests": {"cpu": "1"}});
    for may_change in [
        json!({}),
        json!({"nodeSelector": {"a": "b"}}),
        json!({"tolerations": [{"operator": "Exists"}]}),
        json!({"schedulingGates": [{"name": "a.b/c"}]}),
        json!({"affinity": {"nodeAffinity": node}}),
        json!({"containers": containers("i", "2")}),
        json!({"initContainers": [{"name": "n", "image": "i", "resources": resources}]}),
    ] {
        assert_eq!(told(may_change.clone()), "", "{may_change}");
    }
    for may_not in [
        json!({"affinity": {"podAffinity": pods}}),
        json!({"containers": containers("j", "1")}),
        json!({"initContainers": [{"name": "n", "image": "j"}]}),
        json!({"hostNetwork": true}),
    ] {
        assert_eq!(told(may_not.clone()), "spec.template.spec Invalid", "{may_not}");
    }
}
