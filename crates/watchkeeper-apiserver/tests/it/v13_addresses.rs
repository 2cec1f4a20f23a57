//! V13: the addresses of Services are objects that come and go with them.

use serde_json::{Value, json};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_apiserver::hooks::{Fault, NthWrite};

use crate::support::*;

const ADDRESSES: &str = "/apis/networking.k8s.io/v1/ipaddresses";
const SERVICES: &str = "/api/v1/namespaces/default/services";
/// That of the Service `kubernetes`.
const OWN: &str = "10.96.0.1";

fn service(name: &str, address: &str) -> Value {
    json!({"metadata": {"name": name}, "spec": {"ports": [{"port": 80}], "clusterIP": address}})
}

/// An address that somebody makes by hand.
fn address(name: &str, of: &str) -> Value {
    let parent = json!({"resource": "services", "namespace": "default", "name": of});
    json!({"metadata": {"name": name}, "spec": {"parentRef": parent}})
}

async fn addresses(client: &Client) -> Vec<String> {
    names(&client.get(ADDRESSES).await.expect(200))
}

#[tokio::test(start_paused = true)]
async fn v13_addresses_of_services_are_objects() {
    let client = client();
    assert_eq!(addresses(&client).await, [OWN]);
    let start = client.server.revision();
    let mut watch = client.watch(&format!("{ADDRESSES}?watch=1&resourceVersion={start}")).await;
    let dry = format!("{SERVICES}?dryRun=All");
    client.post(&dry, &service("a", "10.96.0.9")).await.expect(201);
    let made = client.post(SERVICES, &service("a", "10.96.0.9")).await.expect(201);
    assert_eq!(version(&made), start + 2, "the address is there before");
    assert_eq!(addresses(&client).await, [OWN, "10.96.0.9"]);
    let address = client.get(&format!("{ADDRESSES}/10.96.0.9")).await.expect(200);
    let labels = json!({
        "ipaddress.kubernetes.io/ip-family": "IPv4",
        "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
    });
    assert_eq!(address["metadata"]["labels"], labels);
    let parent = json!({"resource": "services", "namespace": "default", "name": "a"});
    assert_eq!(address["spec"], json!({"parentRef": parent}));
    let manager = &address["metadata"]["managedFields"][0];
    assert_eq!(manager["manager"], "kube-apiserver");
    assert_eq!(manager["operation"], "Update");
    client.delete(&format!("{SERVICES}/a?dryRun=All")).await.expect(200);
    client.delete(&format!("{SERVICES}/a")).await.expect(200);
    assert_eq!(addresses(&client).await, [OWN]);
    let seen = [("ADDED", start + 1), ("DELETED", start + 4)];
    assert_eq!(watch.ready(), seen.map(|(what, at)| format!("{what} 10.96.0.9@{at}")));
}

#[tokio::test(start_paused = true)]
async fn v13_addresses_follow_the_types_of_services() {
    let (client, path) = (client(), format!("{SERVICES}/a"));
    let named = json!({"type": "ExternalName", "externalName": "a.example.com"});
    let outside = json!({"metadata": {"name": "a"}, "spec": named});
    client.post(SERVICES, &outside).await.expect(201);
    client.post(SERVICES, &service("headless", "None")).await.expect(201);
    assert_eq!(addresses(&client).await, [OWN]);
    client.put(&path, &service("a", "10.96.0.9")).await.expect(200);
    assert_eq!(addresses(&client).await, [OWN, "10.96.0.9"]);
    let status = json!({"status": {"loadBalancer": {}}});
    client.merge(&format!("{path}/status"), &status).await.expect(200);
    client.merge(&path, &json!({"metadata": {"labels": {"a": "b"}}})).await.expect(200);
    assert_eq!(addresses(&client).await, [OWN, "10.96.0.9"]);
    client.merge(&path, &json!({"spec": named})).await.expect(200);
    assert_eq!(addresses(&client).await, [OWN]);
    client.delete(SERVICES).await.expect(200);
    assert_eq!(addresses(&client).await, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn v13_addresses_made_by_hand_are_taken() {
    let range = "10.0.0.0/29".parse().expect("a range");
    let server = ApiServer::builder().service_range(range).build();
    let client = Client { server, agent: "tester" };
    client.post(ADDRESSES, &address("10.0.0.2", "a")).await.expect(201);
    let taken = client.post(SERVICES, &service("a", "10.0.0.2")).await.line();
    assert!(taken.ends_with("failed to allocate IP 10.0.0.2: provided IP is already allocated"));
    for name in ["b", "c", "d", "e"] {
        let made = client.post(SERVICES, &service(name, "")).await.expect(201);
        assert_ne!(made["spec"]["clusterIP"], "10.0.0.2");
    }
    assert_eq!(client.post(SERVICES, &service("f", "")).await.code, 500, "none is left");
    client.delete(&format!("{ADDRESSES}/10.0.0.2")).await.expect(200);
    client.post(SERVICES, &service("a", "10.0.0.2")).await.expect(201);
}

#[tokio::test(start_paused = true)]
async fn v13_addresses_of_services_come_back() {
    let (client, path) = (client(), format!("{ADDRESSES}/{OWN}"));
    let before = client.get(&path).await.expect(200);
    client.delete(&path).await.expect(200);
    let after = client.get(&path).await.expect(200);
    assert_ne!(before["metadata"]["uid"], after["metadata"]["uid"]);
    assert_eq!(before["spec"], after["spec"]);
    client.delete(ADDRESSES).await.expect(200);
    assert_eq!(addresses(&client).await, [OWN]);
}

/// Writes of the server that a hook refuses are nobody's to see.
#[tokio::test(start_paused = true)]
async fn v13_addresses_are_made_up_for() {
    for (n, made, deleted) in [(1, 201, 200), (2, 500, 404), (3, 201, 500), (4, 201, 200)] {
        let client = client();
        client.server.add_hook(NthWrite::new(n, Fault::InternalError));
        assert_eq!(client.post(SERVICES, &service("a", "10.96.0.9")).await.code, made, "{n}");
        let there = if made == 201 { &[OWN, "10.96.0.9"][..] } else { &[OWN] };
        assert_eq!(addresses(&client).await, there, "{n}");
        assert_eq!(client.delete(&format!("{SERVICES}/a")).await.code, deleted, "{n}");
        let there = if deleted == 500 { &[OWN, "10.96.0.9"][..] } else { &[OWN] };
        assert_eq!(addresses(&client).await, there, "{n}");
    }
}
