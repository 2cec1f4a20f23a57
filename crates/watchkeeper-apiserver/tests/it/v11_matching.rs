//! V11: which webhooks are asked about a write.

use serde_json::{Value, json};
use watchkeeper_apiserver::admission::Review;

use crate::support::*;
use crate::v11_webhooks::*;

/// Rules about some resources.
fn rules(groups: &[&str], resources: &[&str], operations: &[&str]) -> Value {
    json!([{
        "operations": operations, "apiGroups": groups, "apiVersions": ["*"],
        "resources": resources,
    }])
}

/// What a webhook was asked, as `OPERATION resource/sub name`.
fn lines(seen: &Seen) -> Vec<String> {
    let line = |request: &Value| {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let sub = text(&request["subResource"]);
        let sub = if sub.is_empty() { sub } else { format!("/{sub}") };
        let plural = text(&request["resource"]["resource"]);
        format!("{} {plural}{sub} {}", text(&request["operation"]), text(&request["name"]))
    };
    seen.all().iter().map(line).collect()
}

#[tokio::test(start_paused = true)]
async fn v11_1_rules_name_resources_subresources_and_operations() {
    let client = client();
    let main = answer(&client, "main", Review::allow);
    let subs = answer(&client, "subs", Review::allow);
    let all = answer(&client, "all", Review::allow);
    configure(
        &client,
        VALIDATING,
        "a",
        &[
            hook("main", &json!({"rules": rules(&["apps"], &["*"], &["CREATE", "DELETE"])})),
            hook("subs", &json!({"rules": rules(&["*"], &["*/scale", "pods/binding"], &["*"])})),
            hook("all", &json!({"rules": rules(&["apps", ""], &["*/*"], &["UPDATE"])})),
        ],
    )
    .await;
    client.post(DEPLOYMENTS, &deployment("x", 1)).await.expect(201);
    let scale = json!({"spec": {"replicas": 3}});
    client.merge(&format!("{DEPLOYMENTS}/x/scale"), &scale).await.expect(200);
    let status = json!({"status": {"replicas": 1}});
    client.merge(&format!("{DEPLOYMENTS}/x/status"), &status).await.expect(200);
    client.post(PODS, &pod("p")).await.expect(201);
    let binding = json!({"metadata": {"name": "p"}, "target": {"kind": "Node", "name": "n"}});
    client.post(&format!("{PODS}/p/binding"), &binding).await.expect(201);
    client.delete(&format!("{DEPLOYMENTS}/x")).await.expect(200);
    assert_eq!(lines(&main), ["CREATE deployments x", "DELETE deployments x"]);
    assert_eq!(lines(&subs), ["UPDATE deployments/scale x", "CREATE pods/binding p"]);
    assert_eq!(lines(&all), ["UPDATE deployments/scale x", "UPDATE deployments/status x"]);
    assert_eq!(subs.all()[0]["kind"]["kind"], "Scale");
    assert_eq!(subs.all()[0]["oldObject"]["spec"]["replicas"], 1);
}

#[tokio::test(start_paused = true)]
async fn v11_1_scopes_and_namespaces() {
    let client = client();
    let cluster = answer(&client, "cluster", Review::allow);
    let inside = answer(&client, "inside", Review::allow);
    let resources = ["configmaps", "namespaces", "nodes"];
    let scoped = |scope: &str| {
        let mut rules = rules(&["*"], &resources, &["CREATE"]);
        rules[0]["scope"] = scope.into();
        json!({"rules": rules})
    };
    configure(
        &client,
        VALIDATING,
        "a",
        &[hook("cluster", &scoped("Cluster")), hook("inside", &scoped("Namespaced"))],
    )
    .await;
    client.post("/api/v1/namespaces", &json!({"metadata": {"name": "n"}})).await.expect(201);
    client.post("/api/v1/nodes", &json!({"metadata": {"name": "node"}})).await.expect(201);
    client.post(CONFIG_MAPS, &map("x")).await.expect(201);
    assert_eq!(lines(&cluster), ["CREATE namespaces n", "CREATE nodes node"]);
    assert_eq!(cluster.all()[0]["namespace"], "n");
    assert_eq!(lines(&inside), ["CREATE configmaps x"]);
}

#[tokio::test(start_paused = true)]
async fn v11_1_selectors_look_at_namespaces_and_objects() {
    let client = client();
    let seen = answer(&client, "a", Review::allow);
    let seen_by_object = answer(&client, "b", Review::allow);
    let label = json!({"matchExpressions": [
        {"key": "team", "operator": "In", "values": ["blue", "red"]},
    ]});
    let everything = rules(&["*"], &["configmaps", "namespaces", "nodes"], &["*"]);
    configure(
        &client,
        VALIDATING,
        "a",
        &[
            hook("a", &json!({"namespaceSelector": label, "rules": everything})),
            hook("b", &json!({"objectSelector": {"matchLabels": {"watch": "yes"}}})),
        ],
    )
    .await;
    let labelled = json!({"metadata": {"name": "blue", "labels": {"team": "blue"}}});
    client.post("/api/v1/namespaces", &labelled).await.expect(201);
    client.post("/api/v1/nodes", &json!({"metadata": {"name": "node"}})).await.expect(201);
    client.post("/api/v1/namespaces/blue/configmaps", &map("x")).await.expect(201);
    client.post(CONFIG_MAPS, &map("x")).await.expect(201);
    // What is in no namespace is never left out.
    let expected = ["CREATE namespaces blue", "CREATE nodes node", "CREATE configmaps x"];
    assert_eq!(lines(&seen), expected);
    // The object as it was counts as well.
    let on = json!({"metadata": {"labels": {"watch": "yes"}}});
    let off = json!({"metadata": {"labels": {"watch": null}}});
    let path = format!("{CONFIG_MAPS}/x");
    for change in [&on, &off, &json!({"data": {"value": "9"}})] {
        client.merge(&path, change).await.expect(200);
    }
    assert_eq!(lines(&seen_by_object), ["UPDATE configmaps x", "UPDATE configmaps x"]);
}

#[tokio::test(start_paused = true)]
async fn v11_1_conditions_decide_and_those_that_cannot_be_told_refuse() {
    let client = client();
    let seen = answer(&client, "a", Review::allow);
    let conditions = json!([
        {"name": "not-ours", "expression": "!('ours' in object.data)"},
        {"name": "create", "expression": "request.operation == 'CREATE' && oldObject == null"},
        {"name": "value", "expression": "object.data.value != 'skip'"},
    ]);
    configure(&client, VALIDATING, "a", &[hook("a", &json!({"matchConditions": conditions}))])
        .await;
    let mut skip = map("skip");
    skip["data"]["value"] = "skip".into();
    let mut ours = map("ours");
    ours["data"] = json!({"ours": "1"});
    for body in [&map("x"), &skip, &ours] {
        client.post(CONFIG_MAPS, body).await.expect(201);
    }
    client.merge(&format!("{CONFIG_MAPS}/x"), &json!({"data": {"more": "1"}})).await.expect(200);
    assert_eq!(lines(&seen), ["CREATE configmaps x"]);
    let mut broken = map("broken");
    broken["data"] = json!({"other": "1"});
    assert_eq!(
        client.post(CONFIG_MAPS, &broken).await.line(),
        "403 Forbidden: configmaps \"broken\" is forbidden: expression 'object.data.value != \
         'skip'' resulted in error: no such key: value"
    );
}

#[tokio::test(start_paused = true)]
async fn v11_1_conditions_that_cannot_be_told_skip_who_forgives_failures() {
    let client = client();
    let seen = answer(&client, "a", |review| review.deny("no"));
    let more = json!({
        "failurePolicy": "Ignore",
        "matchConditions": [{"name": "odd", "expression": "object.data.nothing == 'x'"}],
    });
    configure(&client, VALIDATING, "a", &[hook("a", &more)]).await;
    client.post(CONFIG_MAPS, &map("x")).await.expect(201);
    assert_eq!(seen.count(), 0);
}

#[tokio::test(start_paused = true)]
async fn v11_1_rules_about_another_version_match_unless_they_are_to_be_exact() {
    let client = client();
    let equivalent = answer(&client, "a", |review| {
        let op =
            json!({"op": "replace", "path": "/spec/targetCPUUtilizationPercentage", "value": 70});
        if review.operation() == "CREATE" {
            review.allow().patch(&json!([op]))
        } else {
            review.allow()
        }
    });
    let exact = answer(&client, "b", Review::allow);
    let old = json!([{
        "operations": ["CREATE"], "apiGroups": ["autoscaling"], "apiVersions": ["v1"],
        "resources": ["horizontalpodautoscalers"],
    }]);
    configure(
        &client,
        MUTATING,
        "a",
        &[
            hook("a", &json!({"rules": old})),
            hook("b", &json!({"rules": old, "matchPolicy": "Exact"})),
        ],
    )
    .await;
    let scaler = json!({
        "metadata": {"name": "x"},
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "x"},
            "maxReplicas": 3,
            "metrics": [{"type": "Resource", "resource": {
                "name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50},
            }}],
        },
    });
    let path = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
    let created = client.post(path, &scaler).await.expect(201);
    let target = &created["spec"]["metrics"][0]["resource"]["target"];
    assert_eq!(target["averageUtilization"], 70);
    let asked = &equivalent.all()[0];
    assert_eq!(asked["kind"]["version"], "v1");
    assert_eq!(asked["requestKind"]["version"], "v2");
    assert_eq!(asked["object"]["spec"]["targetCPUUtilizationPercentage"], 50);
    assert_eq!(exact.count(), 0);
}

#[tokio::test(start_paused = true)]
async fn v11_1_what_is_configured_cannot_lock_itself() {
    let client = client();
    let seen = answer(&client, "a", |review| review.deny("no"));
    let everything = json!({"rules": rules(&["*"], &["*/*"], &["*"])});
    configure(&client, VALIDATING, "a", &[hook("a", &everything)]).await;
    assert_eq!(client.post(CONFIG_MAPS, &map("x")).await.code, 400);
    configure(&client, MUTATING, "b", &[hook("a", &everything)]).await;
    client.delete(&format!("{VALIDATING}/a")).await.expect(200);
    client.delete(&format!("{MUTATING}/b")).await.expect(200);
    client.post(CONFIG_MAPS, &map("x")).await.expect(201);
    assert_eq!(lines(&seen), ["CREATE configmaps x"]);
}

#[tokio::test(start_paused = true)]
async fn v11_1_each_of_a_collection_is_judged_before_the_first_one_goes() {
    let client = client();
    for name in ["a", "b", "c"] {
        client.config_map(name, "1").await;
    }
    let seen =
        answer(&client, "a", |review| match review.old_object()["metadata"]["name"].as_str() {
            Some("c") => review.deny("stays"),
            _ => review.allow(),
        });
    configure(&client, VALIDATING, "a", &[hook("a", &json!({}))]).await;
    let line = client.delete(CONFIG_MAPS).await.line();
    assert_eq!(line, "400 : admission webhook \"a.hooks.test\" denied the request: stays");
    assert_eq!(names(&client.get(CONFIG_MAPS).await.expect(200)), ["a", "b", "c"]);
    assert_eq!(lines(&seen), ["DELETE configmaps ", "DELETE configmaps ", "DELETE configmaps "]);
}
