//! V5.3: who owns what, where managers wrote in different versions of a kind.

use serde_json::{Value, json};

use crate::support::*;
use crate::v10_conversion::*;

/// Managers with the version that they wrote in and what they own of the spec, one a line.
fn owners(object: &Value) -> Vec<String> {
    let entries = object["metadata"]["managedFields"].as_array().map(Vec::as_slice);
    let entry = |entry: &Value| {
        let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
        let spec = &entry["fieldsV1"]["f:spec"];
        format!("{} {} {} {spec}", text("manager"), text("operation"), text("apiVersion"))
    };
    entries.unwrap_or_default().iter().map(entry).collect()
}

async fn apply(client: &Client, path: &str, manager: &str, object: &Value) -> Answer {
    client.patch("apply", &format!("{path}?fieldManager={manager}"), object).await
}

async fn force(client: &Client, path: &str, manager: &str, object: &Value) -> Answer {
    client.patch("apply", &format!("{path}?fieldManager={manager}&force=true"), object).await
}

const OLD: &str = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers/web";
const NEW: &str = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers/web";

fn autoscaler(version: &str, spec: Value) -> Value {
    let mut object = json!({
        "apiVersion": format!("autoscaling/{version}"), "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "web"}, "spec": spec,
    });
    object["spec"]["scaleTargetRef"] =
        json!({"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"});
    object
}

fn cpu(percent: u32) -> Value {
    let target = json!({"type": "Utilization", "averageUtilization": percent});
    json!([{"type": "Resource", "resource": {"name": "cpu", "target": target}}])
}

#[tokio::test(start_paused = true)]
async fn v5_3_a_write_in_one_version_takes_fields_of_the_other() {
    let client = client();
    let wanted = json!({"minReplicas": 2, "maxReplicas": 5, "metrics": cpu(60)});
    apply(&client, NEW, "a", &autoscaler("v2", wanted)).await.expect(201);
    let change = json!({"spec": {"minReplicas": 3}});
    let path = format!("{OLD}?fieldManager=b");
    let object = client.merge(&path, &change).await.expect(200);
    assert_eq!(
        owners(&object),
        [
            "a Apply autoscaling/v2 {\"f:maxReplicas\":{},\"f:metrics\":{},\"f:scaleTargetRef\":{\"f:apiVersion\":{},\"f:kind\":{},\"f:name\":{}}}",
            "b Update autoscaling/v1 {\"f:minReplicas\":{}}",
        ]
    );
    let change = json!({"spec": {"targetCPUUtilizationPercentage": 70}});
    let object = client.merge(&path, &change).await.expect(200);
    assert_eq!(
        owners(&object),
        [
            "a Apply autoscaling/v2 {\"f:maxReplicas\":{},\"f:scaleTargetRef\":{\"f:apiVersion\":{},\"f:kind\":{},\"f:name\":{}}}",
            "b Update autoscaling/v1 \
             {\"f:minReplicas\":{},\"f:targetCPUUtilizationPercentage\":{}}",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn v5_3_conflicts_are_told_in_the_version_of_the_owner() {
    let client = client();
    let wanted = json!({"maxReplicas": 5, "metrics": cpu(60)});
    apply(&client, NEW, "a", &autoscaler("v2", wanted)).await.expect(201);
    let other = json!({"maxReplicas": 5, "targetCPUUtilizationPercentage": 80});
    let other = autoscaler("v1", other);
    let refused = apply(&client, OLD, "b", &other).await;
    assert_eq!(
        refused.line(),
        "409 Conflict: Apply failed with 1 conflict: conflict with \"a\": .spec.metrics"
    );
    let object = force(&client, OLD, "b", &other).await.expect(200);
    assert_eq!(
        owners(&object),
        [
            "a Apply autoscaling/v2 {\"f:maxReplicas\":{},\"f:scaleTargetRef\":{\"f:apiVersion\":{},\"f:kind\":{},\"f:name\":{}}}",
            "b Apply autoscaling/v1 \
             {\"f:maxReplicas\":{},\"f:scaleTargetRef\":{},\"f:targetCPUUtilizationPercentage\":{}}",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn v5_3_what_was_applied_in_another_version_goes_when_it_is_no_longer_applied() {
    let client = client();
    let wanted = json!({"minReplicas": 2, "maxReplicas": 5, "metrics": cpu(60)});
    apply(&client, NEW, "a", &autoscaler("v2", wanted)).await.expect(201);
    let less = autoscaler("v1", json!({"maxReplicas": 5}));
    let object = apply(&client, OLD, "a", &less).await.expect(200);
    assert_eq!(
        owners(&object),
        ["a Apply autoscaling/v1 {\"f:maxReplicas\":{},\"f:scaleTargetRef\":{}}"]
    );
    let read = client.get(NEW).await.expect(200);
    assert_eq!(read["spec"]["minReplicas"], 1);
}

#[tokio::test(start_paused = true)]
async fn v5_3_a_version_that_is_none_owns_nothing() {
    let client = client();
    let map = json!({"metadata": {
        "name": "a",
        "managedFields": [{
            "manager": "x", "operation": "Update", "apiVersion": "v9", "fieldsType": "FieldsV1",
            "fieldsV1": {"f:data": {"f:value": {}}},
        }],
    }, "data": {"value": "1"}});
    let made = client.post(CONFIG_MAPS, &map).await.expect(201);
    let managers = made["metadata"]["managedFields"].to_string();
    assert!(!managers.contains("v9") && managers.contains("tester"), "{managers}");
}

fn foo_of(version: &str, spec: Value) -> Value {
    json!({
        "apiVersion": format!("example.com/{version}"), "kind": "Foo",
        "metadata": {"name": "a"}, "spec": spec,
    })
}

/// A definition whose versions differ in their name only.
async fn with_two_names() -> Client {
    let client = client();
    let mut crd = foo_crd();
    let mut newer = crd["spec"]["versions"][0].clone();
    (newer["name"], newer["storage"]) = ("v2".into(), false.into());
    crd["spec"]["versions"].as_array_mut().expect("versions").push(newer);
    client.post(CRDS, &crd).await.expect(201);
    client
}

#[tokio::test(start_paused = true)]
async fn v5_3_versions_that_differ_in_their_name_have_the_same_fields() {
    let client = with_two_names().await;
    let old = format!("{FOOS}/a");
    let new = old.replace("/v1/", "/v2/");
    let wanted = foo_of("v1", json!({"color": "red", "replicas": 1}));
    apply(&client, &old, "a", &wanted).await.expect(201);
    let blue = foo_of("v2", json!({"color": "blue"}));
    assert_eq!(
        apply(&client, &new, "b", &blue).await.line(),
        "409 Conflict: Apply failed with 1 conflict: conflict with \"a\": .spec.color"
    );
    let object = force(&client, &new, "b", &blue).await.expect(200);
    assert_eq!(
        owners(&object),
        ["a Apply example.com/v1 {\"f:replicas\":{}}", "b Apply example.com/v2 {\"f:color\":{}}"]
    );
    let object = client
        .merge(&format!("{new}?fieldManager=c"), &json!({"spec": {"replicas": 3}}))
        .await
        .expect(200);
    assert_eq!(
        owners(&object),
        ["b Apply example.com/v2 {\"f:color\":{}}", "c Update example.com/v2 {\"f:replicas\":{}}"]
    );
}

#[tokio::test(start_paused = true)]
async fn v5_3_a_version_that_a_definition_has_no_more_is_an_error() {
    let client = with_two_names().await;
    let old = format!("{FOOS}/a");
    let new = old.replace("/v1/", "/v2/");
    let wanted = foo_of("v2", json!({"color": "red"}));
    apply(&client, &new, "a", &wanted).await.expect(201);
    let gone = json!([{"op": "remove", "path": "/spec/versions/1"}]);
    client.patch("json", &format!("{CRDS}/foos.example.com"), &gone).await.expect(200);
    let other = foo_of("v1", json!({"replicas": 2}));
    assert_eq!(
        apply(&client, &old, "b", &other).await.line(),
        "500 : request to convert CR to an invalid group/version: example.com/v2"
    );
    let change = json!({"spec": {"replicas": 3}});
    let object = client.merge(&format!("{old}?fieldManager=c"), &change).await.expect(200);
    assert_eq!(object["metadata"].get("managedFields"), None);
}

fn ship_of(version: &str, spec: Value) -> Value {
    json!({
        "apiVersion": format!("example.com/{version}"), "kind": "Ship",
        "metadata": {"name": "a"}, "spec": spec,
    })
}

#[tokio::test(start_paused = true)]
async fn v5_3_a_webhook_tells_what_fields_are_in_the_version_of_the_owner() {
    let (client, _) = with_ships().await;
    let (old, new) = at("a");
    let wanted = ship_of("v1", json!({"size": 3, "color": "red"}));
    apply(&client, &old, "a", &wanted).await.expect(201);
    let longer = ship_of("v2", json!({"dimensions": {"length": 5}}));
    assert_eq!(
        apply(&client, &new, "b", &longer).await.line(),
        "409 Conflict: Apply failed with 1 conflict: conflict with \"a\": .spec.size"
    );
    let object = force(&client, &new, "b", &longer).await.expect(200);
    assert_eq!(
        owners(&object),
        [
            "a Apply example.com/v1 {\"f:color\":{}}",
            "b Apply example.com/v2 {\"f:dimensions\":{\"f:length\":{}}}",
        ]
    );
    let change = json!({"spec": {"color": "blue"}});
    let object = client.merge(&format!("{old}?fieldManager=c"), &change).await.expect(200);
    assert_eq!(
        owners(&object),
        [
            "b Apply example.com/v2 {\"f:dimensions\":{\"f:length\":{}}}",
            "c Update example.com/v1 {\"f:color\":{}}",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn v5_3_what_was_applied_before_is_taken_away_through_the_webhook() {
    let (client, _) = with_ships().await;
    let (old, new) = at("a");
    let wanted = ship_of("v1", json!({"size": 3, "color": "red", "crew": 4}));
    apply(&client, &old, "a", &wanted).await.expect(201);
    let painted = ship_of("v2", json!({"paint": "red", "people": {"crew": 4}}));
    apply(&client, &new, "b", &painted).await.expect(200);
    let less = ship_of("v2", json!({"paint": "red"}));
    let object = apply(&client, &new, "a", &less).await.expect(200);
    assert_eq!(object["spec"]["paint"], "red");
    assert_eq!(object["spec"]["people"], json!({"crew": 4}), "b applied it as well");
    assert!(object["spec"]["dimensions"]["length"].is_null());
    let read = client.get(&old).await.expect(200);
    assert_eq!((&read["spec"]["size"], &read["spec"]["crew"]), (&Value::Null, &json!(4)));
}

#[tokio::test(start_paused = true)]
async fn v5_3_without_an_answer_of_the_webhook_nobody_owns_and_nothing_is_applied() {
    let (client, _) = with_ships().await;
    let (old, new) = at("a");
    apply(&client, &old, "a", &ship_of("v1", json!({"size": 3}))).await.expect(201);
    answer(&client, |review| match review.desired_version() {
        "example.com/v1" => review.fail("not to v1"),
        _ => review.convert(convert),
    });
    let longer = ship_of("v2", json!({"paint": "red"}));
    assert_eq!(
        apply(&client, &new, "b", &longer).await.line(),
        "500 : conversion webhook for example.com/v2, Kind=Ship failed: not to v1"
    );
    let object = client.merge(&new, &json!({"spec": {"paint": "red"}})).await.expect(200);
    assert_eq!(object["metadata"].get("managedFields"), None);
}
