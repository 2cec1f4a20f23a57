//! Conversions as a kube-apiserver does them.

use watchkeeper_schema::Schemas;

use super::*;

fn schema() -> SchemaRef<'static> {
    let model = "io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler";
    Schemas::builtin().by_name(model).expect("a built-in type")
}

/// An object of v2 that has everything there is; cpu last, where v1 puts it.
fn everything() -> Value {
    let selector = json!({"matchLabels": {"target": "b", "a": "<&>"}, "matchExpressions":
        [{"key": "tier", "operator": "In", "values": ["front"]}]});
    let metric = json!({"name": "hits", "selector": selector});
    let object = json!({"apiVersion": "v1", "kind": "Service", "name": "web"});
    let window = json!({"selectPolicy": "Min", "stabilizationWindowSeconds": 0, "tolerance": "50m",
        "policies": [{"type": "Pods", "value": 2, "periodSeconds": 60}]});
    json!({
        "metadata": {"name": "web", "annotations": {"mine": "kept"}},
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
            "minReplicas": 2,
            "maxReplicas": 9,
            "metrics": [
                {"type": "Object", "object": {"describedObject": object, "metric": metric,
                    "target": {"type": "Value", "value": "10k"}}},
                {"type": "Object", "object": {"describedObject": object, "metric": {"name": "m"},
                    "target": {"type": "AverageValue", "averageValue": "3"}}},
                {"type": "Object", "object": {"describedObject": object, "metric": {"name": "m"},
                    "target": {"type": "AverageValue", "averageValue": "3", "value": "9"}}},
                {"type": "Pods", "pods": {"metric": metric,
                    "target": {"type": "AverageValue", "averageValue": "1"}}},
                {"type": "Resource", "resource": {"name": "memory",
                    "target": {"type": "AverageValue", "averageValue": "1Gi"}}},
                {"type": "Resource", "resource": {"name": "cpu",
                    "target": {"type": "AverageValue", "averageValue": "500m"}}},
                {"type": "ContainerResource", "containerResource": {"name": "cpu",
                    "container": "main",
                    "target": {"type": "Utilization", "averageUtilization": 40}}},
                {"type": "External", "external": {"metric": metric,
                    "target": {"type": "Value", "value": "30"}}},
                {"type": "External", "external": {"metric": {"name": "m"},
                    "target": {"type": "AverageValue", "averageValue": "30"}}},
                {"type": "Resource", "resource": {"name": "cpu",
                    "target": {"type": "Utilization", "averageUtilization": 60}}},
            ],
            "behavior": {"scaleUp": window, "scaleDown": {"selectPolicy": "Max"}},
        },
        "status": {
            "observedGeneration": 3,
            "lastScaleTime": "2026-01-02T03:04:05Z",
            "currentReplicas": 4,
            "desiredReplicas": 5,
            "currentMetrics": [
                {"type": "Object", "object": {"describedObject": object, "metric": metric,
                    "current": {"value": "7", "averageValue": "8"}}},
                {"type": "Pods", "pods": {"metric": metric, "current": {"averageValue": "1"}}},
                {"type": "Resource", "resource": {"name": "cpu",
                    "current": {"averageUtilization": 33, "averageValue": "330m"}}},
                {"type": "ContainerResource", "containerResource": {"name": "cpu",
                    "container": "main", "current": {"averageValue": "1"}}},
                {"type": "External", "external": {"metric": metric,
                    "current": {"value": "2", "averageValue": "1"}}},
            ],
            "conditions": [{"type": "AbleToScale", "status": "True", "reason": "R",
                "message": "a < b", "lastTransitionTime": "2026-01-02T03:04:05Z"}],
        },
    })
}

/// What an annotation holds, as text.
fn annotation(v1: &Value, name: &str) -> String {
    v1["metadata"]["annotations"][name].as_str().unwrap_or_default().to_owned()
}

/// The metrics of a v1 object with these annotations.
fn read(annotations: &Value) -> Value {
    let v1 = json!({"metadata": {"annotations": annotations}, "spec": {}, "status": {}});
    to_v2(&v1, schema())
}

#[test]
fn nothing_is_lost_on_the_way_to_v1_and_back() {
    let v2 = everything();
    let v1 = to_v1(&v2);
    assert_eq!(to_v2(&v1, schema()), v2);
    assert_eq!(to_v1(&to_v2(&v1, schema())), v1);
}

#[test]
fn v1_has_the_fields_of_v1_and_the_rest_in_annotations() {
    let v1 = to_v1(&everything());
    let mut spec =
        json!({"minReplicas": 2, "maxReplicas": 9, "targetCPUUtilizationPercentage": 60});
    spec["scaleTargetRef"] = everything()["spec"]["scaleTargetRef"].take();
    assert_eq!(v1["spec"], spec);
    let status = json!({"observedGeneration": 3, "lastScaleTime": "2026-01-02T03:04:05Z",
        "currentReplicas": 4, "desiredReplicas": 5, "currentCPUUtilizationPercentage": 33});
    assert_eq!(v1["status"], status);
    assert_eq!(annotation(&v1, "mine"), "kept");
    let names = v1["metadata"]["annotations"].as_object().expect("annotations").keys();
    assert_eq!(names.collect::<Vec<_>>(), [BEHAVIOR, CONDITIONS, CURRENT_METRICS, METRICS, "mine"]);
}

#[test]
fn annotations_are_written_as_go_writes_its_structs() {
    let v1 = to_v1(&everything());
    assert_eq!(
        annotation(&v1, BEHAVIOR),
        r#"{"ScaleUp":{"StabilizationWindowSeconds":0,"SelectPolicy":"Min","Policies":[{"Type":"Pods","Value":2,"PeriodSeconds":60}],"Tolerance":"50m"},"ScaleDown":{"StabilizationWindowSeconds":null,"SelectPolicy":"Max","Policies":null,"Tolerance":null}}"#
    );
    assert_eq!(
        annotation(&v1, CONDITIONS),
        r#"[{"type":"AbleToScale","status":"True","lastTransitionTime":"2026-01-02T03:04:05Z","reason":"R","message":"a \u003c b"}]"#
    );
    let metrics = annotation(&v1, METRICS);
    let first = r#"[{"type":"Object","object":{"target":{"kind":"Service","name":"web","apiVersion":"v1"},"metricName":"hits","targetValue":"10k","selector":{"matchLabels":{"a":"\u003c\u0026\u003e","target":"b"},"matchExpressions":[{"key":"tier","operator":"In","values":["front"]}]}}},"#;
    assert!(metrics.starts_with(first), "{metrics}");
    let others = [
        r#""metricName":"m","targetValue":"0","averageValue":"3"}}"#,
        r#"{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}}"#,
        r#"{"name":"cpu","targetAverageUtilization":40,"container":"main"}"#,
        r#"{"type":"External","external":{"metricName":"m","targetAverageValue":"30"}}"#,
    ];
    for text in others {
        assert!(metrics.contains(text), "{text} in {metrics}");
    }
    let current = annotation(&v1, CURRENT_METRICS);
    let cpu = r#"{"name":"cpu","currentAverageUtilization":33,"currentAverageValue":"330m"}"#;
    assert!(current.contains(cpu), "{current}");
}

#[test]
fn without_anything_beyond_v1_there_are_no_annotations() {
    let mut v2 = json!({"metadata": {"name": "web"}, "spec": {"maxReplicas": 3}, "status": {}});
    v2["spec"]["metrics"] = json!([cpu("target", &json!({"type": "Utilization"}), 80.into())]);
    let v1 = json!({"metadata": {"name": "web"}, "status": {"currentReplicas": 0},
        "spec": {"maxReplicas": 3, "targetCPUUtilizationPercentage": 80}});
    assert_eq!(to_v1(&v2), v1);
}

#[test]
fn annotations_between_versions_are_in_no_v2_object() {
    let mut object = json!({"metadata": {"annotations": {}}});
    for name in BETWEEN_VERSIONS {
        object["metadata"]["annotations"][name] = "[]".into();
    }
    assert_eq!(read(&object["metadata"]["annotations"])["metadata"], json!({}));
    drop_annotations(&mut object);
    assert_eq!(object, json!({"metadata": {}}));
    assert_eq!(to_v1(&object), object);
}

#[test]
fn the_first_target_and_the_last_reading_of_cpu_count() {
    let target = |percent: i64| cpu("target", &json!({"type": "Utilization"}), percent.into());
    let current = |percent: i64| cpu("current", &json!({}), percent.into());
    let v2 = json!({"metadata": {}, "spec": {"metrics": [target(10), target(20)]},
        "status": {"currentMetrics": [current(30), current(40)]}});
    let v1 = to_v1(&v2);
    assert_eq!(v1["spec"], json!({"targetCPUUtilizationPercentage": 10}));
    assert_eq!(v1["status"]["currentCPUUtilizationPercentage"], 40);
    let own = json!({"metadata": {}, "spec": {}, "status": {"currentCPUUtilizationPercentage": 7}});
    assert_eq!(to_v2(&own, schema())["status"]["currentMetrics"], json!([current(7)]));
}

#[test]
fn what_cannot_be_read_does_not_count() {
    let nothing = json!({"metadata": {}, "spec": {}, "status": {}});
    let pods = |pods: &str| format!(r#"[{{"type": "Pods", "pods": {pods}}}]"#);
    let texts = ["", "{", "7", "[7]", r#"[{"type": 7}]"#].map(str::to_owned);
    let selector = pods(r#"{"selector": {"matchLabels": {"a": 1}}}"#);
    let lists = [pods("[]"), pods(r#"{"metricName": 7}"#), selector];
    for text in texts.iter().chain(&lists) {
        assert_eq!(read(&json!({METRICS: text, CURRENT_METRICS: text})), nothing, "{text}");
    }
    for text in &texts {
        assert_eq!(read(&json!({CONDITIONS: text})), nothing, "{text}");
    }
    for text in ["", "7", "{}", r#"{"ScaleUp": 7}"#, r#"{"ScaleUp": {"Policies": [7]}}"#] {
        assert_eq!(read(&json!({BEHAVIOR: text})), nothing, "{text}");
    }
}

#[test]
fn names_in_annotations_are_read_in_any_case_and_others_are_dropped() {
    let behavior = r#"{"scaleup": {"selectPolicy": "Max", "Other": 1, "TOLERANCE": "1"}}"#;
    let metrics = r#"[{"Type": "Pods", "pods": {"MetricName": "m", "other": 1, "selector":
        {"other": 1}}, "other": 1}]"#;
    let spec = read(&json!({BEHAVIOR: behavior, METRICS: metrics}))["spec"].take();
    let rules = json!({"selectPolicy": "Max", "tolerance": "1"});
    assert_eq!(spec["behavior"], json!({"scaleUp": rules}));
    let pods = json!({"metric": {"name": "m", "selector": {}},
        "target": {"type": "AverageValue", "averageValue": "0"}});
    assert_eq!(spec["metrics"], json!([{"type": "Pods", "pods": pods}]));
}

/// `null` is an empty list to Go, and an item that is `null` one without any members.
#[test]
fn nothing_in_an_annotation_is_an_empty_list_or_struct() {
    let v1 = |name: &str, text: &str| {
        json!({
            "metadata": {"annotations": {name: text}}, "spec": {"maxReplicas": 1},
            "status": {"currentCPUUtilizationPercentage": 5},
        })
    };
    let current = |text: &str| to_v2(&v1(CURRENT_METRICS, text), schema())["status"].take();
    let own = json!([cpu("current", &json!({}), json!(5))]);
    for (text, expected) in
        [("null", json!([])), ("[]", json!([])), ("{}", own.clone()), ("1", own)]
    {
        assert_eq!(current(text)["currentMetrics"], expected, "{text}");
    }
    let metrics = to_v2(&v1(METRICS, "[null]"), schema())["spec"].take();
    assert_eq!(metrics["metrics"], json!([{"type": ""}]));
    let none = to_v2(&v1(METRICS, "[1]"), schema())["spec"].take();
    assert_eq!(none["metrics"], Value::Null);
}
