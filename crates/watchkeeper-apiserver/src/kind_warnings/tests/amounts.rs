//! Bytes that are not whole, and what very large jobs are told.

use serde_json::{Value, json};

use super::super::{of, of_pod};
use crate::registry;

fn told(group: &str, kind: &str, old: Option<&Value>, new: &Value) -> Vec<String> {
    let resource = registry::builtin(group, "v1", kind).expect("a built-in kind");
    of(&resource, old, new)
}

fn fraction(place: &str, amount: &str) -> String {
    format!("{place}[storage]: fractional byte value \"{amount}\" is invalid, must be an integer")
}

fn claim(requests: &str, limits: &str) -> Value {
    json!({"spec": {"resources": {"requests": {"storage": requests}, "limits": {"storage": limits}}}})
}

#[test]
fn claims_ask_for_whole_bytes() {
    let told = |claim: &Value, old: Option<&Value>| told("", "PersistentVolumeClaim", old, claim);
    let both = claim("1m", "0.5");
    let expected =
        [fraction("spec.resources.requests", "1m"), fraction("spec.resources.limits", "500m")];
    assert_eq!(told(&both, None), expected);
    assert_eq!(told(&both, Some(&both)), expected);
    assert!(told(&claim("1000m", "1Gi"), None).is_empty());
    let mut classed = claim("1", "1");
    classed["metadata"]["annotations"]["volume.beta.kubernetes.io/storage-class"] = "fast".into();
    assert_eq!(
        told(&classed, None),
        [
            "metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use \
             \"storageClassName\" attribute instead"
        ]
    );
}

#[test]
fn claims_of_stateful_sets_ask_for_whole_bytes() {
    let set = json!({"spec": {"volumeClaimTemplates": [claim("1", "1"), claim("1500m", "2")], "revisionHistoryLimit": -1}});
    let told = |old: Option<&Value>| told("apps", "StatefulSet", old, &set);
    let place = "spec.volumeClaimTemplates[1]";
    let limit = "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is \
                 recommended";
    let requests = format!("{place}.resources.requests");
    assert_eq!(told(None), [fraction(&requests, "1500m"), limit.to_owned()]);
    let requests = format!("{place}.Spec.resources.requests");
    assert_eq!(told(Some(&set)), [fraction(&requests, "1500m"), limit.to_owned()]);
}

#[test]
fn pods_ask_for_whole_bytes() {
    let pod = json!({
        "volumes": [{"name": "e", "ephemeral": {"volumeClaimTemplate": claim("1m", "1")}}],
        "overhead": {"memory": "1500m", "cpu": "1m"},
    });
    let place = "spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests";
    let overhead =
        "spec.overhead[memory]: fractional byte value \"1500m\" is invalid, must be an integer";
    assert_eq!(of_pod(&pod, "spec"), [fraction(place, "1m"), overhead.to_owned()]);
}

#[test]
fn very_large_jobs_may_be_told_less_of() {
    let job = |completions: i64, parallelism: i64| {
        json!({"metadata": {"name": "x"},
            "spec": {"completionMode": "Indexed", "completions": completions, "parallelism": parallelism}})
    };
    let large = told("batch", "Job", None, &job(100_001, 10_001));
    assert!(matches!(&large[..], [one] if one.starts_with("spec: In Indexed Jobs")), "{large:?}");
    for job in [job(100_000, 10_001), job(100_001, 10_000)] {
        assert!(told("batch", "Job", None, &job).is_empty());
    }
    let made = json!({"metadata": {"name": "x"}, "spec": {"jobTemplate": job(100_001, 10_001)}});
    let large = told("batch", "CronJob", None, &made);
    let place = "spec.jobTemplate.spec: In Indexed Jobs";
    assert!(matches!(&large[..], [one] if one.starts_with(place)), "{large:?}");
}

#[test]
fn a_zone_in_a_schedule_is_told_of_again() {
    let zoned = json!({"metadata": {"name": "x"}, "spec": {"schedule": "TZ=UTC 0 * * * *"}});
    let told = |old: Option<&Value>, new: &Value| told("batch", "CronJob", old, new);
    let warning = told(Some(&zoned), &zoned);
    let place = "cannot use TZ or CRON_TZ in spec.spec.schedule";
    assert!(matches!(&warning[..], [one] if one.starts_with(place)), "{warning:?}");
    let plain = json!({"metadata": {"name": "x"}, "spec": {"schedule": "0 * * * *"}});
    assert!(told(Some(&zoned), &plain).is_empty());
    assert!(told(None, &zoned).is_empty());
}
