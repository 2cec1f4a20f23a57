//! V12.3: tokens that are bound to objects, and what they say of those.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::support::{Client, PODS, client, pod};

const ACCOUNTS: &str = "/api/v1/namespaces/default/serviceaccounts";
const TOKEN: &str = "/api/v1/namespaces/default/serviceaccounts/cook/token";

async fn with_cook() -> Client {
    let client = client();
    client.post(ACCOUNTS, &json!({"metadata": {"name": "cook"}})).await.expect(201);
    client
}

/// Makes a pod of an account on a node, and gives its uid.
async fn runs(client: &Client, name: &str, account: &str, node: &str) -> Value {
    let mut pod = pod(name);
    pod["spec"]["serviceAccountName"] = account.into();
    if !node.is_empty() {
        pod["spec"]["nodeName"] = node.into();
    }
    client.post(PODS, &pod).await.expect(201)["metadata"]["uid"].clone()
}

fn bound(kind: &str, name: &str, uid: &str) -> Value {
    let mut reference = json!({"apiVersion": "v1", "kind": kind, "name": name});
    if !uid.is_empty() {
        reference["uid"] = uid.into();
    }
    json!({"spec": {"boundObjectRef": reference}})
}

/// What the token says of Kubernetes, without the account and its namespace.
async fn claims(client: &Client, request: &Value) -> Value {
    let made = client.post(TOKEN, request).await.expect(201);
    let token = made["status"]["token"].as_str().expect("a token");
    let claims = token.split('.').nth(1).expect("three parts");
    let claims = URL_SAFE_NO_PAD.decode(claims).expect("base64");
    let claims: Value = serde_json::from_slice(&claims).expect("JSON");
    let mut own = claims["kubernetes.io"].clone();
    let members = own.as_object_mut().expect("members");
    assert!(members.remove("namespace").is_some() && members.remove("serviceaccount").is_some());
    own
}

#[tokio::test(start_paused = true)]
async fn v12_3_a_token_of_a_pod_tells_the_node_that_it_runs_on() {
    let client = with_cook().await;
    let node = json!({"metadata": {"name": "here"}});
    let node = client.post("/api/v1/nodes", &node).await.expect(201)["metadata"]["uid"].clone();
    let a = runs(&client, "a", "cook", "here").await;
    let b = runs(&client, "b", "cook", "gone").await;
    let c = runs(&client, "c", "cook", "").await;
    for (name, expected) in [
        ("a", json!({"pod": {"name": "a", "uid": a}, "node": {"name": "here", "uid": node}})),
        ("b", json!({"pod": {"name": "b", "uid": b}, "node": {"name": "gone"}})),
        ("c", json!({"pod": {"name": "c", "uid": c}})),
    ] {
        assert_eq!(claims(&client, &bound("Pod", name, "")).await, expected, "{name}");
    }
    let told = claims(&client, &bound("Node", "here", "")).await;
    assert_eq!(told, json!({"node": {"name": "here", "uid": node}}));
    assert_eq!(claims(&client, &json!({})).await, json!({}));
}

#[tokio::test(start_paused = true)]
async fn v12_3_a_token_is_bound_to_what_is_there_and_is_the_accounts() {
    let client = with_cook().await;
    let uid = runs(&client, "a", "cook", "").await;
    runs(&client, "other", "default", "").await;
    let right = bound("Pod", "a", uid.as_str().expect("a uid"));
    client.post(TOKEN, &right).await.expect(201);
    for (request, expected) in [
        (bound("Pod", "nobody", ""), "404 NotFound: pods \"nobody\" not found"),
        (bound("Secret", "a", ""), "404 NotFound: secrets \"a\" not found"),
        (
            bound("ConfigMap", "a", ""),
            "400 BadRequest: cannot bind token to object of type /v1, Kind=ConfigMap",
        ),
        (
            bound("Pod", "other", ""),
            "400 BadRequest: cannot bind token for serviceaccount \"cook\" to pod running with \
             different serviceaccount name.",
        ),
    ] {
        assert_eq!(client.post(TOKEN, &request).await.line(), expected);
    }
    let line = client.post(TOKEN, &bound("Pod", "a", "x")).await.line();
    let head =
        "409 Conflict: Operation cannot be fulfilled on Pod \"a\": the UID in the bound object";
    assert!(line.starts_with(head), "{line}");
}

#[tokio::test(start_paused = true)]
async fn v12_3_a_request_for_a_token_is_of_the_account_of_its_path() {
    let client = with_cook().await;
    for (metadata, code) in [
        (json!({"name": "cook", "namespace": "default"}), 201),
        (json!({"name": "eve"}), 422),
        (json!({"namespace": "other"}), 422),
    ] {
        let answer = client.post(TOKEN, &json!({"metadata": metadata})).await;
        assert_eq!(answer.code, code, "{metadata} {}", answer.text);
    }
}
