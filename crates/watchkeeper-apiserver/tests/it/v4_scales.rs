//! V4.8: the ways to write a scale.

use serde_json::{Value, json};

use crate::support::*;
use crate::v11_webhooks::{MUTATING, answer, configure, hook};

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

fn applied_scale(replicas: u32) -> Value {
    json!({
        "apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "x"},
        "spec": {"replicas": replicas},
    })
}

#[tokio::test(start_paused = true)]
async fn v4_8_a_scale_that_is_applied_tells_of_no_managers() {
    let client = client();
    client.post(DEPLOYMENTS, &deployment("x", 1)).await.expect(201);
    let path = format!("{DEPLOYMENTS}/x/scale?fieldManager=me&force=true");
    for managers in [json!([]), json!([{"manager": "me"}])] {
        let mut scale = applied_scale(2);
        scale["metadata"]["managedFields"] = managers;
        let line = client.patch("apply", &path, &scale).await.line();
        assert_eq!(line, "400 BadRequest: metadata.managedFields must be nil");
    }
    let scale = client.patch("apply", &path, &applied_scale(2)).await.expect(200);
    assert_eq!(scale["spec"]["replicas"], 2);
}

#[tokio::test(start_paused = true)]
async fn v4_8_what_admission_makes_of_a_scale_that_is_applied_is_stored() {
    let client = client();
    client.post(DEPLOYMENTS, &deployment("x", 1)).await.expect(201);
    let four = json!([{"op": "replace", "path": "/spec/replicas", "value": 4}]);
    answer(&client, "a", move |review| review.allow().patch(&four));
    let rules = json!([{
        "operations": ["UPDATE"], "apiGroups": ["apps"], "apiVersions": ["v1"],
        "resources": ["deployments/scale"],
    }]);
    configure(&client, MUTATING, "a", &[hook("a", &json!({"rules": rules}))]).await;
    let path = format!("{DEPLOYMENTS}/x/scale?fieldManager=me&force=true");
    let scale = client.patch("apply", &path, &applied_scale(3)).await.expect(200);
    assert_eq!(scale["spec"]["replicas"], 4);
    let stored = client.get(&format!("{DEPLOYMENTS}/x")).await.expect(200);
    assert_eq!(stored["spec"]["replicas"], 4);
}
