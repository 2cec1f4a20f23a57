//! V9: which groups are served is told by APIServices, too.

use serde_json::{Value, json};

use crate::support::*;

const SERVICES: &str = "/apis/apiregistration.k8s.io/v1/apiservices";
const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

fn definition(plural: &str, kind: &str, versions: &[(&str, bool)]) -> Value {
    let schema = json!({"openAPIV3Schema": {"type": "object"}});
    let versions: Vec<Value> = versions
        .iter()
        .enumerate()
        .map(|(at, (name, served))| {
            json!({"name": name, "served": served, "storage": at == 0, "schema": schema})
        })
        .collect();
    json!({
        "metadata": {"name": format!("{plural}.told.test")},
        "spec": {
            "group": "told.test", "scope": "Cluster", "versions": versions,
            "names": {"plural": plural, "kind": kind},
        },
    })
}

/// The names of all, or of those of definitions.
async fn names(client: &Client, of: &str) -> Vec<String> {
    let list = client.get(&format!("{SERVICES}{of}")).await.json();
    let items = list["items"].as_array().expect("a list").iter();
    items.map(|item| item["metadata"]["name"].as_str().expect("a name").to_owned()).collect()
}

const OF_DEFINITIONS: &str = "?labelSelector=kube-aggregator.kubernetes.io/automanaged=true";

#[tokio::test(start_paused = true)]
async fn v9_1_each_group_that_is_served_has_a_service() {
    let client = client();
    let groups = client.get("/apis").await.json();
    let mut served = vec!["v1.".to_owned()];
    for group in groups["groups"].as_array().expect("groups") {
        for version in group["versions"].as_array().expect("versions") {
            let version = version["version"].as_str().expect("a version");
            served.push(format!("{version}.{}", group["name"].as_str().expect("a name")));
        }
    }
    // That of the services themselves is served by whoever else would hand requests on.
    served.retain(|name| name != "v1.apiregistration.k8s.io");
    served.sort();
    assert_eq!(names(&client, "").await, served);
    assert_eq!(names(&client, OF_DEFINITIONS).await, [""; 0]);
    let apps = client.get(&format!("{SERVICES}/v1.apps")).await.json();
    assert_eq!(apps["spec"]["groupPriorityMinimum"], 17_800);
    assert_eq!(apps["status"]["conditions"][0]["reason"], "Local");
}

#[tokio::test(start_paused = true)]
async fn v9_1_services_come_and_go_with_definitions() {
    let client = client();
    let of_definitions = async || names(&client, OF_DEFINITIONS).await;
    let mut watch = client.watch(&format!("{SERVICES}?watch=true&resourceVersion=1")).await;
    client
        .post(DEFINITIONS, &definition("as", "A", &[("v1", true), ("v2", false)]))
        .await
        .expect(201);
    assert_eq!(of_definitions().await, ["v1.told.test"]);
    let seen = watch.next().await.expect("an event");
    assert_eq!(
        (&seen["type"], &seen["object"]["metadata"]["name"]),
        (&json!("ADDED"), &json!("v1.told.test"))
    );
    client.post(DEFINITIONS, &definition("bs", "B", &[("v2", true)])).await.expect(201);
    assert_eq!(of_definitions().await, ["v1.told.test", "v2.told.test"]);
    client.delete(&format!("{DEFINITIONS}/as.told.test")).await.expect(200);
    assert_eq!(of_definitions().await, ["v2.told.test"]);
    client.delete(&format!("{DEFINITIONS}/bs.told.test")).await.expect(200);
    assert_eq!(of_definitions().await, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn v9_1_the_service_of_a_definition_goes_once_its_instances_are_gone() {
    let client = client();
    client.post(DEFINITIONS, &definition("as", "A", &[("v1", true)])).await.expect(201);
    let kept = json!({
        "apiVersion": "told.test/v1", "kind": "A",
        "metadata": {"name": "x", "finalizers": ["told.test/stay"]},
    });
    client.post("/apis/told.test/v1/as", &kept).await.expect(201);
    client.delete(&format!("{DEFINITIONS}/as.told.test")).await.expect(200);
    assert_eq!(names(&client, OF_DEFINITIONS).await, ["v1.told.test"]);
    let free = json!({"metadata": {"finalizers": null}});
    client.merge("/apis/told.test/v1/as/x", &free).await.expect(200);
    assert_eq!(names(&client, OF_DEFINITIONS).await, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn v9_1_what_the_server_looks_after_is_mended() {
    let client = client();
    client.post(DEFINITIONS, &definition("as", "A", &[("v1", true)])).await.expect(201);
    let path = format!("{SERVICES}/v1.told.test");
    let priority = async || client.get(&path).await.json()["spec"]["groupPriorityMinimum"].clone();
    client.merge(&path, &json!({"spec": {"groupPriorityMinimum": 7}})).await.expect(200);
    assert_eq!(priority().await, 1_000);
    client.delete(&path).await.expect(200);
    assert_eq!(priority().await, 1_000);
    // Whoever takes the label away looks after it.
    let own = json!({
        "metadata": {"labels": {"kube-aggregator.kubernetes.io/automanaged": null}},
        "spec": {"groupPriorityMinimum": 7},
    });
    client.merge(&path, &own).await.expect(200);
    assert_eq!(priority().await, 7);
    client.delete(&format!("{DEFINITIONS}/as.told.test")).await.expect(200);
    assert_eq!(priority().await, 7);
    // Those that are there from the start are nobody's business afterwards.
    client.delete(&format!("{SERVICES}/v1.apps")).await.expect(200);
    client.get(&format!("{SERVICES}/v1.apps")).await.expect(404);
}
