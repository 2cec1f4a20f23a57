//! V5: patches.

use expect_test::expect;
use serde_json::{Value, json};

use crate::support::*;

async fn web() -> (Client, String) {
    let client = client();
    client.post(DEPLOYMENTS, &deployment("web", 2)).await.expect(201);
    (client, format!("{DEPLOYMENTS}/web"))
}

#[tokio::test(start_paused = true)]
async fn v5_1_json_patch() {
    let (client, path) = web().await;
    let patch = json!([
        {"op": "test", "path": "/spec/replicas", "value": 2},
        {"op": "replace", "path": "/spec/replicas", "value": 3},
    ]);
    assert_eq!(client.patch("json", &path, &patch).await.expect(200)["spec"]["replicas"], 3);
    assert_eq!(client.patch("json", &path, &patch).await.code, 422);
    assert_eq!(client.patch("json", &path, &json!({"op": "nope"})).await.code, 400);
}

#[tokio::test(start_paused = true)]
async fn v5_1_strategic_merge_patch_merges_lists_by_key() {
    let (client, path) = web().await;
    let container = json!([{"name": "side", "image": "busybox"}]);
    let patch = json!({"spec": {"template": {"spec": {"containers": container}}}});
    let merged = client.patch("strategic-merge", &path, &patch).await.expect(200);
    let containers = merged["spec"]["template"]["spec"]["containers"].as_array().expect("a list");
    assert_eq!(containers.len(), 2);
    let replaced = client.merge(&path, &patch).await.expect(200);
    let containers = replaced["spec"]["template"]["spec"]["containers"].as_array().expect("a list");
    assert_eq!(containers.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn v5_1_custom_resources_take_no_strategic_patch() {
    let client = client();
    client.post(CRDS, &foo_crd()).await.expect(201);
    client.post(FOOS, &foo("a", "red")).await.expect(201);
    let patch = json!({"spec": {"color": "blue"}});
    let path = format!("{FOOS}/a");
    assert_eq!(
        client.patch("strategic-merge", &path, &patch).await.line(),
        "415 UnsupportedMediaType: the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml"
    );
    assert_eq!(client.merge(&path, &patch).await.expect(200)["spec"]["color"], "blue");
}

#[tokio::test(start_paused = true)]
async fn v5_2_a_version_in_the_patch_is_a_precondition() {
    let (client, path) = web().await;
    let at = client.get(&path).await.expect(200)["metadata"]["resourceVersion"].clone();
    let patch = |replicas: u32| json!({"metadata": {"resourceVersion": at}, "spec": {"replicas": replicas}});
    client.merge(&path, &patch(3)).await.expect(200);
    assert_eq!(client.merge(&path, &patch(4)).await.code, 409);
    assert_eq!(client.merge(&path, &json!({"spec": {"replicas": 4}})).await.code, 200);
}

/// Of kinds that are not replaced without a version a patch may not take it away.
#[tokio::test(start_paused = true)]
async fn v4_3_a_patch_without_a_version_replaces_what_may_be_replaced_without() {
    const DRIVERS: &str = "/apis/storage.k8s.io/v1/csidrivers";
    let client = client();
    let driver = json!({"metadata": {"name": "a"}, "spec": {}});
    client.post(DRIVERS, &driver).await.expect(201);
    client.config_map("a", "1").await;
    client.post(CRDS, &foo_crd()).await.expect(201);
    client.post(FOOS, &foo("a", "red")).await.expect(201);
    let bare = json!([{"op": "replace", "path": "/metadata", "value": {"name": "a"}}]);
    let of = |version: Value| json!({"metadata": {"resourceVersion": version}});
    let driver = format!("{DRIVERS}/a");
    let refused = "422 Invalid: csidrivers.storage.k8s.io \"a\" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update";
    for (kind, patch) in
        [("json", bare.clone()), ("merge", of(Value::Null)), ("strategic-merge", of(json!("0")))]
    {
        assert_eq!(client.patch(kind, &driver, &patch).await.line(), refused, "{patch}");
    }
    let map = format!("{CONFIG_MAPS}/a");
    client.patch("json", &map, &bare).await.expect(200);
    client.merge(&map, &of(Value::Null)).await.expect(200);
    let foo = client.merge(&format!("{FOOS}/a"), &of(Value::Null)).await;
    assert_eq!(foo.line(), refused.replace("csidrivers.storage.k8s.io", "foos.example.com"));
    // What says nothing of it leaves it as it is.
    let marked = json!({"metadata": {"labels": {"a": "b"}}});
    client.merge(&driver, &marked).await.expect(200);
    assert_eq!(client.merge(&driver, &of(json!("1"))).await.code, 409);
    let applied = json!({"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": "a"}, "spec": {}});
    client.patch("apply", &format!("{driver}?fieldManager=me"), &applied).await.expect(200);
}

fn applied(replicas: Value) -> Value {
    let mut body = deployment("web", 1);
    body["spec"]["replicas"] = replicas;
    body
}

#[tokio::test(start_paused = true)]
async fn v5_3_apply_creates_owns_and_removes() {
    let client = client();
    let path = format!("{DEPLOYMENTS}/web?fieldManager=me");
    let made = client.patch("apply", &path, &applied(json!(2))).await.expect(201);
    let manager = &made["metadata"]["managedFields"][0];
    assert_eq!((&manager["manager"], &manager["operation"]), (&json!("me"), &json!("Apply")));
    let mut without = applied(Value::Null);
    without["spec"].as_object_mut().expect("an object").remove("replicas");
    without["metadata"]["labels"] = json!({"a": "b"});
    let next = client.patch("apply", &path, &without).await.expect(200);
    assert_eq!(next["spec"]["replicas"], 1, "nobody wants a number, so the default comes back");
    assert_eq!(next["metadata"]["labels"]["a"], "b");
    let again = client.patch("apply", &path, &applied(json!(2))).await.expect(200);
    assert_eq!(again["metadata"].get("labels"), None, "what its only owner leaves out goes");
}

#[tokio::test(start_paused = true)]
async fn v5_3_conflicts_name_the_other_manager() {
    let (client, path) = web().await;
    client
        .patch("apply", &format!("{path}?fieldManager=me&force=true"), &applied(json!(2)))
        .await
        .expect(200);
    client
        .merge(&format!("{path}?fieldManager=other"), &json!({"spec": {"replicas": 5}}))
        .await
        .expect(200);
    let refused =
        client.patch("apply", &format!("{path}?fieldManager=me"), &applied(json!(2))).await;
    assert_eq!(
        refused.line(),
        "409 Conflict: Apply failed with 1 conflict: conflict with \"other\" using apps/v1: .spec.replicas"
    );
    assert_eq!(
        refused.json()["details"]["causes"],
        json!([{
            "reason": "FieldManagerConflict",
            "message": "conflict with \"other\" using apps/v1",
            "field": ".spec.replicas",
        }])
    );
    let forced = client
        .patch("apply", &format!("{path}?fieldManager=me&force=true"), &applied(json!(2)))
        .await;
    assert_eq!(forced.expect(200)["spec"]["replicas"], 2);
}

#[tokio::test(start_paused = true)]
async fn v5_3_an_apply_names_its_manager_and_nothing_else_forces() {
    let (client, path) = web().await;
    let lines = [
        client.patch("apply", &path, &applied(json!(2))).await.line(),
        client.merge(&format!("{path}?force=true"), &json!({})).await.line(),
    ];
    expect_test::expect![[r#"
        422 Invalid: PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch
        422 Invalid: PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch"#]]
    .assert_eq(&lines.join("\n"));
    let mut managed = applied(json!(2));
    managed["metadata"]["managedFields"] = json!([{"manager": "x"}]);
    let answer = client.patch("apply", &format!("{path}?fieldManager=me"), &managed).await;
    assert_eq!(answer.line(), "400 BadRequest: metadata.managedFields must be nil");
}

#[tokio::test(start_paused = true)]
async fn v5_4_plain_writes_have_managers_too() {
    let (client, path) = web().await;
    client
        .merge(&format!("{path}?fieldManager=named"), &json!({"spec": {"replicas": 5}}))
        .await
        .expect(200);
    let object = client.get(&path).await.expect(200);
    let managers: Vec<&str> = object["metadata"]["managedFields"]
        .as_array()
        .expect("managers")
        .iter()
        .filter_map(|entry| entry["manager"].as_str())
        .collect();
    assert_eq!(managers, ["named", "tester"]);
}

#[tokio::test(start_paused = true)]
async fn v5_1_a_patch_may_not_take_the_name_away() {
    let (client, path) = web().await;
    let sentence = "400 BadRequest: the name of the object (web based on URL) was undeterminable: name must be provided";
    assert_eq!(client.merge(&path, &json!({"metadata": {"name": null}})).await.line(), sentence);
    let all = json!({"$patch": "delete"});
    assert_eq!(client.patch("strategic-merge", &path, &all).await.line(), sentence);
    assert_eq!(client.get(&path).await.expect(200)["spec"]["replicas"], 2);
}

/// Upstream's scales have managers of their own: `managedfields.ScaleHandler`.
#[tokio::test(start_paused = true)]
async fn v5_3_an_apply_of_a_scale_owns_the_replicas() {
    let (client, path) = web().await;
    let scale = |replicas: Value| {
        json!({"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "web"},
            "spec": {"replicas": replicas}})
    };
    let me = format!("{path}/scale?fieldManager=me");
    let force = format!("{me}&force=true");
    client.merge(&format!("{path}/scale"), &json!({"spec": {"replicas": 4}})).await.expect(200);
    expect![[r#"409 Conflict: Apply failed with 1 conflict: conflict with "tester" with subresource "scale" using autoscaling/v1: .spec.replicas"#]]
        .assert_eq(&client.patch("apply", &me, &scale(json!(3))).await.line());
    let scaled = client.patch("apply", &force, &scale(json!(3))).await.expect(200);
    assert_eq!((&scaled["kind"], &scaled["spec"]["replicas"]), (&json!("Scale"), &json!(3)));
    let stored = client.get(&path).await.expect(200);
    assert_eq!(stored["spec"]["replicas"], 3);
    let entries = stored["metadata"]["managedFields"].as_array().expect("managers");
    let mine = entries.iter().find(|entry| entry["manager"] == "me").expect("mine");
    assert_eq!((&mine["operation"], &mine["subresource"]), (&json!("Apply"), &json!("scale")));
    assert_eq!(mine["fieldsV1"], json!({"f:spec": {"f:replicas": {}}}));
    let others = entries.iter().filter(|entry| entry["manager"] != "me");
    assert!(
        others.map(|other| &other["fieldsV1"]["f:spec"]).all(|spec| spec["f:replicas"].is_null())
    );
    // Now somebody else who applies it conflicts with that.
    let other = format!("{path}/scale?fieldManager=you");
    expect![[r#"
        409 Conflict: Apply failed with 1 conflict: conflict with "me" with subresource "scale": .spec.replicas
        422 Invalid: Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0
        400 BadRequest: invalid object type: apps/v1, Kind=Deployment
        422 Invalid: PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch"#]]
    .assert_eq(
        &[
            client.patch("apply", &other, &scale(json!(4))).await.line(),
            client.patch("apply", &other, &scale(json!(-1))).await.line(),
            client.patch("apply", &other, &applied(json!(2))).await.line(),
            client.patch("apply", &format!("{path}/scale"), &scale(json!(4))).await.line(),
        ]
        .join("\n"),
    );
}

/// Who had a part of the metadata and leaves all of it out takes it with what nobody owns there: the name.
#[tokio::test(start_paused = true)]
async fn v5_3_who_takes_the_metadata_away_takes_the_name() {
    let client = client();
    let path = format!("{CONFIG_MAPS}/a?fieldManager=me");
    let bare = json!({"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "b"}});
    let mut map = bare.clone();
    map["metadata"] = json!({"name": "a"});
    client.patch("apply", &path, &map).await.expect(201);
    client.patch("apply", &path, &bare).await.expect(200);
    map["metadata"]["labels"] = json!({"a": "b"});
    client.patch("apply", &path, &map).await.expect(200);
    assert_eq!(
        client.patch("apply", &path, &bare).await.line(),
        "400 BadRequest: the name of the object (a based on URL) was undeterminable: name must be provided"
    );
    client.merge(&path, &json!({"metadata": {"annotations": {"c": "d"}}})).await.expect(200);
    let left = client.patch("apply", &path, &bare).await.expect(200);
    assert_eq!(left["metadata"].get("labels"), None, "what somebody else has keeps the rest");
}

#[tokio::test(start_paused = true)]
async fn v5_1_metadata_of_another_type_is_told_as_each_patch_reads_it() {
    let client = client();
    let path = format!("{CONFIG_MAPS}/a");
    client.config_map("a", "b").await;
    let wrong = json!({"metadata": [1]});
    let told =
        async |kind: &str, path: &str, patch: &Value| client.patch(kind, path, patch).await.line();
    expect![[r#"422 Invalid:  "" is invalid: patch: Invalid value: "map[metadata:[1]]": cannot restore struct from: slice"#]].assert_eq(&told("strategic-merge", &path, &wrong).await);
    let merged = told("merge", &path, &wrong).await;
    expect!["cannot unmarshal array into Go struct field ConfigMap.metadata of type v1.ObjectMeta"]
        .assert_eq(merged.rsplit_once(": json: ").map_or(&*merged, |(_, why)| why));
    let applied = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": "text"});
    let path = format!("{path}?fieldManager=me");
    expect!["500 : failed to create typed patch object (/; /v1, Kind=ConfigMap): .metadata: expected map, got &{text}"].assert_eq(&told("apply", &path, &applied).await);
    expect!["400 BadRequest: invalid object type: /, Kind="]
        .assert_eq(&told("apply", &path, &Value::Null).await);
    expect!["200 : "].assert_eq(&told("strategic-merge", &path, &Value::Null).await);
    let order = json!({"spec": {"$setElementOrder/ports": [{"port": 1}], "ports": null}});
    let service = json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"}, "spec": {"ports": [{"port": 1}]}});
    client.post("/api/v1/namespaces/default/services", &service).await.expect(201);
    let path = "/api/v1/namespaces/default/services/a";
    expect!["500 : expected a []interface {}, but received a %!s(<nil>)"]
        .assert_eq(&told("strategic-merge", path, &order).await);
}

/// It can be decoded, only not as what is asked for, so the text is not shown.
#[tokio::test(start_paused = true)]
async fn v5_1_a_patch_makes_no_other_kind_of_an_object() {
    let (client, path) = web().await;
    let why = "DaemonSet in version \"v1\" cannot be handled as a Deployment: converting \
               (v1.DaemonSet) to (apps.Deployment): unknown conversion";
    let replace = json!([{"op": "replace", "path": "/kind", "value": "DaemonSet"}]);
    for (kind, patch) in [("merge", json!({"kind": "DaemonSet"})), ("json", replace)] {
        let line = client.patch(kind, &path, &patch).await.line();
        assert_eq!(line, format!("400 BadRequest: {why}"), "{kind}");
    }
}
