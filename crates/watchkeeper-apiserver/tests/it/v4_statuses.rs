//! V4.7: statuses that more than their words decide about.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use watchkeeper_apiserver::{ApiServer, User};

use crate::support::*;

const REQUESTS: &str = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const CLAIMS: &str = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
const TEMPLATES: &str = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates";
const ROLES: &str = "/apis/rbac.authorization.k8s.io/v1";

#[tokio::test(start_paused = true)]
async fn v4_7_a_request_for_a_certificate_is_approved_on_a_path_of_its_own() {
    let client = client();
    let pem = "-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----\n";
    let request = json!({"metadata": {"name": "a b"}, "spec": {
        "request": STANDARD.encode(pem), "signerName": "example.com/a", "usages": ["client auth"],
    }});
    client.post(REQUESTS, &request).await.expect(201);
    let path = format!("{REQUESTS}/a%20b");
    let yes = json!({"status": {"conditions": [{"type": "Approved", "status": "True"}]}});
    let line = client.merge(&format!("{path}/status"), &yes).await.line();
    assert!(line.ends_with("updates may not add a condition of type \"Approved\""), "{line}");
    let approved = client.merge(&format!("{path}/approval"), &yes).await.expect(200);
    let condition = &approved["status"]["conditions"][0];
    assert_eq!(condition["lastUpdateTime"], condition["lastTransitionTime"]);
    assert_eq!(condition["lastUpdateTime"].as_str().map(str::len), Some(20), "{condition}");
    let changed = json!({"status": {
        "certificate": STANDARD.encode(pem.replace(" REQUEST", "")),
        "conditions": [{"type": "Approved", "status": "True", "message": "not said"}],
    }});
    let issued = client.merge(&format!("{path}/status"), &changed).await.expect(200);
    assert_eq!(issued["status"]["conditions"], approved["status"]["conditions"]);
    assert_eq!(issued["status"]["certificate"], changed["status"]["certificate"]);
    let none = json!({"status": {"certificate": null, "conditions": null}});
    let kept = client.merge(&path, &none).await.expect(200);
    assert_eq!(kept["status"], issued["status"], "the request has no status of its own");
}

fn claim(name: &str, shares: bool) -> Value {
    let exactly = json!({"deviceClassName": "c", "adminAccess": shares});
    json!({"metadata": {"name": name}, "spec": {"devices": {"requests": [{"name": "r", "exactly": exactly}]}}})
}

fn result(device: &str) -> Value {
    json!({"request": "r", "driver": "d.example.com", "pool": "p", "device": device})
}

fn allocated(results: &[Value]) -> Value {
    json!({"status": {"allocation": {"devices": {"results": results}}}})
}

#[tokio::test(start_paused = true)]
async fn v4_7_what_was_told_of_devices_goes_with_them() {
    let client = client();
    client.post(CLAIMS, &claim("a", false)).await.expect(201);
    let path = format!("{CLAIMS}/a/status");
    let told = |device: &str| json!({"driver": "d.example.com", "pool": "p", "device": device});
    let mut both = allocated(&[result("a"), result("b")]);
    both["status"]["devices"] = json!([told("a"), told("b")]);
    client.merge(&path, &both).await.expect(200);
    let none = json!({"status": {"allocation": null}});
    let left = client.merge(&path, &none).await.expect(200);
    assert_eq!(left["status"], json!({}), "{left}");
}

#[tokio::test(start_paused = true)]
async fn v4_7_devices_that_others_have_are_for_namespaces_of_administrators() {
    let client = client();
    let why = "admin access to devices requires the `resource.kubernetes.io/admin-access: true` label \
               on the containing namespace";
    let line = client.post(CLAIMS, &claim("a", true)).await.line();
    let told = format!("spec.devices.requests[0].adminAccess: Forbidden: {why}");
    let head = "422 Invalid: ResourceClaim.resource.k8s.io \"a\" is invalid";
    assert_eq!(line, format!("{head}: {told}"));
    let template = json!({"metadata": {"name": "a"}, "spec": {"spec": claim("a", true)["spec"]}});
    assert!(client.post(TEMPLATES, &template).await.line().ends_with(&told));
    client.post(CLAIMS, &claim("a", false)).await.expect(201);
    let mut shared = result("a");
    shared["adminAccess"] = true.into();
    let path = format!("{CLAIMS}/a/status");
    let line = client.merge(&path, &allocated(&[result("b"), shared.clone()])).await.line();
    let place = "status.allocation.devices.results[1].adminAccess";
    assert_eq!(line, format!("{head}: {place}: Forbidden: {why}"));
    let marked = json!({"metadata": {"labels": {"resource.kubernetes.io/admin-access": "true"}}});
    client.merge("/api/v1/namespaces/default", &marked).await.expect(200);
    client.merge(&path, &allocated(&[shared])).await.expect(200);
    client.post(CLAIMS, &claim("b", true)).await.expect(201);
    client.post(TEMPLATES, &template).await.expect(201);
}

/// Sends as the user of a token.
async fn with(client: &Client, token: &str, method: &str, path: &str, body: &Value) -> Answer {
    let kind = if method == "PATCH" { "application/merge-patch+json" } else { "application/json" };
    let headers = [("authorization", token), ("content-type", kind)];
    client.try_send(method, path, &headers, body.to_string()).await.expect("an answer")
}

/// Lets alice do something with a resource of claims, of this name if there is one.
async fn allow(client: &Client, name: &str, resource: &str, verb: &str, of: &[&str]) {
    let rule = json!({
        "apiGroups": ["resource.k8s.io"], "resources": [resource], "verbs": [verb], "resourceNames": of,
    });
    let role = json!({"metadata": {"name": name}, "rules": [rule]});
    let path = format!("{ROLES}/clusterroles");
    with(client, "Bearer root", "POST", &path, &role).await.expect(201);
    let of = json!({"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name});
    let alice = json!({"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "alice"});
    let binding = json!({"metadata": {"name": name}, "roleRef": of, "subjects": [alice]});
    let path = format!("{ROLES}/clusterrolebindings");
    with(client, "Bearer root", "POST", &path, &binding).await.expect(201);
}

#[tokio::test(start_paused = true)]
async fn v4_7_what_becomes_of_a_claim_is_told_by_those_who_may() {
    let server = ApiServer::builder().rbac().token("root").user("a", User::new("alice")).build();
    let client = Client { server, agent: "tester" };
    allow(&client, "status", "resourceclaims/status", "patch", &[]).await;
    with(&client, "Bearer root", "POST", CLAIMS, &claim("a", false)).await.expect(201);
    let path = format!("{CLAIMS}/a/status");
    let patch = async |body: &Value| with(&client, "Bearer a", "PATCH", &path, body).await;
    let one = allocated(&[result("a")]);
    let head = "422 Invalid: ResourceClaim.resource.k8s.io \"a\" is invalid";
    assert_eq!(
        patch(&one).await.line(),
        format!(
            "{head}: status.allocation: Forbidden: changing status.allocation or status.reservedFor \
             requires resource=\"resourceclaims/binding\", verb=\"patch\" permission: \
             resourceclaims.resource.k8s.io is forbidden: User \"alice\" cannot patch resource \
             \"resourceclaims/binding\" in API group \"resource.k8s.io\" at the cluster scope"
        )
    );
    allow(&client, "binding", "resourceclaims/binding", "patch", &[]).await;
    patch(&one).await.expect(200);
    let device = json!({"driver": "d.example.com", "pool": "p", "device": "a"});
    let told = json!({"status": {"devices": [device]}});
    assert_eq!(
        patch(&told).await.line(),
        format!(
            "{head}: status.devices: Forbidden: changing status.devices requires \
             resource=\"resourceclaims/driver\", verb=\"[arbitrary-node:patch]\" permission: \
             resourceclaims.resource.k8s.io \"d.example.com\" is forbidden: User \"alice\" cannot \
             arbitrary-node:patch resource \"resourceclaims/driver\" in API group \
             \"resource.k8s.io\" in the namespace \"default\""
        )
    );
    allow(&client, "other", "resourceclaims/driver", "arbitrary-node:patch", &["e"]).await;
    assert_eq!(patch(&told).await.code, 422, "that is another driver's");
    allow(&client, "own", "resourceclaims/driver", "arbitrary-node:patch", &["d.example.com"])
        .await;
    patch(&told).await.expect(200);
}

/// To ask for each of sixty thousand drivers whether alice may speak for it takes longer than anybody waits.
#[tokio::test(start_paused = true)]
async fn v4_7_of_more_drivers_than_a_claim_has_nobody_is_asked() {
    let server = ApiServer::builder().rbac().token("root").user("a", User::new("alice")).build();
    let client = Client { server, agent: "tester" };
    for resource in ["status", "binding"] {
        allow(&client, resource, &format!("resourceclaims/{resource}"), "patch", &[]).await;
    }
    with(&client, "Bearer root", "POST", CLAIMS, &claim("a", false)).await.expect(201);
    let path = format!("{CLAIMS}/a/status");
    let one = allocated(&[result("a")]);
    with(&client, "Bearer a", "PATCH", &path, &one).await.expect(200);
    let device = |n: usize| json!({"driver": format!("d{n}"), "pool": "p", "device": "a"});
    for (count, refusals, are_too_many) in [(60, 60, false), (2_000, 64, true)] {
        let devices: Vec<Value> = (0..count).map(device).collect();
        let told = json!({"status": {"devices": devices}});
        let answer = with(&client, "Bearer a", "PATCH", &path, &told).await;
        assert_eq!(answer.code, 422, "{:.300}", answer.text);
        let answer = answer.json();
        let causes = answer["details"]["causes"].as_array().expect("causes");
        let says = |what: &str| {
            let told = |cause: &&Value| cause["message"].as_str().is_some_and(|m| m.contains(what));
            causes.iter().filter(told).count()
        };
        assert_eq!(says("requires resource=\"resourceclaims/driver\""), refusals);
        assert_eq!(says("may not be of more than 64 drivers") == 1, are_too_many);
    }
}
