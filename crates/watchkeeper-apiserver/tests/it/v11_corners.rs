//! V11: what policies and plugins say where it is seldom asked.

use serde_json::{Value, json};
use watchkeeper_apiserver::ApiServer;

use crate::support::*;
use crate::v11_webhooks::map;

const GROUP: &str = "/apis/admissionregistration.k8s.io/v1";
const QUOTAS: &str = "/api/v1/namespaces/default/resourcequotas";
const SERVICES: &str = "/api/v1/namespaces/default/services";

/// A policy about new config maps, with a binding of the same name.
async fn policy(client: &Client, kind: &str, name: &str, spec: &Value, binding: &Value) {
    let rules = json!([{
        "operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"],
        "resources": ["configmaps"],
    }]);
    let mut all = spec.clone();
    all["matchConstraints"] = json!({"resourceRules": rules});
    let body = json!({"metadata": {"name": name}, "spec": all});
    let policies = if kind == "validating" {
        "validatingadmissionpolicies"
    } else {
        "mutatingadmissionpolicies"
    };
    client.post(&format!("{GROUP}/{policies}"), &body).await.expect(201);
    let mut all = binding.clone();
    all["policyName"] = name.into();
    let body = json!({"metadata": {"name": name}, "spec": all});
    client.post(&format!("{GROUP}/{kind}admissionpolicybindings"), &body).await.expect(201);
}

fn deny(reference: &Value) -> Value {
    json!({"validationActions": ["Deny"], "paramRef": reference})
}

#[tokio::test(start_paused = true)]
async fn v11_2_a_policy_has_one_of_three_reasons() {
    for (reason, head) in [
        ("Forbidden", "403 Forbidden: "),
        ("RequestEntityTooLarge", "413 RequestEntityTooLarge: "),
        ("Invalid", "422 Invalid: "),
    ] {
        let client = client();
        let rule = json!([{"expression": "false", "message": "never", "reason": reason}]);
        let binding = json!({"validationActions": ["Deny"]});
        policy(&client, "validating", "p", &json!({"validations": rule}), &binding).await;
        let line = client.post(CONFIG_MAPS, &map("x")).await.line();
        assert!(line.starts_with(head) && line.ends_with("denied request: never"), "{line}");
    }
}

/// A parameter of a kind of the cluster has no namespace, one of a namespace may be in another.
#[tokio::test(start_paused = true)]
async fn v11_2_parameters_are_where_their_kind_is() {
    let client = client();
    client.post("/api/v1/namespaces", &json!({"metadata": {"name": "far"}})).await.expect(201);
    let far = "/api/v1/namespaces/far/configmaps";
    client
        .post(far, &json!({"metadata": {"name": "low"}, "data": {"value": "2"}}))
        .await
        .expect(201);
    let class = json!({"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass"});
    let maps = json!({"apiVersion": "v1", "kind": "ConfigMap"});
    let critical = "system-node-critical";
    let none = "no params found for policy binding with `Deny` parameterNotFoundAction";
    let placed = "paramRef.namespace must not be provided for a cluster-scoped `paramKind`";
    for (kind, name, namespace, expected) in [
        (&class, critical, "", "is system-node-critical"),
        (&class, critical, "far", placed),
        (&maps, "low", "far", "is low"),
        (&maps, "low", "", none),
    ] {
        let told = json!([{
            "expression": "params == null", "messageExpression": "'is ' + params.metadata.name",
        }]);
        let mut reference = json!({"name": name, "parameterNotFoundAction": "Deny"});
        if !namespace.is_empty() {
            reference["namespace"] = namespace.into();
        }
        let spec = json!({"paramKind": kind, "validations": told});
        policy(&client, "validating", "p", &spec, &deny(&reference)).await;
        let line = client.post(CONFIG_MAPS, &map("x")).await.line();
        assert!(line.starts_with("422 Invalid: ") && line.ends_with(expected), "{line}");
        for path in ["validatingadmissionpolicies", "validatingadmissionpolicybindings"] {
            client.delete(&format!("{GROUP}/{path}/p")).await.expect(200);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn v11_2_conditions_of_policies_that_cannot_be_told_are_failures() {
    let conditions = json!([{"name": "a", "expression": "object.data.none == 'x'"}]);
    let validations = json!([{"expression": "false"}]);
    let noting = "[JSONPatch{op: 'add', path: '/data/note', value: 'there'}]";
    let patch = json!({"patchType": "JSONPatch", "jsonPatch": {"expression": noting}});
    for (kind, member, rules) in
        [("validating", "validations", validations), ("mutating", "mutations", json!([patch]))]
    {
        for (failures, code) in
            [("Fail", if kind == "mutating" { 403 } else { 422 }), ("Ignore", 201)]
        {
            let client = client();
            let mut spec = json!({"matchConditions": conditions, "failurePolicy": failures});
            spec[member] = rules.clone();
            let mut binding = json!({});
            if kind == "validating" {
                binding["validationActions"] = json!(["Deny"]);
            } else {
                spec["reinvocationPolicy"] = "Never".into();
            }
            policy(&client, kind, "p", &spec, &binding).await;
            let answer = client.post(CONFIG_MAPS, &map("x")).await;
            assert_eq!(answer.code, code, "{kind} {failures} {}", answer.text);
            if code == 201 {
                assert_eq!(answer.json()["data"], json!({"value": "1"}));
            } else {
                let line = answer.line();
                assert!(line.ends_with("resulted in error: no such key: none"), "{line}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn v11_2_policies_that_change_and_cannot_be_configured_fail() {
    let noting = "[JSONPatch{op: 'add', path: '/data/note', value: 'there'}]";
    let patch = json!({"patchType": "JSONPatch", "jsonPatch": {"expression": noting}});
    for (failures, code) in [("Fail", 403), ("Ignore", 201)] {
        let client = client();
        let spec = json!({
            "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"}, "mutations": [patch],
            "reinvocationPolicy": "Never", "failurePolicy": failures,
        });
        let reference = json!({"name": "nobody", "parameterNotFoundAction": "Deny"});
        policy(&client, "mutating", "p", &spec, &json!({"paramRef": reference})).await;
        let answer = client.post(CONFIG_MAPS, &map("x")).await;
        assert_eq!(answer.code, code, "{failures} {}", answer.text);
        if code == 201 {
            assert_eq!(answer.json()["data"], json!({"value": "1"}));
        } else {
            let why = "403 Forbidden: policy 'p' with binding 'p' denied request: failed to configure \
                       binding: no params found for policy binding with `Deny` parameterNotFoundAction";
            assert_eq!(answer.line(), why);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn v11_2_a_pod_that_says_itself_what_it_asks_for_says_it_for_its_containers() {
    let client = client();
    let quota = json!({"metadata": {"name": "q"}, "spec": {"hard": {"requests.cpu": "1"}}});
    client.post(QUOTAS, &quota).await.expect(201);
    let with = |name: &str, resources: &Value| {
        let mut pod = pod(name);
        pod["spec"]["resources"] = resources.clone();
        pod
    };
    let whole = json!({"requests": {"cpu": "600m"}});
    client.post(PODS, &with("a", &whole)).await.expect(201);
    let used = client.get(&format!("{QUOTAS}/q")).await.expect(200)["status"]["used"].clone();
    assert_eq!(used, json!({"requests.cpu": "600m"}));
    let line = client.post(PODS, &with("b", &Value::Null)).await.line();
    assert!(line.ends_with("failed quota: q: must specify requests.cpu for: main"), "{line}");
}

#[tokio::test(start_paused = true)]
async fn v11_2_a_balancer_that_wants_no_ports_of_nodes_takes_those_it_names() {
    let client = client();
    let quota = json!({"metadata": {"name": "q"}, "spec": {"hard": {"services.nodeports": "5"}}});
    client.post(QUOTAS, &quota).await.expect(201);
    let ports = json!([
        {"name": "a", "port": 80, "nodePort": 30_080}, {"name": "b", "port": 81},
        {"name": "c", "port": 82},
    ]);
    let spec = json!({
        "type": "LoadBalancer", "allocateLoadBalancerNodePorts": false, "ports": ports,
    });
    client.post(SERVICES, &json!({"metadata": {"name": "a"}, "spec": spec})).await.expect(201);
    let used = client.get(&format!("{QUOTAS}/q")).await.expect(200)["status"]["used"].clone();
    assert_eq!(used, json!({"services.nodeports": "1"}));
}

/// What a kubelet shows of its own pods.
#[tokio::test(start_paused = true)]
async fn v11_2_a_mirror_of_a_pod_has_no_account() {
    let server = ApiServer::builder().service_accounts().build();
    let client = Client { server, agent: "tester" };
    let mirror = |name: &str, account: &str| {
        let mut pod = pod(name);
        pod["metadata"]["annotations"] = json!({"kubernetes.io/config.mirror": "1"});
        pod["spec"]["nodeName"] = "n".into();
        if !account.is_empty() {
            pod["spec"]["serviceAccountName"] = account.into();
        }
        pod
    };
    let made = client.post(PODS, &mirror("a", "")).await.expect(201);
    assert_eq!(made["spec"]["serviceAccountName"], Value::Null);
    let line = client.post(PODS, &mirror("b", "default")).await.line();
    let why = "a mirror pod may not reference service accounts";
    assert_eq!(line, format!("403 Forbidden: pods \"b\" is forbidden: {why}"));
}

#[tokio::test(start_paused = true)]
async fn v11_2_a_pod_that_names_its_own_secrets_gets_none_of_its_account() {
    let server = ApiServer::builder().service_accounts().build();
    let client = Client { server, agent: "tester" };
    let accounts = "/api/v1/namespaces/default/serviceaccounts";
    let account = json!({"metadata": {"name": "default"}, "imagePullSecrets": [{"name": "pull"}]});
    client.post(accounts, &account).await.expect(201);
    let own = json!([{"name": "own"}]);
    for (name, sent, expected) in [
        ("a", own.clone(), own),
        ("b", json!([]), json!([{"name": "pull"}])),
        ("c", Value::Null, json!([{"name": "pull"}])),
    ] {
        let mut pod = pod(name);
        pod["spec"]["imagePullSecrets"] = sent;
        let made = client.post(PODS, &pod).await.expect(201);
        assert_eq!(made["spec"]["imagePullSecrets"], expected, "{name}");
    }
}
