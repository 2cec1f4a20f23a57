//! V13.1: autoscalers, which have other fields in each of their versions.

use serde_json::{Value, json};

use super::support::*;

const V1: &str = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers";
const V2: &str = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
const METRICS: &str = "autoscaling.alpha.kubernetes.io/metrics";
const CONDITIONS: &str = "autoscaling.alpha.kubernetes.io/conditions";
const BEHAVIOR: &str = "autoscaling.alpha.kubernetes.io/behavior";

fn autoscaler(name: &str, spec: Value) -> Value {
    let target = json!({"apiVersion": "apps/v1", "kind": "Deployment", "name": name});
    let mut spec = spec;
    spec["scaleTargetRef"] = target;
    json!({"metadata": {"name": name}, "spec": spec})
}

fn cpu(percent: u32) -> Value {
    let target = json!({"type": "Utilization", "averageUtilization": percent});
    json!({"type": "Resource", "resource": {"name": "cpu", "target": target}})
}

fn memory() -> Value {
    let target = json!({"type": "AverageValue", "averageValue": "1Gi"});
    json!({"type": "Resource", "resource": {"name": "memory", "target": target}})
}

/// An object with all that v1 has no fields for, under `V2/web`.
async fn rich(client: &Client) -> Value {
    let spec = json!({"maxReplicas": 5, "metrics": [memory(), cpu(60)],
        "behavior": {"scaleUp": {"stabilizationWindowSeconds": 30}}});
    client.post(V2, &autoscaler("web", spec)).await.expect(201);
    let status = json!({"status": {"currentReplicas": 2, "desiredReplicas": 3, "currentMetrics": [],
        "conditions": [{"type": "AbleToScale", "status": "True"}]}});
    client.merge(&format!("{V2}/web/status"), &status).await.expect(200)
}

async fn web(client: &Client, collection: &str) -> Value {
    client.get(&format!("{collection}/web")).await.expect(200)
}

fn annotation(object: &Value, name: &str) -> String {
    object["metadata"]["annotations"][name].as_str().unwrap_or_default().to_owned()
}

#[tokio::test(start_paused = true)]
async fn v13_what_is_made_in_one_version_of_an_autoscaler_is_read_in_the_other() {
    let client = client();
    let spec = json!({"maxReplicas": 3, "targetCPUUtilizationPercentage": 70});
    let made = client.post(V1, &autoscaler("web", spec)).await.expect(201);
    assert_eq!(made["apiVersion"], "autoscaling/v1");
    assert_eq!(made["spec"]["targetCPUUtilizationPercentage"], 70);
    assert_eq!(made["status"], json!({"currentReplicas": 0, "desiredReplicas": 0}));
    assert_eq!(made["metadata"].get("annotations"), None);
    assert_eq!(web(&client, V1).await, made);

    let new = web(&client, V2).await;
    assert_eq!(new["apiVersion"], "autoscaling/v2");
    assert_eq!(new["spec"]["metrics"], json!([cpu(70)]));
    assert_eq!(new["spec"].get("targetCPUUtilizationPercentage"), None);
    assert_eq!(new["status"], json!({"currentMetrics": null, "desiredReplicas": 0}));

    let mut changed = new.clone();
    changed["spec"]["metrics"] = json!([memory()]);
    client.put(&format!("{V2}/web"), &changed).await.expect(200);
    let old = web(&client, V1).await;
    assert_eq!(old["spec"].get("targetCPUUtilizationPercentage"), None);
    let resource = r#"{"name":"memory","targetAverageValue":"1Gi"}"#;
    let metrics = format!(r#"[{{"type":"Resource","resource":{resource}}}]"#);
    assert_eq!(annotation(&old, METRICS), metrics);
}

#[tokio::test(start_paused = true)]
async fn v13_an_autoscaler_of_v1_without_a_target_gets_one() {
    let client = client();
    let made = client.post(V1, &autoscaler("web", json!({"maxReplicas": 3}))).await.expect(201);
    assert_eq!(made["spec"]["targetCPUUtilizationPercentage"], 80);
    let managed = made["metadata"]["managedFields"].as_array().expect("managers");
    assert_eq!((managed.len(), &managed[0]["apiVersion"]), (1, &json!("autoscaling/v1")));
    let fields = &managed[0]["fieldsV1"]["f:spec"];
    assert_eq!(fields["f:targetCPUUtilizationPercentage"], json!({}), "{fields}");
    assert_eq!(web(&client, V2).await["spec"]["metrics"], json!([cpu(80)]));
}

#[tokio::test(start_paused = true)]
async fn v13_a_patch_of_v1_keeps_what_only_v2_knows() {
    let client = client();
    let before = rich(&client).await;
    for (kind, percent) in [("strategic-merge", 50), ("merge", 40)] {
        let change = json!({"metadata": {"labels": {"by": kind}},
            "spec": {"targetCPUUtilizationPercentage": percent}});
        let shown = client.patch(kind, &format!("{V1}/web"), &change).await.expect(200);
        assert_eq!(shown["spec"]["targetCPUUtilizationPercentage"], percent);
        let after = web(&client, V2).await;
        assert_eq!(after["spec"]["metrics"], json!([memory(), cpu(percent)]));
        assert_eq!(after["spec"]["behavior"], before["spec"]["behavior"]);
        assert_eq!(after["status"], before["status"]);
        assert_eq!(after["metadata"].get("annotations"), None);
    }
    // A patch without effect writes nothing.
    let before = version(&web(&client, V1).await);
    let change = json!({"spec": {"targetCPUUtilizationPercentage": 40}});
    let same = client.merge(&format!("{V1}/web"), &change).await.expect(200);
    assert_eq!(version(&same), before);
}

#[tokio::test(start_paused = true)]
async fn v13_parts_of_an_autoscaler_are_written_on_their_own_paths_in_v1_too() {
    let client = client();
    let before = rich(&client).await;
    let mut old = web(&client, V1).await;
    assert!(annotation(&old, CONDITIONS).contains("AbleToScale"), "{old}");
    assert!(annotation(&old, BEHAVIOR).contains("StabilizationWindowSeconds"), "{old}");

    // Without its annotations v1 has neither other metrics nor a behavior; the status stays.
    old["metadata"].as_object_mut().expect("metadata").remove("annotations");
    client.put(&format!("{V1}/web"), &old).await.expect(200);
    let after = web(&client, V2).await;
    assert_eq!(after["spec"]["metrics"], json!([cpu(60)]));
    assert_eq!(after["spec"].get("behavior"), None);
    assert_eq!(after["status"], before["status"]);

    // And the other way round: the status path sets what the annotations say of the status only.
    let condition = r#"[{"type":"ScalingActive","status":"False"}]"#;
    let change = json!({"metadata": {"annotations": {CONDITIONS: condition, METRICS: "[]",
        BEHAVIOR: r#"{"ScaleUp":{}}"#}}, "status": {"currentCPUUtilizationPercentage": 20}});
    client.merge(&format!("{V1}/web/status"), &change).await.expect(200);
    let status = web(&client, V2).await;
    assert_eq!(status["spec"], after["spec"]);
    assert_eq!(status["status"]["conditions"][0]["type"], "ScalingActive");
    let current = json!([{"type": "Resource",
        "resource": {"name": "cpu", "current": {"averageUtilization": 20}}}]);
    assert_eq!(status["status"]["currentMetrics"], current);
    assert_eq!(status["status"]["currentReplicas"], 2);
}

#[tokio::test(start_paused = true)]
async fn v13_an_autoscaler_is_applied_listed_watched_and_deleted_in_both_versions() {
    let client = client();
    let mut old_watch = client.watch(&format!("{V1}?watch=true")).await;
    let mut new_watch = client.watch(&format!("{V2}?watch=true")).await;
    let mut body =
        autoscaler("web", json!({"maxReplicas": 3, "targetCPUUtilizationPercentage": 9}));
    body["apiVersion"] = "autoscaling/v1".into();
    body["kind"] = "HorizontalPodAutoscaler".into();
    let path = format!("{V1}/web?fieldManager=me");
    client.patch("apply", &path, &body).await.expect(201);
    body["spec"]["targetCPUUtilizationPercentage"] = 10.into();
    let applied = client.patch("apply", &path, &body).await.expect(200);
    assert_eq!(applied["spec"]["targetCPUUtilizationPercentage"], 10);

    for percent in [9, 10] {
        let old = old_watch.next().await.expect("a frame")["object"].take();
        assert_eq!(old["apiVersion"], "autoscaling/v1");
        assert_eq!(old["spec"]["targetCPUUtilizationPercentage"], percent);
        let new = new_watch.next().await.expect("a frame")["object"].take();
        assert_eq!(new["apiVersion"], "autoscaling/v2");
        assert_eq!(new["spec"]["metrics"], json!([cpu(percent)]));
    }
    let old = client.get(V1).await.expect(200)["items"][0].take();
    assert_eq!(old["spec"], applied["spec"]);
    let new = client.get(V2).await.expect(200)["items"][0].take();
    assert_eq!(new["spec"]["metrics"], json!([cpu(10)]));

    client.delete(&format!("{V1}/web")).await.expect(200);
    let gone = new_watch.next().await.expect("a frame");
    assert_eq!((&gone["type"], &gone["object"]["spec"]), (&json!("DELETED"), &new["spec"]));
    assert_eq!(client.get(&format!("{V2}/web")).await.code, 404);
}

#[tokio::test(start_paused = true)]
async fn v13_the_table_of_an_autoscaler_is_the_same_in_both_versions() {
    let client = client();
    rich(&client).await;
    let accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    let cells = |table: Value| table["rows"][0]["cells"].clone();
    let old = cells(client.get_as(V1, accept).await.expect(200));
    assert_eq!(old[2], "memory: <unknown>/1Gi, cpu: <unknown>/60%");
    assert_eq!(old, cells(client.get_as(V2, accept).await.expect(200)));
    let whole = client.get_as(&format!("{V1}?includeObject=Object"), accept).await.expect(200);
    assert_eq!(whole["rows"][0]["object"], web(&client, V1).await);
    let metadata = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
    let metadata = client.get_as(&format!("{V1}/web"), metadata).await.expect(200);
    assert_eq!(metadata["metadata"].get("annotations"), None);
}
