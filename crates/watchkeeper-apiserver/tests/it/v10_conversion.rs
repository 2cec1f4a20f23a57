//! V10.4: versions of custom resources that a webhook converts.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use watchkeeper_apiserver::convert::webhook::{ConversionReview, ConversionReviewed};

use crate::support::*;

pub(crate) const V1: &str = "/apis/example.com/v1/namespaces/default/ships";
pub(crate) const V2: &str = "/apis/example.com/v2/namespaces/default/ships";
pub(crate) const ADDRESS: &str = "https://hooks.test/convert";

/// The definition of ships: v1 has `spec.size`, v2 has `spec.dimensions.length`.
pub(crate) fn ship_crd(stored: &str) -> Value {
    let size = json!({"type": "integer", "minimum": 0});
    let version = |name: &str, spec: Value| {
        json!({
            "name": name, "served": true, "storage": name == stored,
            "subresources": {
                "status": {},
                "scale": {
                    "specReplicasPath": match name {
                        "v1" => ".spec.crew", _ => ".spec.people.crew",
                    },
                    "statusReplicasPath": ".status.crew",
                },
            },
            "selectableFields": [{"jsonPath": match name {
                "v1" => ".spec.color", _ => ".spec.paint",
            }}],
            "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                "spec": {"type": "object", "properties": spec},
                "status": {"type": "object", "properties": {"crew": {"type": "integer"}}},
            }}},
        })
    };
    let v1 = json!({
        "size": size, "color": {"type": "string"}, "crew": {"type": "integer"},
        "flag": {"type": "string", "default": "white"},
    });
    let v2 = json!({
        "dimensions": {"type": "object", "properties": {"length": size}},
        "people": {"type": "object", "properties": {"crew": {"type": "integer"}}},
        "paint": {"type": "string"}, "flag": {"type": "string", "default": "white"},
    });
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "ships.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": {"kind": "Ship", "plural": "ships"},
            "versions": [version("v1", v1), version("v2", v2)],
            "conversion": {"strategy": "Webhook", "webhook": {
                "clientConfig": {"url": ADDRESS},
                "conversionReviewVersions": ["v1"],
            }},
        },
    })
}

/// Moves a member of the spec.
fn moved(object: &mut Value, from: &str, to: &str) {
    let Some(value) = object.pointer_mut(from).map(Value::take).filter(|value| !value.is_null())
    else {
        return;
    };
    let mut at = object;
    for step in to.trim_start_matches('/').split('/') {
        at = &mut at[step];
    }
    *at = value;
}

/// What the webhook of ships makes of one.
pub(crate) fn convert(object: &Value, version: &str) -> Result<Value, String> {
    const MOVES: [(&str, &str); 3] = [
        ("/spec/size", "/spec/dimensions/length"),
        ("/spec/color", "/spec/paint"),
        ("/spec/crew", "/spec/people/crew"),
    ];
    let mut new = object.clone();
    for (old, newer) in MOVES {
        match version {
            "example.com/v2" => moved(&mut new, old, newer),
            _ => moved(&mut new, newer, old),
        }
    }
    if let Some(spec) = new["spec"].as_object_mut() {
        spec.retain(|_, value| !value.is_null());
    }
    Ok(new)
}

/// What the webhook was asked: how many objects each time, and for which version.
#[derive(Clone, Default)]
pub(crate) struct Asked(Arc<Mutex<Vec<String>>>);

impl Asked {
    pub(crate) fn note(&self, review: &ConversionReview) {
        let version = review.desired_version().trim_start_matches("example.com/");
        let line = format!("{} to {version}", review.objects().len());
        self.0.lock().expect("the list").push(line);
    }

    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().expect("the list"))
    }
}

pub(crate) fn answer(
    client: &Client,
    answer: impl Fn(&ConversionReview) -> ConversionReviewed + Send + Sync + 'static,
) -> Asked {
    let asked = Asked::default();
    let notes = asked.clone();
    client.server.on_conversion(ADDRESS, move |review| {
        notes.note(&review);
        let reviewed = answer(&review);
        async move { reviewed }
    });
    asked
}

/// A server with ships stored as v2.
pub(crate) async fn with_ships() -> (Client, Asked) {
    let client = client();
    let asked = answer(&client, |review| review.convert(convert));
    client.post(CRDS, &ship_crd("v2")).await.expect(201);
    (client, asked)
}

pub(crate) fn ship(name: &str, size: u64) -> Value {
    json!({
        "apiVersion": "example.com/v1", "kind": "Ship", "metadata": {"name": name},
        "spec": {"size": size, "color": "red"},
    })
}

/// The paths of a ship in both versions.
pub(crate) fn at(name: &str) -> (String, String) {
    (format!("{V1}/{name}"), format!("{V2}/{name}"))
}

#[tokio::test(start_paused = true)]
async fn v10_4_what_is_written_in_one_version_is_read_in_the_other() {
    let (client, _) = with_ships().await;
    let made = client.post(V1, &ship("a", 3)).await.expect(201);
    assert_eq!(made["apiVersion"], "example.com/v1");
    assert_eq!(made["spec"], json!({"size": 3, "color": "red", "flag": "white"}));
    let (old, new) = at("a");
    let read = client.get(&new).await.expect(200);
    assert_eq!(read["apiVersion"], "example.com/v2");
    assert_eq!(read["spec"], json!({"dimensions": {"length": 3}, "paint": "red", "flag": "white"}));
    assert_eq!(read["metadata"]["uid"], made["metadata"]["uid"]);
    assert_eq!(version(&read), version(&made));
    let mut changed = read;
    changed["spec"]["dimensions"]["length"] = 5.into();
    let written = client.put(&new, &changed).await.expect(200);
    assert_eq!(written["metadata"]["generation"], 2);
    let read = client.get(&old).await.expect(200);
    assert_eq!((&read["spec"]["size"], version(&read)), (&json!(5), version(&written)));
    let patched = client.merge(&old, &json!({"spec": {"size": 6}})).await.expect(200);
    assert_eq!(
        (&patched["apiVersion"], &patched["spec"]["size"]),
        (&json!("example.com/v1"), &json!(6))
    );
    let applied = json!({
        "apiVersion": "example.com/v1", "kind": "Ship", "spec": {"crew": 2},
    });
    let path = format!("{old}?fieldManager=x");
    let applied = client.patch("apply", &path, &applied).await.expect(200);
    assert_eq!(applied["spec"], json!({"size": 6, "color": "red", "flag": "white", "crew": 2}));
    let read = client.get(&new).await.expect(200);
    assert_eq!(read["spec"]["people"], json!({"crew": 2}));
    let gone = client.delete(&old).await.expect(200);
    assert_eq!(gone["status"], "Success");
    assert_eq!(client.get(&new).await.code, 404);
}

#[tokio::test(start_paused = true)]
async fn v10_4_the_rules_of_the_version_that_is_written_hold() {
    let (client, _) = with_ships().await;
    let mut wrong = ship("a", 3);
    wrong["spec"]["size"] = json!(-1);
    let line = client.post(V1, &wrong).await.line();
    assert!(line.contains("spec.size: Invalid value: -1"), "{line}");
    client.post(V1, &ship("a", 3)).await.expect(201);
    let bad = json!({"spec": {"dimensions": {"length": -2}}});
    let line = client.merge(&at("a").1, &bad).await.line();
    assert!(line.contains("spec.dimensions.length: Invalid value: -2"), "{line}");
}

#[tokio::test(start_paused = true)]
async fn v10_4_subresources_are_read_and_written_in_both_versions() {
    let (client, _) = with_ships().await;
    client.post(V1, &ship("a", 3)).await.expect(201);
    let (old, new) = at("a");
    let status = json!({"status": {"crew": 7}});
    let written = client.merge(&format!("{old}/status"), &status).await.expect(200);
    assert_eq!(written["status"]["crew"], 7);
    let read = client.get(&format!("{new}/status")).await.expect(200);
    assert_eq!(
        (&read["apiVersion"], &read["status"]["crew"]),
        (&json!("example.com/v2"), &json!(7))
    );
    let scaled = json!({"spec": {"replicas": 4}});
    let scale = client.merge(&format!("{old}/scale"), &scaled).await.expect(200);
    assert_eq!((&scale["spec"]["replicas"], &scale["status"]["replicas"]), (&json!(4), &json!(7)));
    let scale = client.get(&format!("{new}/scale")).await.expect(200);
    assert_eq!(scale["spec"]["replicas"], 4);
    assert_eq!(client.get(&new).await.expect(200)["spec"]["people"]["crew"], 4);
}

#[tokio::test(start_paused = true)]
async fn v10_4_lists_are_converted_in_one_call_and_what_was_is_not_asked_again() {
    let (client, asked) = with_ships().await;
    for name in ["a", "b", "c"] {
        let mut ship = ship(name, 1);
        ship["apiVersion"] = "example.com/v2".into();
        ship["spec"] = json!({"paint": if name == "b" { "blue" } else { "red" }});
        client.post(V2, &ship).await.expect(201);
    }
    assert!(asked.take().is_empty(), "the storage version is not converted");
    let list = client.get(V1).await.expect(200);
    assert_eq!(names(&list), ["a", "b", "c"]);
    assert_eq!(list["items"][1]["apiVersion"], "example.com/v1");
    assert_eq!(list["items"][1]["spec"]["color"], "blue");
    assert_eq!(asked.take(), ["3 to v1"]);
    let blue = client.get(&format!("{V1}?fieldSelector=spec.color%3Dblue")).await.expect(200);
    assert_eq!(names(&blue), ["b"]);
    let page = client.get(&format!("{V1}?limit=2")).await.expect(200);
    assert_eq!(names(&page), ["a", "b"]);
    client.get(&at("c").0).await.expect(200);
    assert!(asked.take().is_empty());
    client.merge(&at("b").1, &json!({"spec": {"paint": "green"}})).await.expect(200);
    client.get(V1).await.expect(200);
    assert_eq!(asked.take(), ["1 to v1"]);
    let gone = client.delete(V1).await.expect(200);
    assert_eq!(gone["items"][1]["spec"]["color"], "green");
    assert!(names(&client.get(V2).await.expect(200)).is_empty());
}

#[tokio::test(start_paused = true)]
async fn v10_4_pages_and_selectors_are_about_the_version_that_is_asked_for() {
    let (client, asked) = with_ships().await;
    for (name, color) in [("a", "red"), ("b", "blue"), ("c", "red"), ("d", "blue"), ("e", "red")] {
        let ship = json!({
            "apiVersion": "example.com/v2", "kind": "Ship", "metadata": {"name": name},
            "spec": {"paint": color},
        });
        client.post(V2, &ship).await.expect(201);
    }
    let path = format!("{V1}?fieldSelector=spec.color%3Dred&limit=2");
    let first = client.get(&path).await.expect(200);
    assert_eq!(names(&first), ["a", "c"]);
    let token = first["metadata"]["continue"].as_str().expect("a token");
    let rest = client.get(&format!("{path}&continue={token}")).await.expect(200);
    assert_eq!(names(&rest), ["e"]);
    assert_eq!(asked.take(), ["5 to v1"]);
    assert_eq!(client.get(&format!("{V1}?fieldSelector=spec.paint%3Dred")).await.code, 400);
}

#[tokio::test(start_paused = true)]
async fn v10_4_a_dry_run_stores_nothing_and_one_without_effect_neither() {
    let (client, _) = with_ships().await;
    let dry = client.post(&format!("{V1}?dryRun=All"), &ship("a", 3)).await.expect(201);
    assert_eq!((&dry["apiVersion"], &dry["spec"]["size"]), (&json!("example.com/v1"), &json!(3)));
    assert_eq!(client.get(&at("a").0).await.code, 404);
    let made = client.post(V1, &ship("a", 3)).await.expect(201);
    let (old, _) = at("a");
    let change = json!({"spec": {"size": 8}});
    let dry = client.merge(&format!("{old}?dryRun=All"), &change).await.expect(200);
    assert_eq!(dry["spec"]["size"], 8);
    assert_eq!(client.get(&old).await.expect(200)["spec"]["size"], 3);
    let same = client.merge(&old, &json!({"spec": {"size": 3}})).await.expect(200);
    assert_eq!(version(&same), version(&made));
    let finalizers = json!({"metadata": {"finalizers": ["example.com/x"]}});
    client.merge(&old, &finalizers).await.expect(200);
    let marked = client.delete(&old).await.expect(200);
    assert_eq!(
        (&marked["apiVersion"], &marked["spec"]["size"]),
        (&json!("example.com/v1"), &json!(3))
    );
    assert!(marked["metadata"]["deletionTimestamp"].is_string());
    let last = client.merge(&old, &json!({"metadata": {"finalizers": null}})).await.expect(200);
    assert_eq!(last["spec"]["size"], 3);
    assert_eq!(client.get(&old).await.code, 404);
}

#[tokio::test(start_paused = true)]
async fn v10_4_admission_sees_the_version_that_it_asks_for() {
    use crate::v11_webhooks::{MUTATING, configure, hook};
    let (client, _) = with_ships().await;
    let seen = crate::v11_webhooks::answer(&client, "a", |review| {
        let patch = json!([{"op": "add", "path": "/spec/paint", "value": "blue"}]);
        review.allow().patch(&patch)
    });
    let rules = json!([{
        "operations": ["CREATE"], "apiGroups": ["example.com"], "apiVersions": ["v2"],
        "resources": ["ships"],
    }]);
    configure(&client, MUTATING, "a", &[hook("a", &json!({"rules": rules}))]).await;
    let made = client.post(V1, &ship("a", 3)).await.expect(201);
    assert_eq!(made["spec"]["color"], "blue");
    let asked = &seen.all()[0];
    assert_eq!(asked["object"]["apiVersion"], "example.com/v2");
    assert_eq!(asked["object"]["spec"]["dimensions"]["length"], 3);
    assert_eq!(asked["requestResource"]["version"], "v1");
}
