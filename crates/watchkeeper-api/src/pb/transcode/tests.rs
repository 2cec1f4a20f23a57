use serde_json::{Value, json};

use super::*;

fn there_and_back(value: &Value) -> Result<Value, ReadError> {
    let body = body_from_json(&value.to_string())?;
    let text = body_to_json(&body)?;
    Ok(serde_json::from_str(&text).expect("JSON"))
}

#[test]
fn lists_go_by_the_kind_of_their_items() {
    let list = json!({
        "kind": "ConfigMapList", "apiVersion": "v1", "metadata": {"resourceVersion": "7"},
        "items": [{"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": "a"}}],
    });
    assert_eq!(there_and_back(&list), Ok(list));
    let any = json!({
        "kind": "List", "apiVersion": "v1", "items": [{"kind": "Foo", "spec": {"a": [1]}}],
    });
    assert_eq!(there_and_back(&any), Ok(any));
}

#[test]
fn what_is_not_known_is_refused() {
    assert!(is_known("v1", "PodList") && is_known("v1", "Status") && !is_known("apps/v1", "Scale"));
    assert!(is_known("autoscaling/v1", "Scale") && is_known("apps/v1", "DeleteOptions"));
    for (version, kind) in
        [("v1", "Foo"), ("v2", "Pod"), ("v1", "StatusList"), ("meta.k8s.io/v1", "Table")]
    {
        let text = json!({"apiVersion": version, "kind": kind});
        assert!(there_and_back(&text).is_err(), "{text}");
    }
}
