//! Writes, and what an observer is told of them.

use std::future::Future;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use serde_json::{Value, json};
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::meta::v1::Status;
use watchkeeper_api::{Object as _, Unstructured, json as codec};
use watchkeeper_client::{
    Api, ApplyOptions, CreateOptions, DeleteOptions, Deleted, ListOptions, NotSent, Patch,
    PatchOptions, UpdateOptions, WriteIntent, WriteObserver, WriteOptions, WriteOutcome,
    status_answer,
};

use crate::fake::{Answer, Fake, ok, reset, silence, status};
use crate::{config_map, failure};

/// Writes down what it is told.
#[derive(Default)]
struct Diary(Mutex<Vec<String>>);

impl WriteObserver for Diary {
    fn begin(&self, write: &WriteIntent<'_>) -> u64 {
        let mut lines = self.0.lock().unwrap();
        let WriteIntent { kind, namespace, name, verb, subresource, dry_run } = write;
        assert!(!*dry_run || kind.kind == "ConfigMap");
        lines.push(format!(
            "{} {} {namespace}/{} {}",
            verb.as_str(),
            kind.plural,
            name.unwrap_or("?"),
            subresource.unwrap_or("-"),
        ));
        lines.len() as u64
    }

    fn finish(&self, ticket: u64, outcome: &WriteOutcome<'_>) {
        let mut lines = self.0.lock().unwrap();
        let told = match outcome {
            WriteOutcome::Stored { namespace, name, uid, resource_version, labels } => {
                let colour = labels.map(|labels| labels.get("colour").unwrap_or("no colour"));
                let colour =
                    colour.filter(|_| *name == "red").map_or_else(String::new, |c| format!(" {c}"));
                format!("stored {namespace}/{name} {uid}@{resource_version}{colour}")
            }
            WriteOutcome::Deleted { namespace, name, uid } => {
                format!("deleted {namespace}/{name} {uid}")
            }
            WriteOutcome::Absent => "absent".to_owned(),
            WriteOutcome::Refused => "refused".to_owned(),
            WriteOutcome::Unknown => "unknown".to_owned(),
        };
        let line = &mut lines[usize::try_from(ticket).unwrap() - 1];
        assert!(!line.contains(':'), "told twice: {line}");
        *line += &format!(": {told}");
    }
}

struct Scene {
    fake: Fake,
    diary: Arc<Diary>,
    api: Api<ConfigMap>,
}

fn scene(answers: impl IntoIterator<Item = Answer>) -> Scene {
    let fake = Fake::new(answers);
    let diary = Arc::new(Diary::default());
    let client = fake.client().observed_by(Arc::clone(&diary) as _);
    Scene { api: client.api::<ConfigMap>().namespace("a"), fake, diary }
}

impl Scene {
    fn diary(&self) -> Vec<String> {
        self.diary.0.lock().unwrap().clone()
    }
}

fn map(name: &str) -> ConfigMap {
    codec::from_value(&config_map(name, 7)).unwrap()
}

fn answer(name: &str) -> Answer {
    ok(&config_map(name, 8).to_string())
}

fn status_success(uid: &str) -> String {
    json!({ "kind": "Status", "apiVersion": "v1", "status": "Success", "details": { "uid": uid } })
        .to_string()
}

/// Who answers in the server's place knows whether the write was sent.
#[tokio::test(start_paused = true)]
async fn what_was_not_sent_was_not_stored() {
    for (sent, told) in [(true, "unknown"), (false, "refused")] {
        let diary = Arc::new(Diary::default());
        let client = Fake::new([]).client().intercept(move |_request, _next| async move {
            let mut answer = status_answer(503, "Closed", "by the test");
            if !sent {
                answer.extensions_mut().insert(NotSent);
            }
            Ok(answer)
        });
        let client = client.observed_by(Arc::clone(&diary) as _);
        let api = client.api::<ConfigMap>().namespace("a");
        let error = api.create(&map("x"), &CreateOptions::default()).await.unwrap_err();
        assert!(error.to_string().ends_with("by the test"), "{error}");
        assert_eq!(*diary.0.lock().unwrap(), [format!("create configmaps a/x -: {told}")]);
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_is_told_of_a_write_that_is_not_observed() {
    let fake = Fake::new([answer("x"), answer("y")]);
    let diary = Arc::new(Diary::default());
    let client = fake.client().observed_by(Arc::clone(&diary) as _);
    for (client, name) in [(client.clone().unobserved(), "x"), (client, "y")] {
        let api = client.api::<ConfigMap>().namespace("a");
        api.create(&map(name), &CreateOptions::default()).await.unwrap();
    }
    assert_eq!(*diary.0.lock().unwrap(), ["create configmaps a/y -: stored a/y uid-y@8"]);
}

#[tokio::test(start_paused = true)]
async fn every_write_is_told_to_the_observer() {
    let scene = scene([
        answer("x"),
        answer("x"),
        answer("x"),
        answer("x"),
        answer("x"),
        answer("x"),
        ok(&status_success("uid-x")),
    ]);
    let api = &scene.api;
    let created = api.create(&map("x"), &CreateOptions::default()).await.unwrap();
    assert_eq!(created.resource_version(), "8");
    api.update(&map("x")).await.unwrap();
    api.update_status(&map("x")).await.unwrap();
    api.apply(&map("x"), &ApplyOptions::forced()).await.unwrap();
    let change = Patch::merge(&json!({ "data": null }));
    api.patch("x", &change, &PatchOptions::default()).await.unwrap();
    api.patch_status("x", &change, &PatchOptions::default()).await.unwrap();
    let deleted = api.delete("x", &DeleteOptions::default()).await.unwrap();
    assert!(matches!(deleted, Deleted::Gone { uid } if uid == "uid-x"));
    let expected = [
        "create configmaps a/x -: stored a/x uid-x@8",
        "update configmaps a/x -: stored a/x uid-x@8",
        "update configmaps a/x status: stored a/x uid-x@8",
        "patch configmaps a/x -: stored a/x uid-x@8",
        "patch configmaps a/x -: stored a/x uid-x@8",
        "patch configmaps a/x status: stored a/x uid-x@8",
        "delete configmaps a/x -: deleted a/x uid-x",
    ];
    assert_eq!(scene.diary(), expected);
    assert_eq!(
        scene.fake.asked()[3],
        "PATCH /api/v1/namespaces/a/configmaps/x?fieldManager=watchkeeper&force=true"
    );
}

#[tokio::test(start_paused = true)]
async fn what_is_not_known_is_told_as_unknown() {
    let overloaded = status(500, &failure(500, "InternalError", "etcd did not answer in time"));
    let conflict = status(409, &failure(409, "Conflict", "the object has been modified"));
    let scene = scene([reset(), silence(), overloaded, ok("hello"), conflict]);
    for told in ["unknown", "unknown", "unknown", "unknown", "refused"] {
        scene.api.update(&map("x")).await.unwrap_err();
        let diary = scene.diary();
        assert_eq!(*diary.last().unwrap(), format!("update configmaps a/x -: {told}"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_refusal_after_a_lost_attempt_is_unknown() {
    let unavailable = status(503, &failure(503, "ServiceUnavailable", "later")).retry_after(1);
    let conflict = status(409, &failure(409, "Conflict", "the object has been modified"));
    let scene = scene([unavailable, conflict]);
    let error = scene.api.update(&map("x")).await.unwrap_err();
    assert!(error.is_conflict());
    assert_eq!(scene.diary(), ["update configmaps a/x -: unknown"]);
}

fn no_such(details: &Value) -> Answer {
    let mut body: Value = serde_json::from_str(&failure(404, "NotFound", "not found")).unwrap();
    body["details"] = details.clone();
    status(404, &body.to_string())
}

/// A 404 may mean the object, and no other tells anything about it: its namespace, or a path.
#[tokio::test(start_paused = true)]
async fn that_there_is_no_such_object_is_told() {
    let named = json!({ "kind": "configmaps", "name": "x" });
    for (details, told) in [
        (named.clone(), "absent"),
        (json!({ "kind": "namespaces", "name": "x" }), "refused"),
        (json!({ "kind": "configmaps", "group": "example.com", "name": "x" }), "refused"),
        (json!({ "kind": "configmaps", "name": "y" }), "refused"),
        (json!({}), "refused"),
        (Value::Null, "refused"),
    ] {
        let scene = scene([no_such(&details), no_such(&details)]);
        scene.api.delete("x", &DeleteOptions::default()).await.unwrap_err();
        scene.api.update(&map("x")).await.unwrap_err();
        let ends = [
            format!("delete configmaps a/x -: {told}"),
            format!("update configmaps a/x -: {told}"),
        ];
        assert_eq!(scene.diary(), ends, "{details}");
    }
    // It may be that the kind has no such part.
    let parts = scene([no_such(&named)]);
    parts.api.update_status(&map("x")).await.unwrap_err();
    assert_eq!(parts.diary(), ["update configmaps a/x status: unknown"]);
    // Even where nobody knows what became of the attempt before.
    let unavailable = status(503, &failure(503, "ServiceUnavailable", "later")).retry_after(1);
    let scene = scene([unavailable, no_such(&named)]);
    scene.api.delete("x", &DeleteOptions::default()).await.unwrap_err();
    assert_eq!(scene.diary(), ["delete configmaps a/x -: absent"]);
}

#[tokio::test(start_paused = true)]
async fn a_caller_who_goes_away_leaves_it_unknown() {
    let scene = scene([silence()]);
    {
        let object = map("x");
        let mut update = Box::pin(scene.api.update(&object));
        let mut context = Context::from_waker(Waker::noop());
        assert!(matches!(update.as_mut().poll(&mut context), Poll::Pending));
        assert_eq!(scene.diary(), ["update configmaps a/x -"]);
    }
    assert_eq!(scene.diary(), ["update configmaps a/x -: unknown"]);
}

#[tokio::test(start_paused = true)]
async fn a_dry_run_stores_nothing() {
    let scene = scene([answer("x"), ok(&status_success("uid-x"))]);
    scene.api.create(&map("x"), &WriteOptions::dry_run()).await.unwrap();
    let options = DeleteOptions { dry_run: true, ..DeleteOptions::default() };
    scene.api.delete("x", &options).await.unwrap();
    assert!(scene.diary().iter().all(|line| line.ends_with(": refused")), "{:?}", scene.diary());
}

#[tokio::test(start_paused = true)]
async fn a_create_is_not_sent_twice_unless_it_was_not_carried_out() {
    let unavailable = status(503, &failure(503, "ServiceUnavailable", "later")).retry_after(1);
    let busy = status(429, &failure(429, "TooManyRequests", "later")).retry_after(1);
    let scene = scene([unavailable, busy, answer("x")]);
    scene.api.create(&map("x"), &CreateOptions::default()).await.unwrap_err();
    scene.api.create(&map("x"), &CreateOptions::default()).await.unwrap();
    assert_eq!(scene.fake.asked().len(), 3);
}

/// Who keeps a part of the objects can tell whether a write concerns it.
#[tokio::test(start_paused = true)]
async fn the_labels_that_were_stored_are_told() {
    let mut red = config_map("red", 8);
    red["metadata"]["labels"] = json!({ "colour": "red" });
    let scene = scene([ok(&red.to_string()), answer("red")]);
    scene.api.update(&map("red")).await.unwrap();
    scene.api.update(&map("red")).await.unwrap();
    let expected = [
        "update configmaps a/red -: stored a/red uid-red@8 red",
        "update configmaps a/red -: stored a/red uid-red@8 no colour",
    ];
    assert_eq!(scene.diary(), expected);
}

fn deleting(finalizers: Value, grace: Value) -> Answer {
    let mut object = config_map("x", 8);
    object["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z".into();
    object["metadata"]["finalizers"] = finalizers;
    object["metadata"]["deletionGracePeriodSeconds"] = grace;
    ok(&object.to_string())
}

#[tokio::test(start_paused = true)]
async fn a_deleted_object_is_gone_or_on_its_way() {
    let scene = scene([
        deleting(json!(["example.com/f"]), json!(0)),
        deleting(json!([]), json!(30)),
        deleting(json!(null), json!(0)),
        ok(&config_map("x", 7).to_string()),
    ]);
    for pending in [true, true, false, false] {
        let deleted = scene.api.delete("x", &DeleteOptions::default()).await.unwrap();
        assert_eq!(matches!(deleted, Deleted::Pending(_)), pending);
    }
    let expected = [
        "delete configmaps a/x -: stored a/x uid-x@8",
        "delete configmaps a/x -: stored a/x uid-x@8",
        "delete configmaps a/x -: deleted a/x uid-x",
        "delete configmaps a/x -: deleted a/x uid-x",
    ];
    assert_eq!(scene.diary(), expected);
}

#[tokio::test(start_paused = true)]
async fn a_collection_is_deleted_in_one_go() {
    let list = json!({ "kind": "ConfigMapList", "apiVersion": "v1", "metadata": {}, "items": [config_map("x", 7)] });
    let scene = scene([ok(&list.to_string()), ok(&status_success(""))]);
    let which = ListOptions::default().labels("app=web");
    for deleted in [1, 0] {
        let page = scene.api.delete_collection(&DeleteOptions::default(), &which).await.unwrap();
        assert_eq!(page.items.len(), deleted);
    }
    assert_eq!(scene.diary()[0], "deletecollection configmaps a/? -: unknown");
}

#[tokio::test(start_paused = true)]
async fn the_namespace_comes_from_the_object_or_from_the_caller() {
    let fake = Fake::new([answer("x")]);
    let api = fake.client().api::<ConfigMap>();
    api.create(&map("x"), &CreateOptions::default()).await.unwrap();
    assert_eq!(fake.asked(), ["POST /api/v1/namespaces/a/configmaps"]);
    let error = api.get("x").await.unwrap_err();
    assert!(
        error.to_string().contains("configmaps are namespaced: say which namespace"),
        "{error}"
    );
    assert!(fake.asked().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_part_of_an_object_has_a_type_of_its_own() {
    let scale = json!({
        "apiVersion": "autoscaling/v1", "kind": "Scale", "spec": { "replicas": 2 },
        "metadata": { "name": "x", "namespace": "a", "uid": "uid-x", "resourceVersion": "9" },
    });
    let scene = scene([ok(&scale.to_string()), ok(&scale.to_string()), ok(&status_success(""))]);
    let part = scene.api.subresource("scale");
    let read: Unstructured = part.get("x").await.unwrap();
    assert_eq!(read.get("/spec/replicas"), Some("2"));
    part.update::<Unstructured>("x", &read, &WriteOptions::default()).await.unwrap();
    let binding = scene.api.subresource("binding");
    let status: Status = binding.create("x", &read, &CreateOptions::default()).await.unwrap();
    assert_eq!(status.status, "Success");
    assert_eq!(
        scene.fake.asked(),
        [
            "GET /api/v1/namespaces/a/configmaps/x/scale",
            "PUT /api/v1/namespaces/a/configmaps/x/scale",
            "POST /api/v1/namespaces/a/configmaps/x/binding",
        ]
    );
    let expected = [
        "update configmaps a/x scale: stored a/x uid-x@9",
        "create configmaps a/x binding: unknown",
    ];
    assert_eq!(scene.diary(), expected);
}

#[tokio::test(start_paused = true)]
async fn a_status_is_replaced_with_options() {
    let scene = scene([answer("x")]);
    let options = UpdateOptions::dry_run().field_manager("me");
    scene.api.update_status_with(&map("x"), &options).await.unwrap();
    let path = "/api/v1/namespaces/a/configmaps/x/status";
    assert_eq!(scene.fake.asked(), [format!("PUT {path}?dryRun=All&fieldManager=me")]);
}
