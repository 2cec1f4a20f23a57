use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Value, json};

use super::answer::{Wrong, accept};
use super::{Batch, Webhook};
use crate::admission::{Question, Subject};
use crate::rng::Rng;
use crate::storage::{Stored, key};

fn webhook() -> Arc<Webhook> {
    let crd = json!({
        "metadata": {"name": "ships.example.com", "generation": 3},
        "spec": {
            "group": "example.com", "versions": [{"name": "v1"}, {"name": "v2"}],
            "conversion": {"strategy": "Webhook", "webhook": {
                "clientConfig": {"service": {"namespace": "ns", "name": "svc", "path": "/convert"}},
                "conversionReviewVersions": ["v9", "v1"],
            }},
        },
    });
    Arc::new(Webhook::of(&crd, &Default::default()).expect("a webhook"))
}

fn ship(name: &str, text: &str) -> Arc<Stored> {
    let value = json!({
        "apiVersion": "example.com/v1", "kind": "Ship",
        "metadata": {"name": name, "uid": "u"}, "spec": text,
    });
    Arc::new(Stored::new(key("", name), 7, value))
}

#[test]
fn the_question_has_the_objects_and_goes_to_the_service() {
    let asked =
        Batch::questions(&webhook(), "example.com/v2", vec![ship("a", "")], &mut Rng::new(1));
    let [question] = &asked.expect("questions")[..] else { panic!("one question") };
    assert_eq!(question.call.address(), "https://svc.ns.svc:443/convert?timeout=30s");
    let review: Value = serde_json::from_slice(&question.call.body).expect("JSON");
    assert_eq!(review["apiVersion"], "apiextensions.k8s.io/v1");
    assert_eq!(review["request"]["uid"], question.uid);
    assert_eq!(review["request"]["desiredAPIVersion"], "example.com/v2");
    assert_eq!(review["request"]["objects"][0]["metadata"]["name"], "a");
}

#[test]
fn large_batches_are_several_calls() {
    let text = "x".repeat(300_000);
    let ships = ["a", "b", "c", "d", "e"].map(|name| ship(name, &text));
    let asked = Batch::questions(&webhook(), "example.com/v2", ships.to_vec(), &mut Rng::new(1));
    let count = |question: &Question| match &question.subject {
        Subject::Conversion(batch) => batch.objects.len(),
        Subject::Admission(_) => 0,
    };
    assert_eq!(asked.expect("questions").iter().map(count).collect::<Vec<_>>(), [3, 2]);
}

#[test]
fn what_was_converted_is_kept_with_the_object() {
    let (webhook, ship) = (webhook(), ship("a", "red"));
    let batch = Batch {
        webhook: Arc::clone(&webhook),
        desired: "example.com/v2".to_owned(),
        objects: vec![Arc::clone(&ship)],
    };
    let mut new = ship.value().into_value();
    (new["apiVersion"], new["spec"]) = ("example.com/v2".into(), "blue".into());
    let answer = json!({
        "kind": "ConversionReview", "apiVersion": "apiextensions.k8s.io/v1",
        "response": {"uid": "1", "result": {"status": "Success"}, "convertedObjects": [new]},
    });
    let body = Ok(Bytes::from(answer.to_string()));
    let converted = batch.settle("1", body);
    assert_eq!(converted.failure(), None);
    let version = webhook.version("example.com/v2");
    assert_eq!(ship.derived.state(&version).expect("a state").value()["spec"], "blue");
    let same = Arc::new(Stored::unstored(key("", ""), ship.value().into_value()));
    let found = converted.of(&webhook, "example.com/v2", &same).expect("it was asked about");
    assert_eq!(found.expect("a state").value()["spec"], "blue");
    assert!(converted.of(&webhook, "example.com/v1", &same).is_none());
}

#[test]
fn metadata_stays_but_for_labels_and_annotations() {
    let original = json!({
        "apiVersion": "example.com/v1", "kind": "Ship",
        "metadata": {"name": "a", "labels": {"a": "1"}, "annotations": {"b": "2"}, "generation": 3},
    });
    let answered = |metadata: Value| json!({"apiVersion": "example.com/v2", "kind": "Ship", "metadata": metadata});
    let ask = |metadata: Value| accept(&original, answered(metadata), "example.com/v2");
    let new = ask(json!({"name": "a", "labels": {"c": "3"}, "generation": 9})).expect("an object");
    assert_eq!(new["metadata"], json!({"name": "a", "labels": {"c": "3"}, "generation": 3}));
    let wrong = |metadata: Value| match ask(metadata) {
        Err(Wrong::Metadata(why) | Wrong::Object(why)) => why,
        other => panic!("{other:?}"),
    };
    assert_eq!(wrong(json!({"name": "b"})), "must have the same name: a != b");
    assert_eq!(wrong(json!({"name": "a", "uid": "x"})), "must have the same UID:  != x");
    assert_eq!(
        wrong(json!({"name": "a", "labels": []})),
        "invalid metadata.labels of type []interface {} in converted object"
    );
    assert_eq!(
        wrong(json!({"name": "a", "annotations": {"x": 1.5}})),
        "metadata.annotations[x] must be a string, but is float64 in converted object"
    );
    let why = wrong(json!({"name": "a", "labels": {"a b": "c"}}));
    assert!(why.starts_with("metadata.labels: Invalid value: \"a b\": "), "{why}");
}
