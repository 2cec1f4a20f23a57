//! What is shown of an object whose empty lists and maps are gone from what is judged.

use super::*;

fn pod(scheduler: &str) -> Value {
    json!({"spec": {
        "schedulerName": scheduler, "nodeName": "n", "containers": [{"name": "a", "image": "i"}],
    }})
}

#[test]
fn of_a_pod_what_was_sent_empty_is_shown_among_its_changes() {
    let [old, new] = [pod("a"), pod("b")].map(|pod| completed("", "Pod", pod));
    let mut sent = pod("b");
    sent["spec"]["volumes"] = json!([]);
    sent["spec"]["tolerations"] = json!([]);
    sent["spec"]["initContainers"] = json!([]);
    sent["spec"]["nodeSelector"] = json!({});
    sent["spec"]["containers"][0]["env"] = json!([]);
    let told = text(&validate_as_sent("", "Pod", (&new, Some(&old)), Some(&sent)));
    for line in [
        "\n- \"Volumes\": null,\n+ \"Volumes\": [],",
        "\n+   \"Env\": [],",
        "\n- \"NodeSelector\": null,\n+ \"NodeSelector\": {},",
        "\n- \"SchedulerName\": \"a\",\n+ \"SchedulerName\": \"b\",",
    ] {
        assert!(told.contains(line), "{line} in {told}");
    }
    assert!(!told.contains("\"Tolerations\": []"), "put back: {told}");
    assert!(!told.contains("\"InitContainers\": []"), "made anew: {told}");
    assert!(!text(&validate("", "Pod", &new, Some(&old))).contains("\"Volumes\": []"));
}

#[test]
fn what_stays_is_shown_as_it_was_sent() {
    let class = |parameters: Value| {
        let class = json!({"provisioner": "p", "parameters": parameters});
        completed("storage.k8s.io", "StorageClass", class)
    };
    let (old, new) = (class(json!({"a": "b"})), class(json!({})));
    let told = |sent: &Value| {
        let errors =
            validate_as_sent("storage.k8s.io", "StorageClass", (&new, Some(&old)), Some(sent));
        text(&errors)
    };
    let shown = |value: &str| format!("parameters: Invalid value: {value}: field is immutable");
    assert_eq!(told(&json!({"provisioner": "p", "parameters": {}})), shown("{}"));
    assert_eq!(told(&json!({"provisioner": "p", "parameters": null})), shown("null"));
    assert_eq!(told(&json!({"provisioner": "p"})), shown("null"));
}

/// Types that all of upstream shares leave out what is empty.
#[test]
fn a_selector_leaves_out_what_is_empty() {
    let set = |app: &str| {
        let labels = json!({"app": app});
        let template = json!({"metadata": {"labels": labels}, "spec": {"containers": [{"name": "a", "image": "i"}]}});
        json!({"spec": {"selector": {"matchLabels": labels}, "template": template}})
    };
    let [old, new] = [set("a"), set("b")].map(|set| completed("apps", "ReplicaSet", set));
    let mut sent = set("b");
    sent["spec"]["selector"]["matchExpressions"] = json!([]);
    let errors = validate_as_sent("apps", "ReplicaSet", (&new, Some(&old)), Some(&sent));
    assert_eq!(
        text(&errors),
        r#"spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: field is immutable"#
    );
}
