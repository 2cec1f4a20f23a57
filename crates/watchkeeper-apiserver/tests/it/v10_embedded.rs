//! V10: whole objects within custom resources.

use serde_json::{Value, json};

use crate::support::*;

const SPEC: &str = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties";

/// A client of a server with definitions of which `any` may be anything.
async fn with_foos() -> Client {
    let client = client();
    client.post(CRDS, &foo_crd()).await.expect(201);
    client
}

/// From now on `any` is a whole object, and `set` a list without anything in it twice.
async fn embed(client: &Client) {
    let whole = json!({
        "type": "object", "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
    });
    let set =
        json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"});
    let change = json!([
        {"op": "replace", "path": format!("{SPEC}/any"), "value": whole},
        {"op": "add", "path": format!("{SPEC}/set"), "value": set},
    ]);
    client.patch("json", &format!("{CRDS}/foos.example.com"), &change).await.expect(200);
}

/// A foo with a pod of that name in it.
fn with_pod(name: &str, pod: &str) -> Value {
    let mut foo = foo(name, "red");
    foo["spec"]["any"] = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": pod}});
    foo
}

fn refused(name: &str) -> String {
    let why = r#"spec.any.metadata.name: Invalid value: "a/b": may not contain '/'"#;
    format!("422 Invalid: Foo.example.com \"{name}\" is invalid: {why}")
}

#[tokio::test(start_paused = true)]
async fn v10_2_whole_objects_within_are_judged_by_each_write_but_of_the_status() {
    let client = with_foos().await;
    client.post(FOOS, &with_pod("old", "a/b")).await.expect(201);
    embed(&client).await;
    assert_eq!(client.post(FOOS, &with_pod("new", "a/b")).await.line(), refused("new"));
    let mut made = client.post(FOOS, &with_pod("new", "a.b")).await.expect(201);
    made["spec"]["any"]["metadata"]["name"] = "a/b".into();
    let path = format!("{FOOS}/new");
    assert_eq!(client.put(&path, &made).await.line(), refused("new"));
    // What was there before is no better for it.
    let path = format!("{FOOS}/old");
    let more = json!({"spec": {"replicas": 2}});
    assert_eq!(client.merge(&path, &more).await.line(), refused("old"));
    let mut old = client.get(&path).await.expect(200);
    old["status"] = json!({"replicas": 3});
    let written = client.put(&format!("{path}/status"), &old).await.expect(200);
    assert_eq!(written["status"]["replicas"], 3);
    assert_eq!(written["spec"]["any"]["metadata"]["name"], "a/b");
}

/// The order of `customResourceStrategy`.
#[tokio::test(start_paused = true)]
async fn v10_2_whole_objects_are_told_of_after_replicas_and_before_lists() {
    let client = with_foos().await;
    embed(&client).await;
    let mut wrong = with_pod("a", "a/b");
    wrong["spec"]["any"].as_object_mut().expect("an object").remove("apiVersion");
    wrong["spec"]["replicas"] = (-1).into();
    wrong["spec"]["set"] = json!(["x", "x"]);
    let told = client.post(FOOS, &wrong).await.line();
    let said = [
        ".spec.replicas: Invalid value: -1: should be a non-negative integer",
        "spec.any.apiVersion: Required value",
        r#"spec.any.metadata.name: Invalid value: "a/b": may not contain '/'"#,
        r#"spec.set[1]: Duplicate value: "x""#,
    ];
    let all = said.join(", ");
    assert_eq!(told, format!("422 Invalid: Foo.example.com \"a\" is invalid: [{all}]"));
}

/// Where each of them is takes a megabyte to say.
#[tokio::test(start_paused = true)]
async fn v10_2_whole_objects_far_below_a_long_name_are_judged_in_passing() {
    let client = with_foos().await;
    let whole = json!({
        "type": "object", "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
    });
    let lists = json!({"type": "object",
        "additionalProperties": {"type": "array", "items": whole}});
    let change = json!([{"op": "replace", "path": format!("{SPEC}/any"), "value": lists}]);
    client.patch("json", &format!("{CRDS}/foos.example.com"), &change).await.expect(200);
    let mut wrong = foo("a", "red");
    wrong["spec"]["any"] = json!({});
    wrong["spec"]["any"]["x".repeat(1 << 20)] = json!(vec![json!({}); 1_000]);
    let told = client.post(FOOS, &wrong).await;
    assert_eq!(told.code, 422);
    let causes = told.json()["details"]["causes"].as_array().map_or(0, Vec::len);
    assert!((1..=4).contains(&causes), "{causes}");
}
