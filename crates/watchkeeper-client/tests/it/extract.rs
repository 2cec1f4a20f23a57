//! What a manager owns, where the server or another version has a say, on the embedded server.

use serde_json::{Value, json};
use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper_api::autoscaling::{v1, v2};
use watchkeeper_api::{Kind, Scope, Unstructured, json as codec, object};
use watchkeeper_client::{Api, ApplyOptions, Client, CreateOptions};

use crate::live::live;

const FOO: Kind = Kind::new("example.com", "v1", "Foo", "foos", Scope::Namespaced);
const DEPLOYMENT: Kind = Kind::new("apps", "v1", "Deployment", "deployments", Scope::Namespaced);

fn dynamic(client: &Client, kind: &Kind) -> Api<Unstructured> {
    client.clone().field_manager("me").dynamic(kind.clone()).namespace("default")
}

fn unstructured(value: &Value) -> Unstructured {
    codec::from_str(&value.to_string()).unwrap()
}

async fn applied(api: &Api<Unstructured>, object: &Value) -> Value {
    let done = api.apply(&unstructured(object), &ApplyOptions::default()).await.unwrap();
    codec::from_str(&codec::to_string(&done)).unwrap()
}

async fn extracted(api: &Api<Unstructured>, name: &str) -> Value {
    let mine = api.extract(name, "me").await.unwrap().unwrap();
    codec::from_str(&codec::to_string(mine.object())).unwrap()
}

fn web() -> Value {
    let container = json!({ "name": "web", "image": "web" });
    json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": { "name": "web", "namespace": "default" },
        "spec": {
            "strategy": {}, "selector": { "matchLabels": { "app": "web" } },
            "template": {
                "metadata": { "labels": { "app": "web" } },
                "spec": { "containers": [container], "nodeSelector": { "disk": "ssd" } },
            },
        },
    })
}

#[tokio::test(start_paused = true)]
async fn an_empty_object_that_was_filled_in_is_extracted_empty() {
    let live = live();
    let deployments = dynamic(&live.client, &DEPLOYMENT);
    let filled = applied(&deployments, &web()).await;
    assert_eq!(filled["spec"]["strategy"]["type"], "RollingUpdate");
    live.asked();
    assert_eq!(extracted(&deployments, "web").await, web());
    assert_eq!(live.asked().len(), 1, "of built-in kinds nobody is asked");
    // Applied again it is no more than before.
    let mine = deployments.extract("web", "me").await.unwrap().unwrap();
    deployments.apply_extracted(&mine, &ApplyOptions::default()).await.unwrap();
    assert_eq!(extracted(&deployments, "web").await, web());
}

async fn install(client: &Client) {
    let limits =
        json!({ "type": "object", "properties": { "cpu": { "type": "string", "default": "1" } } });
    let place = json!({ "type": "object", "additionalProperties": { "type": "string" },
        "x-kubernetes-map-type": "atomic" });
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": "foos.example.com" },
        "spec": {
            "group": "example.com", "scope": "Namespaced", "names": { "plural": "foos", "kind": "Foo" },
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": {
                "type": "object", "properties": { "spec": { "type": "object",
                    "properties": { "limits": limits, "place": place } } } } } }],
        },
    });
    let crd: CustomResourceDefinition = codec::from_str(&crd.to_string()).unwrap();
    client.api().create(&crd, &CreateOptions::default()).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_secs(10)).await;
}

#[tokio::test(start_paused = true)]
async fn of_a_custom_resource_the_server_tells_what_is_owned_as_a_whole() {
    let live = live();
    install(&live.client).await;
    let foos = dynamic(&live.client, &FOO);
    let foo = |spec: Value| {
        json!({ "apiVersion": "example.com/v1", "kind": "Foo",
            "metadata": { "name": "a", "namespace": "default" }, "spec": spec })
    };
    let mine = foo(json!({ "limits": {}, "place": { "room": "b" } }));
    assert_eq!(applied(&foos, &mine).await["spec"]["limits"], json!({ "cpu": "1" }));
    live.asked();
    assert_eq!(extracted(&foos, "a").await, mine);
    let asked = live.asked();
    let asked: Vec<&str> = asked.iter().filter_map(|line| line.split(['?', ' ']).nth(1)).collect();
    let object = "/apis/example.com/v1/namespaces/default/foos/a";
    assert_eq!(asked, [object, "/openapi/v3", "/openapi/v3/apis/example.com/v1"]);
    // Nobody is asked where nothing is in doubt.
    let plain = foo(json!({ "limits": { "cpu": "2" } }));
    applied(&foos, &plain).await;
    live.asked();
    assert_eq!(extracted(&foos, "a").await, plain);
    assert_eq!(live.asked().len(), 1);
}

/// Upstream's `ExtractInto` takes an entry whatever version it was applied in, and drops what the version at
/// hand does not have. So does this, but for the drop, which an apply would make a removal.
#[tokio::test(start_paused = true)]
async fn what_was_applied_in_another_version_is_looked_for_by_its_names() {
    let live = live();
    let client = live.client.clone().field_manager("me");
    let old = client.autoscaling().v1().horizontal_pod_autoscalers("default");
    let new = client.autoscaling().v2().horizontal_pod_autoscalers("default");
    let mut web = object!(v1::HorizontalPodAutoscaler {
        metadata: { name: "web" },
        spec: { scale_target_ref: { api_version: "apps/v1", kind: "Deployment", name: "web" }, max_replicas: 9, min_replicas: 2 },
    });
    old.apply(&web, &ApplyOptions::default()).await.unwrap();
    let mine = new.extract("web", "me").await.unwrap().unwrap();
    let spec: &v2::HorizontalPodAutoscalerSpec = &mine.object().spec;
    assert_eq!((spec.max_replicas, spec.min_replicas), (9, Some(2)));

    web.spec.target_cpu_utilization_percentage = Some(70);
    old.apply(&web, &ApplyOptions::default()).await.unwrap();
    let error = new.extract("web", "me").await.unwrap_err().to_string();
    for part in
        ["\"me\"", "spec.targetCPUUtilizationPercentage in autoscaling/v1", "autoscaling/v2"]
    {
        assert!(error.contains(part), "no {part} in {error}");
    }
    let mine = old.extract("web", "me").await.unwrap().unwrap();
    assert_eq!(mine.object().spec.target_cpu_utilization_percentage, Some(70));
    assert!(new.extract("web", "others").await.unwrap().is_none());
}
