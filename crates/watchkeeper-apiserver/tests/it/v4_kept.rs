//! V4: what a server gave or took once stays good in the updates that follow.

use serde_json::{Value, json};

use crate::support::*;

const SERVICES: &str = "/api/v1/namespaces/default/services";

#[tokio::test(start_paused = true)]
async fn v4_4_a_pod_with_tolerations_is_applied_again() {
    let client = client();
    let mut pod = pod("p");
    pod["apiVersion"] = "v1".into();
    pod["kind"] = "Pod".into();
    pod["spec"]["tolerations"] = json!([{"key": "a", "operator": "Exists"}]);
    let path = format!("{PODS}/p?fieldManager=me");
    let made = client.patch("apply", &path, &pod).await.expect(201);
    assert_eq!(made["spec"]["tolerations"].as_array().map(Vec::len), Some(3));
    let again = client.patch("apply", &path, &pod).await.expect(200);
    assert_eq!(again["spec"]["tolerations"], made["spec"]["tolerations"]);
    let fewer = json!({"spec": {"tolerations": []}});
    let line = client.merge(&format!("{PODS}/p"), &fewer).await.line();
    assert!(line.contains("existing toleration can not be modified"), "{line}");
}

fn service(name: &str, spec: &Value) -> Value {
    let mut service = json!({"metadata": {"name": name}, "spec": {"ports": [{"port": 80}]}});
    let members = spec.as_object().into_iter().flatten();
    members.for_each(|(name, value)| service["spec"][name] = value.clone());
    service
}

#[tokio::test(start_paused = true)]
async fn v4_4_a_service_with_external_addresses_changes_its_type() {
    let client = client();
    let outside = json!({"type": "NodePort", "externalIPs": ["1.2.3.4"]});
    client.post(SERVICES, &service("web", &outside)).await.expect(201);
    let inside = json!({"spec": {"type": "ClusterIP"}});
    let path = format!("{SERVICES}/web");
    let changed = client.merge(&path, &inside).await.expect(200);
    assert_eq!(changed["spec"]["externalTrafficPolicy"], "Cluster");
    let mut alone = changed;
    alone["spec"].as_object_mut().expect("an object").remove("externalIPs");
    let alone = client.put(&path, &alone).await.expect(200);
    assert_eq!(alone["spec"].get("externalTrafficPolicy"), None);
}

#[tokio::test(start_paused = true)]
async fn v4_4_a_port_for_the_health_of_a_service_is_its_alone() {
    let client = client();
    let local = |port: u64| {
        json!({
            "type": "LoadBalancer", "externalTrafficPolicy": "Local", "healthCheckNodePort": port,
        })
    };
    let one = client.post(SERVICES, &service("one", &local(0))).await.expect(201);
    let port = one["spec"]["healthCheckNodePort"].as_u64().expect("a port");
    assert_ne!(one["spec"]["ports"][0]["nodePort"], port);
    let path = format!("{SERVICES}/one");
    let again = client.put(&path, &service("one", &local(port))).await.expect(200);
    assert_eq!(again["spec"]["healthCheckNodePort"], port);
    let taken = client.post(SERVICES, &service("two", &local(port))).await.line();
    let why = format!("failed to allocate requested HealthCheck NodePort {port}");
    let expected = format!("{why}: provided port is already allocated");
    assert_eq!(taken, format!("500 InternalError: Internal error occurred: {expected}"));
    let outside = client.post(SERVICES, &service("two", &local(80))).await.line();
    assert!(outside.contains("not in the valid range"), "{outside}");
}

#[tokio::test(start_paused = true)]
async fn v5_4_an_object_within_an_object_has_managers_and_can_be_applied() {
    let client = client();
    let mut crd = foo_crd();
    let spec = &mut crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
    spec["properties"]["template"] = json!({
        "type": "object",
        "x-kubernetes-embedded-resource": true,
        "properties": {
            "metadata": {"type": "object", "properties": {"name": {"type": "string"}}},
            "spec": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
        },
    });
    client.post(CRDS, &crd).await.expect(201);
    let mut foo = foo("a", "red");
    foo["spec"]["template"] = json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": {"labels": {"a": "b"}}, "spec": {"x": 1},
    });
    let made = client.post(FOOS, &foo).await.expect(201);
    assert_eq!(made["metadata"]["managedFields"].as_array().map(Vec::len), Some(1), "{made}");
    let change = json!({
        "apiVersion": "example.com/v1", "kind": "Foo", "metadata": {"name": "a"},
        "spec": {"replicas": 3},
    });
    let path = format!("{FOOS}/a?fieldManager=me&force=true");
    let applied = client.patch("apply", &path, &change).await.expect(200);
    assert_eq!(applied["spec"]["replicas"], 3);
    assert_eq!(applied["spec"]["template"], foo["spec"]["template"]);
}

#[tokio::test(start_paused = true)]
async fn v10_1_patterns_are_gos() {
    let client = client();
    let mut crd = foo_crd();
    let spec = &mut crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
    spec["properties"]["color"] = json!({"type": "string", "pattern": "^\\${[A-Z[]+}$"});
    client.post(CRDS, &crd).await.expect(201);
    client.post(FOOS, &foo("a", "${HOME[}")).await.expect(201);
    let line = client.post(FOOS, &foo("b", "$HOME")).await.line();
    assert!(line.contains("should match '^\\${[A-Z[]+}$'"), "{line}");
}

#[tokio::test(start_paused = true)]
async fn v1_7_what_does_not_fit_is_told_within_bounds() {
    let client = client();
    let mut crd = foo_crd();
    let spec = &mut crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
    let names = json!({"type": "array", "items": {"type": "string"}});
    spec["properties"]["parts"] = json!({
        "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
        "items": {"type": "object", "required": ["name"], "properties": {
            "name": {"type": "string"}, "args": names,
        }},
    });
    client.post(CRDS, &crd).await.expect(201);
    let mut foo = foo("a", "red");
    let args = vec![1; 40_000];
    foo["spec"]["parts"] = json!([{"name": "n".repeat(200_000), "args": args}]);
    let path = format!("{FOOS}/a?fieldManager=me");
    let answer = client.patch("apply", &path, &foo).await;
    assert!(answer.code >= 400 && answer.text.len() < 8 << 20, "{}", answer.code);
}
