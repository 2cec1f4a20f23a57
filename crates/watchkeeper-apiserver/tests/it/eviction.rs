//! Evictions as cases that the real kube-apiserver answers too: `cargo xtask conformance eviction` sends the
//! requests of `eviction/cases.json` to it and compares what it says with `eviction/answers.json`, which is
//! what this server says.

use expect_test::expect_file;
use serde_json::{Value, json};

use crate::support::*;

const CASES: &str = include_str!("eviction/cases.json");
const PODS: &str = "/api/v1/namespaces/default/pods";
const BUDGETS: &str = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

#[tokio::test(start_paused = true)]
async fn v13_3_the_cases_are_answered_as_the_real_server_answers_them() {
    let answers = crate::access::answers(CASES).await;
    expect_file!["eviction/answers.json"].assert_eq(&answers);
}

#[test]
fn v13_3_evictions_have_several_sides() {
    let answers: Vec<Value> =
        serde_json::from_str(include_str!("eviction/answers.json")).expect("the answers");
    let mut said: Vec<String> = answers.iter().map(|answer| answer["body"].to_string()).collect();
    said.sort();
    said.dedup();
    assert!(said.len() > 8, "{said:?}");
}

/// A pod that runs somewhere is told why it goes, and its budget that it will.
#[tokio::test(start_paused = true)]
async fn v13_3_an_eviction_takes_from_the_budget_and_says_why() {
    let client = client();
    let pod = json!({"metadata": {"name": "p", "labels": {"app": "a"}},
        "spec": {"nodeName": "n", "containers": [{"name": "c", "image": "i"}]}});
    client.post(PODS, &pod).await.expect(201);
    let running = json!({"status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}});
    client.merge(&format!("{PODS}/p/status"), &running).await.expect(200);
    let budget = json!({"metadata": {"name": "b"},
        "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "a"}}}});
    client.post(BUDGETS, &budget).await.expect(201);
    let allows = json!({"status": {"observedGeneration": 1, "disruptionsAllowed": 1,
        "currentHealthy": 2, "desiredHealthy": 1, "expectedPods": 2}});
    client.merge(&format!("{BUDGETS}/b/status"), &allows).await.expect(200);
    let eviction =
        json!({"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "p"}});
    client.post(&format!("{PODS}/p/eviction?dryRun=All"), &eviction).await.expect(201);
    let budget = client.get(&format!("{BUDGETS}/b")).await.expect(200);
    assert_eq!(budget["status"]["disruptionsAllowed"], 1);
    client.post(&format!("{PODS}/p/eviction"), &eviction).await.expect(201);
    let pod = client.get(&format!("{PODS}/p")).await.expect(200);
    assert!(pod["metadata"]["deletionTimestamp"].is_string());
    let conditions = pod["status"]["conditions"].as_array().expect("conditions");
    let why = conditions.iter().find(|one| one["type"] == "DisruptionTarget").expect("why");
    assert_eq!((&why["status"], &why["reason"]), (&json!("True"), &json!("EvictionByEvictionAPI")));
    let status = client.get(&format!("{BUDGETS}/b")).await.expect(200)["status"].clone();
    assert_eq!(status["disruptionsAllowed"], 0);
    assert!(status["disruptedPods"]["p"].is_string());
    assert_eq!(status["conditions"][0]["reason"], "InsufficientPods");
    // It is going, so nobody is asked any more.
    client.post(&format!("{PODS}/p/eviction"), &eviction).await.expect(201);
}

/// A pod that runs somewhere and is ready or not, and the budget of it.
async fn guarded(client: &Client, ready: &str) {
    let pod = json!({"metadata": {"name": "p", "labels": {"app": "a"}},
        "spec": {"nodeName": "n", "containers": [{"name": "c", "image": "i"}]}});
    client.post(PODS, &pod).await.expect(201);
    let conditions = json!([{"type": "Ready", "status": ready}]);
    let running = json!({"status": {"phase": "Running", "conditions": conditions}});
    client.merge(&format!("{PODS}/p/status"), &running).await.expect(200);
    let budget = json!({"metadata": {"name": "b"},
        "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "a"}}}});
    client.post(BUDGETS, &budget).await.expect(201);
}

/// What an eviction would be answered under a status of the budget.
async fn evicted(client: &Client, status: &Value) -> u16 {
    let status = json!({"status": status});
    client.merge(&format!("{BUDGETS}/b/status"), &status).await.expect(200);
    let eviction =
        json!({"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "p"}});
    client.post(&format!("{PODS}/p/eviction?dryRun=All"), &eviction).await.code
}

#[tokio::test(start_paused = true)]
async fn v13_3_a_budget_waits_for_two_thousand_pods_at_most() {
    let client = client();
    guarded(&client, "True").await;
    for (count, code) in [(2_000, 201), (2_001, 403)] {
        let gone = |at: u32| (format!("gone-{at}"), json!("2026-01-01T00:00:00Z"));
        let gone: serde_json::Map<String, Value> = (0..count).map(gone).collect();
        let status = json!({"observedGeneration": 1, "disruptionsAllowed": 1, "currentHealthy": 2,
            "desiredHealthy": 1, "expectedPods": 2, "disruptedPods": gone});
        assert_eq!(evicted(&client, &status).await, code, "{count}");
    }
}

#[tokio::test(start_paused = true)]
async fn v13_3_a_pod_that_is_not_ready_goes_while_enough_others_are() {
    let client = client();
    guarded(&client, "False").await;
    for (healthy, desired, code) in [(2, 1, 201), (1, 1, 201), (0, 1, 429), (0, 0, 429)] {
        let status = json!({"observedGeneration": 1, "disruptionsAllowed": 0,
            "currentHealthy": healthy, "desiredHealthy": desired, "expectedPods": 2});
        assert_eq!(evicted(&client, &status).await, code, "{healthy} of {desired}");
    }
}
