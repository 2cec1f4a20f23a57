//! V4: create and update.

use serde_json::{Value, json};

use crate::support::*;

#[tokio::test(start_paused = true)]
async fn v4_1_the_server_fills_in_what_it_alone_decides() {
    let client = client();
    let mut body = deployment("web", 2);
    body["metadata"]["uid"] = "mine".into();
    body["metadata"]["generation"] = 7.into();
    body["metadata"]["creationTimestamp"] = "1999-01-01T00:00:00Z".into();
    body["status"] = json!({"replicas": 9});
    let made = client.post(DEPLOYMENTS, &body).await.expect(201);
    let metadata = &made["metadata"];
    assert_eq!(metadata["uid"].as_str().map(str::len), Some(36));
    assert_eq!(metadata["creationTimestamp"], "2026-01-01T00:00:00Z");
    assert_eq!(metadata["generation"], 1);
    assert_eq!(made["status"].get("replicas"), None);
    let mut elsewhere = deployment("other", 1);
    elsewhere["metadata"]["namespace"] = "kube-system".into();
    assert_eq!(
        client.post(DEPLOYMENTS, &elsewhere).await.line(),
        "400 BadRequest: the namespace of the provided object does not match the namespace sent on the request"
    );
}

#[tokio::test(start_paused = true)]
async fn v4_2_names_are_generated() {
    let client = client();
    let body = json!({"metadata": {"generateName": "a-"}});
    let made = client.post(CONFIG_MAPS, &body).await.expect(201);
    let name = made["metadata"]["name"].as_str().expect("a name");
    assert!(name.starts_with("a-") && name.len() == 7, "{name}");
    let long = json!({"metadata": {"generateName": "x".repeat(80)}});
    let made = client.post(CONFIG_MAPS, &long).await.expect(201);
    assert_eq!(made["metadata"]["name"].as_str().map(str::len), Some(63));
}

#[tokio::test(start_paused = true)]
async fn v4_3_the_version_in_the_body_must_be_the_stored_one() {
    let client = client();
    let path = format!("{DEPLOYMENTS}/web");
    let made = client.post(DEPLOYMENTS, &deployment("web", 2)).await.expect(201);
    let mut newer = made.clone();
    newer["spec"]["replicas"] = 3.into();
    client.put(&path, &newer).await.expect(200);
    assert_eq!(
        client.put(&path, &newer).await.line(),
        "409 Conflict: Operation cannot be fulfilled on deployments.apps \"web\": the object has been modified; please apply your changes to the latest version and try again"
    );
    let mut stranger = deployment("web", 4);
    stranger["metadata"]["uid"] = "other".into();
    assert_eq!(client.put(&path, &stranger).await.code, 409);
    client.put(&path, &deployment("web", 4)).await.expect(200);
    assert_eq!(
        client.put(&format!("{DEPLOYMENTS}/x"), &deployment("web", 4)).await.line(),
        "400 BadRequest: the name of the object (web) does not match the name on the URL (x)"
    );
    assert_eq!(client.put(&format!("{DEPLOYMENTS}/x"), &deployment("x", 4)).await.code, 404);
}

#[tokio::test(start_paused = true)]
async fn v4_3_custom_resources_are_not_replaced_without_a_version() {
    let client = client();
    client.post(CRDS, &foo_crd()).await.expect(201);
    client.post(FOOS, &foo("a", "red")).await.expect(201);
    let answer = client.put(&format!("{FOOS}/a"), &foo("a", "blue")).await;
    assert_eq!(
        answer.line(),
        "422 Invalid: foos.example.com \"a\" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update"
    );
}

#[tokio::test(start_paused = true)]
async fn v4_4_what_a_client_leaves_out_of_the_metadata_stays() {
    let client = client();
    let made = client.post(DEPLOYMENTS, &deployment("web", 2)).await.expect(201);
    let put = client.put(&format!("{DEPLOYMENTS}/web"), &deployment("web", 3)).await.expect(200);
    for name in ["uid", "creationTimestamp"] {
        assert_eq!(put["metadata"][name], made["metadata"][name]);
    }
}

#[tokio::test(start_paused = true)]
async fn v4_5_the_generation_counts_changes_of_what_is_wanted() {
    let client = client();
    client.post(DEPLOYMENTS, &deployment("web", 2)).await.expect(201);
    let path = format!("{DEPLOYMENTS}/web");
    let generation = |object: Value| object["metadata"]["generation"].as_i64();
    let labelled = json!({"metadata": {"labels": {"a": "b"}}});
    assert_eq!(generation(client.merge(&path, &labelled).await.expect(200)), Some(1));
    let scaled = json!({"spec": {"replicas": 5}});
    assert_eq!(generation(client.merge(&path, &scaled).await.expect(200)), Some(2));
    let status = json!({"status": {"replicas": 5}});
    let answer = client.merge(&format!("{path}/status"), &status).await;
    assert_eq!(generation(answer.expect(200)), Some(2));
    let held = json!({"metadata": {"finalizers": ["example.com/x"]}});
    client.merge(&path, &held).await.expect(200);
    assert_eq!(generation(client.delete(&path).await.expect(200)), Some(3));
}

#[tokio::test(start_paused = true)]
async fn v4_6_a_write_without_effect_is_no_write() {
    let client = client();
    let made = client.post(DEPLOYMENTS, &deployment("web", 2)).await.expect(201);
    let at = version(&made);
    let path = format!("{DEPLOYMENTS}/web");
    let mut watch = client.watch(&format!("{DEPLOYMENTS}?watch=1&resourceVersion={at}")).await;
    tokio::time::advance(std::time::Duration::from_secs(5)).await;
    let put = client.put(&path, &made).await.expect(200);
    let again = client.put(&path, &deployment("web", 2)).await.expect(200);
    let merged = client.merge(&path, &json!({"spec": {"replicas": 2}})).await.expect(200);
    let applied = json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"},
        "spec": deployment("web", 2)["spec"]});
    let apply = format!("{path}?fieldManager=m&force=true");
    let first = client.patch("apply", &apply, &applied).await.expect(200);
    tokio::time::advance(std::time::Duration::from_secs(5)).await;
    let second = client.patch("apply", &apply, &applied).await.expect(200);
    assert_eq!([version(&put), version(&again), version(&merged)], [at, at, at]);
    assert_eq!(version(&first), at + 1, "a new owner of fields is a change");
    assert_eq!(second, first);
    assert_eq!(watch.ready().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn v4_7_status_is_written_on_its_own_path_only() {
    let client = client();
    client.post(DEPLOYMENTS, &deployment("web", 2)).await.expect(201);
    let path = format!("{DEPLOYMENTS}/web");
    let body = json!({"metadata": {"labels": {"a": "b"}}, "spec": {"replicas": 9}, "status": {"replicas": 1}});
    let written = client.merge(&format!("{path}/status"), &body).await.expect(200);
    assert_eq!(written["status"]["replicas"], 1);
    assert_eq!(written["spec"]["replicas"], 2);
    assert_eq!(written["metadata"].get("labels"), None);
    let main = client.merge(&path, &json!({"status": {"replicas": 7}})).await.expect(200);
    assert_eq!(main["status"]["replicas"], 1);
    let managers: Vec<&str> = main["metadata"]["managedFields"]
        .as_array()
        .expect("managers")
        .iter()
        .filter_map(|entry| entry["subresource"].as_str())
        .collect();
    assert_eq!(managers, ["status"]);
}

#[tokio::test(start_paused = true)]
async fn v4_8_scale_is_a_view() {
    let client = client();
    client.post(DEPLOYMENTS, &deployment("web", 2)).await.expect(201);
    let path = format!("{DEPLOYMENTS}/web/scale");
    let scale = client.get(&path).await.expect(200);
    assert_eq!((&scale["kind"], &scale["apiVersion"]), (&json!("Scale"), &json!("autoscaling/v1")));
    assert_eq!(scale["spec"]["replicas"], 2);
    assert_eq!(scale["status"], json!({"replicas": 0, "selector": "app=web"}));
    let scaled = client.merge(&path, &json!({"spec": {"replicas": 4}})).await.expect(200);
    assert_eq!(scaled["spec"]["replicas"], 4);
    let object = client.get(&format!("{DEPLOYMENTS}/web")).await.expect(200);
    assert_eq!(
        (&object["spec"]["replicas"], &object["metadata"]["generation"]),
        (&json!(4), &json!(2))
    );
    let mut old = scale;
    old["spec"]["replicas"] = 1.into();
    assert_eq!(client.put(&path, &old).await.code, 409);
    let negative = client.merge(&path, &json!({"spec": {"replicas": -1}})).await;
    assert_eq!(
        negative.line(),
        "422 Invalid: Scale.autoscaling \"web\" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0"
    );
}

#[tokio::test(start_paused = true)]
async fn v4_8_custom_resources_scale_where_they_say() {
    let client = client();
    client.post(CRDS, &foo_crd()).await.expect(201);
    client.post(FOOS, &foo("a", "red")).await.expect(201);
    let path = format!("{FOOS}/a/scale");
    assert_eq!(client.get(&path).await.expect(200)["spec"]["replicas"], 1);
    client.merge(&path, &json!({"spec": {"replicas": 4}})).await.expect(200);
    assert_eq!(client.get(&format!("{FOOS}/a")).await.expect(200)["spec"]["replicas"], 4);
}

#[tokio::test(start_paused = true)]
async fn v4_9_owners_are_named_once() {
    let client = client();
    let owner = |name: &str, uid: &str, controller: bool| json!({"apiVersion": "v1", "kind": "Pod", "name": name, "uid": uid, "controller": controller});
    let twice = json!([owner("x", "u", true), owner("x", "u", true)]);
    let body = json!({"metadata": {"name": "a", "ownerReferences": twice}});
    let answer = client.post(CONFIG_MAPS, &body).await;
    let warning = answer.headers["warning"].to_str().expect("text").to_owned();
    assert!(warning.ends_with("duplicate UID(s) observed: u\""), "{warning}");
    let owners = &answer.expect(201)["metadata"]["ownerReferences"];
    assert_eq!(owners.as_array().map(Vec::len), Some(1));
    let two = json!([owner("x", "u", true), owner("y", "v", true)]);
    let body = json!({"metadata": {"name": "b", "ownerReferences": two}});
    assert_eq!(client.post(CONFIG_MAPS, &body).await.code, 422);
}

#[tokio::test(start_paused = true)]
async fn v4_11_a_dry_run_stores_nothing() {
    let client = client();
    let before = client.server.revision();
    let made =
        client.post(&format!("{DEPLOYMENTS}?dryRun=All"), &deployment("web", 2)).await.expect(201);
    assert_eq!(made["spec"]["replicas"], 2);
    assert_eq!(client.get(&format!("{DEPLOYMENTS}/web")).await.code, 404);
    client.post(DEPLOYMENTS, &deployment("web", 2)).await.expect(201);
    let path = format!("{DEPLOYMENTS}/web?dryRun=All");
    let patched = client.merge(&path, &json!({"spec": {"replicas": 3}})).await.expect(200);
    assert_eq!(patched["spec"]["replicas"], 3);
    client.delete(&path).await.expect(200);
    assert_eq!(client.server.revision(), before + 1);
    let bad = client.delete(&format!("{DEPLOYMENTS}/web?dryRun=Some")).await;
    assert_eq!(bad.code, 422);
}

#[tokio::test(start_paused = true)]
async fn v4_11_unknown_and_duplicate_fields() {
    let client = client();
    let mut body = deployment("web", 2);
    body["spec"]["replica"] = 3.into();
    let strict = client.post(&format!("{DEPLOYMENTS}?fieldValidation=Strict"), &body).await;
    assert_eq!(
        strict.line(),
        "400 BadRequest: Deployment in version \"v1\" cannot be handled as a Deployment: strict decoding error: unknown field \"spec.replica\""
    );
    let warned = client.post(&format!("{DEPLOYMENTS}?dryRun=All"), &body).await;
    assert_eq!(warned.headers["warning"], r#"299 - "unknown field \"spec.replica\"""#);
    assert_eq!(warned.expect(201)["spec"].get("replica"), None);
    let ignored =
        client.post(&format!("{DEPLOYMENTS}?dryRun=All&fieldValidation=Ignore"), &body).await;
    assert_eq!((ignored.code, ignored.headers.get("warning")), (201, None));
    let twice = r#"{"metadata":{"name":"a"},"data":{"x":"1","x":"2"}}"#;
    let strict = format!("{CONFIG_MAPS}?fieldValidation=Strict");
    let answer = client.send("POST", &strict, "application/json", twice.to_owned()).await;
    assert_eq!(
        answer.line(),
        "400 BadRequest: ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: duplicate field \"data.x\""
    );
}

#[tokio::test(start_paused = true)]
async fn v4_12_namespaces_must_be_there_and_stay() {
    let client = client();
    let body = json!({"metadata": {"name": "a"}});
    assert_eq!(
        client.post("/api/v1/namespaces/nope/configmaps", &body).await.line(),
        "404 NotFound: namespaces \"nope\" not found"
    );
    client.post("/api/v1/namespaces", &json!({"metadata": {"name": "team"}})).await.expect(201);
    client.post("/api/v1/namespaces/team/configmaps", &body).await.expect(201);
    let going = client.delete("/api/v1/namespaces/team").await.expect(200);
    assert_eq!(going["status"]["phase"], "Terminating");
    let refused = client.post("/api/v1/namespaces/team/secrets", &body).await;
    assert_eq!(
        refused.line(),
        "403 Forbidden: secrets \"a\" is forbidden: unable to create new content in namespace team because it is being terminated"
    );
    assert_eq!(refused.json()["details"]["causes"][0]["reason"], "NamespaceTerminating");
    for name in ["default", "kube-system", "kube-public"] {
        assert_eq!(client.delete(&format!("/api/v1/namespaces/{name}")).await.code, 403);
    }
    let done = json!({"kind": "Namespace", "apiVersion": "v1", "metadata": {"name": "team"}, "spec": {"finalizers": []}});
    client.put("/api/v1/namespaces/team/finalize", &done).await.expect(200);
    assert_eq!(client.get("/api/v1/namespaces/team").await.code, 404);
}

#[tokio::test(start_paused = true)]
async fn v4_3_a_put_of_something_new_may_carry_a_version_but_no_uid() {
    let client = client();
    let path =
        |name: &str| format!("/apis/coordination.k8s.io/v1/namespaces/default/leases/{name}");
    let lease = |metadata: Value| json!({"metadata": metadata, "spec": {}});
    // What a leader does whose lease was deleted under it.
    let again = lease(json!({"name": "a", "resourceVersion": "5"}));
    client.put(&path("a"), &again).await.expect(201);
    let other = lease(json!({"name": "b", "uid": "of-another"}));
    assert_eq!(client.put(&path("b"), &other).await.code, 409);
    let unreadable = lease(json!({"name": "a", "resourceVersion": "x"}));
    assert_eq!(
        client.put(&path("a"), &unreadable).await.line(),
        "500 : strconv.ParseUint: parsing \"x\": invalid syntax"
    );
}

/// A dry run looks from above what is stored, and tells of a place without a root.
#[tokio::test(start_paused = true)]
async fn v4_3_another_uid_is_another_object_and_a_dry_run_names_another_place() {
    let client = client();
    client.config_map("a", "b").await;
    let other = json!({"metadata": {"name": "a", "uid": "u"}});
    for (query, place) in
        [("", "/registry/configmaps/default/a"), ("?dryRun=All", "/configmaps/default/a")]
    {
        let told = client.put(&format!("{CONFIG_MAPS}/a{query}"), &other).await.line();
        assert!(
            told.starts_with("409 Conflict: ") && told.contains(&format!(" Key: {place},")),
            "{told}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn v4_3_version_zero_is_none() {
    let client = client();
    client.post(CRDS, &foo_crd()).await.expect(201);
    client.post(FOOS, &foo("a", "red")).await.expect(201);
    client.post(DEPLOYMENTS, &deployment("web", 2)).await.expect(201);
    let zero = |mut object: Value| {
        object["metadata"]["resourceVersion"] = "0".into();
        object
    };
    client.put(&format!("{DEPLOYMENTS}/web"), &zero(deployment("web", 3))).await.expect(200);
    let refused = client.put(&format!("{FOOS}/a"), &zero(foo("a", "blue"))).await;
    assert_eq!(
        refused.line(),
        "422 Invalid: foos.example.com \"a\" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update"
    );
}

/// As upstream's keys have it, a custom resource is stored below its group.
#[tokio::test(start_paused = true)]
async fn v4_3_an_object_that_is_another_is_told_by_its_place_in_the_store() {
    let client = client();
    client.post(CRDS, &foo_crd()).await.expect(201);
    client.post(FOOS, &foo("a", "red")).await.expect(201);
    client.post(DEPLOYMENTS, &deployment("web", 2)).await.expect(201);
    for (path, mut object, place) in [
        (format!("{FOOS}/a"), foo("a", "red"), "/registry/example.com/foos/default/a"),
        (format!("{DEPLOYMENTS}/web"), deployment("web", 2), "/registry/deployments/default/web"),
    ] {
        object["metadata"]["uid"] = "u".into();
        let told = client.put(&path, &object).await.line();
        assert!(told.contains(&format!(" Key: {place}, ResourceVersion: 0,")), "{told}");
        assert!(told.contains("Precondition failed: UID in precondition: u, UID in object meta: "));
    }
}
