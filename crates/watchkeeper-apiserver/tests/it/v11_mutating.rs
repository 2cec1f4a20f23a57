//! V11: policies in CEL that change objects.

use serde_json::{Value, json};

use crate::support::*;
use crate::v11_webhooks::*;

const GROUP: &str = "/apis/admissionregistration.k8s.io/v1";

/// A policy about new objects of a resource, with a binding of the same name.
async fn policy(client: &Client, name: &str, resource: &str, more: &Value) {
    let rules = json!([{
        "operations": ["CREATE"], "apiGroups": ["", "apps"], "apiVersions": ["v1"],
        "resources": [resource],
    }]);
    let mut spec = json!({
        "matchConstraints": {"resourceRules": rules}, "reinvocationPolicy": "Never",
    });
    for (member, value) in more.as_object().expect("members") {
        spec[member] = value.clone();
    }
    let body = json!({"metadata": {"name": name}, "spec": spec});
    client.post(&format!("{GROUP}/mutatingadmissionpolicies"), &body).await.expect(201);
    let body = json!({"metadata": {"name": name}, "spec": {"policyName": name}});
    client.post(&format!("{GROUP}/mutatingadmissionpolicybindings"), &body).await.expect(201);
}

fn applies(expression: &str) -> Value {
    let of = json!({"expression": expression});
    json!({"patchType": "ApplyConfiguration", "applyConfiguration": of})
}

fn patches(expression: &str) -> Value {
    json!({"patchType": "JSONPatch", "jsonPatch": {"expression": expression}})
}

#[tokio::test(start_paused = true)]
async fn v11_2_policies_lay_configurations_over_objects() {
    let client = client();
    let sidecar = "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'mesh', \
                   image: 'mesh:' + object.metadata.name}]}}";
    let label = "Object{metadata: Object.metadata{labels: {'team': 'blue'}}}";
    let more = json!({"mutations": [applies(sidecar), applies(label)]});
    policy(&client, "p", "pods", &more).await;
    let created = client.post(PODS, &pod("x")).await.expect(201);
    let containers = created["spec"]["containers"].as_array().expect("containers");
    let names: Vec<&str> = containers.iter().filter_map(|one| one["name"].as_str()).collect();
    assert!(names.contains(&"main") && names.contains(&"mesh") && names.len() == 2, "{names:?}");
    let mesh = containers.iter().find(|one| one["name"] == "mesh").expect("the sidecar");
    assert_eq!(
        (&mesh["image"], &mesh["imagePullPolicy"]),
        (&json!("mesh:x"), &json!("IfNotPresent"))
    );
    assert_eq!(created["metadata"]["labels"], json!({"team": "blue"}));
}

#[tokio::test(start_paused = true)]
async fn v11_2_policies_patch_objects() {
    let client = client();
    let add = "[JSONPatch{op: 'test', path: '/data/value', value: '1'}, \
               JSONPatch{op: 'add', path: '/metadata/annotations/' + \
               jsonpatch.escapeKey('a/b'), value: object.data.value + '!'}]";
    let again = "[JSONPatch{op: 'add', path: '/data/copy', \
                 value: object.metadata.annotations['a/b']}]";
    let conditions = json!([{"name": "value", "expression": "object.data.value == '1'"}]);
    let more = json!({"mutations": [patches(add), patches(again)], "matchConditions": conditions});
    policy(&client, "p", "configmaps", &more).await;
    let mut body = map("x");
    body["metadata"]["annotations"] = json!({"k": "v"});
    let created = client.post(CONFIG_MAPS, &body).await.expect(201);
    assert_eq!(created["data"], json!({"value": "1", "copy": "1!"}));
    assert_eq!(created["metadata"]["annotations"], json!({"k": "v", "a/b": "1!"}));
    let mut other = map("y");
    other["data"]["value"] = "2".into();
    let created = client.post(CONFIG_MAPS, &other).await.expect(201);
    assert_eq!(created["data"], json!({"value": "2"}));
}

#[tokio::test(start_paused = true)]
async fn v11_2_mutations_that_fail_refuse_unless_they_are_forgiven() {
    let client = client();
    let broken = patches("[JSONPatch{op: 'replace', path: '/data/none', value: object.data.none}]");
    policy(&client, "p", "configmaps", &json!({"mutations": [broken]})).await;
    let line = client.post(CONFIG_MAPS, &map("x")).await.line();
    let head = "403 Invalid: policy 'p' with binding 'p' denied request: expression '";
    assert!(line.starts_with(head) && line.ends_with("no such key: none"), "{line}");
    client.delete(&format!("{GROUP}/mutatingadmissionpolicies/p")).await.expect(200);
    let atomic = applies(
        "Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {'a': 'b'}}}}",
    );
    policy(&client, "q", "deployments", &json!({"mutations": [atomic]})).await;
    let line = client.post(DEPLOYMENTS, &deployment("x", 1)).await.line();
    let why = "403 Invalid: policy 'q' with binding 'q' denied request: error applying patch: invalid \
               ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.selector";
    assert_eq!(line, why);
    let forgiven = patches("[JSONPatch{op: 'add', path: '/data/x', value: object.data.none}]");
    let more = json!({"mutations": [forgiven], "failurePolicy": "Ignore"});
    policy(&client, "r", "configmaps", &more).await;
    client.post(CONFIG_MAPS, &map("x")).await.expect(201);
}

#[tokio::test(start_paused = true)]
async fn v11_2_policies_go_before_webhooks_and_again_when_those_change_something() {
    let client = client();
    let seen = answer(&client, "a", |review| {
        let patch = json!([{"op": "add", "path": "/data/hook", "value": "there"}]);
        review.allow().patch(&patch)
    });
    configure(&client, MUTATING, "a", &[hook("a", &json!({}))]).await;
    let note = "[JSONPatch{op: 'add', path: '/data/policy', value: 'hook' in object.data ? 'after' \
                : 'before'}]";
    let more = json!({"mutations": [patches(note)], "reinvocationPolicy": "IfNeeded"});
    policy(&client, "p", "configmaps", &more).await;
    let created = client.post(CONFIG_MAPS, &map("x")).await.expect(201);
    assert_eq!(seen.all()[0]["object"]["data"]["policy"], "before");
    assert_eq!(created["data"]["policy"], "after");
    assert_eq!(seen.count(), 1);
}
