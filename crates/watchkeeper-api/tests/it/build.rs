//! `object!` and `edit!` on the built-in types, as controllers use them.

use serde_json::json;
use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::core::v1::{ConfigMap, Pod, Secret};
use watchkeeper_api::meta::v1::OwnerReference;
use watchkeeper_api::{Map, Object, edit, json, object};

fn deployment(owner: &ConfigMap, replicas: Option<i32>) -> Deployment {
    let labels = Map::from([("app", "nginx"), ("controller", owner.name())]);
    let name = format!("{}-nginx", owner.name());
    object!(Deployment {
        metadata: {
            name: &name,
            namespace: owner.namespace(),
            owner_references: [object!(OwnerReference { name: owner.name(), controller: true })],
        },
        spec: {
            replicas: replicas,
            selector: { match_labels: &labels },
            template: {
                metadata: { labels: &labels },
                spec: {
                    containers: [{
                        name: "nginx",
                        image: "nginx:latest",
                        env: [{ name: "POD", value_from: { field_ref: { field_path: "metadata.name" } } }],
                        ports: [{ container_port: 80 }],
                        resources: { requests: { "cpu": "100m", "memory": "64Mi" } },
                        readiness_probe: { http_get: { path: "/", port: 80 }, period_seconds: 5 },
                        security_context: { run_as_non_root: true },
                    }],
                    volumes: [{ name: "tmp", empty_dir: {} }],
                },
            },
            strategy: { rolling_update: { max_surge: "25%", max_unavailable: 0 } },
        },
    })
}

fn owner() -> ConfigMap {
    object!(ConfigMap { metadata: { name: "foo", namespace: "shop" } })
}

#[test]
fn a_deployment_is_written_as_it_was_built() {
    let expected = json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {
            "name": "foo-nginx",
            "namespace": "shop",
            "ownerReferences": [
                {"apiVersion": "", "kind": "", "name": "foo", "uid": "", "controller": true},
            ],
        },
        "spec": {
            "replicas": 2,
            "selector": {"matchLabels": {"app": "nginx", "controller": "foo"}},
            "template": {
                "metadata": {"labels": {"app": "nginx", "controller": "foo"}},
                "spec": {
                    "containers": [{
                        "name": "nginx",
                        "image": "nginx:latest",
                        "env": [{"name": "POD", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}],
                        "ports": [{"containerPort": 80}],
                        "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}},
                        "readinessProbe": {"httpGet": {"path": "/", "port": 80}, "periodSeconds": 5},
                        "securityContext": {"runAsNonRoot": true},
                    }],
                    "volumes": [{"name": "tmp", "emptyDir": {}}],
                },
            },
            "strategy": {"rollingUpdate": {"maxSurge": "25%", "maxUnavailable": 0}},
        },
    });
    assert_eq!(json::to_value(&deployment(&owner(), Some(2))), expected);
}

#[test]
fn what_is_absent_is_not_written() {
    let mut deployment = deployment(&owner(), None);
    edit!(deployment, { spec: { template: { spec: { volumes: [] } } } });
    let value = json::to_value(&deployment);
    assert_eq!(value["spec"].get("replicas"), None);
    assert_eq!(value["spec"]["template"]["spec"].get("volumes"), None);
    assert_eq!(value.get("status"), None);
    let pod = json::to_value(&Pod::default());
    assert_eq!(pod, json!({"apiVersion": "v1", "kind": "Pod"}));
}

#[test]
fn an_edit_changes_what_it_names() {
    let built = deployment(&owner(), Some(2));
    let mut edited = built.clone();
    edit!(edited, {
        metadata: { annotations: { "example.com/note": "x" } },
        spec: { replicas: edited.spec.replicas.map(|replicas| replicas + 1) },
    });
    assert_eq!(edited.annotation("example.com/note"), Some("x"));
    assert_eq!(edited.spec.replicas, Some(3));
    assert_eq!(edited.spec.template, built.spec.template);
    assert_ne!(edited, built);
}

#[test]
fn secrets_hold_bytes() {
    let secret = object!(Secret { data: { "password": "hunter2" }, type_: "Opaque" });
    let value = json::to_value(&secret);
    assert_eq!(value["data"]["password"], "aHVudGVyMg==");
    assert!(!format!("{secret:?}").contains("hunter2"));
}
