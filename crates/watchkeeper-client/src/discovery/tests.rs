//! Both forms of discovery name the same kinds.

use serde_json::json;

use super::*;

fn from_aggregated() -> Vec<Resource> {
    aggregated(&json!({ "kind": "APIGroupDiscoveryList", "items": [{
        "metadata": { "name": "apps" },
        "versions": [{ "version": "v1", "resources": [{
            "resource": "deployments", "responseKind": { "kind": "Deployment", "group": "", "version": "" },
            "scope": "Namespaced", "singularResource": "deployment", "shortNames": ["deploy"], "verbs": ["get"],
            "subresources": [{ "subresource": "scale" }],
        }] }],
    }] }))
}

fn from_legacy() -> Vec<Resource> {
    let list = json!({ "kind": "APIResourceList", "resources": [
        { "name": "deployments", "singularName": "deployment", "namespaced": true, "kind": "Deployment", "shortNames": ["deploy"] },
        { "name": "deployments/scale", "namespaced": true, "kind": "Scale" },
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

#[test]
fn preferred_versions_come_first() {
    let groups = json!({ "kind": "APIGroupList", "groups": [{
        "name": "autoscaling",
        "versions": [{ "groupVersion": "autoscaling/v1" }, { "groupVersion": "autoscaling/v2" }],
        "preferredVersion": { "groupVersion": "autoscaling/v2" },
    }] });
    assert_eq!(group_versions(&groups), ["autoscaling/v2", "autoscaling/v1"]);
    assert_eq!(group_versions(&json!({ "kind": "APIVersions", "versions": ["v1"] })), ["v1"]);
}
