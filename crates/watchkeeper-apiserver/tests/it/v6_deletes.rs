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

#[tokio::test(start_paused = true)]
async fn v6_5_a_collection_listed_in_the_past_goes_as_it_is_now() {
    let client = client();
    let held =
        json!({"metadata": {"name": "held", "finalizers": ["a.b/c"]}, "data": {"value": "1"}});
    let past = version(&client.post(CONFIG_MAPS, &held).await.expect(201));
    client.config_map("gone", "1").await;
    let later = version(&client.get(CONFIG_MAPS).await.expect(200));
    client
        .merge(&format!("{CONFIG_MAPS}/held"), &json!({"data": {"value": "2"}}))
        .await
        .expect(200);
    client.delete(&format!("{CONFIG_MAPS}/gone")).await.expect(200);
    client.config_map("new", "1").await;
    assert!(later > past);
    let path = format!("{CONFIG_MAPS}?resourceVersion={later}&resourceVersionMatch=Exact");
    client.delete(&path).await.expect(200);
    let held = client.get(&format!("{CONFIG_MAPS}/held")).await.expect(200);
    assert_eq!(held["data"]["value"], "2", "the newest state is marked, not an old one");
    assert!(held["metadata"]["deletionTimestamp"].is_string());
    assert_eq!(names(&client.get(CONFIG_MAPS).await.expect(200)), ["held", "new"]);
}

#[tokio::test(start_paused = true)]
async fn v13_3_a_binding_and_an_eviction_are_of_the_pod_they_name() {
    let client = client();
    let made = client.post(PODS, &pod("p")).await.expect(201);
    let path = format!("{PODS}/p/binding");
    let binding = |metadata: serde_json::Value| json!({"metadata": metadata, "target": {"kind": "Node", "name": "n"}});
    let other = client.post(&path, &binding(json!({"name": "p", "uid": "other"}))).await;
    assert_eq!(other.code, 409, "{}", other.text);
    assert!(other.text.contains("UID in precondition: other"), "{}", other.text);
    let older = client.post(&path, &binding(json!({"name": "p", "resourceVersion": "1"}))).await;
    assert_eq!(older.code, 409, "{}", older.text);
    let uid = &made["metadata"]["uid"];
    let right = json!({"name": "p", "uid": uid, "annotations": {"a": "b", "odd": 5}});
    client.post(&path, &binding(right)).await.expect(201);
    let bound = client.get(&format!("{PODS}/p")).await.expect(200);
    assert_eq!(bound["spec"]["nodeName"], "n");
    assert_eq!(bound["metadata"]["annotations"], json!({"a": "b"}));
    let eviction = json!({"metadata": {"name": "q"}});
    assert_eq!(
        client.post(&format!("{PODS}/p/eviction"), &eviction).await.line(),
        "400 BadRequest: name in URL does not match name in Eviction object"
    );
}

#[tokio::test(start_paused = true)]
async fn v13_2_a_namespace_is_finalized_with_names_only() {
    let client = client();
    let path = "/api/v1/namespaces/default/finalize";
    let body = json!({"metadata": {"name": "default"}, "spec": {"finalizers": [{"no": "text"}]}});
    assert_eq!(client.put(path, &body).await.code, 400);
    let namespace = client.get("/api/v1/namespaces/default").await.expect(200);
    assert_eq!(namespace["spec"]["finalizers"], json!(["kubernetes"]));
}

#[tokio::test(start_paused = true)]
async fn v6_1_less_than_no_grace_is_a_second() {
    let client = client();
    client.post(PODS, &pod("p")).await.expect(201);
    let path = format!("{PODS}/p");
    let binding = json!({"metadata": {"name": "p"}, "target": {"kind": "Node", "name": "n"}});
    client.post(&format!("{path}/binding"), &binding).await.expect(201);
    let going = client.delete(&format!("{path}?gracePeriodSeconds=-5")).await.expect(200);
    assert_eq!(going["metadata"]["deletionGracePeriodSeconds"], 1);
}

#[tokio::test(start_paused = true)]
async fn v6_1_options_in_a_body_are_all_that_there_are() {
    let client = client();
    for (name, query, body, code) in [
        ("a", "?dryRun=All", "", 200),
        ("b", "?dryRun=All", r#"{"gracePeriodSeconds": 5}"#, 404),
        ("c", "?propagationPolicy=Foreground", "{}", 404),
        ("d", "", r#"{"dryRun": ["All"]}"#, 200),
    ] {
        client.config_map(name, "1").await;
        let path = format!("{CONFIG_MAPS}/{name}");
        let kind = if body.is_empty() { "" } else { "application/json" };
        client.send("DELETE", &format!("{path}{query}"), kind, body.to_owned()).await.expect(200);
        assert_eq!(client.get(&path).await.code, code, "{query} {body}");
    }
}

#[tokio::test(start_paused = true)]
async fn v1_1_what_is_gone_is_told_by_its_name_and_what_is_not_yet_is_shown() {
    let client = client();
    let held = json!({"metadata": {"name": "a", "finalizers": ["a.b/c"]}});
    client.post(CONFIG_MAPS, &held).await.expect(201);
    for (query, code) in [("?orphanDependents=true", 200), ("?orphanDependents=false", 202)] {
        let map = client.delete(&format!("{CONFIG_MAPS}/a{query}")).await.expect(code);
        assert_eq!(map["metadata"]["name"], "a", "{query}");
    }
    let web = client.post(DEPLOYMENTS, &deployment("web", 1)).await.expect(201);
    let gone = client.delete(&format!("{DEPLOYMENTS}/web?orphanDependents=false")).await;
    let details = json!({"name": "web", "group": "apps", "kind": "deployments",
        "uid": web["metadata"]["uid"]});
    let status = json!({"kind": "Status", "apiVersion": "v1", "metadata": {},
        "status": "Success", "details": details});
    assert_eq!(gone.expect(200), status);
    client.config_map("b", "1").await;
    let gone = client.delete(&format!("{CONFIG_MAPS}/b")).await.expect(200);
    assert_eq!(gone["details"].get("group"), None, "no group has no name");
}

#[tokio::test(start_paused = true)]
async fn v6_1_options_are_of_their_own_kind_and_types() {
    let client = client();
    client.config_map("a", "1").await;
    let path = format!("{CONFIG_MAPS}/a");
    let send =
        async |kind: &str, body: &str| client.send("DELETE", &path, kind, body.to_owned()).await;
    for (kind, body) in [
        ("application/json", r#"{"kind": "ConfigMap", "apiVersion": "v1"}"#),
        ("application/json", r#"{"kind": 1}"#),
        ("application/json", r#"{"gracePeriodSeconds": "x"}"#),
        ("application/json", "{"),
        ("application/yaml", "gracePeriodSeconds: x"),
    ] {
        let refused = send(kind, body).await;
        assert_eq!(refused.code, 400, "{body} {}", refused.text);
    }
    let line = send("application/json", r#"{"kind": "Pod", "apiVersion": "v9"}"#).await.line();
    assert_eq!(
        line,
        "400 BadRequest: no kind \"Pod\" is registered for version \"v9\" in scheme \
         \"pkg/runtime/scheme.go:111\""
    );
    assert_eq!(client.get(&path).await.code, 200, "nothing was deleted");
    send("application/yaml", "kind: DeleteOptions\ndryRun: [All]").await.expect(200);
    assert_eq!(client.get(&path).await.code, 200, "that was a dry run");
    send("application/json", r#"{"kind": "", "gracePeriodSeconds": 0}"#).await.expect(200);
    assert_eq!(client.get(&path).await.code, 404);
}

#[tokio::test(start_paused = true)]
async fn v6_5_a_dry_run_of_a_collection_leaves_it() {
    let client = client();
    for name in ["a", "b"] {
        client.config_map(name, "1").await;
    }
    let before = client.server.revision();
    let listed = client.delete(&format!("{CONFIG_MAPS}?dryRun=All")).await.expect(200);
    assert_eq!(names(&listed), ["a", "b"]);
    assert_eq!(names(&client.get(CONFIG_MAPS).await.expect(200)), ["a", "b"]);
    assert_eq!(client.server.revision(), before);
    assert_eq!(client.delete("/api/v1/configmaps").await.code, 405, "not of all namespaces");
}

#[tokio::test(start_paused = true)]
async fn v6_3_who_deletes_a_job_without_saying_more_is_warned() {
    let client = client();
    let jobs = "/apis/batch/v1/namespaces/default/jobs";
    for (path, is_warned) in [
        (jobs, true),
        (&*format!("{jobs}?propagationPolicy=Orphan"), false),
        (&*format!("{jobs}?propagationPolicy=Background"), false),
        (CONFIG_MAPS, false),
    ] {
        let warnings = client.delete(path).await.headers.get("warning").is_some();
        assert_eq!(warnings, is_warned, "{path}");
    }
}
