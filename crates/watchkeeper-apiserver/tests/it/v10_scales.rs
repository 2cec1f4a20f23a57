//! V10: the places of a custom resource that its scale shows.

use serde_json::{Value, json};

use crate::support::*;

async fn with_foos() -> Client {
    let client = client();
    client.post(CRDS, &foo_crd()).await.expect(201);
    client
}

fn refused(causes: &[&str]) -> String {
    format!("422 Invalid: Foo.example.com \"a\" is invalid: [{}]", causes.join(", "))
}

#[tokio::test(start_paused = true)]
async fn v10_2_replicas_of_another_type_are_told_of_as_the_scale_reads_them() {
    let client = with_foos().await;
    let mut wrong = foo("a", "red");
    wrong["spec"]["replicas"] = "many".into();
    let told = client.post(FOOS, &wrong).await.line();
    let said = [
        r#"spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string""#,
        ".spec.replicas: Invalid value: 0: .spec.replicas accessor error: many is of the type string, expected int64",
    ];
    assert_eq!(told, refused(&said));
}

#[tokio::test(start_paused = true)]
async fn v10_2_a_spec_that_has_nothing_below_it_is_told_of_as_the_scale_reads_it() {
    let client = with_foos().await;
    let wrong = json!({ "apiVersion": "example.com/v1", "kind": "Foo", "metadata": { "name": "a" }, "spec": [1] });
    let told = client.post(FOOS, &wrong).await.line();
    let said = [
        r#"spec: Invalid value: "array": spec in body must be of type object: "array""#,
        ".spec.replicas: Invalid value: 0: .spec.replicas accessor error: [1] is of the type []interface {}, expected \
         map[string]interface{}",
    ];
    assert_eq!(told, refused(&said));
}

#[tokio::test(start_paused = true)]
async fn v10_2_who_writes_a_status_is_told_of_its_replicas_and_its_selector() {
    let client = with_foos().await;
    client.post(FOOS, &foo("a", "red")).await.expect(201);
    let status: Value = json!({ "status": { "replicas": true, "selector": { "b": 1 } } });
    let told = client.merge(&format!("{FOOS}/a/status"), &status).await.line();
    let said = [
        r#"status.replicas: Invalid value: "boolean": replicas in body must be of type integer: "boolean""#,
        r#"status.selector: Invalid value: "object": selector in body must be of type string: "object""#,
        ".status.replicas: Invalid value: 0: .status.replicas accessor error: true is of the type bool, expected int64",
        ".status.selector: Invalid value: \"\": .status.selector accessor error: map[] is of the type \
         map[string]interface {}, expected string",
    ];
    assert_eq!(told, refused(&said));
}
