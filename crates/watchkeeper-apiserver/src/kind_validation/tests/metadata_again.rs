//! How often the metadata is told of, and in between of what.

use super::*;

/// What is told of a built-in object, as it is in an answer.
fn told(group: &str, kind: &str, new: Value, old: Option<Value>, expected: Expect) {
    let new = completed(group, kind, new);
    let old = old.map(|old| completed(group, kind, old));
    let mut errors = metadata(&new, old.as_ref(), Look::of(group, kind, ""));
    errors.extend(validate(group, kind, &new, old.as_ref()));
    expected.assert_eq(&text(&errors));
}

/// An update that names an owner without a uid besides.
fn owned(group: &str, kind: &str, change: Value, old: &Value, expected: Expect) {
    let mut new = crate::patch::merge(old, &change);
    new["metadata"]["ownerReferences"] = json!([{"apiVersion": "v1", "kind": "Pod", "name": "p"}]);
    told(group, kind, new, Some(old.clone()), expected);
}

#[test]
fn of_updates() {
    let secret = json!({"type": "Opaque", "immutable": true});
    owned(
        "",
        "Secret",
        json!({"type": "example.com/own"}),
        &secret,
        expect![[r#"
            metadata.ownerReferences.uid: Invalid value: "": must not be empty
            metadata.ownerReferences.uid: Invalid value: "": must not be empty
            metadata.ownerReferences.uid: Invalid value: "": must not be empty
            type: Invalid value: "example.com/own": field is immutable
            metadata.ownerReferences.uid: Invalid value: "": must not be empty"#]],
    );
    let volume = json!({"spec": {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"}, "hostPath": {"path": "/p"}}});
    owned(
        "",
        "PersistentVolume",
        json!({"spec": {"nodeAffinity": {}}}),
        &volume,
        expect![[r#"
            metadata.ownerReferences.uid: Invalid value: "": must not be empty
            metadata.ownerReferences.uid: Invalid value: "": must not be empty
            metadata.ownerReferences.uid: Invalid value: "": must not be empty
            spec.nodeAffinity.required: Required value: must specify required node constraints
            metadata.ownerReferences.uid: Invalid value: "": must not be empty
            spec.nodeAffinity.required: Required value: must specify required node constraints"#]],
    );
    let set = json!({"spec": {"selector": {"matchLabels": {"app": "a"}}, "template": {"metadata": {"labels": {"app": "a"}},
        "spec": {"containers": [{"name": "a", "image": "i"}]}}}});
    owned(
        "apps",
        "StatefulSet",
        json!({"spec": {"serviceName": "s"}}),
        &set,
        expect![[r#"
            metadata.ownerReferences.uid: Invalid value: "": must not be empty
            metadata.ownerReferences.uid: Invalid value: "": must not be empty
            metadata.ownerReferences.uid: Invalid value: "": must not be empty
            spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"#]],
    );
    let budget = json!({"spec": {"minAvailable": 1}});
    owned(
        "policy",
        "PodDisruptionBudget",
        json!({"spec": {"minAvailable": -1}}),
        &budget,
        expect![[r#"
            metadata.ownerReferences.uid: Invalid value: "": must not be empty
            metadata.ownerReferences.uid: Invalid value: "": must not be empty
            spec.minAvailable: Invalid value: -1: must be greater than or equal to 0"#]],
    );
}

#[test]
fn finalizers_without_a_domain_are_those_of_kubernetes() {
    let set = json!({"spec": {"selector": {"matchLabels": {"app": "a"}}, "template": {"metadata": {"labels": {"app": "a"}},
        "spec": {"containers": [{"name": "a", "image": "i"}]}}}});
    let change = json!({"metadata": {"finalizers": ["x"]}});
    let with = crate::patch::merge(&set, &change);
    told(
        "apps",
        "ReplicaSet",
        with,
        Some(set),
        expect![[
            r#"metadata.finalizers[0]: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified"#
        ]],
    );
    told("coordination.k8s.io", "Lease", change, None, expect![[""]]);
}

#[test]
fn of_events() {
    let event = json!({"metadata": {"name": "-a", "namespace": "b"}});
    // What all objects are asked for is asked when nothing else is wrong.
    check(
        "",
        "Event",
        event.clone(),
        expect![[r#"involvedObject.namespace: Invalid value: "": does not match event.namespace"#]],
    );
    assert!(is_judged_last("", "Event"));
    check(
        "events.k8s.io",
        "Event",
        event,
        expect![[r#"
            involvedObject.namespace: Invalid value: "": does not match event.namespace
            metadata.name: Invalid value: "-a": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
            eventTime: Required value
            type: Invalid value: "": has invalid value: "#]],
    );
    let event = json!({"metadata": {"namespace": "b"}, "eventTime": "2026-01-02T03:04:05.000000Z", "type": "Normal",
        "regarding": {"namespace": "b"}, "reportingController": "c", "reportingInstance": "i", "reason": "r",
        "series": {"count": 1}, "deprecatedCount": 1});
    check(
        "events.k8s.io",
        "Event",
        event.clone(),
        expect![[r#"
            action: Required value
            series.count: Invalid value: "": should be at least 2
            series.lastObservedTime: Required value
            count: Invalid value: "": needs to be unset"#]],
    );
    let change = json!({"action": "a", "eventTime": "2026-01-02T03:04:06.000000Z", "note": "n"});
    let new = crate::patch::merge(&event, &change);
    check_update(
        "events.k8s.io",
        "Event",
        new,
        Some(event),
        expect![[r#"
            message: Invalid value: "n": field is immutable
            eventTime: Invalid value: "2026-01-02T03:04:06.000000Z": field is immutable
            action: Invalid value: "a": field is immutable"#]],
    );
}
