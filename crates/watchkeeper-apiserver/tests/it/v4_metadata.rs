//! V4.10: what metadata may be, of built-in and custom resources alike.

use serde_json::{Value, json};

use crate::support::*;

const SERVICES: &str = "/api/v1/namespaces/default/services";

async fn with_foos() -> Client {
    let client = client();
    client.post(CRDS, &foo_crd()).await.expect(201);
    client
}

/// An object of either sort with this metadata, and where it is created.
fn both(metadata: &Value) -> [(&'static str, Value); 2] {
    let mut custom = foo("x", "red");
    custom["metadata"] = metadata.clone();
    [(CONFIG_MAPS, json!({"metadata": metadata})), (FOOS, custom)]
}

/// The fields and messages of the causes of a 422, without the patterns that they quote.
fn causes(answer: &Answer) -> Vec<String> {
    let status = answer.expect(422);
    let list = status["details"]["causes"].as_array().expect("causes");
    let text = |cause: &Value, name: &str| cause[name].as_str().unwrap_or_default().to_owned();
    list.iter()
        .map(|cause| {
            let message = text(cause, "message");
            let message = message.split(" (e.g.").next().unwrap_or_default();
            format!("{}: {}", text(cause, "field"), message)
        })
        .collect()
}

async fn refused(client: &Client, metadata: Value) -> Vec<String> {
    let [builtin, custom] = both(&metadata);
    let one = causes(&client.post(builtin.0, &builtin.1).await);
    let other = causes(&client.post(custom.0, &custom.1).await);
    assert_eq!(one, other, "both sorts have the same rules");
    one
}

#[tokio::test(start_paused = true)]
async fn v4_10_names_are_those_of_dns() {
    let client = with_foos().await;
    let ports = json!({"ports": [{"port": 1}]});
    let lines = [
        refused(&client, json!({"name": "Not_OK"})).await,
        refused(&client, json!({"name": "x".repeat(254)})).await,
        refused(&client, json!({"name": "-a"})).await,
        refused(&client, json!({"name": "a..b"})).await,
        causes(&client.post("/api/v1/namespaces", &json!({"metadata": {"name": "a.b"}})).await),
        causes(&client.post(SERVICES, &json!({"metadata": {"name": "a.b"}, "spec": ports})).await),
    ]
    .concat();
    expect_test::expect![[r#"
        metadata.name: Invalid value: "Not_OK": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character
        metadata.name: Invalid value: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx": must be no more than 253 characters
        metadata.name: Invalid value: "-a": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character
        metadata.name: Invalid value: "a..b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character
        metadata.name: Invalid value: "a.b": must not contain dots
        metadata.name: Invalid value: "a.b": must not contain dots"#]].assert_eq(&lines.join("\n"));
    for (path, body) in both(&json!({"name": "a.b-c.1"})) {
        client.post(path, &body).await.expect(201);
    }
    for (path, body) in both(&json!({"name": "x".repeat(253)})) {
        client.post(path, &body).await.expect(201);
    }
}

#[tokio::test(start_paused = true)]
async fn v4_10_labels_have_a_syntax() {
    let client = with_foos().await;
    let long = "x".repeat(64);
    let lines = [
        refused(&client, json!({"name": "a", "labels": {"a b": ""}})).await,
        refused(&client, json!({"name": "a", "labels": {"Upper.example/a": ""}})).await,
        refused(&client, json!({"name": "a", "labels": {"k": "a b"}})).await,
        refused(&client, json!({"name": "a", "labels": {"k": long}})).await,
        refused(&client, json!({"name": "a", "labels": {long.as_str(): ""}})).await,
    ]
    .concat();
    expect_test::expect![[r#"
        metadata.labels: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character
        metadata.labels: Invalid value: "Upper.example/a": prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character
        metadata.labels: Invalid value: "a b": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character
        metadata.labels: Invalid value: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx": must be no more than 63 bytes
        metadata.labels: Invalid value: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx": name part must be no more than 63 bytes"#]].assert_eq(&lines.join("\n"));
    let fine = json!({"example.com/a_B.c": "", "a": "A_b.c-1", "b": "x".repeat(63)});
    for (path, body) in both(&json!({"name": "a", "labels": fine})) {
        client.post(path, &body).await.expect(201);
        let change = json!({"metadata": {"labels": {"k": "a b"}}});
        assert_eq!(client.merge(&format!("{path}/a"), &change).await.code, 422, "updates, too");
    }
}

#[tokio::test(start_paused = true)]
async fn v4_10_annotations_have_a_total_size() {
    let client = with_foos().await;
    let half = 128 * 1024 - 1;
    let annotations = |more: usize| json!({"a": "x".repeat(half), "b": "y".repeat(half + more)});
    assert_eq!(
        refused(&client, json!({"name": "a", "annotations": annotations(1)})).await,
        ["metadata.annotations: Too long: may not be more than 262144 bytes"]
    );
    for (path, body) in both(&json!({"name": "a", "annotations": annotations(0)})) {
        client.post(path, &body).await.expect(201);
        let change = json!({"metadata": {"annotations": {"c": ""}}});
        let mut line = causes(&client.merge(&format!("{path}/a"), &change).await);
        // Each of the functions that judge an update says so.
        assert!(line.len() >= 3, "{line:?}");
        line.dedup();
        assert_eq!(line, ["metadata.annotations: Too long: may not be more than 262144 bytes"]);
    }
    let key = refused(&client, json!({"name": "b", "annotations": {"a b": ""}})).await;
    assert!(
        key[0].starts_with("metadata.annotations: Invalid value: \"a b\": name part"),
        "{key:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn v4_10_finalizers_are_qualified() {
    let client = with_foos().await;
    for (path, body) in both(&json!({"name": "a", "finalizers": ["no good"]})) {
        let lines = causes(&client.post(path, &body).await);
        let said = "metadata.finalizers: Invalid value: \"no good\": name part must consist of";
        assert!(lines[0].starts_with(said), "{lines:?}");
    }
    let short = json!({"metadata": {"name": "a", "finalizers": ["short"]}});
    assert_eq!(
        causes(&client.post(CONFIG_MAPS, &short).await),
        ["metadata.finalizers[0]: Invalid value: \"short\": name is neither a standard finalizer \
             name nor is it fully qualified"]
    );
    for (path, body) in both(&json!({"name": "a", "finalizers": ["example.com/a", "orphan"]})) {
        client.post(path, &body).await.expect(201);
    }
}

#[tokio::test(start_paused = true)]
async fn v4_10_a_deletion_takes_no_new_finalizers() {
    let client = with_foos().await;
    for (path, body) in
        both(&json!({"name": "a", "finalizers": ["example.com/a", "example.com/b"]}))
    {
        client.post(path, &body).await.expect(201);
        let path = format!("{path}/a");
        client.delete(&path).await.expect(200);
        let set = |list: Value| json!({"metadata": {"finalizers": list}});
        let refused = client
            .merge(&path, &set(json!(["example.com/a", "example.com/b", "example.com/c"])))
            .await;
        let said = "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, \
                    found new finalizers []string{\"example.com/c\"}";
        assert_eq!(causes(&refused), [said, said], "what is common to all kinds, and the kind");
        client.merge(&path, &set(json!(["example.com/b"]))).await.expect(200);
        client.merge(&path, &set(json!([]))).await.expect(200);
        assert_eq!(client.get(&path).await.code, 404);
    }
}
