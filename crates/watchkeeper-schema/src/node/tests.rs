//! Constructors.

use super::*;

#[test]
fn types_have_names_and_back() {
    for name in ["object", "array", "string", "integer", "number", "boolean"] {
        assert_eq!(Type::from_name(name).map(Type::name), Some(name));
    }
    assert_eq!(Type::from_name("null"), None);
}

#[test]
fn a_chain_builds_a_node() {
    let schema = Schema::object()
        .property("replicas", Schema::int32().minimum(1.0).maximum(10.0).default_value(1))
        .required("replicas");
    let replicas = &schema.properties["replicas"];
    assert_eq!(replicas.bounds.minimum, Some(1.0));
    assert_eq!(replicas.default, Some(Value::from(1)));
    assert_eq!(schema.required, ["replicas"]);
}
