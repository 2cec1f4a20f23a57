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
