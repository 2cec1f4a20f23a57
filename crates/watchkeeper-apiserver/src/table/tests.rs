//! Tables as kubectl prints them.

use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::*;

mod cells;
mod custom;

fn now() -> Timestamp {
    "2026-01-01T02:00:00Z".parse().expect("a time")
}

/// The table as text: `-o wide` columns after a bar.
fn check_columns(columns: &Columns, mut object: Value, expected: Expect) {
    if object.pointer("/metadata/creationTimestamp").is_none() {
        object["metadata"]["creationTimestamp"] = "2026-01-01T00:00:00Z".into();
    }
    let table = render(columns, &[&object], &json!({}), Include::None, true, now());
    let cells = table["rows"][0]["cells"].as_array().expect("cells").clone();
    let definitions = table["columnDefinitions"].as_array().expect("columns");
    assert_eq!(cells.len(), definitions.len());
    let mut text = String::new();
    for (definition, cell) in definitions.iter().zip(&cells) {
        let wide = if definition["priority"] == 0 { "" } else { "| " };
        let _ = writeln!(text, "{wide}{}: {cell}", definition["name"].as_str().unwrap_or_default());
    }
    expected.assert_eq(&text);
}

fn check(group: &str, kind: &str, object: Value, expected: Expect) {
    check_columns(&Columns::builtin(group, kind), object, expected);
}

#[test]
fn durations() {
    let seconds = [
        -5,
        -1,
        0,
        119,
        120,
        300,
        330,
        600,
        10_799,
        10_800,
        12_000,
        28_800,
        172_799,
        172_800,
        180_000,
        691_200,
        63_072_000,
        70_000_000,
        252_288_000,
    ];
    let shown: Vec<String> = seconds.into_iter().map(human_duration).collect();
    expect!["<invalid> 0s 0s 119s 2m 5m 5m30s 10m 179m 3h 3h20m 8h 47h 2d 2d2h 8d 2y 2y80d 8y"]
        .assert_eq(&shown.join(" "));
}

#[test]
fn a_running_pod() {
    check(
        "",
        "Pod",
        json!({"metadata": {"name": "web-1"}, "spec": {"containers": [{"name": "a"}], "nodeName": "node-1"},
            "status": {"phase": "Running", "podIPs": [{"ip": "10.0.0.1"}], "conditions": [{"type": "Ready", "status": "True"}],
                "containerStatuses": [{"name": "a", "ready": true, "restartCount": 2, "state": {"running": {}},
                    "lastState": {"terminated": {"finishedAt": "2026-01-01T01:55:00Z"}}}]}}),
        expect![[r#"
            Name: "web-1"
            Ready: "1/1"
            Status: "Running"
            Restarts: "2 (5m ago)"
            Age: "120m"
            | IP: "10.0.0.1"
            | Node: "node-1"
            | Nominated Node: "<none>"
            | Readiness Gates: "<none>"
        "#]],
    );
}

fn check_status(pod: Value, expected: Expect) {
    let row = Row { object: &pod, now: now() };
    let cells = pod::cells(row);
    expected.assert_eq(&format!("{} {} {}", cells[1], cells[2], cells[3]));
}

#[test]
fn what_a_pod_is_waiting_for() {
    let spec = json!({"containers": [{"name": "a"}], "initContainers": [{"name": "i"}, {"name": "s", "restartPolicy": "Always"}]});
    check_status(
        json!({"spec": spec, "status": {"phase": "Pending"}}),
        expect![[r#""0/2" "Pending" "0""#]],
    );
    check_status(
        json!({"spec": spec, "status": {"phase": "Pending", "initContainerStatuses": [
            {"name": "i", "restartCount": 3, "state": {"waiting": {"reason": "CrashLoopBackOff"}}}]}}),
        expect![[r#""0/2" "Init:CrashLoopBackOff" "3""#]],
    );
    check_status(
        json!({"spec": spec, "status": {"phase": "Pending", "initContainerStatuses": [
            {"name": "i", "state": {"terminated": {"exitCode": 1}}}]}}),
        expect![[r#""0/2" "Init:ExitCode:1" "0""#]],
    );
    check_status(
        json!({"spec": spec, "status": {"phase": "Pending",
            "initContainerStatuses": [{"name": "i", "state": {"terminated": {"exitCode": 0}}}, {"name": "s", "started": true, "ready": true}],
            "containerStatuses": [{"name": "a", "state": {"waiting": {"reason": "ContainerCreating"}}}]}}),
        expect![[r#""1/2" "ContainerCreating" "0""#]],
    );
    check_status(
        json!({"metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z"}, "spec": spec, "status": {"phase": "Running"}}),
        expect![[r#""0/2" "Terminating" "0""#]],
    );
    check_status(
        json!({"spec": {"containers": [{"name": "a"}]}, "status": {"phase": "Failed",
            "containerStatuses": [{"name": "a", "state": {"terminated": {"exitCode": 137, "signal": 9}}}]}}),
        expect![[r#""0/1" "Signal:9" "0""#]],
    );
}

#[test]
fn workloads() {
    let template =
        json!({"spec": {"containers": [{"name": "a", "image": "x"}, {"name": "b", "image": "y"}]}});
    let selector = json!({"matchLabels": {"app": "web"}, "matchExpressions": [{"key": "tier", "operator": "In", "values": ["b", "a"]}]});
    check(
        "apps",
        "Deployment",
        json!({"metadata": {"name": "web"}, "spec": {"replicas": 3, "selector": selector, "template": template},
            "status": {"readyReplicas": 2, "updatedReplicas": 3, "availableReplicas": 2}}),
        expect![[r#"
            Name: "web"
            Ready: "2/3"
            Up-to-date: 3
            Available: 2
            Age: "120m"
            | Containers: "a,b"
            | Images: "x,y"
            | Selector: "app=web,tier in (a,b)"
        "#]],
    );
    check(
        "apps",
        "ReplicaSet",
        json!({"metadata": {"name": "web-1"}, "spec": {"replicas": 3, "selector": selector, "template": template},
            "status": {"replicas": 3, "readyReplicas": 2}}),
        expect![[r#"
            Name: "web-1"
            Desired: 3
            Current: 3
            Ready: 2
            Age: "120m"
            | Containers: "a,b"
            | Images: "x,y"
            | Selector: "app=web,tier in (a,b)"
        "#]],
    );
    check(
        "batch",
        "Job",
        json!({"metadata": {"name": "j"}, "spec": {"completions": 2, "template": template},
            "status": {"succeeded": 1, "startTime": "2026-01-01T00:00:00Z", "completionTime": "2026-01-01T00:01:30Z",
                "conditions": [{"type": "Complete", "status": "True"}]}}),
        expect![[r#"
            Name: "j"
            Status: "Complete"
            Completions: "1/2"
            Duration: "90s"
            Age: "120m"
            | Containers: "a,b"
            | Images: "x,y"
            | Selector: "<none>"
        "#]],
    );
}

#[test]
fn services_and_nodes() {
    check(
        "",
        "Service",
        json!({"metadata": {"name": "web"}, "spec": {"type": "LoadBalancer", "clusterIPs": ["10.0.0.5"], "selector": {"app": "web"},
            "ports": [{"port": 80, "protocol": "TCP"}, {"port": 443, "nodePort": 30443, "protocol": "TCP"}]}}),
        expect![[r#"
            Name: "web"
            Type: "LoadBalancer"
            Cluster-IP: "10.0.0.5"
            External-IP: "<pending>"
            Port(s): "80/TCP,443:30443/TCP"
            Age: "120m"
            | Selector: "app=web"
        "#]],
    );
    check(
        "",
        "Node",
        json!({"metadata": {"name": "n", "labels": {"node-role.kubernetes.io/control-plane": ""}},
            "status": {"conditions": [{"type": "Ready", "status": "True"}], "addresses": [{"type": "InternalIP", "address": "10.1.0.1"}],
                "nodeInfo": {"kubeletVersion": "v1.36.3", "kernelVersion": "6.1", "architecture": "amd64"}}}),
        expect![[r#"
            Name: "n"
            Status: "Ready"
            Roles: "control-plane"
            Age: "120m"
            Version: "v1.36.3"
            | Internal-IP: "10.1.0.1"
            | External-IP: "<none>"
            | OS-Image: "<unknown>"
            | Kernel-Version: "6.1 (amd64)"
            | Container-Runtime: "<unknown>"
        "#]],
    );
    check(
        "discovery.k8s.io",
        "EndpointSlice",
        json!({"metadata": {"name": "web-x"}, "addressType": "IPv4", "ports": [{"port": 80}],
            "endpoints": [{"addresses": ["10.0.0.1"]}, {"addresses": ["10.0.0.2"]}, {"addresses": ["10.0.0.3"]}, {"addresses": ["10.0.0.4"]}]}),
        expect![[r#"
            Name: "web-x"
            AddressType: "IPv4"
            Ports: "80"
            Endpoints: "10.0.0.1,10.0.0.2,10.0.0.3 + 1 more..."
            Age: "120m"
        "#]],
    );
}

#[test]
fn events() {
    check(
        "",
        "Event",
        json!({"metadata": {"name": "e"}, "type": "Normal", "reason": "Synced", "message": "Foo synced \n", "count": 3,
            "involvedObject": {"kind": "Foo", "name": "x"}, "source": {"component": "foo"},
            "firstTimestamp": "2026-01-01T01:00:00Z", "lastTimestamp": "2026-01-01T01:59:30Z"}),
        expect![[r#"
            Last Seen: "30s"
            Type: "Normal"
            Reason: "Synced"
            Object: "foo/x"
            | Subobject: ""
            | Source: "foo"
            Message: "Foo synced"
            | First Seen: "60m"
            | Count: 3
            | Name: "e"
        "#]],
    );
}

#[test]
fn other_kinds() {
    check(
        "autoscaling",
        "HorizontalPodAutoscaler",
        json!({"metadata": {"name": "h"}, "spec": {"scaleTargetRef": {"kind": "Deployment", "name": "web"}, "maxReplicas": 5,
            "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": {"averageUtilization": 80}}}]},
            "status": {"currentReplicas": 2}}),
        expect![[r#"
            Name: "h"
            Reference: "Deployment/web"
            Targets: "cpu: <unknown>/80%"
            MinPods: "<unset>"
            MaxPods: 5
            Replicas: 2
            Age: "120m"
        "#]],
    );
    check(
        "rbac.authorization.k8s.io",
        "Role",
        json!({"metadata": {"name": "r"}}),
        expect![[r#"
        Name: "r"
        Created At: "2026-01-01T00:00:00Z"
    "#]],
    );
    check(
        "rbac.authorization.k8s.io",
        "RoleBinding",
        json!({"metadata": {"name": "r"}, "roleRef": {"kind": "Role", "name": "x"},
            "subjects": [{"kind": "ServiceAccount", "name": "sa", "namespace": "ns"}, {"kind": "User", "name": "u"}]}),
        expect![[r#"
            Name: "r"
            Role: "Role/x"
            Age: "120m"
            | Users: "u"
            | Groups: ""
            | ServiceAccounts: "ns/sa"
        "#]],
    );
}

#[test]
fn rare_kinds() {
    check(
        "",
        "ResourceQuota",
        json!({"metadata": {"name": "q"}, "status": {"hard": {"pods": "10", "limits.cpu": "2"}, "used": {"pods": "1"}}}),
        expect![[r#"
            Name: "q"
            Request: "pods: 1/10"
            Limit: "limits.cpu: 0/2"
            Age: "120m"
        "#]],
    );
    check(
        "certificates.k8s.io",
        "CertificateSigningRequest",
        json!({"metadata": {"name": "c"}, "spec": {"username": "u", "expirationSeconds": 7200},
            "status": {"conditions": [{"type": "Approved", "status": "True"}], "certificate": "x"}}),
        expect![[r#"
            Name: "c"
            Age: "120m"
            SignerName: "<none>"
            Requestor: "u"
            RequestedDuration: "120m"
            Condition: "Approved,Issued"
        "#]],
    );
    check(
        "storage.k8s.io",
        "VolumeAttachment",
        json!({"metadata": {"name": "v"}, "spec": {"attacher": "a", "nodeName": "n", "source": {"persistentVolumeName": "p"}}}),
        expect![[r#"
            Name: "v"
            Attacher: "a"
            PV: "p"
            Node: "n"
            Attached: false
            Age: "120m"
        "#]],
    );
    check(
        "apiregistration.k8s.io",
        "APIService",
        json!({"metadata": {"name": "v1.x"}, "spec": {"service": {"namespace": "n", "name": "s"}},
            "status": {"conditions": [{"type": "Available", "status": "False", "reason": "Gone"}]}}),
        expect![[r#"
            Name: "v1.x"
            Service: "n/s"
            Available: "False (Gone)"
            Age: "120m"
        "#]],
    );
}

#[test]
fn kinds_of_devices_and_addresses() {
    check(
        "resource.k8s.io",
        "ResourceClaim",
        json!({"metadata": {"name": "c"},
            "status": {"allocation": {}, "reservedFor": [{"name": "p"}]}}),
        expect![[r#"
            Name: "c"
            State: "allocated,reserved"
            Age: "120m"
        "#]],
    );
    check(
        "networking.k8s.io",
        "IPAddress",
        json!({"metadata": {"name": "10.96.0.1"}, "spec": {"parentRef": {
            "resource": "services", "namespace": "default", "name": "kubernetes"}}}),
        expect![[r#"
            Name: "10.96.0.1"
            ParentRef: "services/default/kubernetes"
        "#]],
    );
}

#[test]
fn kinds_that_the_server_keeps_about_itself() {
    check(
        "flowcontrol.apiserver.k8s.io",
        "FlowSchema",
        json!({"metadata": {"name": "f"}, "spec": {"matchingPrecedence": 900,
            "priorityLevelConfiguration": {"name": "low"}, "distinguisherMethod": {"type": "ByUser"}},
            "status": {"conditions": [{"type": "Dangling", "status": "False"}]}}),
        expect![[r#"
            Name: "f"
            PriorityLevel: "low"
            MatchingPrecedence: 900
            DistinguisherMethod: "ByUser"
            Age: "120m"
            MissingPL: "False"
        "#]],
    );
    check(
        "flowcontrol.apiserver.k8s.io",
        "PriorityLevelConfiguration",
        json!({"metadata": {"name": "low"}, "spec": {"type": "Limited", "limited": {
            "nominalConcurrencyShares": 100, "limitResponse": {"type": "Reject"}}}}),
        expect![[r#"
            Name: "low"
            Type: "Limited"
            NominalConcurrencyShares: 100
            Queues: "<none>"
            HandSize: "<none>"
            QueueLengthLimit: "<none>"
            Age: "120m"
        "#]],
    );
    check(
        "",
        "ComponentStatus",
        json!({"metadata": {"name": "etcd-0"},
            "conditions": [{"type": "Healthy", "status": "True", "message": "ok"}]}),
        expect![[r#"
            Name: "etcd-0"
            Status: "Healthy"
            Message: "ok"
            Error: ""
        "#]],
    );
    check(
        "storage.k8s.io",
        "CSIStorageCapacity",
        json!({"metadata": {"name": "s"}, "storageClassName": "fast", "capacity": "1Gi"}),
        expect![[r#"
            Name: "s"
            Created At: "2026-01-01T00:00:00Z"
        "#]],
    );
    check(
        "autoscaling",
        "Scale",
        json!({"metadata": {"name": "s"}, "spec": {"replicas": 3}, "status": {"replicas": 2}}),
        expect![[r#"
            Name: "s"
            Desired: 3
            Available: 2
            Age: "120m"
        "#]],
    );
}

#[test]
fn what_comes_along_in_a_row() {
    let object = json!({"metadata": {"name": "x"}, "data": {"a": "b"}});
    let columns = Columns::builtin("", "ConfigMap");
    let object_of = |include| {
        let list = json!({"resourceVersion": "7"});
        let table = render(&columns, &[&object], &list, include, false, now());
        assert_eq!(table["columnDefinitions"], json!([]));
        assert_eq!(table["metadata"], list);
        table["rows"][0]["object"].clone()
    };
    assert_eq!(object_of(Include::None), Value::Null);
    assert_eq!(object_of(Include::Object), object);
    assert_eq!(
        object_of(Include::Metadata),
        json!({"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": {"name": "x"}})
    );
    assert_eq!(Include::parse("frob"), None);
}

#[test]
fn durations_change_their_units_to_the_second() {
    let seconds = [
        -2,
        599,
        601,
        10_801,
        28_799,
        28_801,
        691_199,
        691_201,
        63_071_999,
        63_072_001,
        252_287_999,
    ];
    let shown: Vec<String> = seconds.into_iter().map(human_duration).collect();
    expect!["<invalid> 9m59s 10m 3h 7h59m 8h 7d23h 8d 729d 2y 7y364d"].assert_eq(&shown.join(" "));
}
