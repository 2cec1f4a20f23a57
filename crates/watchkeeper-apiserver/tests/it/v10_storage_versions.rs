//! V10.4: definitions of several versions, and which one is stored.

use serde_json::{Value, json};

use crate::support::*;
use crate::v10_conversion::*;

#[tokio::test(start_paused = true)]
async fn v10_4_what_is_stored_moves_to_the_new_storage_version_by_being_written() {
    let (client, asked) = with_ships().await;
    client.post(V1, &ship("a", 3)).await.expect(201);
    let crd = format!("{CRDS}/ships.example.com");
    let storage = |v1: bool| {
        json!([
            {"op": "replace", "path": "/spec/versions/0/storage", "value": v1},
            {"op": "replace", "path": "/spec/versions/1/storage", "value": !v1},
        ])
    };
    client.patch("json", &crd, &storage(true)).await.expect(200);
    let read = client.get(&crd).await.expect(200);
    assert_eq!(read["status"]["storedVersions"], json!(["v2", "v1"]));
    // What was stored before is v2 still.
    asked.take();
    let (old, new) = at("a");
    let before = client.get(&old).await.expect(200);
    assert_eq!(asked.take(), ["1 to v1"]);
    assert_eq!(before["spec"], json!({"size": 3, "color": "red", "flag": "white"}));
    // A write without a change of its own stores it anew.
    let rewritten = client.put(&old, &before).await.expect(200);
    assert!(version(&rewritten) > version(&before));
    asked.take();
    assert_eq!(client.get(&old).await.expect(200)["spec"], before["spec"]);
    assert!(asked.take().is_empty());
    assert_eq!(version(&client.put(&old, &rewritten).await.expect(200)), version(&rewritten));
    let read = client.get(&new).await.expect(200);
    assert_eq!(read["spec"]["dimensions"]["length"], 3);
    // Then the old version may go.
    let gone = json!([{"op": "remove", "path": "/spec/versions/1"}]);
    let line = client.patch("json", &crd, &gone).await.line();
    assert!(
        line.contains(
            "status.storedVersions[0]: Invalid value: \"v2\": missing from spec.versions; v2 was \
             previously a storage version, and must remain in spec.versions until a storage \
             migration ensures no data remains persisted in v2 and removes v2 from \
             status.storedVersions"
        ),
        "{line}"
    );
    let kept = json!({"status": {"storedVersions": ["v1"]}});
    client.merge(&format!("{crd}/status"), &kept).await.expect(200);
    client.patch("json", &crd, &gone).await.expect(200);
    assert_eq!(client.get(&new).await.code, 404);
    assert_eq!(client.get(&old).await.expect(200)["spec"]["size"], 3);
}

#[tokio::test(start_paused = true)]
async fn v10_4_versions_that_differ_in_their_name_are_stored_anew_as_well() {
    let client = client();
    let mut crd = foo_crd();
    let mut newer = crd["spec"]["versions"][0].clone();
    (newer["name"], newer["storage"]) = ("v2".into(), false.into());
    crd["spec"]["versions"].as_array_mut().expect("versions").push(newer);
    client.post(CRDS, &crd).await.expect(201);
    let foo = json!({
        "apiVersion": "example.com/v1", "kind": "Foo", "metadata": {"name": "a"}, "spec": {"color": "red"},
    });
    client.post(FOOS, &foo).await.expect(201);
    let storage = json!([
        {"op": "replace", "path": "/spec/versions/0/storage", "value": false},
        {"op": "replace", "path": "/spec/versions/1/storage", "value": true},
    ]);
    client.patch("json", &format!("{CRDS}/foos.example.com"), &storage).await.expect(200);
    let path = format!("{FOOS}/a");
    let read = client.get(&path).await.expect(200);
    let rewritten = client.put(&path, &read).await.expect(200);
    assert!(version(&rewritten) > version(&read));
    assert_eq!(version(&client.put(&path, &rewritten).await.expect(200)), version(&rewritten));
}

#[tokio::test(start_paused = true)]
async fn v10_4_definitions_that_name_nobody_are_refused() {
    let refused = |change: Value| async move {
        let mut crd = ship_crd("v2");
        crd["spec"]["conversion"] = change;
        client().post(CRDS, &crd).await.line()
    };
    let url = json!({"url": ADDRESS});
    for (conversion, place) in [
        (
            json!({"strategy": "Webhook"}),
            "spec.conversion.webhookClientConfig: Required value: required when strategy is set \
             to Webhook",
        ),
        (
            json!({"strategy": "Webhook", "webhook": {
                "clientConfig": {}, "conversionReviewVersions": ["v1"],
            }}),
            "spec.conversion.webhookClientConfig: Required value: exactly one of url or service \
             is required",
        ),
        (
            json!({"strategy": "Webhook", "webhook": {"clientConfig": url}}),
            "spec.conversion.conversionReviewVersions: Required value",
        ),
        (
            json!({"strategy": "Webhook", "webhook": {
                "clientConfig": {"url": "http://x"}, "conversionReviewVersions": ["v1"],
            }}),
            "spec.conversion.webhookClientConfig.url: Invalid value: \"http\": 'https' is the \
             only allowed URL scheme; desired format: https://host[/path]",
        ),
        (
            json!({"strategy": "Webhook", "webhook": {
                "clientConfig": url, "conversionReviewVersions": ["v7"],
            }}),
            "spec.conversion.conversionReviewVersions: Invalid value: [\"v7\"]: must include at \
             least one of v1, v1beta1",
        ),
        (
            json!({"strategy": "None", "webhook": {
                "clientConfig": url, "conversionReviewVersions": ["v1"],
            }}),
            "spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is \
             not set to Webhook",
        ),
        (json!({"strategy": "Some"}), "spec.conversion.strategy: Unsupported value: \"Some\""),
    ] {
        let line = refused(conversion).await;
        assert!(line.starts_with("422 ") && line.contains(place), "{line}");
    }
}

/// What another version lets in is stored as the storage version has it, and shown so in both.
#[tokio::test(start_paused = true)]
async fn v10_4_what_is_stored_fits_the_schema_of_the_storage_version() {
    let client = client();
    let mut crd = foo_crd();
    let mut loose = crd["spec"]["versions"][0].clone();
    let anything = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    (loose["name"], loose["storage"]) = ("v2".into(), false.into());
    loose["schema"]["openAPIV3Schema"]["properties"]["spec"] = anything;
    crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"] = json!({
        "type": "object", "properties": {
            "color": {"type": "string"}, "size": {"type": "integer", "default": 3}}});
    crd["spec"]["versions"].as_array_mut().expect("versions").push(loose);
    client.post(CRDS, &crd).await.expect(201);
    let foo = |spec: Value| json!({"apiVersion": "example.com/v2", "kind": "Foo", "metadata": {"name": "a"}, "spec": spec});
    let foos = FOOS.replace("/v1/", "/v2/");
    let made = client.post(&foos, &foo(json!({"color": 7, "other": 1}))).await.expect(201);
    let fitting = json!({"color": 7, "size": 3});
    assert_eq!(made["spec"], fitting);
    assert_eq!(made["apiVersion"], "example.com/v2");
    assert_eq!(client.get(&format!("{FOOS}/a")).await.expect(200)["spec"], fitting);
    let changed = json!({"spec": {"other": {"x": 1}, "size": null, "color": "red"}});
    let changed = client.merge(&format!("{foos}/a"), &changed).await.expect(200);
    assert_eq!(changed["spec"], json!({"color": "red", "size": 3}));
    // What comes to the same is no write.
    let again = client.merge(&format!("{foos}/a"), &json!({"spec": {"color": "red"}})).await;
    assert_eq!(version(&again.expect(200)), version(&changed));
}
