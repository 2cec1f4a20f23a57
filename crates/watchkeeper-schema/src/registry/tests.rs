//! References.

use super::*;

#[test]
fn a_reference_leads_to_the_named_schema_and_keeps_the_usage() {
    let mut schemas = Schemas::new();
    schemas.insert("Tree", Schema::object().property("left", Schema::reference("Tree")));
    let usage = Schema { merge_key: Some("name".to_owned()), ..Schema::reference("Tree") };
    let tree = schemas.at(&usage);
    assert_eq!(tree.merge_key(), Some("name"));
    let deeper = tree.property("left").and_then(|left| left.property("left"));
    assert_eq!(deeper.and_then(SchemaRef::type_), Some(Type::Object));
    assert!(tree.member("right").is_none());
}

#[test]
fn an_unknown_reference_is_a_schema_without_type() {
    let usage = Schema::reference("nowhere");
    assert_eq!(usage.alone().type_(), None);
}
