//! Built-in objects are built and edited as their manifests read.

use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::core::v1::{Pod, Service};
use watchkeeper_api::{HasStatus, Map, Object as _, edit, json, object};

fn deployment(name: &str, replicas: Option<i32>) -> Deployment {
    let labels = Map::from([("app", "nginx"), ("controller", name)]);
    object!(Deployment {
        metadata: { name: name, namespace: "default" },
        spec: {
            replicas: replicas,
            selector: { match_labels: &labels },
            template: {
                metadata: { labels: &labels },
                spec: { containers: [{ name: "nginx", image: "nginx:latest" }] },
            },
        },
    })
}

#[test]
fn what_is_not_said_is_not_written() {
    let text = json::to_string(&deployment("foo", None));
    expect_test::expect![[r#"{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"foo","namespace":"default"},"spec":{"selector":{"matchLabels":{"app":"nginx","controller":"foo"}},"template":{"metadata":{"labels":{"app":"nginx","controller":"foo"}},"spec":{"containers":[{"name":"nginx","image":"nginx:latest"}]}}}}"#]].assert_eq(&text);
}

#[test]
fn an_edit_reaches_into_shared_and_optional_parts() {
    let mut pod = Pod::default();
    edit!(pod, {
        spec: {
            containers: [{
                name: "web",
                resources: { limits: { "cpu": "1" } },
                env: [{ name: "A", value: "b" }],
                readiness_probe: { http_get: { path: "/ready", port: 8080 } },
                ports: [{ container_port: 8080 }],
            }],
            tolerations: [{ operator: "Exists" }],
            volumes: [{ name: "scratch", empty_dir: {} }],
        },
        status: { phase: "Running" },
    });
    expect_test::expect![[r#"{"apiVersion":"v1","kind":"Pod","spec":{"volumes":[{"name":"scratch","emptyDir":{}}],"containers":[{"name":"web","ports":[{"containerPort":8080}],"env":[{"name":"A","value":"b"}],"resources":{"limits":{"cpu":"1"}},"readinessProbe":{"httpGet":{"path":"/ready","port":8080}}}],"tolerations":[{"operator":"Exists"}]},"status":{"phase":"Running"}}"#]].assert_eq(&json::to_string(&pod));
    assert_eq!(pod.status().phase, "Running");
    assert_eq!(pod.spec.containers[0].resources.limits.len(), 1);
}

#[test]
fn an_object_tells_its_kind_and_path() {
    let service = object!(Service { metadata: { name: "web", namespace: "shop" } });
    assert_eq!(Service::KIND.api_version(), "v1");
    assert_eq!(
        service.kind().path(service.namespace(), Some(service.name())),
        "/api/v1/namespaces/shop/services/web",
    );
}
