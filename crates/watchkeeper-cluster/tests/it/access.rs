//! Where roles and bindings hold, the actors work and a controller may do what it was given.

use std::time::Duration;

use serde_json::json;
use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::core::v1::{ConfigMap, Pod};
use watchkeeper_api::object;
use watchkeeper_client::{Client, CreateOptions, DeleteOptions, ListOptions};
use watchkeeper_cluster::{Cluster, User};

const RBAC: &str = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";

async fn post(cluster: &Cluster, plural: &str, object: serde_json::Value) {
    let request = http::Request::post(format!("{RBAC}/{plural}"));
    let request = request.header("content-type", "application/json").body(object.to_string());
    let mut server = cluster.server().acting_as(User::admin());
    let answer = tower_service::Service::call(&mut server, request.expect("a request")).await;
    assert_eq!(answer.expect("an answer").status(), 201, "{plural}");
}

/// A role that may list pods, bound to the account of a controller.
async fn controller(cluster: &Cluster) -> Client {
    let group = "rbac.authorization.k8s.io";
    let rules = json!([{"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]}]);
    post(cluster, "roles", json!({"metadata": {"name": "own"}, "rules": rules})).await;
    let binding = json!({
        "metadata": {"name": "own"},
        "roleRef": {"apiGroup": group, "kind": "Role", "name": "own"},
        "subjects": [{"kind": "ServiceAccount", "name": "controller", "namespace": "default"}],
    });
    post(cluster, "rolebindings", binding).await;
    cluster.client_as(&User::service_account("default", "controller"))
}

#[tokio::test(start_paused = true)]
async fn a_controller_may_do_what_its_role_says_and_the_actors_everything() {
    let cluster = Cluster::builder().rbac().seed(7).nodes(1).build();
    let client = controller(&cluster).await;
    let web = object!(Deployment {
        metadata: { name: "web", namespace: "default" },
        spec: {
            replicas: 2,
            selector: { match_labels: { "app": "web" } },
            template: {
                metadata: { labels: { "app": "web" } },
                spec: { containers: [{ name: "nginx", image: "nginx:1.29" }] },
            },
        },
    });
    let deployments = cluster.client("me").api_for(&web);
    deployments.create(&web, &CreateOptions::default()).await.expect("a deployment");
    cluster.run(tokio::time::sleep(Duration::from_secs(10))).await.expect("an orderly end");
    assert_eq!(deployments.get("web").await.expect("it").status.available_replicas, 2);

    let pods = client.api::<Pod>().namespace("default");
    let list = pods.list_all(&ListOptions::default()).await.expect("what the role says");
    assert_eq!(list.items.len(), 2);
    let name = list.items[0].metadata.name.to_string();
    let refused = pods.delete(&name, &DeleteOptions::default()).await.expect_err("not in the role");
    let expected = format!(
        "pods \"{name}\" is forbidden: User \"system:serviceaccount:default:controller\" cannot \
         delete resource \"pods\" in API group \"\" in the namespace \"default\""
    );
    assert!(refused.to_string().contains(&expected), "{refused}");
    let map = object!(ConfigMap { metadata: { name: "x", namespace: "default" } });
    let maps = client.api_for(&map);
    let refused = maps.create(&map, &CreateOptions::default()).await.expect_err("not in the role");
    assert!(refused.is_forbidden(), "{refused}");
}
