use std::time::Duration;

use serde_json::{Value, json};

use super::{keep_all_else, prepare};
use crate::clock::Now;
use crate::registry::builtin;

const EARLY: &str = "2020-01-01T00:00:00Z";
const NOW: &str = "1970-01-01T00:01:00Z";

fn prepared(group: &str, kind: &str, new: &Value, old: &Value) -> Value {
    let resource = builtin(group, "v1", kind).expect("a kind");
    let mut new = new.clone();
    prepare(&resource, &mut new, old, Now(Duration::from_secs(60)));
    new
}

/// `PrepareForUpdate` of the status strategy of volumes.
#[test]
fn a_volume_tells_since_when_it_is_in_its_phase() {
    let volume = |phase: &str, since: &Value| json!({"metadata": {}, "status": {"phase": phase, "lastPhaseTransitionTime": since}});
    let (early, own) = (json!(EARLY), json!("2021-01-01T00:00:00Z"));
    for (new, expected) in [
        (volume("Bound", &Value::Null), &early),
        (volume("Bound", &own), &own),
        (volume("Failed", &Value::Null), &json!(NOW)),
        (volume("Failed", &early), &json!(NOW)),
        (volume("Failed", &own), &own),
    ] {
        let told = prepared("", "PersistentVolume", &new, &volume("Bound", &early));
        assert_eq!(told["status"]["lastPhaseTransitionTime"], *expected, "{new}");
    }
}

#[test]
fn a_pod_keeps_what_its_writer_does_not_tell() {
    let condition = |kind: &str, seen: &Value| json!({"type": kind, "observedGeneration": seen});
    let pod = |class: &Value, seen: &Value, conditions: &Value| {
        json!({
            "metadata": {"labels": {"a": "b"}},
            "status": {"qosClass": class, "observedGeneration": seen, "conditions": conditions},
        })
    };
    let (one, two, zero, none) = (json!(1), json!(2), json!(0), Value::Null);
    let old = pod(
        &json!("Burstable"),
        &one,
        &json!([condition("A", &one), condition("B", &two), condition("A", &json!(3))]),
    );
    let sent = json!([
        condition("A", &zero),
        condition("B", &json!(9)),
        condition("A", &none),
        condition("A", &zero),
    ]);
    let kept = json!([
        condition("A", &one),
        condition("B", &json!(9)),
        condition("A", &json!(3)),
        condition("A", &zero),
    ]);
    for (class, seen, expected) in [
        (&none, &zero, (json!("Burstable"), &one)),
        (&json!("Guaranteed"), &none, (json!("Guaranteed"), &one)),
        (&none, &two, (json!("Burstable"), &two)),
    ] {
        let told = prepared("", "Pod", &pod(class, seen, &sent), &old);
        let status = &told["status"];
        let (class, seen) = (&status["qosClass"], &status["observedGeneration"]);
        assert_eq!((class, seen), (&expected.0, expected.1));
        assert_eq!(status["conditions"], kept);
    }
}

#[test]
fn a_status_leaves_the_rest() {
    let object = |of: &str| {
        json!({
            "metadata": {"labels": {"a": of}, "managedFields": [of]}, "spec": of, "status": of,
        })
    };
    let told = prepared("", "Node", &object("new"), &object("old"));
    assert_eq!((&told["spec"], &told["status"]), (&json!("old"), &json!("new")));
    assert_eq!(told["metadata"]["labels"]["a"], "new");
    let told = prepared("apps", "Deployment", &object("new"), &object("old"));
    assert_eq!(told["metadata"]["labels"]["a"], "old");
    let told = prepared("storage.k8s.io", "VolumeAttachment", &object("new"), &object("old"));
    let metadata = json!({"labels": {"a": "old"}, "managedFields": ["new"]});
    assert_eq!((&told["metadata"], &told["spec"]), (&metadata, &json!("old")));
    let mut custom = object("new");
    keep_all_else(&mut custom, &object("old"));
    assert_eq!(custom, json!({"metadata": metadata, "spec": "old", "status": "new"}));
    let mut without = json!({"metadata": {}, "spec": "new"});
    keep_all_else(&mut without, &object("old"));
    assert_eq!(without, json!({"metadata": {"labels": {"a": "old"}}, "spec": "old"}));
}
