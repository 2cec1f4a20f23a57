//! What the built-in types say of themselves.

use expect_test::expect;

use super::Described;
use crate::core::v1::{ContainerPort, PodTemplateSpec};
use crate::meta::v1::Condition;

#[test]
fn a_condition_has_upstreams_schema() {
    let schema = Condition::schema().to_crd_json();
    expect![[r#"{"properties":{"lastTransitionTime":{"format":"date-time","type":"string"},"message":{"type":"string"},"observedGeneration":{"format":"int64","type":"integer"},"reason":{"type":"string"},"status":{"type":"string"},"type":{"type":"string"}},"required":["type","status","lastTransitionTime","reason","message"],"type":"object"}"#]].assert_eq(&serde_json::to_string(&schema).expect("a tree is JSON"));
}

#[test]
fn a_key_of_a_list_is_required_or_has_a_default() {
    let template = PodTemplateSpec::schema();
    let containers = &template.properties["spec"].properties["containers"];
    assert_eq!(containers.list_keys, ["name"]);
    let container = containers.items.as_deref().expect("a list has items");
    let ports = &container.properties["ports"];
    assert_eq!(ports.list_keys, ["containerPort", "protocol"]);
    let port = ports.items.as_deref().expect("a list has items");
    assert_eq!(port.required, ["containerPort"]);
    assert_eq!(port.properties["protocol"].default, Some("TCP".into()));
    assert_eq!(ContainerPort::schema().required, ["containerPort"]);
}

#[cfg(feature = "apiextensions")]
#[test]
fn a_type_that_holds_itself_has_a_schema_with_an_end() {
    use crate::apiextensions::v1::CustomResourceDefinition;
    let schema = CustomResourceDefinition::schema();
    let versions = schema.properties["spec"].properties["versions"].items.as_deref();
    let version = versions.expect("a list has items");
    let root = &version.properties["schema"].properties["openAPIV3Schema"];
    assert!(root.preserve_unknown);
}
