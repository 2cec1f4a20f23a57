//! V13: events, services, secrets, namespaces.

use serde_json::{Value, json};

use watchkeeper_apiserver::ApiServer;

use crate::support::*;

#[tokio::test(start_paused = true)]
async fn v13_1_events_of_both_groups_are_the_same_objects() {
    let client = client();
    let event = json!({
        "metadata": {"name": "e", "namespace": "default"},
        "involvedObject": {"kind": "Pod", "namespace": "default", "name": "p", "uid": "u"},
        "reason": "Synced",
        "message": "all is well",
        "type": "Normal",
        "source": {"component": "me"},
        "count": 3,
    });
    client.post("/api/v1/namespaces/default/events", &event).await.expect(201);
    let new = client.get("/apis/events.k8s.io/v1/namespaces/default/events/e").await.expect(200);
    assert_eq!(new["apiVersion"], "events.k8s.io/v1");
    assert_eq!(new["regarding"]["name"], "p");
    assert_eq!((&new["note"], &new["deprecatedCount"]), (&json!("all is well"), &json!(3)));
    let mut other = new.clone();
    other["metadata"] = json!({"name": "f", "namespace": "default"});
    other["eventTime"] = "2026-01-01T00:00:00.000000Z".into();
    other["reportingController"] = "me".into();
    other["reportingInstance"] = "me-0".into();
    other["action"] = "Sync".into();
    for name in [
        "deprecatedCount",
        "deprecatedSource",
        "deprecatedFirstTimestamp",
        "deprecatedLastTimestamp",
    ] {
        other.as_object_mut().expect("an object").remove(name);
    }
    client.post("/apis/events.k8s.io/v1/namespaces/default/events", &other).await.expect(201);
    let selector = "involvedObject.name%3Dp,involvedObject.uid%3Du";
    let list =
        client.get(&format!("/api/v1/namespaces/default/events?fieldSelector={selector}")).await;
    let list = list.expect(200);
    assert_eq!(names(&list), ["e", "f"]);
    assert_eq!(list["items"][1]["involvedObject"]["name"], "p");
}

#[tokio::test(start_paused = true)]
async fn v13_1_events_are_forgotten_after_an_hour() {
    let client = client();
    let event = json!({
        "metadata": {"name": "e", "namespace": "default"},
        "involvedObject": {"kind": "Pod", "namespace": "default", "name": "p"},
    });
    let path = "/api/v1/namespaces/default/events";
    client.post(path, &event).await.expect(201);
    tokio::time::advance(std::time::Duration::from_secs(3599)).await;
    assert_eq!(names(&client.get(path).await.expect(200)), ["e"]);
    let mut watch =
        client.watch(&format!("{path}?watch=1&resourceVersion={}", client.server.revision())).await;
    tokio::time::advance(std::time::Duration::from_secs(2)).await;
    assert_eq!(names(&client.get(path).await.expect(200)), Vec::<String>::new());
    assert_eq!(watch.ready(), ["DELETED e@8"]);
}

/// Each an hour after its own last write, and not one second before.
#[tokio::test(start_paused = true)]
async fn v13_1_events_are_forgotten_one_after_the_other() {
    let client = client();
    let path = "/api/v1/namespaces/default/events";
    let about = json!({"kind": "Pod", "namespace": "default", "name": "p"});
    let event = |name: &str| json!({"metadata": {"name": name}, "involvedObject": about});
    let advance =
        async |seconds| tokio::time::advance(std::time::Duration::from_secs(seconds)).await;
    let listed = async || names(&client.get(path).await.expect(200));
    for name in ["first", "gone", "written"] {
        client.post(path, &event(name)).await.expect(201);
    }
    client.delete(&format!("{path}/gone")).await.expect(200);
    advance(1800).await;
    client.post(path, &event("later")).await.expect(201);
    client.merge(&format!("{path}/written"), &json!({"message": "again"})).await.expect(200);
    advance(1799).await;
    assert_eq!(listed().await, ["first", "later", "written"]);
    advance(1).await;
    assert_eq!(listed().await, ["later", "written"], "the hour is over");
    advance(1799).await;
    assert_eq!(listed().await, ["later", "written"]);
    advance(1).await;
    assert!(listed().await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn v13_2_every_cluster_has_its_namespaces() {
    let client = client();
    let list = client.get("/api/v1/namespaces").await.expect(200);
    assert_eq!(names(&list), ["default", "kube-node-lease", "kube-public", "kube-system"]);
    assert_eq!(list["items"][0]["spec"]["finalizers"], json!(["kubernetes"]));
    assert_eq!(list["items"][0]["status"]["phase"], "Active");
    let service = client.get("/api/v1/namespaces/default/services/kubernetes").await.expect(200);
    assert_eq!(service["spec"]["clusterIP"], "10.96.0.1");
}

#[tokio::test(start_paused = true)]
async fn v13_services_get_addresses_and_ports() {
    let client = client();
    let path = "/api/v1/namespaces/default/services";
    let service = |name: &str, kind: &str| json!({"metadata": {"name": name}, "spec": {"type": kind, "ports": [{"port": 80}]}});
    let made = client.post(path, &service("a", "NodePort")).await.expect(201);
    let ip = made["spec"]["clusterIP"].as_str().expect("an address").to_owned();
    assert!(ip.starts_with("10.96."), "{ip}");
    let port = made["spec"]["ports"][0]["nodePort"].as_u64().expect("a port");
    assert!((30_000..32_768).contains(&port), "{port}");
    let mut taken = service("b", "ClusterIP");
    taken["spec"]["clusterIP"] = ip.as_str().into();
    assert_eq!(client.post(path, &taken).await.code, 422);
    let mut headless = service("c", "ClusterIP");
    headless["spec"]["clusterIP"] = "None".into();
    assert_eq!(client.post(path, &headless).await.expect(201)["spec"]["clusterIP"], "None");
    let update = json!({"spec": {"ports": [{"port": 81}]}});
    let updated = client.merge(&format!("{path}/a"), &update).await.expect(200);
    assert_eq!(updated["spec"]["clusterIP"], ip.as_str());
    let moved = json!({"spec": {"clusterIP": "10.96.0.77", "clusterIPs": ["10.96.0.77"]}});
    assert_eq!(client.merge(&format!("{path}/a"), &moved).await.code, 422);
}

const SERVICES: &str = "/api/v1/namespaces/default/services";

fn service(name: &str, spec: &Value) -> Value {
    json!({"metadata": {"name": name}, "spec": spec})
}

/// A Service that load balancers ask nodes about, and that has no other ports of nodes.
fn local() -> Value {
    json!({
        "type": "LoadBalancer", "allocateLoadBalancerNodePorts": false,
        "externalTrafficPolicy": "Local", "ports": [{"port": 80}],
    })
}

/// Makes a Service that has all ports of nodes.
async fn take_all_ports(client: &Client) {
    let ports: Vec<Value> = (0..2768)
        .map(|number| json!({"name": format!("p{number}"), "port": number + 1, "nodePort": 30_000 + number}))
        .collect();
    let all = service("all", &json!({"type": "NodePort", "ports": ports}));
    client.post(SERVICES, &all).await.expect(201);
}

#[tokio::test(start_paused = true)]
async fn v13_services_get_no_port_of_nodes_where_none_is_left() {
    let client = client();
    take_all_ports(&client).await;
    for (spec, why) in [
        (json!({"type": "NodePort", "ports": [{"port": 80}]}), "failed to allocate a nodePort"),
        (local(), "failed to allocate a HealthCheck NodePort 0"),
    ] {
        let full = client.post(SERVICES, &service("b", &spec)).await;
        let why = format!("{why}: range is full");
        assert_eq!(full.line(), format!("500 InternalError: Internal error occurred: {why}"));
        assert_eq!(full.json()["details"], json!({"causes": [{"message": why}]}));
    }
}

/// `PortAllocationOperation` of upstream.
#[tokio::test(start_paused = true)]
async fn v13_a_dry_run_asks_for_no_port_of_nodes() {
    let client = client();
    take_all_ports(&client).await;
    let dry = format!("{SERVICES}?dryRun=All");
    let ports = json!([{"name": "a", "port": 80}, {"name": "b", "port": 81}]);
    let spec = json!({"type": "NodePort", "ports": ports});
    let made = client.post(&dry, &service("b", &spec)).await.expect(201);
    let given = |at: usize| made["spec"]["ports"][at]["nodePort"].clone();
    assert_eq!([given(0), given(1)], [json!(32_769), json!(32_770)]);
    let made = client.post(&dry, &service("b", &local())).await.expect(201);
    assert_eq!(made["spec"]["healthCheckNodePort"], 32_769);
    let asks = |port: u32| json!({"type": "NodePort", "ports": [{"port": 80, "nodePort": port}]});
    client.post(&dry, &service("b", &asks(40_000))).await.expect(201);
    assert_eq!(
        client.post(&dry, &service("b", &asks(30_005))).await.line(),
        "422 Invalid: Service \"b\" is invalid: spec.ports[0].nodePort: Invalid value: 30005: \
         provided port is already allocated"
    );
}

#[tokio::test(start_paused = true)]
async fn v13_the_port_for_the_health_of_a_service_is_given_once_and_stays() {
    let client = client();
    let mut asked = local();
    asked["healthCheckNodePort"] = 30_001.into();
    client.post(SERVICES, &service("a", &asked)).await.expect(201);
    let path = format!("{SERVICES}/a");
    // Neither one that is free nor one that there never is.
    for (port, more) in [
        (30_002, ""),
        (
            -1,
            ", spec.healthCheckNodePort: Invalid value: -1: must be between 1 and 65535, inclusive",
        ),
    ] {
        let told =
            client.merge(&path, &json!({"spec": {"healthCheckNodePort": port}})).await.line();
        let begin = "422 Invalid: Service \"a\" is invalid: ";
        let told = told.strip_prefix(begin).expect("a refusal").trim_matches(['[', ']']);
        assert_eq!(told, format!("spec.healthCheckNodePort: Forbidden: field is immutable{more}"));
    }
    let away = json!({"spec": {"externalTrafficPolicy": "Cluster"}});
    let left = client.merge(&path, &away).await.expect(200);
    assert_eq!(left["spec"].get("healthCheckNodePort"), None);
    let back = json!({"spec": {"externalTrafficPolicy": "Local", "healthCheckNodePort": 30_003}});
    let again = client.merge(&path, &back).await.expect(200);
    assert_eq!(again["spec"]["healthCheckNodePort"], 30_003);
    asked["healthCheckNodePort"] = (-1).into();
    assert_eq!(
        client.post(SERVICES, &service("b", &asked)).await.line(),
        "500 InternalError: Internal error occurred: failed to allocate requested HealthCheck NodePort -1: \
         provided port is not in the valid range. The range of valid ports is 30000-32767"
    );
}

#[tokio::test(start_paused = true)]
async fn v13_services_get_their_addresses_out_of_the_range_that_was_set() {
    let range = "10.0.0.0/29".parse().expect("a range");
    let server = ApiServer::builder().service_range(range).build();
    let client = Client { server, agent: "tester" };
    let path = "/api/v1/namespaces/default/services";
    let own = client.get(&format!("{path}/kubernetes")).await.expect(200);
    assert_eq!(own["spec"]["clusterIP"], "10.0.0.1");
    let service =
        |name: &str| json!({"metadata": {"name": name}, "spec": {"ports": [{"port": 80}]}});
    let mut outside = service("a");
    outside["spec"]["clusterIP"] = "10.96.0.9".into();
    assert_eq!(client.post(path, &outside).await.code, 422);
    let mut given = Vec::new();
    for name in ["a", "b", "c", "d", "e"] {
        let made = client.post(path, &service(name)).await.expect(201);
        given.push(made["spec"]["clusterIP"].as_str().expect("an address").to_owned());
    }
    given.sort();
    assert_eq!(given, ["10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.0.5", "10.0.0.6"]);
    assert_eq!(client.post(path, &service("f")).await.code, 500, "none is left");
}

#[tokio::test(start_paused = true)]
async fn v13_string_data_of_a_secret_becomes_data() {
    let client = client();
    let secret = json!({"metadata": {"name": "s"}, "stringData": {"password": "hello"}});
    let made = client.post("/api/v1/namespaces/default/secrets", &secret).await.expect(201);
    assert_eq!(made["data"], json!({"password": "aGVsbG8="}));
    assert_eq!(made.get("stringData"), None);
}

#[tokio::test(start_paused = true)]
async fn v13_the_range_of_services_is_told() {
    const RANGES: &str = "/apis/networking.k8s.io/v1/servicecidrs";
    let range = "10.7.0.0/24".parse().expect("a range");
    let server = ApiServer::builder().service_range(range).build();
    let client = Client { server, agent: "tester" };
    let list = client.get(RANGES).await.expect(200);
    assert_eq!(names(&list), ["kubernetes"]);
    let told = &list["items"][0];
    assert_eq!(told["spec"], json!({"cidrs": ["10.7.0.0/24"]}));
    let ready = &told["status"]["conditions"][0];
    assert_eq!((&ready["type"], &ready["status"]), (&json!("Ready"), &json!("True")));
    assert_eq!(ready["message"], "Kubernetes default Service CIDR is ready");
    // It is an object like others.
    let labels = json!({"metadata": {"labels": {"a": "b"}}});
    client.merge(&format!("{RANGES}/kubernetes"), &labels).await.expect(200);
}

#[tokio::test(start_paused = true)]
async fn v13_config_maps_of_the_server_are_there_if_they_are_asked_for() {
    const MAPS: &str = "/api/v1/configmaps";
    let without = client();
    assert_eq!(names(&without.get(MAPS).await.expect(200)), Vec::<String>::new());
    let tracking = "kube-apiserver-legacy-service-account-token-tracking";
    let authentication = "extension-apiserver-authentication";
    for (authorities, expected) in
        [(Vec::new(), vec![tracking]), (vec![vec![1, 2, 3]], vec![authentication, tracking])]
    {
        let server = ApiServer::builder().control_plane_maps(authorities).build();
        let client = Client { server, agent: "tester" };
        assert_eq!(client.server.revision(), without.server.revision(), "they are no writes");
        let list = client.get(MAPS).await.expect(200);
        assert_eq!(names(&list), expected);
        assert!(list["items"].as_array().expect("items").iter().all(|map| map["data"].is_object()));
    }
}
