use serde_json::{Value, json};

use super::{get, selector_text, set, view};
use crate::crd::ScalePaths;

fn path(text: &str) -> Vec<String> {
    text.split('.').map(str::to_owned).collect()
}

fn paths() -> ScalePaths {
    ScalePaths {
        spec: path("spec.replicas"),
        status: path("status.replicas"),
        selector: Some(path("spec.selector")),
    }
}

/// As `metav1.LabelSelectorAsSelector` writes it: by the keys, and the values of each in order.
#[test]
fn a_selector_is_told_as_text() {
    let among = |operator: &str, values: &Value| json!({"matchExpressions": [{"key": "a", "operator": operator, "values": values}]});
    for (selector, expected) in [
        (json!("a=b"), "a=b"),
        (json!({"b": "1", "a": "2"}), "a=2,b=1"),
        (json!({"matchLabels": {"b": "1", "a": "2"}}), "a=2,b=1"),
        (among("In", &json!(["y", "x"])), "a in (x,y)"),
        (among("NotIn", &json!(["y", "x"])), "a notin (x,y)"),
        (among("Exists", &json!(null)), "a"),
        (among("DoesNotExist", &json!(null)), "!a"),
        (
            json!({
                "matchLabels": {"c": "1"},
                "matchExpressions": [{"key": "d", "operator": "Exists"}, {"key": "a", "operator": "Exists"}],
            }),
            "a,c=1,d",
        ),
        (json!({}), ""),
        (json!({"matchLabels": {}}), ""),
    ] {
        assert_eq!(selector_text(&selector), expected, "{selector}");
    }
}

#[test]
fn a_scale_shows_how_many_there_are_to_be_and_are() {
    let metadata = json!({
        "name": "x", "namespace": "a", "uid": "u", "resourceVersion": "7",
        "creationTimestamp": "2020-01-01T00:00:00Z",
    });
    let mut object = json!({
        "metadata": metadata, "spec": {"replicas": 3, "selector": {"a": "b"}},
        "status": {"replicas": 2},
    });
    object["metadata"]["labels"] = json!({"not": "shown"});
    let shown = json!({
        "kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": metadata,
        "spec": {"replicas": 3}, "status": {"replicas": 2, "selector": "a=b"},
    });
    assert_eq!(view(&object, &paths()), shown);
}

#[test]
fn a_scale_of_nothing_shows_no_replicas_that_are_wanted_and_none_that_are() {
    let object = json!({"metadata": {}, "spec": {"replicas": 0, "selector": {}}});
    let shown = view(&object, &paths());
    assert_eq!((&shown["spec"], &shown["status"]), (&json!({}), &json!({"replicas": 0})));
}

#[test]
fn what_is_on_the_way_is_made() {
    for (mut object, expected) in [
        (json!({}), json!({"spec": {"replicas": 1}})),
        (json!({"spec": null}), json!({"spec": {"replicas": 1}})),
        (json!({"spec": {"a": 2, "replicas": 5}}), json!({"spec": {"a": 2, "replicas": 1}})),
    ] {
        set(&mut object, &path("spec.replicas"), json!(1));
        assert_eq!(object, expected);
        assert_eq!(get(&object, &path("spec.replicas")), Some(&json!(1)));
        assert_eq!(get(&object, &path("spec.none.replicas")), None);
    }
}
