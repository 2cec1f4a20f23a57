//! V10.4: what conversion webhooks may answer.

use serde_json::{Value, json};
use watchkeeper_apiserver::convert::webhook::{ConversionReview, ConversionReviewed};

use crate::support::*;
use crate::v10_conversion::*;
use crate::v11_https::remote;

/// Lets the webhook answer a review with something else, and tells what a read says then.
async fn said(
    answered: impl Fn(&ConversionReview) -> ConversionReviewed + Send + Sync + 'static,
) -> String {
    let (client, _) = with_ships().await;
    client.post(V1, &ship("a", 3)).await.expect(201);
    client.post(V1, &ship("b", 3)).await.expect(201);
    // The definition changes, so what was converted counts no more.
    let change = json!([{"op": "add", "path": "/spec/names/categories", "value": ["all"]}]);
    client.patch("json", &format!("{CRDS}/ships.example.com"), &change).await.expect(200);
    answer(&client, answered);
    let one = client.get(&at("a").0).await;
    let all = client.get(V1).await;
    assert_eq!((one.code, all.code), (500, 500), "{} {}", one.text, all.text);
    assert_eq!(one.json()["reason"], Value::Null);
    let text = |answer: &Answer| answer.json()["message"].as_str().expect("a text").to_owned();
    format!("{}\n{}", text(&one), text(&all))
}

/// The same for one object and for several.
fn both(why: &str) -> String {
    let line = format!("conversion webhook for example.com/v2, Kind=Ship {why}");
    format!("{line}\n{line}")
}

fn objects(review: &ConversionReview, change: impl Fn(&mut Value)) -> ConversionReviewed {
    review.convert(|object, version| {
        let mut new = convert(object, version)?;
        change(&mut new);
        Ok(new)
    })
}

#[tokio::test(start_paused = true)]
async fn v10_4_a_webhook_that_does_not_convert_is_told_in_upstreams_words() {
    assert_eq!(said(|review| review.fail("no such ship")).await, both("failed: no such ship"));
    let refused = "dial tcp 10.0.0.1:443: connect: connection refused";
    assert_eq!(
        said(move |_| ConversionReviewed::failed(refused)).await,
        both(&format!("failed: Post \"{ADDRESS}?timeout=30s\": {refused}"))
    );
    let without = |review: &ConversionReview| {
        review.respond(&json!({"uid": review.request()["uid"], "result": {"status": "Failure"}}))
    };
    assert_eq!(
        said(without).await,
        both("failed: response.result.status was 'Failure', not 'Success'")
    );
    let alien = |review: &ConversionReview| {
        let mut answer =
            json!({"kind": "ConversionReview", "apiVersion": "apiextensions.k8s.io/v1"});
        answer["response"] = json!({
            "uid": "other", "result": {"status": "Success"}, "convertedObjects": review.objects(),
        });
        ConversionReviewed::raw(answer)
    };
    let line = said(alien).await;
    assert!(
        line.starts_with(
            "conversion webhook for example.com/v2, Kind=Ship failed: expected response.uid=\""
        ) && line.ends_with("\", got \"other\""),
        "{line}"
    );
    let mute = json!({"kind": "ConversionReview", "apiVersion": "apiextensions.k8s.io/v1"});
    assert_eq!(
        said(move |_| ConversionReviewed::raw(mute.clone())).await,
        both("failed: no response provided")
    );
    let other = json!({"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1"});
    assert_eq!(
        said(move |_| ConversionReviewed::raw(other.clone())).await,
        both(
            "failed: no kind \"AdmissionReview\" is registered for version \
             \"admission.k8s.io/v1\" in scheme \"pkg/runtime/scheme.go:111\""
        )
    );
    let older = json!({"kind": "ConversionReview", "apiVersion": "apiextensions.k8s.io/v1beta1"});
    assert_eq!(
        said(move |_| ConversionReviewed::raw(older.clone())).await,
        both(
            "failed: converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown \
             conversion"
        )
    );
    assert_eq!(
        said(|_| ConversionReviewed::raw(json!({"a": 1}))).await,
        both(
            "failed: expected webhook response of apiextensions.k8s.io/v1, \
             Kind=ConversionReview, got /, Kind="
        )
    );
}

#[tokio::test(start_paused = true)]
async fn v10_4_objects_that_come_back_wrong_are_told_in_upstreams_words() {
    let of = "conversion webhook for example.com/v2, Kind=Ship returned";
    assert_eq!(
        said(|review| review.answer(&[])).await,
        format!("{of} 0 objects, expected 1\n{of} 0 objects, expected 2")
    );
    let none = "unexpected end of JSON input";
    assert_eq!(
        said(|review| review.answer(&vec![Value::Null; review.objects().len()])).await,
        format!("{none}\n{of} invalid converted object at index 0: {none}")
    );
    assert_eq!(
        said(|review| review.answer(review.objects())).await,
        format!(
            "{of} invalid object at index 0: invalid groupVersion (expected example.com/v1, \
             received example.com/v2)\n{of} invalid converted object at index 0: invalid \
             groupVersion (expected example.com/v1, received example.com/v2)"
        )
    );
    assert_eq!(
        said(|review| objects(review, |new| new["kind"] = "Boat".into())).await,
        format!(
            "{of} invalid object at index 0: invalid kind (expected Ship, received Boat)\n\
             {of} invalid converted object at index 0: invalid kind (expected Ship, received Boat)"
        )
    );
    assert_eq!(
        said(|review| objects(review, |new| new["metadata"]["name"] = "z".into())).await,
        format!(
            "{of} invalid object: must have the same name: a != z\n\
             {of} invalid converted object at index 0: must have the same name: a != z"
        )
    );
    assert_eq!(
        said(|review| objects(review, |new| new["metadata"]["labels"] = json!({"a": 1}))).await,
        format!(
            "{of} invalid metadata: metadata.labels[a] must be a string, but is int64 in \
             converted object\n{of} invalid metadata in object at index 0: metadata.labels[a] \
             must be a string, but is int64 in converted object"
        )
    );
    let line =
        said(|review| objects(review, |new| new["metadata"]["annotations"] = json!({"a b": "c"})));
    let line = line.await;
    assert!(
        line.starts_with(&format!("{of} invalid metadata: metadata.annotation: Invalid value: ")),
        "{line}"
    );
}

#[tokio::test]
async fn v10_4_services_are_asked_over_tls_by_their_name() {
    let response = json!({"result": {"status": "Success"}});
    let remote = remote(&["ships.default.svc"], 200, response).await;
    let client = client();
    let place = remote.place;
    client.server.resolve_services(move |namespace, name, port| {
        ((namespace, name, port) == ("default", "ships", 443)).then_some(place)
    });
    let mut crd = ship_crd("v2");
    crd["spec"]["conversion"]["webhook"]["clientConfig"] = json!({
        "service": {"namespace": "default", "name": "ships", "path": "/convert"},
        "caBundle": remote.bundle,
    });
    client.post(CRDS, &crd).await.expect(201);
    client.post(V1, &ship("a", 3)).await.expect(201);
    let read = client.get(&at("a").1).await.expect(200);
    assert_eq!(read["spec"]["dimensions"]["length"], 3);
    let nobody = json!({"spec": {"conversion": {"webhook": {"clientConfig": {
        "service": {"namespace": "default", "name": "boats"},
    }}}}});
    client.merge(&format!("{CRDS}/ships.example.com"), &nobody).await.expect(200);
    let line = client.get(&at("a").0).await.line();
    assert_eq!(
        line,
        "500 : conversion webhook for example.com/v2, Kind=Ship failed: Post \
         \"https://boats.default.svc:443/convert?timeout=30s\": service \"boats\" not found"
    );
}

#[tokio::test(start_paused = true)]
async fn v10_4_only_labels_and_annotations_are_the_webhooks() {
    let (client, _) = with_ships().await;
    answer(&client, |review| {
        objects(review, |new| {
            new["metadata"]["labels"] = json!({"by": "webhook"});
            new["metadata"]["finalizers"] = json!(["example.com/never"]);
            new["metadata"]["generation"] = 99.into();
        })
    });
    let mut body = ship("a", 1);
    (body["apiVersion"], body["spec"]) = ("example.com/v2".into(), json!({}));
    client.post(V2, &body).await.expect(201);
    let read = client.get(&at("a").0).await.expect(200);
    assert_eq!(read["metadata"]["labels"], json!({"by": "webhook"}));
    assert_eq!(read["metadata"]["generation"], 1);
    assert!(read["metadata"].get("finalizers").is_none());
    let selected = client.get(&format!("{V1}?labelSelector=by%3Dwebhook")).await.expect(200);
    assert_eq!(names(&selected), ["a"]);
    let raw = client.get(&format!("{V2}?labelSelector=by%3Dwebhook")).await.expect(200);
    assert!(names(&raw).is_empty());
}

#[tokio::test(start_paused = true)]
async fn v10_4_while_the_webhook_fails_only_the_storage_version_can_be_used() {
    let (client, _) = with_ships().await;
    client.post(V1, &ship("a", 3)).await.expect(201);
    let mut watch = client.watch(&format!("{V1}?watch=1")).await;
    watch.next().await.expect("a frame");
    answer(&client, |review| review.fail("out of order"));
    let (_, new) = at("a");
    let changed = client.merge(&new, &json!({"spec": {"paint": "blue"}})).await.expect(200);
    let frame = watch.next().await.expect("a frame");
    assert_eq!((&frame["type"], &frame["object"]["code"]), (&json!("ERROR"), &json!(500)));
    assert!(watch.next().await.is_none());
    let why = "500 : conversion webhook for example.com/v2, Kind=Ship failed: out of order";
    let (old, _) = at("a");
    assert_eq!(client.get(&old).await.line(), why);
    assert_eq!(client.delete(&old).await.line(), why);
    assert_eq!(client.merge(&old, &json!({"spec": {"size": 1}})).await.line(), why);
    assert_eq!(
        client.post(V1, &ship("b", 1)).await.line(),
        "500 : conversion webhook for example.com/v1, Kind=Ship failed: out of order"
    );
    assert_eq!(version(&client.get(&new).await.expect(200)), version(&changed));
    client.delete(&new).await.expect(200);
}
