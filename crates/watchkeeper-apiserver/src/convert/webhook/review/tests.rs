use std::sync::Arc;

use serde_json::json;

use super::super::{Batch, Webhook};
use super::{ConversionReview, ConversionReviewed};

/// They may hold secrets.
#[test]
fn objects_that_are_converted_are_not_shown() {
    let review = ConversionReview::new(json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "request": {"uid": "u", "desiredAPIVersion": "a.b/v2", "objects": [{"secret": 1}, {}]},
    }));
    assert_eq!(format!("{review:?}"), "ConversionReview(2 objects to a.b/v2)");
    let same = review.convert(|object, _| Ok(object.clone()));
    assert_eq!(format!("{same:?}"), "ConversionReviewed(2 objects)");
    let failed = ConversionReviewed::failed("no");
    assert_eq!(format!("{failed:?}"), "ConversionReviewed(failed: no)");
}

#[test]
fn a_webhook_is_asked_in_the_first_version_that_is_known() {
    let crd = |strategy: &str, versions: &[&str]| {
        json!({
            "metadata": {"name": "ships.a.b", "generation": 3},
            "spec": {"conversion": {"strategy": strategy, "webhook": {
                "clientConfig": {"url": "https://a.test"}, "conversionReviewVersions": versions,
            }}},
        })
    };
    for (versions, expected) in [
        (vec!["v9", "v1beta1", "v1"], Some("v1beta1")),
        (vec!["v1", "v1beta1"], Some("v1")),
        (vec!["v9"], None),
    ] {
        let webhook = Webhook::of(&crd("Webhook", &versions), &Default::default());
        let webhook = Arc::new(webhook.expect("a webhook"));
        assert_eq!(webhook.review_version, expected);
        assert_eq!(format!("{webhook:?}"), "Webhook(ships.a.b 3)");
        let batch = Batch { webhook, desired: "a.b/v2".to_owned(), objects: Vec::new() };
        assert_eq!(format!("{batch:?}"), "Batch(0 to a.b/v2)");
    }
    assert!(Webhook::of(&crd("None", &["v1"]), &Default::default()).is_none());
}

#[test]
fn another_definition_or_generation_converts_otherwise() {
    let webhook = |name: &str, generation: i64| {
        let conversion = json!({"strategy": "Webhook", "webhook": {}});
        let crd = json!({
            "metadata": {"name": name, "generation": generation}, "spec": {"conversion": conversion},
        });
        Webhook::of(&crd, &Default::default()).expect("a webhook")
    };
    let one = webhook("a", 1);
    assert!(one.is_same(&webhook("a", 1)));
    assert!(!one.is_same(&webhook("a", 2)) && !one.is_same(&webhook("b", 1)));
}
