//! V11: how much may be asked for, to the last unit.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::*;

const CLASSES: &str = "/apis/scheduling.k8s.io/v1/priorityclasses";
const STORAGE: &str = "/apis/storage.k8s.io/v1/storageclasses";
const CLAIMS: &str = "/api/v1/namespaces/default/persistentvolumeclaims";
const LIMITS: &str = "/api/v1/namespaces/default/limitranges";
const QUOTAS: &str = "/api/v1/namespaces/default/resourcequotas";
const SERVICES: &str = "/api/v1/namespaces/default/services";

async fn limit(client: &Client, limits: Value) {
    let body = json!({"metadata": {"name": "limits"}, "spec": {"limits": [limits]}});
    client.post(LIMITS, &body).await.expect(201);
}

async fn quota(client: &Client, hard: Value) {
    let body = json!({"metadata": {"name": "quota"}, "spec": {"hard": hard}});
    client.post(QUOTAS, &body).await.expect(201);
}

async fn used(client: &Client) -> Value {
    client.get(&format!("{QUOTAS}/quota")).await.expect(200)["status"]["used"].clone()
}

/// A pod whose container asks for processors.
fn asking(name: &str, requests: &str, limits: &str) -> Value {
    let mut pod = pod(name);
    let resources = json!({"requests": {"cpu": requests}, "limits": {"cpu": limits}});
    pod["spec"]["containers"][0]["resources"] = resources;
    pod
}

fn claim(name: &str, storage: &str) -> Value {
    let spec = json!({
        "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": storage}},
    });
    json!({"metadata": {"name": name}, "spec": spec})
}

#[tokio::test(start_paused = true)]
async fn v11_2_a_container_may_ask_for_the_least_the_most_and_the_ratio() {
    let client = client();
    let bounds = json!({"type": "Container", "min": {"cpu": "100m"}, "max": {"cpu": "1"},
        "maxLimitRequestRatio": {"cpu": "2"}});
    limit(&client, bounds).await;
    for (requests, limits, code) in [
        ("100m", "100m", 201),
        ("100m", "200m", 201),
        ("1", "1", 201),
        ("99m", "150m", 403),
        ("100m", "201m", 403),
        ("600m", "1001m", 403),
    ] {
        let pod = asking(&format!("p-{requests}-{limits}"), requests, limits);
        let answer = client.post(PODS, &pod).await;
        assert_eq!(answer.code, code, "{requests} {limits} {}", answer.text);
    }
}

#[tokio::test(start_paused = true)]
async fn v11_2_the_containers_of_a_pod_may_ask_for_the_most_together() {
    let client = client();
    limit(&client, json!({"type": "Pod", "max": {"cpu": "1"}, "min": {"cpu": "200m"}})).await;
    for (each, code) in [("99m", 403), ("100m", 201), ("500m", 201), ("501m", 403)] {
        let mut pod = asking(&format!("p-{each}"), each, each);
        let mut second = pod["spec"]["containers"][0].clone();
        second["name"] = "second".into();
        pod["spec"]["containers"].as_array_mut().expect("containers").push(second);
        let answer = client.post(PODS, &pod).await;
        assert_eq!(answer.code, code, "{each} {}", answer.text);
    }
}

#[tokio::test(start_paused = true)]
async fn v11_2_a_claim_may_ask_for_the_least_and_the_most() {
    let client = client();
    let (min, max) = (json!({"storage": "1Gi"}), json!({"storage": "2Gi"}));
    limit(&client, json!({"type": "PersistentVolumeClaim", "min": min, "max": max})).await;
    for (storage, code) in [("1023Mi", 403), ("1Gi", 201), ("2Gi", 201), ("2049Mi", 403)] {
        let answer = client.post(CLAIMS, &claim(&storage.to_lowercase(), storage)).await;
        assert_eq!(answer.code, code, "{storage} {}", answer.text);
    }
    let line = client.post(CLAIMS, &claim("small", "1Mi")).await.line();
    let why = "minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi";
    assert!(line.ends_with(why), "{line}");
}

#[tokio::test(start_paused = true)]
async fn v11_2_a_quota_may_be_used_up() {
    let client = client();
    quota(&client, json!({"requests.cpu": "1", "requests.storage": "3Gi"})).await;
    client.post(PODS, &asking("a", "600m", "1")).await.expect(201);
    client.post(PODS, &asking("b", "400m", "1")).await.expect(201);
    assert_eq!(client.post(PODS, &asking("c", "1m", "1")).await.code, 403);
    client.post(CLAIMS, &claim("a", "3Gi")).await.expect(201);
    assert_eq!(client.post(CLAIMS, &claim("b", "1")).await.code, 403);
    assert_eq!(used(&client).await, json!({"requests.cpu": "1", "requests.storage": "3Gi"}));
}

fn spent(balancers: &str, ports: &str) -> Value {
    json!({"services.loadbalancers": balancers, "services.nodeports": ports})
}

#[tokio::test(start_paused = true)]
async fn v11_2_balancers_take_ports_of_nodes_unless_they_want_none() {
    let client = client();
    quota(&client, json!({"services.loadbalancers": "2", "services.nodeports": "2"})).await;
    let service = |name: &str, type_: &str, allocates: Value| {
        let ports = json!([{"name": "a", "port": 80}, {"name": "b", "port": 81}]);
        let mut spec = json!({"type": type_, "ports": ports});
        if !allocates.is_null() {
            spec["allocateLoadBalancerNodePorts"] = allocates;
        }
        json!({"metadata": {"name": name}, "spec": spec})
    };
    client.post(SERVICES, &service("plain", "ClusterIP", Value::Null)).await.expect(201);
    assert_eq!(used(&client).await, spent("0", "0"));
    client.post(SERVICES, &service("a", "LoadBalancer", json!(true))).await.expect(201);
    assert_eq!(used(&client).await, spent("1", "2"));
    assert_eq!(client.post(SERVICES, &service("b", "NodePort", Value::Null)).await.code, 403);
    client.post(SERVICES, &service("c", "LoadBalancer", json!(false))).await.expect(201);
    assert_eq!(used(&client).await, spent("2", "2"));
    assert_eq!(client.post(SERVICES, &service("d", "LoadBalancer", json!(false))).await.code, 403);
}

#[tokio::test(start_paused = true)]
async fn v11_2_of_several_default_classes_the_newest_is_taken_and_then_the_first() {
    let client = client();
    let class = |name: &str, annotation: &str, value: &str| {
        let metadata = json!({"name": name, "annotations": {annotation: value}});
        json!({"metadata": metadata, "provisioner": "example.com/x"})
    };
    let default = "storageclass.kubernetes.io/is-default-class";
    let older = "storageclass.beta.kubernetes.io/is-default-class";
    let taken = async |name: &str| {
        let made = client.post(CLAIMS, &claim(name, "1Gi")).await.expect(201);
        made["spec"]["storageClassName"].as_str().unwrap_or_default().to_owned()
    };
    client.post(STORAGE, &class("z", default, "false")).await.expect(201);
    assert_eq!(taken("one").await, "");
    client.post(STORAGE, &class("c", older, "true")).await.expect(201);
    assert_eq!(taken("two").await, "c");
    tokio::time::advance(Duration::from_secs(1)).await;
    client.post(STORAGE, &class("f", default, "true")).await.expect(201);
    assert_eq!(taken("three").await, "f");
    client.post(STORAGE, &class("e", default, "true")).await.expect(201);
    assert_eq!(taken("four").await, "e");
}

#[tokio::test(start_paused = true)]
async fn v11_2_a_pod_may_say_what_its_class_says() {
    let client = client();
    let class = json!({"metadata": {"name": "high"}, "value": 1000, "preemptionPolicy": "Never"});
    client.post(CLASSES, &class).await.expect(201);
    let with = |name: &str, priority: i64, policy: &str| {
        let mut pod = pod(name);
        pod["spec"]["priorityClassName"] = "high".into();
        pod["spec"]["priority"] = priority.into();
        pod["spec"]["preemptionPolicy"] = policy.into();
        pod
    };
    client.post(PODS, &with("same", 1000, "Never")).await.expect(201);
    assert_eq!(client.post(PODS, &with("higher", 1001, "Never")).await.code, 403);
    assert_eq!(client.post(PODS, &with("other", 1000, "PreemptLowerPriority")).await.code, 403);
}
