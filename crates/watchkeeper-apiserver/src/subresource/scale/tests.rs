use std::sync::Arc;

use http::Method;
use serde_json::{Value, json};

use super::{get, is_there, paths as paths_of, replicas, selector_text, set, view};
use crate::crd::{ScalePaths, definition};
use crate::handlers::bootstrap::own_call;
use crate::registry::builtin;
use crate::resource::Resource;

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

fn foos() -> Resource {
    let scale = json!({"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.size"});
    let version = json!({
        "name": "v1", "served": true, "storage": true, "subresources": {"scale": scale},
    });
    let names = json!({"plural": "foos", "kind": "Foo"});
    let crd = json!({
        "metadata": {"name": "foos.g.io"},
        "spec": {"group": "g.io", "scope": "Namespaced", "names": names, "versions": [version]},
        "status": {"acceptedNames": names},
    });
    definition::resources(&crd).remove(0)
}

fn deployments() -> Arc<Resource> {
    builtin("apps", "v1", "Deployment").expect("deployments")
}

#[test]
fn a_definition_says_where_replicas_are() {
    let own = paths_of(&foos());
    let expected = (path("spec.size"), path("status.size"), None);
    assert_eq!((own.spec, own.status, own.selector), expected);
    let (all, usual) = (paths_of(&deployments()), paths());
    assert_eq!((all.spec, all.status, all.selector), (usual.spec, usual.status, usual.selector));
}

#[test]
fn only_a_custom_resource_that_says_nothing_of_replicas_has_no_scale() {
    let (foos, deployments) = (foos(), deployments());
    let paths = paths_of(&foos);
    assert!(is_there(&foos, &json!({"spec": {"size": 0}}), &paths).is_ok());
    assert!(is_there(&deployments, &json!({"spec": {}}), &paths_of(&deployments)).is_ok());
    let error = is_there(&foos, &json!({"spec": {}}), &paths).expect_err("there is none");
    let why = "the spec replicas field \".spec.size\" does not exist";
    assert_eq!((error.code, error.message), (500, format!("Internal error occurred: {why}")));
    assert_eq!(error.details.get("causes"), Some(&json!([{"message": why}])));
}

#[test]
fn a_scale_wants_a_whole_number_from_zero_on_unless_the_object_is_judged() {
    let wanted = |resource: Arc<Resource>, value: &Value| {
        let call = own_call(Method::PUT, resource, "a", "x");
        replicas(&call, &json!({"spec": {"replicas": value}})).ok()
    };
    for (value, built_in, custom) in [
        (Value::Null, Some(0), Some(0)),
        (json!(0), Some(0), Some(0)),
        (json!(3), Some(3), Some(3)),
        (json!(-1), None, Some(-1)),
        (json!("3"), None, None),
        (json!(1.5), None, None),
    ] {
        assert_eq!(wanted(deployments(), &value), built_in, "{value}");
        assert_eq!(wanted(Arc::new(foos()), &value), custom, "{value}");
    }
}
