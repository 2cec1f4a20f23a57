//! Values of the wrong type.

use expect_test::{Expect, expect};
use serde_json::json;
use watchkeeper_schema::Schemas;

use super::*;

fn check(value: Value, expected: Expect) {
    let schema = Schemas::builtin().by_name("io.k8s.api.apps.v1.Deployment").expect("a type");
    expected.assert_eq(&find(&value, schema).unwrap_or_default());
}

#[test]
fn the_struct_the_field_and_the_types_are_named() {
    check(
        json!({"spec": {"replicas": "x"}}),
        expect![
            "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32"
        ],
    );
    check(
        json!({"spec": {"replicas": 1.5}}),
        expect![
            "json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32"
        ],
    );
    check(
        json!({"spec": {"replicas": 3_000_000_000_i64}}),
        expect![
            "json: cannot unmarshal number 3000000000 into Go struct field DeploymentSpec.spec.replicas of type int32"
        ],
    );
    check(
        json!({"spec": {"template": {"spec": {"containers": {}}}}}),
        expect![
            "json: cannot unmarshal object into Go struct field PodSpec.spec.template.spec.containers of type []v1.Container"
        ],
    );
    check(
        json!({"spec": {"template": {"spec": {"containers": [{"name": 3}]}}}}),
        expect![
            "json: cannot unmarshal number into Go struct field Container.spec.template.spec.containers.name of type string"
        ],
    );
    check(
        json!({"metadata": {"labels": {"a": 1}}}),
        expect![
            "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string"
        ],
    );
    check(
        json!({"spec": {"strategy": {"rollingUpdate": {"maxSurge": 1}}, "replicas": null}}),
        expect![[""]],
    );
    check(json!([]), expect!["json: cannot unmarshal array into Go value of type v1.Deployment"]);
}
