//! Forms compared with what a kube-apiserver answers.

use expect_test::{Expect, expect};
use watchkeeper_schema::Schemas;

use super::*;

fn check(model: &str, mut value: Value, expected: Expect) {
    let schema = Schemas::builtin().by_name(model).expect("a built-in type");
    normalize(&mut value, schema);
    let once = value.clone();
    normalize(&mut value, schema);
    assert_eq!(value, once, "a second pass changes nothing");
    expected.assert_eq(&value.to_string());
}

#[test]
fn structs_by_value_are_there_and_empty_values_are_not() {
    check(
        "io.k8s.api.apps.v1.Deployment",
        json!({"metadata": {"name": "x", "labels": {}, "creationTimestamp": null},
            "spec": {"replicas": null, "paused": false, "minReadySeconds": 0, "template": {"spec":
                {"containers": [{"name": "a", "image": "", "ports": []}], "nodeSelector": null}}}}),
        expect![[
            r#"{"metadata":{"name":"x"},"spec":{"selector":null,"strategy":{},"template":{"metadata":{},"spec":{"containers":[{"name":"a","resources":{}}]}}},"status":{}}"#
        ]],
    );
}

#[test]
fn types_that_write_themselves_have_zero_values() {
    check(
        "io.k8s.api.core.v1.Event",
        json!({}),
        expect![[
            r#"{"eventTime":null,"firstTimestamp":null,"involvedObject":{},"lastTimestamp":null,"metadata":{},"reportingComponent":"","reportingInstance":"","source":{}}"#
        ]],
    );
}

#[test]
fn bytes_are_written_as_go_writes_them() {
    check(
        "io.k8s.api.core.v1.Secret",
        json!({"data": {"a": "YWJj\r\nYWJj\n", "b": "YR==", "c": "YQ==", "d": [97]}, "metadata": {"name": "x"}}),
        expect![[
            r#"{"data":{"a":"YWJjYWJj","b":"YQ==","c":"YQ==","d":"YQ=="},"metadata":{"name":"x"}}"#
        ]],
    );
}

#[test]
fn the_empty_object_has_what_its_kind_always_has() {
    let schema = Schemas::builtin().by_name("io.k8s.api.core.v1.ConfigMap").expect("a type");
    expect![[r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{}}"#]]
        .assert_eq(&empty("v1", "ConfigMap", schema).to_string());
    let custom = watchkeeper_schema::Schema::object();
    expect![[r#"{"apiVersion":"g/v1","kind":"Foo"}"#]]
        .assert_eq(&empty("g/v1", "Foo", custom.alone()).to_string());
}

#[test]
fn a_struct_is_zero_where_it_is_missing_or_nothing_in_it_is_set() {
    let model = |name: &str| Schemas::builtin().by_name(name).expect("a type");
    let template = model("io.k8s.api.core.v1.PodTemplateSpec");
    let spec = template.property("spec").expect("a spec");
    let empty = zero(spec);
    assert_eq!(empty, json!({"containers": null}));
    assert!(is_zero(&Value::Null, spec) && is_zero(&empty, spec));
    assert!(!is_zero(&json!({"containers": []}), spec));
    let name = model("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta").property("name");
    let name = name.expect("a name");
    assert!(is_zero(&json!(""), name) && !is_zero(&json!("a"), name));
}

#[test]
fn what_is_empty_to_go_is_so_by_its_type() {
    for value in [json!(null), json!(false), json!(0), json!(0.0), json!(""), json!([]), json!({})]
    {
        assert!(is_empty(&value), "{value}");
    }
    for value in [json!(true), json!(-1), json!(0.5), json!("0"), json!([null]), json!({"a": null})]
    {
        assert!(!is_empty(&value), "{value}");
    }
}

#[test]
fn empty_lists_that_are_always_there_are_forgotten_wherever_they_are() {
    let schema = Schemas::builtin().by_name("io.k8s.api.core.v1.PodList").expect("a type");
    let pod = |lists: Value| json!({"spec": {"containers": lists, "volumes": []}});
    let mut list = json!({"items": [pod(json!([])), pod(json!([{"name": "a", "args": []}]))]});
    forget_empty_lists(&mut list, schema);
    let kept = pod(json!([{"name": "a", "args": []}]));
    assert_eq!(list, json!({"items": [pod(Value::Null), kept]}), "others say that there is none");
    let mut none = json!({"items": []});
    forget_empty_lists(&mut none, schema);
    assert_eq!(none, json!({"items": null}));
}

#[test]
fn quantities_and_times_are_spelled_in_one_way() {
    check(
        "io.k8s.api.core.v1.ResourceRequirements",
        json!({"limits": {"a": 1, "b": "0.5", "c": "1024Mi", "d": "none", "e": null, "f": true}}),
        expect![[r#"{"limits":{"a":"1","b":"500m","c":"1Gi","d":"none","e":"0","f":true}}"#]],
    );
    check(
        "io.k8s.api.coordination.v1.LeaseSpec",
        json!({"acquireTime": "2026-01-01T01:00:00+01:00", "renewTime": "2026-01-01T00:00:00.1234567Z"}),
        expect![[
            r#"{"acquireTime":"2026-01-01T00:00:00.000000Z","renewTime":"2026-01-01T00:00:00.123456Z"}"#
        ]],
    );
    check(
        "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta",
        json!({"creationTimestamp": "2026-01-01T01:00:00.9+01:00", "deletionTimestamp": "soon"}),
        expect![[r#"{"creationTimestamp":"2026-01-01T00:00:00Z","deletionTimestamp":"soon"}"#]],
    );
}
