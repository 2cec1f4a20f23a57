//! V6: deletion.

use serde_json::json;

use crate::support::*;

#[tokio::test(start_paused = true)]
async fn v6_1_preconditions_and_contradictions() {
    let client = client();
    client.config_map("a", "1").await;
    let path = format!("{CONFIG_MAPS}/a");
    let delete = |body: serde_json::Value| {
        let (client, path) = (client.clone(), path.clone());
        async move { client.send("DELETE", &path, "application/json", body.to_string()).await }
    };
    let refused = delete(json!({"preconditions": {"uid": "other"}})).await;
    assert_eq!(refused.code, 409);
    assert!(
        refused
            .line()
            .contains("the UID in the precondition (other) does not match the UID in record")
    );
    assert_eq!(delete(json!({"preconditions": {"resourceVersion": "1"}})).await.code, 409);
    assert_eq!(
        delete(json!({"propagationPolicy": "Background", "orphanDependents": true})).await.code,
        422
    );
    assert_eq!(delete(json!({"propagationPolicy": "Sometimes"})).await.code, 422);
    assert_eq!(client.delete(&format!("{path}?propagationPolicy=Background")).await.code, 200);
    assert_eq!(client.delete(&path).await.code, 404);
}

#[tokio::test(start_paused = true)]
async fn v6_2_finalizers_hold_an_object_until_the_last_is_gone() {
    let client = client();
    let body = json!({"metadata": {"name": "a", "finalizers": ["example.com/x"]}});
    client.post(CONFIG_MAPS, &body).await.expect(201);
    let path = format!("{CONFIG_MAPS}/a");
    let mut watch = client.watch(&format!("{CONFIG_MAPS}?watch=1")).await;
    watch.ready();
    let first = client.delete(&path).await.expect(200);
    assert_eq!(first["metadata"]["deletionTimestamp"], "2026-01-01T00:00:00Z");
    assert_eq!(first["metadata"]["deletionGracePeriodSeconds"], 0);
    let second = client.delete(&path).await.expect(200);
    assert_eq!(version(&second), version(&first), "a second delete changes nothing");
    client.merge(&path, &json!({"metadata": {"finalizers": null}})).await.expect(200);
    assert_eq!(client.get(&path).await.code, 404);
    assert_eq!(watch.ready(), ["MODIFIED a@8", "DELETED a@9"]);
}

#[tokio::test(start_paused = true)]
async fn v6_3_foreground_and_orphan_leave_a_finalizer_for_the_collector() {
    let client = client();
    for (policy, finalizer) in [("Foreground", "foregroundDeletion"), ("Orphan", "orphan")] {
        client.config_map("a", "1").await;
        let path = format!("{CONFIG_MAPS}/a");
        let held = client.delete(&format!("{path}?propagationPolicy={policy}")).await.expect(200);
        assert_eq!(held["metadata"]["finalizers"], json!([finalizer]));
        client.merge(&path, &json!({"metadata": {"finalizers": null}})).await.expect(200);
        assert_eq!(client.get(&path).await.code, 404);
    }
}

#[tokio::test(start_paused = true)]
async fn v6_4_a_pod_on_a_node_gets_time_to_end() {
    let client = client();
    client.post(PODS, &pod("p")).await.expect(201);
    let path = format!("{PODS}/p");
    let binding = json!({"metadata": {"name": "p"}, "target": {"kind": "Node", "name": "n"}});
    client.post(&format!("{path}/binding"), &binding).await.expect(201);
    assert_eq!(client.post(&format!("{path}/binding"), &binding).await.code, 409);
    let going = client.delete(&path).await.expect(200);
    assert_eq!(going["metadata"]["deletionGracePeriodSeconds"], 30);
    assert_eq!(going["metadata"]["deletionTimestamp"], "2026-01-01T00:00:30Z");
    let longer = client.delete(&format!("{path}?gracePeriodSeconds=60")).await.expect(200);
    assert_eq!(version(&longer), version(&going), "never longer");
    let shorter = client.delete(&format!("{path}?gracePeriodSeconds=5")).await.expect(200);
    assert_eq!(shorter["metadata"]["deletionTimestamp"], "2026-01-01T00:00:05Z");
    client.delete(&format!("{path}?gracePeriodSeconds=0")).await.expect(200);
    assert_eq!(client.get(&path).await.code, 404);
}

#[tokio::test(start_paused = true)]
async fn v6_4_a_pod_without_a_node_goes_at_once() {
    let client = client();
    client.post(PODS, &pod("p")).await.expect(201);
    client.delete(&format!("{PODS}/p")).await.expect(200);
    assert_eq!(client.get(&format!("{PODS}/p")).await.code, 404);
}

#[tokio::test(start_paused = true)]
async fn v6_5_a_collection_goes_by_selector_and_is_listed() {
    let client = client();
    for (name, label) in [("a", "1"), ("b", "2"), ("c", "1")] {
        let body = json!({"metadata": {"name": name, "labels": {"x": label}}});
        client.post(CONFIG_MAPS, &body).await.expect(201);
    }
    let gone = client.delete(&format!("{CONFIG_MAPS}?labelSelector=x%3D1")).await.expect(200);
    assert_eq!(gone["kind"], "ConfigMapList");
    assert_eq!(names(&gone), ["a", "c"]);
    assert_eq!(names(&client.get(CONFIG_MAPS).await.expect(200)), ["b"]);
}

#[tokio::test(start_paused = true)]
async fn v13_3_an_eviction_without_budgets_deletes() {
    let client = client();
    client.post(PODS, &pod("p")).await.expect(201);
    let eviction =
        json!({"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "p"}});
    client.post(&format!("{PODS}/p/eviction"), &eviction).await.expect(201);
    assert_eq!(client.get(&format!("{PODS}/p")).await.code, 404);
}
