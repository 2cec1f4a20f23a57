//! V1: expressions, schemas and pods whose check is made to take long. Each is answered, and soon: how long is not asserted,
//! but who compiled each pattern, or copied each profile, would be there for minutes or run out of memory.

use serde_json::{Value, json};

use crate::support::*;
use crate::v1_bombs::define;

const POLICIES: &str = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";

fn policy(name: &str, expressions: impl Iterator<Item = String>) -> Value {
    let validations: Vec<Value> = expressions.map(|text| json!({"expression": text})).collect();
    let rule = json!({"operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"]});
    json!({"metadata": {"name": name}, "spec": {
        "matchConstraints": {"resourceRules": [rule]}, "validations": validations,
    }})
}

#[tokio::test(start_paused = true)]
async fn v1_patterns_of_a_policy_are_not_compiled_to_be_checked() {
    let client = client();
    let large = |n: usize| format!("''.matches('(a{{99}}){{99}}{n}')");
    let answer = client.post(POLICIES, &policy("a", (0..3_000).map(large))).await;
    assert!(matches!(answer.code, 201 | 422), "{:.300}", answer.text);
    let letters = r"(?i)\\pL".repeat(1_500);
    let many = (0..20).map(|n| format!("'a'.matches('{letters}{n}')"));
    let answer = client.post(POLICIES, &policy("b", many)).await;
    assert_eq!(answer.code, 201, "{:.300}", answer.text);
}

#[tokio::test(start_paused = true)]
async fn v1_a_policy_may_have_any_number_of_small_validations() {
    let client = client();
    let small = |n: usize| format!("object.metadata.name != 'a' && object.metadata.name != 'b{n}'");
    let answer = client.post(POLICIES, &policy("a", (0..3_000).map(small))).await;
    assert_eq!(answer.code, 201, "{:.300}", answer.text);
}

#[tokio::test(start_paused = true)]
async fn v1_a_profile_is_not_copied_for_each_container_of_a_name() {
    let client = client();
    let container = json!({"name": "a", "image": "i"});
    let profile = format!("localhost/{}", "x".repeat(4_095));
    let pod = json!({
        "metadata": {"name": "p", "annotations": {"container.apparmor.security.beta.kubernetes.io/a": profile}},
        "spec": {"containers": vec![container; 20_000]},
    });
    let answer = client.post(PODS, &pod).await;
    assert_eq!(answer.code, 422, "{:.300}", answer.text);
    assert!(answer.text.len() < 16 << 20, "{}", answer.text.len());
}

/// Three bytes of a schema are seven hundred as upstream shows them, and each list shows all that is in it.
#[tokio::test(start_paused = true)]
async fn v1_schemas_of_a_definition_are_shown_as_long_as_there_is_room() {
    let map =
        |items: Value| json!({"type": "array", "x-kubernetes-list-type": "map", "items": items});
    let nothings = |count: usize| json!(vec![json!({}); count]);
    let flat: serde_json::Map<String, Value> =
        (0..200).map(|n| (format!("p{n}"), map(nothings(1_370)))).collect();
    let nested = (0..98).fold(map(nothings(1_250)), |inner, _| map(json!([inner])));
    let client = client();
    for schema in [json!({"type": "object", "properties": flat}), nested] {
        let answer = define(&client, &schema).await;
        assert_eq!(answer.code, 422, "{:.300}", answer.text);
        assert!(answer.text.len() < 16 << 20, "{}", answer.text.len());
        // In the message and in its causes.
        let shown = answer.text.matches("must only have a single schema").count();
        assert!((2..=8).contains(&shown), "{shown}");
    }
    client.config_map("after", "1").await;
}

#[tokio::test(start_paused = true)]
async fn v1_patterns_that_take_long_to_be_read_are_refused_where_they_are_written() {
    let client = client();
    for class in [r"(?i)\p{Any}", r"(?i)[\x00-\x{10FFFF}]"] {
        let pattern = class.repeat(20_000);
        let answer = define(&client, &json!({"type": "string", "pattern": pattern})).await;
        assert_eq!(answer.code, 422, "{:.300}", answer.text);
        assert!(answer.text.contains("expression too large"), "{:.300}", answer.text);
    }
    let answer = define(&client, &json!({"type": "string", "pattern": r"(?i)^\pL+$"})).await;
    assert_eq!(answer.code, 201, "{:.300}", answer.text);
    for (name, text, code) in [("a", "LAMP", 201), ("b", "1", 422)] {
        let mut object = foo(name, "");
        object["spec"] = json!(text);
        assert_eq!(client.post(FOOS, &object).await.code, code, "{text}");
    }
}
