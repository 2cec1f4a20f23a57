//! Both forms of discovery name the same kinds.

use serde_json::json;

use super::parse::{aggregated, groups, legacy};
use super::*;

fn from_aggregated() -> Vec<Resource> {
    aggregated(&json!({ "kind": "APIGroupDiscoveryList", "items": [{
        "metadata": { "name": "apps" },
        "versions": [{ "version": "v1", "resources": [{
            "resource": "deployments", "responseKind": { "kind": "Deployment", "group": "", "version": "" },
            "scope": "Namespaced", "singularResource": "deployment", "shortNames": ["deploy"], "verbs": ["get"],
            "categories": ["all"],
            "subresources": [{
                "subresource": "scale", "verbs": ["get"],
                "responseKind": { "group": "autoscaling", "version": "v1", "kind": "Scale" },
            }],
        }] }],
    }] }))
    .resources()
    .cloned()
    .collect()
}

fn from_legacy() -> Vec<Resource> {
    let list = json!({ "kind": "APIResourceList", "resources": [
        { "name": "deployments", "singularName": "deployment", "namespaced": true, "kind": "Deployment", "shortNames": ["deploy"], "verbs": ["get"], "categories": ["all"] },
        { "name": "deployments/scale", "namespaced": true, "group": "autoscaling", "version": "v1", "kind": "Scale", "verbs": ["get"] },
    ] });
    legacy(&list, "apps/v1")
}

#[test]
fn a_kind_answers_to_all_its_names() {
    for resources in [from_aggregated(), from_legacy()] {
        assert_eq!(resources.len(), 1);
        let deployments = &resources[0];
        assert_eq!(
            deployments.kind.path(Some("a"), Some("x")),
            "/apis/apps/v1/namespaces/a/deployments/x"
        );
        for name in [
            "deployments",
            "deployment",
            "deploy",
            "Deployment",
            "deployments.apps",
            "deploy.v1.apps",
            "deploy.v1",
        ] {
            assert!(deployments.answers_to(name), "{name}");
        }
        for name in [
            "",
            "dep",
            "deployments.batch",
            "deployments.v2.apps",
            "deployments.v1beta1.apps",
            "scale",
        ] {
            assert!(!deployments.answers_to(name), "{name}");
        }
    }
}

/// Before Kubernetes 1.27 built-in kinds had an empty one.
#[test]
fn what_has_no_singular_answers_to_no_empty_name() {
    let list = json!({ "kind": "APIResourceList", "resources": [
        { "name": "pods", "singularName": "", "namespaced": true, "kind": "Pod", "verbs": ["get"] },
    ] });
    let pods = &legacy(&list, "v1")[0];
    assert!(pods.answers_to("pod") && pods.answers_to("pods.v1"));
    assert!(!pods.answers_to("") && !pods.answers_to(".v1"));
}

#[test]
fn preferred_versions_come_first() {
    let listed = json!({ "kind": "APIGroupList", "groups": [{
        "name": "autoscaling",
        "versions": [{ "groupVersion": "autoscaling/v1" }, { "groupVersion": "autoscaling/v2" }],
        "preferredVersion": { "groupVersion": "autoscaling/v2" },
    }] });
    let names = |document| -> Vec<String> {
        groups(document).into_iter().flat_map(|g| g.versions).map(|v| v.api_version).collect()
    };
    assert_eq!(names(&listed), ["autoscaling/v2", "autoscaling/v1"]);
    assert_eq!(names(&json!({ "kind": "APIVersions", "versions": ["v1"] })), ["v1"]);
}

#[test]
fn both_forms_tell_the_same() {
    assert_eq!(from_aggregated(), from_legacy());
    let deployments = &from_legacy()[0];
    let scale = deployments.part("scale").unwrap();
    assert_eq!((scale.api_version.as_str(), scale.kind.as_str()), ("autoscaling/v1", "Scale"));
    assert!(deployments.can("get") && !deployments.can("watch"));
    assert!(deployments.part("status").is_none());
}

#[test]
fn what_may_be_old_is_told() {
    let catalog = aggregated(&json!({ "items": [{
        "metadata": { "name": "metrics.k8s.io" },
        "versions": [{ "version": "v1", "freshness": "Stale" }],
    }] }));
    assert_eq!(catalog.failed[0].api_version, "metrics.k8s.io/v1");
    assert!(catalog.has_version("metrics.k8s.io/v1"));
}

#[test]
fn documents_of_any_shape_are_read() {
    for document in [json!(null), json!([]), json!({"items": 1}), json!({"items": [1, {}, null]})] {
        assert_eq!(aggregated(&document).resources().count(), 0);
        assert_eq!(legacy(&document, "v1").len() + groups(&document).len(), 0);
    }
}
