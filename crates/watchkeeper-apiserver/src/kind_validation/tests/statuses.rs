//! What a status may say.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::{completed, text};
use crate::kind_validation::{finalizers_of_namespace, status};
use crate::patch;

mod attachments;
mod certificates;
mod claims;
mod jobs;
mod pods;

/// Writes the status of an object.
fn check_object(group: &str, kind: &str, old: &Value, change: Value, expected: Expect) {
    let new = completed(group, kind, patch::merge(old, &json!({"status": change})));
    let old = completed(group, kind, old.clone());
    expected.assert_eq(&text(&status(group, kind, &new, &old)));
}

/// Writes the status of an object that has no more than that.
fn check(group: &str, kind: &str, before: Value, change: Value, expected: Expect) {
    check_object(group, kind, &json!({"status": before}), change, expected);
}

#[test]
fn deployments() {
    let check = |before: Value, change: Value, expected: Expect| {
        check("apps", "Deployment", before, change, expected);
    };
    check(
        json!({}),
        json!({"replicas": 3, "readyReplicas": 2, "availableReplicas": 2}),
        expect![[""]],
    );
    check(
        json!({}),
        json!({"availableReplicas": 1}),
        expect![[r#"
        status.availableReplicas: Invalid value: 1: cannot be greater than status.replicas
        status.availableReplicas: Invalid value: 1: cannot be greater than readyReplicas"#]],
    );
    check(
        json!({"replicas": 3}),
        json!({"availableReplicas": 1}),
        expect!["status.availableReplicas: Invalid value: 1: cannot be greater than readyReplicas"],
    );
    check(
        json!({"collisionCount": 2}),
        json!({"observedGeneration": -1, "replicas": -2, "unavailableReplicas": -1, "collisionCount": -1, "terminatingReplicas": -1}),
        expect![[r#"
            status.observedGeneration: Invalid value: -1: must be greater than or equal to 0
            status.replicas: Invalid value: -2: must be greater than or equal to 0
            status.unavailableReplicas: Invalid value: -1: must be greater than or equal to 0
            status.terminatingReplicas: Invalid value: -1: must be greater than or equal to 0
            status.collisionCount: Invalid value: -1: must be greater than or equal to 0
            status.updatedReplicas: Invalid value: 0: cannot be greater than status.replicas
            status.readyReplicas: Invalid value: 0: cannot be greater than status.replicas
            status.availableReplicas: Invalid value: 0: cannot be greater than status.replicas
            status.collisionCount: Invalid value: -1: cannot be decremented"#]],
    );
    check(
        json!({"collisionCount": 2}),
        json!({"collisionCount": null}),
        expect!["status.collisionCount: Invalid value: 0: cannot be decremented"],
    );
    check(json!({}), json!({"collisionCount": 0}), expect![[""]]);
}

#[test]
fn sets() {
    let all = json!({"replicas": 1, "fullyLabeledReplicas": 2, "readyReplicas": 3, "availableReplicas": 4, "terminatingReplicas": -1, "observedGeneration": -1});
    check(
        "apps",
        "ReplicaSet",
        json!({}),
        all.clone(),
        expect![[r#"
        status.observedGeneration: Invalid value: -1: must be greater than or equal to 0
        status.terminatingReplicas: Invalid value: -1: must be greater than or equal to 0
        status.fullyLabeledReplicas: Invalid value: 2: cannot be greater than status.replicas
        status.readyReplicas: Invalid value: 3: cannot be greater than status.replicas
        status.availableReplicas: Invalid value: 4: cannot be greater than status.replicas
        status.availableReplicas: Invalid value: 4: cannot be greater than readyReplicas"#]],
    );
    check(
        "",
        "ReplicationController",
        json!({}),
        all,
        expect![[r#"
        status.observedGeneration: Invalid value: -1: must be greater than or equal to 0
        status.fullyLabeledReplicas: Invalid value: 2: cannot be greater than status.replicas
        status.readyReplicas: Invalid value: 3: cannot be greater than status.replicas
        status.availableReplicas: Invalid value: 4: cannot be greater than status.replicas
        status.availableReplicas: Invalid value: 4: cannot be greater than readyReplicas"#]],
    );
    let stateful = json!({"replicas": 1, "currentReplicas": 2, "readyReplicas": 3, "updatedReplicas": 4, "availableReplicas": 5, "collisionCount": 1});
    check(
        "apps",
        "StatefulSet",
        json!({"collisionCount": 2}),
        stateful,
        expect![[r#"
        status.readyReplicas: Invalid value: 3: cannot be greater than status.replicas
        status.currentReplicas: Invalid value: 2: cannot be greater than status.replicas
        status.updatedReplicas: Invalid value: 4: cannot be greater than status.replicas
        status.availableReplicas: Invalid value: 5: cannot be greater than status.replicas
        status.availableReplicas: Invalid value: 5: cannot be greater than status.readyReplicas
        status.collisionCount: Invalid value: 1: cannot be decremented"#]],
    );
    let daemon = json!({"currentNumberScheduled": -1, "numberReady": -2, "numberMisscheduled": -3, "collisionCount": -4});
    check(
        "apps",
        "DaemonSet",
        json!({}),
        daemon,
        expect![[r#"
        status.currentNumberScheduled: Invalid value: -1: must be greater than or equal to 0
        status.numberMisscheduled: Invalid value: -3: must be greater than or equal to 0
        status.numberReady: Invalid value: -2: must be greater than or equal to 0
        status.collisionCount: Invalid value: -4: must be greater than or equal to 0"#]],
    );
}

#[test]
fn budgets_and_autoscalers() {
    let condition = json!({"type": "a b", "status": "Maybe", "observedGeneration": -1, "reason": "not so", "lastTransitionTime": null});
    let other =
        json!({"type": "X", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"});
    check(
        "policy",
        "PodDisruptionBudget",
        json!({}),
        json!({"disruptionsAllowed": -1, "currentHealthy": -2, "desiredHealthy": -3, "expectedPods": -4,
            "conditions": [condition, other, other]}),
        expect![[r#"
            status.conditions[0].type: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
            status.conditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"
            status.conditions[0].observedGeneration: Invalid value: -1: must be greater than or equal to zero
            status.conditions[0].lastTransitionTime: Required value
            status.conditions[0].reason: Invalid value: "not so": a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')
            status.conditions[1].reason: Required value
            status.conditions[2].type: Duplicate value: "X"
            status.conditions[2].reason: Required value
            status.disruptionsAllowed: Invalid value: -1: must be greater than or equal to 0
            status.currentHealthy: Invalid value: -2: must be greater than or equal to 0
            status.desiredHealthy: Invalid value: -3: must be greater than or equal to 0
            status.expectedPods: Invalid value: -4: must be greater than or equal to 0"#]],
    );
    let counts = json!({"currentReplicas": -1, "desiredReplicas": -2});
    check(
        "autoscaling",
        "HorizontalPodAutoscaler",
        json!({}),
        counts,
        expect![[r#"
        status.currentReplicas: Invalid value: -1: must be greater than or equal to 0
        status.desiredReplicas: Invalid value: -2: must be greater than or equal to 0"#]],
    );
    let conditions = json!({"conditions": [{"type": ""}, {"type": ""}]});
    check(
        "flowcontrol.apiserver.k8s.io",
        "FlowSchema",
        json!({}),
        conditions,
        expect![[r#"
        status.conditions[0].type: Required value
        status.conditions[1].type: Duplicate value: ""
        status.conditions[1].type: Required value"#]],
    );
}

#[test]
fn load_balancers() {
    let points = json!({"loadBalancer": {"ingress": [{"ip": "01.2.3.4"}, {"ip": "::ffff:1.2.3.4"}, {"ip": "x"},
        {"hostname": "1.2.3.4"}, {"hostname": "a_b"}, {"hostname": "a.b"}]}});
    check(
        "networking.k8s.io",
        "Ingress",
        json!({}),
        points.clone(),
        expect![[r#"
        status.loadBalancer.ingress[0].ip: Invalid value: "01.2.3.4": must not have leading 0s
        status.loadBalancer.ingress[1].ip: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address
        status.loadBalancer.ingress[2].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)
        status.loadBalancer.ingress[3].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address
        status.loadBalancer.ingress[4].hostname: Invalid value: "a_b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"#]],
    );
    let old = json!({"loadBalancer": {"ingress": [{"ip": "x"}]}});
    let same = json!({"loadBalancer": {"ingress": [{"ip": "x"}]}});
    check("networking.k8s.io", "Ingress", old, same, expect![[""]]);
    check(
        "",
        "Service",
        json!({}),
        points.clone(),
        expect![
            "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'"
        ],
    );
    let balancer = json!({"spec": {"type": "LoadBalancer"}});
    check_object(
        "",
        "Service",
        &balancer,
        points,
        expect![[r#"
        status.loadBalancer.ingress[0].ip: Invalid value: "01.2.3.4": must not have leading 0s
        status.loadBalancer.ingress[1].ip: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address
        status.loadBalancer.ingress[2].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)
        status.loadBalancer.ingress[3].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address
        status.loadBalancer.ingress[4].hostname: Invalid value: "a_b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"#]],
    );
    let modes = json!({"loadBalancer": {"ingress": [{"ip": "1.2.3.4", "ipMode": "Other"}, {"hostname": "a", "ipMode": "VIP"}]}});
    check_object(
        "",
        "Service",
        &balancer,
        modes,
        expect![[r#"
        status.loadBalancer.ingress[0].ipMode: Unsupported value: "Other": supported values: "Proxy", "VIP"
        status.loadBalancer.ingress[1].ipMode: Forbidden: may not be specified when `ip` is not set"#]],
    );
}

#[test]
fn namespaces() {
    check(
        "",
        "Namespace",
        json!({}),
        json!({"phase": "Terminating"}),
        expect![[
            r#"status.Phase: Invalid value: "Terminating": may only be 'Active' if `deletionTimestamp` is empty"#
        ]],
    );
    let deleted = json!({"metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z"}, "status": {"phase": "Terminating"}});
    check_object(
        "",
        "Namespace",
        &deleted,
        json!({"phase": "Active"}),
        expect![[
            r#"status.Phase: Invalid value: "Active": may only be 'Terminating' if `deletionTimestamp` is not empty"#
        ]],
    );
    check_object("", "Namespace", &deleted, json!({"conditions": []}), expect![[""]]);
    let held = json!({"spec": {"finalizers": ["kubernetes", "x", "a.b/c", "a b"]}});
    expect![[r#"
        spec.finalizers[1]: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified
        spec.finalizers[3]: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
        spec.finalizers[3]: Invalid value: "a b": name is neither a standard finalizer name nor is it fully qualified"#]].assert_eq(&text(&finalizers_of_namespace(&held)));
}

#[test]
fn amounts() {
    let amounts =
        json!({"cpu": "-1", "pods": "1500m", "example.com/gpu": "0.5", "storage": "1", "x": "1"});
    check(
        "",
        "ResourceQuota",
        json!({}),
        json!({"hard": amounts, "used": {"pods": "1"}}),
        expect![[r#"
            status.hard[cpu]: Invalid value: "-1": must be greater than or equal to 0
            status.hard[example.com/gpu]: Invalid value: "500m": must be an integer
            status.hard[pods]: Invalid value: "1500m": must be an integer
            status.hard[storage]: Invalid value: "storage": must be a standard resource for quota
            status.hard[x]: Invalid value: "x": must be a standard resource type or fully qualified
            status.hard[x]: Invalid value: "x": must be a standard resource for quota"#]],
    );
    check(
        "",
        "Node",
        json!({}),
        json!({"capacity": amounts, "declaredFeatures": ["B", "A", "A", "a", "X/1"],
            "addresses": [{"type": "Hostname", "address": "a"}, {"type": "Hostname", "address": "a"}]}),
        expect![[r#"
            status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0
            status.capacity.example.com/gpu: Invalid value: "500m": must be an integer
            status.capacity.pods: Invalid value: "1500m": must be an integer
            status.allocatable.cpu: Invalid value: "-1": must be greater than or equal to 0
            status.allocatable.example.com/gpu: Invalid value: "500m": must be an integer
            status.allocatable.pods: Invalid value: "1500m": must be an integer
            status.declaredFeatures[1]: Invalid value: "A": list must be sorted alphabetically
            status.declaredFeatures[2]: Duplicate value: "A"
            status.declaredFeatures[3]: Invalid value: "a": invalid feature name "a": must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes
            status.declaredFeatures[4]: Invalid value: "X/1": list must be sorted alphabetically
            status.declaredFeatures[4]: Invalid value: "X/1": invalid feature name "X/1": must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes
            status.addresses[1]: Duplicate value: {"Type":"Hostname","Address":"a"}"#]],
    );
    let claim = json!({"spec": {"accessModes": ["ReadWriteOnce"]}});
    let sizes = json!({"capacity": {"storage": "-1"}, "allocatedResources": {"cpu": "1", "storage": "-2", "a b": "1"},
        "allocatedResourceStatuses": {"storage": "Grows", "memory": "NodeResizePending"}});
    check_object(
        "",
        "PersistentVolumeClaim",
        &claim,
        sizes,
        expect![[r#"
        status.capacity[storage]: Invalid value: -1: must be a valid resource quantity
        status.allocatedResourceStatuses: Unsupported value: "memory": supported values: "storage"
        status.allocatedResourceStatuses: Unsupported value: "storage": supported values: "ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress", "NodeResizeInfeasible", "NodeResizePending"
        status.allocatedResources: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
        status.allocatedResources: Unsupported value: "cpu": supported values: "storage"
        status.allocatedResources[storage]: Invalid value: -2: must be a valid resource quantity"#]],
    );
}
