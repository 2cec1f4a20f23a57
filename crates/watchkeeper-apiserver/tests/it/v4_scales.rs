//! V4.8: the ways to write a scale.

use serde_json::json;

use crate::support::*;

#[tokio::test(start_paused = true)]
async fn v4_8_a_scale_takes_each_kind_of_patch() {
    let client = client();
    client.post(DEPLOYMENTS, &deployment("x", 1)).await.expect(201);
    let scale = format!("{DEPLOYMENTS}/x/scale");
    for (kind, patch, replicas) in [
        ("json", json!([{"op": "replace", "path": "/spec/replicas", "value": 2}]), 2),
        ("merge", json!({"spec": {"replicas": 3}}), 3),
        ("strategic-merge", json!({"spec": {"replicas": 4}}), 4),
    ] {
        let answer = client.patch(kind, &scale, &patch).await.expect(200);
        assert_eq!(
            (&answer["kind"], &answer["spec"]["replicas"]),
            (&json!("Scale"), &json!(replicas))
        );
        let stored = client.get(&format!("{DEPLOYMENTS}/x")).await.expect(200);
        assert_eq!(stored["spec"]["replicas"], replicas, "{kind}");
    }
    let none = client.patch("json", &scale, &json!([{"op": "remove", "path": "/spec/none"}])).await;
    assert_eq!(none.code, 422, "{}", none.text);
}

#[tokio::test(start_paused = true)]
async fn v4_8_how_many_there_are_to_be_is_a_whole_number_from_zero_on() {
    let client = client();
    client.post(DEPLOYMENTS, &deployment("x", 1)).await.expect(201);
    let scale = format!("{DEPLOYMENTS}/x/scale");
    for (replicas, code) in [(json!(0), 200), (json!(null), 200), (json!(-1), 422)] {
        let answer = client.merge(&scale, &json!({"spec": {"replicas": replicas}})).await;
        assert_eq!(answer.code, code, "{replicas} {}", answer.text);
    }
    let stored = client.get(&format!("{DEPLOYMENTS}/x")).await.expect(200);
    assert_eq!(stored["spec"]["replicas"], 0);
    let old = json!({"metadata": {"resourceVersion": "1"}, "spec": {"replicas": 5}});
    assert_eq!(client.merge(&scale, &old).await.code, 409);
}

/// Without a connection that can be upgraded nothing of a pod is opened, but it is offered.
#[tokio::test(start_paused = true)]
async fn v4_8_what_runs_in_a_pod_is_asked_of_a_pod_that_is_there() {
    let client = client();
    for part in ["exec", "attach", "portforward"] {
        let answer = client.get(&format!("{PODS}/nobody/{part}")).await;
        assert_eq!(answer.line(), "404 NotFound: pods \"nobody\" not found", "{part}");
    }
}
