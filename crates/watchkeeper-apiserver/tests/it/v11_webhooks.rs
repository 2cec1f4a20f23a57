//! V11: webhooks that change and refuse writes.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use watchkeeper_apiserver::admission::{Review, Reviewed};

use crate::support::*;

pub(crate) const MUTATING: &str =
    "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
pub(crate) const VALIDATING: &str =
    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

/// What webhooks were asked, in order.
#[derive(Clone, Default)]
pub(crate) struct Seen(Arc<Mutex<Vec<Value>>>);

impl Seen {
    pub(crate) fn push(&self, review: &Review) {
        self.0.lock().expect("the list").push(review.request().clone());
    }

    pub(crate) fn all(&self) -> Vec<Value> {
        self.0.lock().expect("the list").clone()
    }

    pub(crate) fn count(&self) -> usize {
        self.all().len()
    }
}

/// A webhook at an address of its own, about config maps, with more members.
pub(crate) fn hook(name: &str, more: &Value) -> Value {
    let mut hook = json!({
        "name": format!("{name}.hooks.test"),
        "clientConfig": {"url": address(name)},
        "rules": [{
            "operations": ["*"], "apiGroups": [""], "apiVersions": ["v1"],
            "resources": ["configmaps"],
        }],
        "sideEffects": "None",
        "admissionReviewVersions": ["v1"],
    });
    for (member, value) in more.as_object().expect("members") {
        hook[member] = value.clone();
    }
    hook
}

pub(crate) fn address(name: &str) -> String {
    format!("https://hooks.test/{name}")
}

/// A configuration of webhooks.
pub(crate) async fn configure(client: &Client, path: &str, name: &str, webhooks: &[Value]) {
    let body = json!({"metadata": {"name": name}, "webhooks": webhooks});
    client.post(path, &body).await.expect(201);
}

/// Lets a webhook answer, and notes what it was asked.
pub(crate) fn answer(
    client: &Client,
    name: &str,
    answer: impl Fn(&Review) -> Reviewed + Send + Sync + 'static,
) -> Seen {
    let seen = Seen::default();
    let notes = seen.clone();
    client.server.on_webhook(address(name), move |review| {
        notes.push(&review);
        let reviewed = answer(&review);
        async move { reviewed }
    });
    seen
}

pub(crate) fn map(name: &str) -> Value {
    json!({"metadata": {"name": name}, "data": {"value": "1"}})
}

fn put(path: &str, value: &str) -> Value {
    json!([{"op": "add", "path": path, "value": value}])
}

#[tokio::test(start_paused = true)]
async fn v11_1_a_review_tells_everything_of_the_write() {
    let client = client();
    let seen = answer(&client, "a", Review::allow);
    configure(&client, VALIDATING, "a", &[hook("a", &json!({}))]).await;
    client.post(&format!("{CONFIG_MAPS}?fieldManager=me"), &map("x")).await.expect(201);
    client.merge(&format!("{CONFIG_MAPS}/x"), &json!({"data": {"value": "2"}})).await.expect(200);
    client.delete(&format!("{CONFIG_MAPS}/x?gracePeriodSeconds=3")).await.expect(200);
    let requests = seen.all();
    let operations: Vec<&Value> = requests.iter().map(|request| &request["operation"]).collect();
    assert_eq!(operations, ["CREATE", "UPDATE", "DELETE"]);
    let create = &requests[0];
    let kind = json!({"group": "", "version": "v1", "kind": "ConfigMap"});
    let resource = json!({"group": "", "version": "v1", "resource": "configmaps"});
    assert_eq!((&create["kind"], &create["requestKind"]), (&kind, &kind));
    assert_eq!((&create["resource"], &create["requestResource"]), (&resource, &resource));
    assert_eq!((&create["name"], &create["namespace"]), (&json!("x"), &json!("default")));
    assert_eq!(create["userInfo"]["username"], "system:admin");
    assert_eq!((&create["dryRun"], &create["oldObject"]), (&json!(false), &Value::Null));
    let options = json!({
        "kind": "CreateOptions", "apiVersion": "meta.k8s.io/v1", "fieldManager": "me",
    });
    assert_eq!(create["options"], options);
    assert_eq!(create["object"]["kind"], "ConfigMap");
    assert_eq!(create["object"]["metadata"]["managedFields"][0]["manager"], "me");
    let update = &requests[1];
    assert_eq!(update["oldObject"]["data"]["value"], "1");
    assert_eq!(update["object"]["data"]["value"], "2");
    assert_eq!(update["options"]["kind"], "UpdateOptions");
    let delete = &requests[2];
    assert_eq!(
        (&delete["object"], &delete["oldObject"]["data"]["value"]),
        (&Value::Null, &json!("2"))
    );
    assert_eq!(delete["options"]["gracePeriodSeconds"], 3);
    let uids: std::collections::BTreeSet<&str> =
        requests.iter().filter_map(|request| request["uid"].as_str()).collect();
    assert_eq!(uids.len(), 3);
}

#[tokio::test(start_paused = true)]
async fn v11_1_refusals_are_told_in_upstreams_words() {
    let client = client();
    answer(&client, "a", |review| match review.object()["metadata"]["name"].as_str() {
        Some("plain") => review.deny("no"),
        Some("bare") => {
            let uid = &review.request()["uid"];
            let response = json!({"uid": uid, "allowed": false});
            Reviewed::raw(json!({
                "kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "response": response,
            }))
        }
        Some("coded") => review.deny("never").code(409).reason("Conflict"),
        Some("reasoned") => review.deny("").reason("OwnReason").code(200),
        _ => review.allow(),
    });
    configure(&client, VALIDATING, "a", &[hook("a", &json!({}))]).await;
    let line = async |name: &str| client.post(CONFIG_MAPS, &map(name)).await.line();
    let denied = "admission webhook \"a.hooks.test\" denied the request";
    assert_eq!(line("plain").await, format!("400 : {denied}: no"));
    assert_eq!(line("bare").await, format!("400 : {denied} without explanation"));
    assert_eq!(line("coded").await, format!("409 Conflict: {denied}: never"));
    assert_eq!(line("reasoned").await, format!("400 OwnReason: {denied}: OwnReason"));
    client.post(CONFIG_MAPS, &map("fine")).await.expect(201);
    assert_eq!(names(&client.get(CONFIG_MAPS).await.expect(200)), ["fine"]);
}

#[tokio::test(start_paused = true)]
async fn v11_1_patches_are_applied_in_the_order_of_names() {
    let client = client();
    let append = |letter: &'static str| {
        move |review: &Review| {
            let so_far = review.object()["data"]["value"].as_str().unwrap_or_default().to_owned();
            review.allow().patch(&put("/data/value", &format!("{so_far}{letter}")))
        }
    };
    for name in ["a", "b", "c"] {
        answer(&client, name, append(name));
    }
    configure(&client, MUTATING, "second", &[hook("c", &json!({}))]).await;
    configure(&client, MUTATING, "first", &[hook("b", &json!({})), hook("a", &json!({}))]).await;
    let created = client.post(CONFIG_MAPS, &map("x")).await.expect(201);
    assert_eq!(created["data"]["value"], "1bac");
    let stored = client.get(&format!("{CONFIG_MAPS}/x")).await.expect(200);
    assert_eq!(stored["data"]["value"], "1bac");
    // What webhooks change nobody owns.
    let managed = &stored["metadata"]["managedFields"];
    assert_eq!(managed.as_array().map(Vec::len), Some(1));
    let applied = json!({"apiVersion": "v1", "kind": "ConfigMap", "data": {"other": "2"}});
    let path = format!("{CONFIG_MAPS}/x?fieldManager=m");
    let patched = client.patch("apply", &path, &applied).await.expect(200);
    assert_eq!(patched["data"], json!({"value": "1bacbac", "other": "2"}));
}

#[tokio::test(start_paused = true)]
async fn v11_1_what_changes_goes_before_defaults_and_validation_and_what_judges_after() {
    let client = client();
    let pods = json!([{
        "operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"],
    }]);
    answer(&client, "a", |review| {
        let image = review.object()["spec"]["containers"][0]["image"].as_str().unwrap_or_default();
        let container = json!({"name": "b", "image": if image == "bad" { "" } else { "sidecar" }});
        review.allow().patch(&json!([
            {"op": "add", "path": "/spec/containers/-", "value": container},
            {"op": "add", "path": "/spec/unknown", "value": 1},
        ]))
    });
    let judged = answer(&client, "b", Review::allow);
    configure(&client, MUTATING, "a", &[hook("a", &json!({"rules": pods}))]).await;
    configure(&client, VALIDATING, "b", &[hook("b", &json!({"rules": pods}))]).await;
    let created = client.post(PODS, &pod("x")).await.expect(201);
    let added = &created["spec"]["containers"][1];
    assert_eq!((&added["image"], &added["imagePullPolicy"]), (&json!("sidecar"), &json!("Always")));
    assert_eq!(created["spec"]["unknown"], Value::Null);
    let seen = &judged.all()[0]["object"];
    assert_eq!(seen["spec"]["containers"][1]["imagePullPolicy"], "Always");
    assert_eq!(seen["metadata"]["uid"], created["metadata"]["uid"]);
    // What a webhook spoils is refused as if it had been sent, and nobody judges it.
    let mut bad = pod("y");
    bad["spec"]["containers"][0]["image"] = "bad".into();
    let line = client.post(PODS, &bad).await.line();
    assert!(line.starts_with("422 Invalid: ") && line.contains("containers[1].image"), "{line}");
    assert_eq!(judged.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn v11_1_who_wants_to_is_asked_again_when_the_object_changed_afterwards() {
    let client = client();
    let first = answer(&client, "a", |review| {
        if review.object()["data"]["sidecar"].is_null() {
            review.allow()
        } else {
            review.allow().patch(&put("/data/seen", "yes"))
        }
    });
    let second = answer(&client, "b", |review| {
        if review.object()["data"]["quiet"].is_null() {
            review.allow().patch(&put("/data/sidecar", "there"))
        } else {
            review.allow()
        }
    });
    let again = json!({"reinvocationPolicy": "IfNeeded"});
    configure(&client, MUTATING, "a", &[hook("a", &again), hook("b", &again)]).await;
    let created = client.post(CONFIG_MAPS, &map("x")).await.expect(201);
    assert_eq!(created["data"], json!({"value": "1", "sidecar": "there", "seen": "yes"}));
    // The second is asked again because the first one changed the object once more.
    assert_eq!((first.count(), second.count()), (2, 2));
    let mut quiet = map("y");
    quiet["data"]["quiet"] = "yes".into();
    client.post(CONFIG_MAPS, &quiet).await.expect(201);
    assert_eq!((first.count(), second.count()), (3, 3));
}

#[tokio::test(start_paused = true)]
async fn v11_1_who_does_not_want_to_is_asked_once() {
    let client = client();
    let first = answer(&client, "a", Review::allow);
    answer(&client, "b", |review| review.allow().patch(&put("/data/sidecar", "there")));
    configure(&client, MUTATING, "a", &[hook("a", &json!({})), hook("b", &json!({}))]).await;
    client.post(CONFIG_MAPS, &map("x")).await.expect(201);
    assert_eq!(first.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn v11_1_a_dry_run_asks_only_what_has_no_effects_elsewhere() {
    let client = client();
    let seen = answer(&client, "a", Review::allow);
    let dry = format!("{CONFIG_MAPS}?dryRun=All");
    configure(&client, MUTATING, "a", &[hook("a", &json!({"sideEffects": "NoneOnDryRun"}))]).await;
    client.post(&dry, &map("x")).await.expect(201);
    let asked = &seen.all()[0];
    assert_eq!((&asked["dryRun"], &asked["options"]["dryRun"]), (&json!(true), &json!(["All"])));
    // One that says nothing of its effects, or has some, is not taken in the first place.
    let hooks = json!({"metadata": {"name": "b"}, "webhooks": [hook("a", &json!({"sideEffects": "Some"}))]});
    let refused = client.post(VALIDATING, &hooks).await.expect(422);
    assert_eq!(refused["details"]["causes"][0]["field"], "webhooks[0].sideEffects");
    client.post(CONFIG_MAPS, &map("x")).await.expect(201);
}

#[tokio::test(start_paused = true)]
async fn v11_1_warnings_and_audit_annotations_reach_those_they_are_for() {
    let client = client();
    answer(&client, "a", |review| review.allow().warning("old").audit_annotation("team", "blue"));
    answer(&client, "b", |review| review.deny("no").warning("older").warning("old"));
    configure(&client, MUTATING, "a", &[hook("a", &json!({}))]).await;
    let created = client.post(CONFIG_MAPS, &map("x")).await;
    let warnings: Vec<&str> =
        created.headers.get_all("warning").iter().map(|one| one.to_str().expect("text")).collect();
    assert_eq!(warnings, ["299 - \"old\""]);
    configure(&client, VALIDATING, "b", &[hook("b", &json!({}))]).await;
    let refused = client.post(CONFIG_MAPS, &map("y")).await;
    assert_eq!(refused.headers.get_all("warning").iter().count(), 2);
    let annotations = client.server.audit_annotations();
    let told: Vec<String> = annotations
        .iter()
        .map(|one| format!("{} {} {}={}", one.actor, one.key, one.annotation, one.value))
        .collect();
    assert_eq!(
        told,
        ["tester default/x a.hooks.test/team=blue", "tester default/y a.hooks.test/team=blue"]
    );
}
