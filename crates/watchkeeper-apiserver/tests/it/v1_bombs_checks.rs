//! V1: expressions and pods whose check is made to take long. Each is answered, and soon: how long is not asserted,
//! but who compiled each pattern, or copied each profile, would be there for minutes or run out of memory.

use serde_json::{Value, json};

use crate::support::*;

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
