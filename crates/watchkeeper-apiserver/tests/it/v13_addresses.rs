//! V13: the addresses of Services are objects that come and go with them.

use serde_json::{Value, json};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_apiserver::hooks::{Fault, NthWrite};

use crate::support::*;

const ADDRESSES: &str = "/apis/networking.k8s.io/v1/ipaddresses";
const SERVICES: &str = "/api/v1/namespaces/default/services";
/// That of the Service `kubernetes`.
const OWN: &str = "10.96.0.1";
/// The labels of addresses of Services.
const FAMILY: &str = "ipaddress.kubernetes.io/ip-family";
const MANAGED_BY: &str = "ipaddress.kubernetes.io/managed-by";

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
    let full = client.post(SERVICES, &service("f", "")).await;
    let why = "failed to allocate a serviceIP for Service \"f\": range is full";
    assert_eq!(full.line(), format!("500 InternalError: Internal error occurred: {why}"));
    assert_eq!(full.json()["details"], json!({"causes": [{"message": why}]}));
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

/// Whoever is named by what is there already, a new Service does not get it.
#[tokio::test(start_paused = true)]
async fn v13_addresses_are_not_taken_over() {
    let client = client();
    let mut labelled = address("10.96.0.9", "a");
    labelled["metadata"]["labels"] = json!({FAMILY: "IPv4", MANAGED_BY: "ipallocator.k8s.io"});
    client.post(ADDRESSES, &labelled).await.expect(201);
    let taken = "422 Invalid: Service \"a\" is invalid: spec.clusterIPs: Invalid value: [\"10.96.0.9\"]: \
                 failed to allocate IP 10.96.0.9: provided IP is already allocated";
    assert_eq!(client.post(SERVICES, &service("a", "10.96.0.9")).await.line(), taken);
    client.delete(&format!("{ADDRESSES}/10.96.0.9")).await.expect(200);
    client.post(SERVICES, &service("a", "10.96.0.9")).await.expect(201);
    // It is given out before it is asked whether the Service is there.
    assert_eq!(client.post(SERVICES, &service("a", "10.96.0.9")).await.line(), taken);
    assert_eq!(client.post(SERVICES, &service("a", "10.96.0.8")).await.code, 409);
    client.put(&format!("{SERVICES}/a"), &service("a", "10.96.0.9")).await.expect(200);
    assert_eq!(addresses(&client).await, [OWN, "10.96.0.9"]);
}

#[tokio::test(start_paused = true)]
async fn v13_addresses_of_services_keep_their_labels() {
    let (client, path) = (client(), format!("{ADDRESSES}/{OWN}"));
    let before = client.get(&path).await.expect(200);
    let changes = [json!({MANAGED_BY: null}), json!({MANAGED_BY: "me"}), json!({FAMILY: "IPv6"})];
    for change in changes {
        let told = client.merge(&path, &json!({"metadata": {"labels": change}})).await.expect(200);
        assert_ne!(told["metadata"]["labels"], before["metadata"]["labels"]);
        let after = client.get(&path).await.expect(200);
        assert_eq!(after["metadata"]["labels"], before["metadata"]["labels"], "{change}");
        assert_ne!(after["metadata"]["uid"], told["metadata"]["uid"], "it is made anew");
    }
    let more = json!({"metadata": {"labels": {"mine": "1"}}});
    let told = client.merge(&path, &more).await.expect(200);
    assert_eq!(client.get(&path).await.expect(200), told, "others are nobody's business");
    // The second write is that of the server.
    client.server.add_hook(NthWrite::new(2, Fault::InternalError));
    client.merge(&path, &json!({"metadata": {"labels": null}})).await.expect(200);
    let after = client.get(&path).await.expect(200);
    assert_eq!(after["metadata"]["labels"], before["metadata"]["labels"]);
    client.delete(&format!("{SERVICES}/kubernetes")).await.expect(200);
    assert_eq!(addresses(&client).await, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn v13_addresses_made_by_hand_are_of_whoever_made_them() {
    let (client, path) = (client(), format!("{ADDRESSES}/10.96.0.9"));
    client.post(ADDRESSES, &address("10.96.0.9", "kubernetes")).await.expect(201);
    let more = json!({"metadata": {"labels": {"mine": "1"}}});
    let told = client.merge(&path, &more).await.expect(200);
    client.delete(&format!("{SERVICES}/kubernetes")).await.expect(200);
    assert_eq!(addresses(&client).await, ["10.96.0.9"]);
    assert_eq!(client.get(&path).await.expect(200), told);
}

/// An address is written before a Service is judged, and cannot be for one without a name.
#[tokio::test(start_paused = true)]
async fn v13_addresses_are_refused_to_services_without_a_name() {
    let client = client();
    let why = "is invalid: spec.parentRef.name: Required value";
    let any = client.post(SERVICES, &service("", "")).await.line();
    let begin = "422 Invalid: Service \"\" is invalid: spec.clusterIPs: Invalid value: [\"\"]: \
                 failed to allocate IP: IPAddress.networking.k8s.io \"10.96.";
    assert!(any.starts_with(begin) && any.ends_with(why), "{any}");
    let given = client.post(SERVICES, &service("", "10.96.0.9")).await.line();
    let begin = "422 Invalid: Service \"\" is invalid: spec.clusterIPs: Invalid value: [\"10.96.0.9\"]: \
                 failed to allocate IP 10.96.0.9: IPAddress.networking.k8s.io \"10.96.0.9\"";
    assert_eq!(given, format!("{begin} {why}"));
    let dry = format!("{SERVICES}?dryRun=All");
    for (path, body) in [(SERVICES, service("", "None")), (&*dry, service("", ""))] {
        let said = client.post(path, &body).await.line();
        assert!(said.contains("metadata.name: Required value"), "{said}");
    }
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
