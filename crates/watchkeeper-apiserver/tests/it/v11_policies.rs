//! V11: policies in CEL.

use serde_json::{Value, json};

use crate::support::*;
use crate::v11_webhooks::*;

const GROUP: &str = "/apis/admissionregistration.k8s.io/v1";

/// A policy about config maps, with more members of its spec.
async fn policy(client: &Client, name: &str, more: &Value) {
    let rules = json!([{
        "operations": ["CREATE", "UPDATE"], "apiGroups": [""], "apiVersions": ["v1"],
        "resources": ["configmaps"],
    }]);
    let mut spec = json!({"matchConstraints": {"resourceRules": rules}});
    for (member, value) in more.as_object().expect("members") {
        spec[member] = value.clone();
    }
    let body = json!({"metadata": {"name": name}, "spec": spec});
    client.post(&format!("{GROUP}/validatingadmissionpolicies"), &body).await.expect(201);
}

async fn bind(client: &Client, name: &str, policy: &str, more: &Value) {
    let mut spec = json!({"policyName": policy, "validationActions": ["Deny"]});
    for (member, value) in more.as_object().expect("members") {
        spec[member] = value.clone();
    }
    let body = json!({"metadata": {"name": name}, "spec": spec});
    client.post(&format!("{GROUP}/validatingadmissionpolicybindings"), &body).await.expect(201);
}

fn denied(policy: &str, binding: &str, why: &str) -> String {
    format!(
        "configmaps \"x\" is forbidden: ValidatingAdmissionPolicy '{policy}' with binding \
         '{binding}' denied request: {why}"
    )
}

fn rule(expression: &str) -> Value {
    json!({"expression": expression})
}

#[tokio::test(start_paused = true)]
async fn v11_2_a_policy_denies_what_its_expressions_do_not_allow() {
    let client = client();
    policy(&client, "p", &json!({"validations": [rule("object.data.value != '1'")]})).await;
    // Without a binding a policy says nothing.
    client.post(CONFIG_MAPS, &map("before")).await.expect(201);
    bind(&client, "b", "p", &json!({})).await;
    let answer = client.post(CONFIG_MAPS, &map("x")).await;
    let why = denied("p", "b", "failed expression: object.data.value != '1'");
    assert_eq!(answer.line(), format!("422 Invalid: {why}"));
    let cause = answer.json()["details"]["causes"][0]["message"].clone();
    assert_eq!(cause, why.replacen("configmaps \"x\" is forbidden: ", "", 1));
    let mut other = map("x");
    other["data"]["value"] = "2".into();
    client.post(CONFIG_MAPS, &other).await.expect(201);
    let change = json!({"data": {"value": "1"}});
    assert_eq!(client.merge(&format!("{CONFIG_MAPS}/x"), &change).await.code, 422);
    client.delete(&format!("{CONFIG_MAPS}/x")).await.expect(200);
}

#[tokio::test(start_paused = true)]
async fn v11_2_messages_and_reasons_are_those_of_the_policy() {
    let client = client();
    let validations = json!([
        {"expression": "!('a' in object.data)", "message": "no a", "reason": "Forbidden"},
        {
            "expression": "!('b' in object.data)", "message": "no b",
            "messageExpression": "'no b in ' + object.metadata.name + ' of ' + request.namespace",
        },
        {"expression": "!('c' in object.data)", "message": "no c", "messageExpression": "string(object.none)"},
    ]);
    policy(&client, "p", &json!({"validations": validations})).await;
    bind(&client, "b", "p", &json!({})).await;
    let line = async |key: &str| {
        let body = json!({"metadata": {"name": "x"}, "data": {key: "1"}});
        client.post(CONFIG_MAPS, &body).await.line()
    };
    assert_eq!(line("a").await, format!("403 Forbidden: {}", denied("p", "b", "no a")));
    let computed = denied("p", "b", "no b in x of default");
    assert_eq!(line("b").await, format!("422 Invalid: {computed}"));
    assert_eq!(line("c").await, format!("422 Invalid: {}", denied("p", "b", "no c")));
}

#[tokio::test(start_paused = true)]
async fn v11_2_actions_warn_and_audit_instead_of_denying() {
    let client = client();
    policy(&client, "p", &json!({"validations": [{"expression": "false", "message": "never"}]}))
        .await;
    bind(&client, "b", "p", &json!({"validationActions": ["Warn", "Audit"]})).await;
    let answer = client.post(CONFIG_MAPS, &map("x")).await;
    assert_eq!(answer.code, 201);
    let warning = answer.headers["warning"].to_str().expect("text");
    let text = "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': never";
    assert_eq!(warning, format!("299 - \"{text}\""));
    let annotations = client.server.audit_annotations();
    assert_eq!(annotations.len(), 1);
    assert_eq!(annotations[0].annotation, "validation.policy.admission.k8s.io/validation_failure");
    let value: Value = serde_json::from_str(&annotations[0].value).expect("JSON");
    let failure = json!([{
        "message": "never", "policy": "p", "binding": "b", "expressionIndex": 0,
        "validationActions": ["Warn", "Audit"],
    }]);
    assert_eq!(value, failure);
}

#[tokio::test(start_paused = true)]
async fn v11_2_variables_are_there_for_all_expressions_of_a_policy() {
    let client = client();
    let variables = json!([
        {"name": "value", "expression": "object.data.value"},
        {"name": "loud", "expression": "variables.value.upperAscii()"},
    ]);
    let validations = json!([{
        "expression": "variables.loud != 'NO'", "messageExpression": "'not ' + variables.loud",
    }]);
    let audit = json!([{"key": "value", "valueExpression": "'was ' + variables.value"}]);
    let spec =
        json!({"variables": variables, "validations": validations, "auditAnnotations": audit});
    policy(&client, "p", &spec).await;
    bind(&client, "b", "p", &json!({})).await;
    client.post(CONFIG_MAPS, &map("y")).await.expect(201);
    let mut no = map("x");
    no["data"]["value"] = "no".into();
    let line = client.post(CONFIG_MAPS, &no).await.line();
    assert_eq!(line, format!("422 Invalid: {}", denied("p", "b", "not NO")));
    let told: Vec<String> = client
        .server
        .audit_annotations()
        .iter()
        .map(|one| format!("{}={}", one.annotation, one.value))
        .collect();
    assert_eq!(told, ["p/value=was 1", "p/value=was no"]);
    // A variable that cannot be told is the reason of what needs it.
    let none = json!({"metadata": {"name": "x"}, "data": {"other": "1"}});
    let line = client.post(CONFIG_MAPS, &none).await.line();
    assert!(line.contains("composited variable") && line.contains("no such key: value"), "{line}");
}

#[tokio::test(start_paused = true)]
async fn v11_2_parameters_come_with_the_binding() {
    let client = client();
    let spec = json!({
        "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"},
        "validations": [{
            "expression": "params.data.value != object.data.value", "message": "the same",
        }],
        "matchConditions": [{"name": "new", "expression": "object.metadata.name.startsWith('x')"}],
    });
    policy(&client, "p", &spec).await;
    client.config_map("params", "1").await;
    let reference = json!({"name": "params", "parameterNotFoundAction": "Deny"});
    bind(&client, "b", "p", &json!({"paramRef": reference})).await;
    let line = client.post(CONFIG_MAPS, &map("x")).await.line();
    assert_eq!(line, format!("422 Invalid: {}", denied("p", "b", "the same")));
    client
        .merge(&format!("{CONFIG_MAPS}/params"), &json!({"data": {"value": "2"}}))
        .await
        .expect(200);
    client.post(CONFIG_MAPS, &map("x1")).await.expect(201);
    client.delete(&format!("{CONFIG_MAPS}/params")).await.expect(200);
    let line = client.post(CONFIG_MAPS, &map("x")).await.line();
    let why = "failed to configure binding: no params found for policy binding with `Deny` \
               parameterNotFoundAction";
    assert_eq!(line, format!("422 Invalid: {}", denied("p", "b", why)));
}

#[tokio::test(start_paused = true)]
async fn v11_2_parameters_may_be_many_or_not_there() {
    let client = client();
    for (name, value) in [("one", "1"), ("two", "2")] {
        let body = json!({
            "metadata": {"name": name, "labels": {"for": "p"}}, "data": {"value": value},
        });
        client.post(CONFIG_MAPS, &body).await.expect(201);
    }
    let spec = json!({
        "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"},
        "validations": [{
            "expression": "params == null || params.data.value != object.data.value",
            "messageExpression": "'is ' + params.metadata.name",
        }],
    });
    policy(&client, "p", &spec).await;
    let selector = json!({"matchLabels": {"for": "p"}});
    let reference = json!({"selector": selector, "parameterNotFoundAction": "Allow"});
    bind(&client, "b", "p", &json!({"paramRef": reference})).await;
    let mut two = map("x");
    two["data"]["value"] = "2".into();
    let line = client.post(CONFIG_MAPS, &two).await.line();
    assert_eq!(line, format!("422 Invalid: {}", denied("p", "b", "is two")));
    for name in ["one", "two"] {
        client.delete(&format!("{CONFIG_MAPS}/{name}")).await.expect(200);
    }
    client.post(CONFIG_MAPS, &two).await.expect(201);
}

#[tokio::test(start_paused = true)]
async fn v11_2_what_cannot_be_told_is_refused_unless_failures_are_forgiven() {
    let client = client();
    let validations = json!([rule("object.data.none == 'x'")]);
    policy(&client, "p", &json!({"validations": validations})).await;
    bind(&client, "b", "p", &json!({})).await;
    let why = "expression 'object.data.none == 'x'' resulted in error: no such key: none";
    let line = client.post(CONFIG_MAPS, &map("x")).await.line();
    assert_eq!(line, format!("422 Invalid: {}", denied("p", "b", why)));
    client.delete(&format!("{GROUP}/validatingadmissionpolicies/p")).await.expect(200);
    policy(&client, "p", &json!({"validations": validations, "failurePolicy": "Ignore"})).await;
    client.post(CONFIG_MAPS, &map("x")).await.expect(201);
}

#[tokio::test(start_paused = true)]
async fn v11_2_bindings_choose_namespaces_and_expressions_see_them() {
    let client = client();
    let labelled = json!({"metadata": {"name": "blue", "labels": {"team": "blue"}}});
    client.post("/api/v1/namespaces", &labelled).await.expect(201);
    let validations = json!([{
        "expression": "namespaceObject.metadata.labels['team'] != 'blue'",
        "messageExpression": "'not by ' + request.userInfo.username",
    }]);
    policy(&client, "p", &json!({"validations": validations})).await;
    let resources = json!({"namespaceSelector": {"matchLabels": {"team": "blue"}}});
    bind(&client, "b", "p", &json!({"matchResources": resources})).await;
    client.post(CONFIG_MAPS, &map("x")).await.expect(201);
    let line = client.post("/api/v1/namespaces/blue/configmaps", &map("x")).await.line();
    assert_eq!(line, format!("422 Invalid: {}", denied("p", "b", "not by system:admin")));
}

#[tokio::test(start_paused = true)]
async fn v11_2_rules_may_leave_out_and_name_objects() {
    let client = client();
    let rules = |names: &[&str]| {
        json!([{
            "operations": ["*"], "apiGroups": [""], "apiVersions": ["*"],
            "resources": ["configmaps"], "resourceNames": names,
        }])
    };
    let constraints =
        json!({"resourceRules": rules(&[]), "excludeResourceRules": rules(&["free"])});
    let never = json!([{"expression": "false", "message": "never"}]);
    policy(&client, "p", &json!({"matchConstraints": constraints, "validations": never})).await;
    bind(&client, "b", "p", &json!({})).await;
    client.post(CONFIG_MAPS, &map("free")).await.expect(201);
    let line = client.post(CONFIG_MAPS, &map("x")).await.line();
    assert_eq!(line, format!("422 Invalid: {}", denied("p", "b", "never")));
}

#[tokio::test(start_paused = true)]
async fn v11_2_policies_judge_what_webhooks_made_and_before_webhooks_judge() {
    let client = client();
    let patch = json!([{"op": "add", "path": "/data/value", "value": "changed"}]);
    answer(&client, "a", move |review| review.allow().patch(&patch));
    let judged = answer(&client, "b", |review| review.allow());
    configure(&client, MUTATING, "a", &[hook("a", &json!({}))]).await;
    configure(&client, VALIDATING, "b", &[hook("b", &json!({}))]).await;
    policy(&client, "p", &json!({"validations": [rule("object.data.value != 'changed'")]})).await;
    bind(&client, "b", "p", &json!({})).await;
    let line = client.post(CONFIG_MAPS, &map("x")).await.line();
    let why = "failed expression: object.data.value != 'changed'";
    assert_eq!(line, format!("422 Invalid: {}", denied("p", "b", why)));
    assert_eq!(judged.count(), 0);
}

fn told(client: &Client) -> Vec<String> {
    let all = client.server.audit_annotations();
    all.iter().map(|one| format!("{}={}", one.annotation, one.value)).collect()
}

/// Whatever the actions of the binding are.
#[tokio::test(start_paused = true)]
async fn v11_2_an_annotation_that_cannot_be_told_is_refused_unless_failures_are_forgiven() {
    let client = client();
    let none = json!({"key": "none", "valueExpression": "string(object.data.none)"});
    let spec = json!({"validations": [rule("true")], "auditAnnotations": [none]});
    policy(&client, "p", &spec).await;
    bind(&client, "b", "p", &json!({"validationActions": ["Warn"]})).await;
    let why = "expression 'string(object.data.none)' resulted in error: no such key: none";
    let line = client.post(CONFIG_MAPS, &map("x")).await.line();
    assert_eq!(line, format!("422 Invalid: {}", denied("p", "b", why)));
    client.delete(&format!("{GROUP}/validatingadmissionpolicies/p")).await.expect(200);
    let mut forgiving = spec;
    forgiving["failurePolicy"] = "Ignore".into();
    policy(&client, "p", &forgiving).await;
    client.post(CONFIG_MAPS, &map("x")).await.expect(201);
    assert!(told(&client).is_empty());
}

#[tokio::test(start_paused = true)]
async fn v11_2_annotations_are_told_once_without_the_room_around_them() {
    let client = client();
    for (name, value) in [("one", "1"), ("two", "2")] {
        let body = json!({
            "metadata": {"name": name, "labels": {"for": "p"}}, "data": {"value": value},
        });
        client.post(CONFIG_MAPS, &body).await.expect(201);
    }
    let annotation = |key: &str, text: &str| json!({"key": key, "valueExpression": text});
    let spec = json!({
        "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"},
        "validations": [rule("true")],
        "auditAnnotations": [
            annotation("value", "string(params.data.value)"),
            annotation("same", "'  one '"),
            annotation("empty", "''"),
            annotation("blank", "'  '"),
        ],
    });
    policy(&client, "p", &spec).await;
    let selector = json!({"matchLabels": {"for": "p"}});
    let reference = json!({"selector": selector, "parameterNotFoundAction": "Deny"});
    bind(&client, "b", "p", &json!({"paramRef": reference})).await;
    client.post(CONFIG_MAPS, &map("x")).await.expect(201);
    assert_eq!(told(&client), ["p/same=one", "p/value=1, 2"]);
}

/// Of what is computed only a line of words is told.
#[tokio::test(start_paused = true)]
async fn v11_2_a_message_that_is_computed_is_a_line_that_says_something() {
    let client = client();
    let computed = |key: &str, text: &str| json!({"expression": format!("!('{key}' in object.data)"), "message": "written", "messageExpression": text});
    let validations = [
        computed("a", "' computed '"),
        computed("b", r"'two\nlines'"),
        computed("c", "'  '"),
        rule(" !('d' in object.data) "),
    ];
    policy(&client, "p", &json!({"validations": validations})).await;
    bind(&client, "b", "p", &json!({})).await;
    for (key, message) in [
        ("a", "computed"),
        ("b", "written"),
        ("c", "written"),
        ("d", "failed expression: !('d' in object.data)"),
    ] {
        let body = json!({"metadata": {"name": "x"}, "data": {key: "1"}});
        let line = client.post(CONFIG_MAPS, &body).await.line();
        assert_eq!(line, format!("422 Invalid: {}", denied("p", "b", message)));
    }
}

#[tokio::test(start_paused = true)]
async fn v11_2_what_is_noted_tells_which_expression_failed() {
    let client = client();
    policy(&client, "p", &json!({"validations": [rule("true"), rule("false")]})).await;
    bind(&client, "b", "p", &json!({"validationActions": ["Audit"]})).await;
    client.post(CONFIG_MAPS, &map("x")).await.expect(201);
    let annotations = client.server.audit_annotations();
    assert_eq!(annotations.len(), 1);
    let failures: Value = serde_json::from_str(&annotations[0].value).expect("JSON");
    assert_eq!(failures[0]["expressionIndex"], 1);
    assert_eq!(failures[0]["message"], "failed expression: false");
}
