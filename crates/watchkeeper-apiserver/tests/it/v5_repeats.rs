//! V4.6 and V5.3 together: applying the same again is no write, however it is spelled.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::*;

/// Applies twice, seconds apart, and gives both resource versions.
async fn twice(client: &Client, path: &str, object: &Value) -> (u64, u64) {
    let path = format!("{path}?fieldManager=m&force=true");
    let first = client.patch("apply", &path, object).await;
    assert!(matches!(first.code, 200 | 201), "{}", first.text);
    tokio::time::advance(Duration::from_secs(5)).await;
    let second = client.patch("apply", &path, object).await.expect(200);
    (version(&first.json()), version(&second))
}

#[tokio::test(start_paused = true)]
async fn v5_3_applying_the_same_again_is_no_write_however_it_is_spelled() {
    let client = client();
    let containers = [
        json!({"resources": {"limits": {"cpu": "1000m", "memory": "1024Mi"}}}),
        json!({"resources": {"requests": {"cpu": 1}}}),
        json!({"env": [{"name": "EMPTY", "value": ""}]}),
        json!({"env": [], "args": [], "resources": {}}),
        json!({"env": null}),
    ];
    for (index, spelled) in containers.iter().enumerate() {
        let name = format!("web-{index}");
        let mut object = deployment(&name, 1);
        let container = &mut object["spec"]["template"]["spec"]["containers"][0];
        for (member, value) in spelled.as_object().expect("an object") {
            container[member] = value.clone();
        }
        let (first, second) = twice(&client, &format!("{DEPLOYMENTS}/{name}"), &object).await;
        assert_eq!(first, second, "{spelled}");
    }
}

#[tokio::test(start_paused = true)]
async fn v5_3_applying_what_a_typed_client_sends_again_is_no_write() {
    let client = client();
    let mut object = deployment("typed", 1);
    object["metadata"]["creationTimestamp"] = Value::Null;
    object["spec"]["template"]["metadata"]["creationTimestamp"] = Value::Null;
    object["spec"]["strategy"] = json!({});
    object["status"] = json!({});
    let (first, second) = twice(&client, &format!("{DEPLOYMENTS}/typed"), &object).await;
    assert_eq!(first, second);

    let path = "/api/v1/namespaces/default/secrets/s";
    let secret = json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "stringData": {"a": "b"}});
    let (first, second) = twice(&client, path, &secret).await;
    assert_eq!(first, second);

    let status = json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "typed"},
        "status": {"replicas": 1, "readyReplicas": 0},
    });
    let (first, second) = twice(&client, &format!("{DEPLOYMENTS}/typed/status"), &status).await;
    assert_eq!(first, second);
}

#[tokio::test(start_paused = true)]
async fn v5_3_an_apply_that_changes_only_who_owns_is_a_write() {
    let client = client();
    let path = format!("{CONFIG_MAPS}/a?fieldManager=");
    let object = |data: Value| json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": data});
    let both = object(json!({"x": "1", "y": "2"}));
    let first = client.patch("apply", &format!("{path}one"), &both).await.expect(201);
    let second = client.patch("apply", &format!("{path}two"), &both).await.expect(200);
    assert!(version(&second) > version(&first));
    // What another manager still owns stays when one lets go of it.
    let less = client.patch("apply", &format!("{path}one"), &object(json!({"x": "1"}))).await;
    let less = less.expect(200);
    assert_eq!(less["data"]["y"], "2");
    assert!(version(&less) > version(&second));
}
