//! From a small sample of facts to schemas.

use super::*;

const TYPES: &str = "\
facts 1 kubernetes v1.36.3
struct t.Base
 kind omit string 1l
struct t.Foo
 - inline @t.Base -
 spec omit @t.Spec 2l default={}
struct t.Spec
 replicas ptr int32 1v default=1
 ports omit [@t.Port 2l patch=merge mergeKey=port list=map keys=port,protocol required
 cpu req quantity 3l
struct t.Port struct=atomic
 port req int32 1v required
 protocol omit string 2l default=\"TCP\" enum=TCP|UDP
";

fn schemas() -> Schemas {
    let facts = Facts::parse(TYPES, "").expect("the sample follows the grammar");
    Schemas::from_facts(&facts)
}

#[test]
fn embedded_structs_are_flattened() {
    let schemas = schemas();
    let foo = schemas.by_name("t.Foo").expect("in the sample");
    assert_eq!(foo.property("kind").and_then(|kind| kind.type_()), Some(Type::String));
}

#[test]
fn merge_rules_defaults_and_presence_come_along() {
    let schemas = schemas();
    let spec = schemas.by_name("t.Foo").and_then(|foo| foo.property("spec")).expect("spec");
    assert_eq!(spec.usage.default, Some(serde_json::json!({})));
    assert_eq!(spec.node.required, ["ports"]);
    let ports = spec.property("ports").expect("ports");
    assert_eq!((ports.list_type(), ports.merge_key()), (Some(ListType::Map), Some("port")));
    assert!(ports.patch().merge);
    let port = ports.items().expect("items");
    assert_eq!(port.map_type(), Some(MapType::Atomic));
    assert_eq!(port.node.properties["protocol"].enum_values, ["TCP", "UDP"]);
    let replicas = spec.property("replicas").expect("replicas");
    assert_eq!(replicas.usage.presence, Presence::Pointer);
    assert_eq!(spec.property("cpu").map(|cpu| cpu.node.one_of.len()), Some(2));
}

#[test]
fn the_committed_facts_give_schemas() {
    let pod = Schemas::builtin().by_name("io.k8s.api.core.v1.Pod").expect("a built-in type");
    let containers = pod.property("spec").and_then(|spec| spec.property("containers"));
    let containers = containers.expect("a field of PodSpec");
    assert_eq!(containers.merge_key(), Some("name"));
    assert!(containers.patch().merge);
}

#[test]
fn every_reference_leads_somewhere() {
    fn check(schemas: &Schemas, schema: &Schema) {
        if let Some(name) = &schema.reference {
            assert!(schemas.get(name).is_some(), "{name}");
        }
        let nested = schema.properties.values();
        nested
            .chain(schema.items.as_deref())
            .chain(schema.additional.as_deref())
            .for_each(|s| check(schemas, s));
    }
    let schemas = Schemas::builtin();
    for (_, schema) in schemas.iter() {
        check(schemas, schema);
    }
}
