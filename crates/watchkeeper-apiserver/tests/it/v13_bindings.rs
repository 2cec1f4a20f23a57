//! V13: a pod gets its node.

use serde_json::{Value, json};

use crate::support::*;

fn binding(metadata: &Value, node: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "Binding", "metadata": metadata,
        "target": {"kind": "Node", "name": node}})
}

async fn bind(client: &Client, metadata: &Value, node: &str) -> Answer {
    client.post(&format!("{PODS}/p/binding"), &binding(metadata, node)).await
}

#[tokio::test(start_paused = true)]
async fn v13_a_binding_is_of_the_pod_of_its_path_and_names_a_node() {
    let client = client();
    let missing = bind(&client, &json!({"name": "p"}), "n").await;
    assert_eq!(missing.line(), "404 NotFound: pods \"p\" not found");
    let made = client.post(PODS, &pod("p")).await.expect(201);
    let other = bind(&client, &json!({"name": "q"}), "n").await;
    let why = "name in URL does not match name in Binding object";
    assert_eq!(other.line(), format!("400 BadRequest: {why}"));
    let nowhere = bind(&client, &json!({"name": "p"}), "").await;
    assert_eq!(
        nowhere.line(),
        "422 Invalid: Binding \"p\" is invalid: target.name: Required value"
    );
    for (name, what, stored) in [
        ("uid", "UID", &made["metadata"]["uid"]),
        ("resourceVersion", "ResourceVersion", &made["metadata"]["resourceVersion"]),
    ] {
        let told = bind(&client, &json!({"name": "p", name: "7000"}), "n").await;
        let stored = stored.as_str().expect("a text");
        let why = format!("{what} in precondition: 7000, {what} in object meta: {stored}");
        assert_eq!(told.code, 409, "{}", told.text);
        assert!(told.line().ends_with(&why), "{}", told.text);
    }
    let right = json!({"name": "p", "uid": made["metadata"]["uid"],
        "resourceVersion": made["metadata"]["resourceVersion"]});
    let bound = bind(&client, &right, "n").await.expect(201);
    let status = json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success",
        "code": 201});
    assert_eq!(bound, status);
}

#[tokio::test(start_paused = true)]
async fn v13_a_pod_is_bound_once_and_nobody_owns_where() {
    let client = client();
    let made = client.post(PODS, &pod("p")).await.expect(201);
    let metadata = json!({"name": "p", "annotations": {"a": "b", "c": 5}});
    bind(&client, &metadata, "n").await.expect(201);
    let bound = client.get(&format!("{PODS}/p")).await.expect(200);
    assert_eq!(version(&bound), version(&made) + 1);
    assert_eq!(bound["spec"]["nodeName"], "n");
    assert_eq!(bound["metadata"]["annotations"], json!({"a": "b"}));
    assert_eq!(bound["metadata"]["managedFields"], made["metadata"]["managedFields"]);
    let conditions = bound["status"]["conditions"].as_array().expect("conditions");
    let scheduled = conditions.iter().find(|one| one["type"] == "PodScheduled");
    assert_eq!(scheduled.expect("it is scheduled")["status"], "True");
    let again = bind(&client, &json!({"name": "p"}), "m").await;
    assert_eq!(
        again.line(),
        "409 Conflict: Operation cannot be fulfilled on pods/binding \"p\": pod p is already \
         assigned to node \"n\""
    );
    assert_eq!(again.json()["details"]["kind"], "pods/binding");
}

#[tokio::test(start_paused = true)]
async fn v13_a_pod_that_is_going_gets_no_node() {
    let client = client();
    let mut held = pod("p");
    held["metadata"]["finalizers"] = json!(["example.com/x"]);
    client.post(PODS, &held).await.expect(201);
    client.delete(&format!("{PODS}/p")).await.expect(200);
    let refused = bind(&client, &json!({"name": "p"}), "n").await;
    assert_eq!(
        refused.line(),
        "409 Conflict: Operation cannot be fulfilled on pods/binding \"p\": pod p is being \
         deleted, cannot be assigned to a host"
    );
}
