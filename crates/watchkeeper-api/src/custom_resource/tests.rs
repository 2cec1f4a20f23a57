//! Definitions by hand.

use expect_test::expect;
use watchkeeper_schema::Schema;

use super::{Column, Definition, ScalePaths};
use crate::{Kind, Scope, json};

const KIND: Kind = Kind::new("example.com", "v1", "Lamp", "lamps", Scope::Cluster);

#[test]
fn the_least_definition_has_names_and_schema() {
    let definition = Definition { schema: Schema::object(), ..Definition::default() };
    expect![[r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"lamps.example.com"},"spec":{"group":"example.com","names":{"plural":"lamps","kind":"Lamp","listKind":"LampList"},"scope":"Cluster","versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}"#]]
    .assert_eq(&json::to_string(&definition.of(&KIND)));
}

#[test]
fn subresources_and_columns_are_told() {
    let definition = Definition {
        singular: "lamp",
        short_names: &["l"],
        categories: &["all"],
        status: true,
        scale: Some(ScalePaths {
            spec_replicas: ".spec.bulbs",
            status_replicas: ".status.bulbs",
            label_selector: None,
        }),
        columns: vec![Column {
            name: "Bulbs",
            type_: "integer",
            json_path: ".spec.bulbs",
            ..Column::default()
        }],
        schema: Schema::object(),
    };
    let crd = definition.of(&KIND);
    let version = &crd.spec.versions[0];
    let subresources = version.subresources.as_deref().expect("there are two");
    expect![[r#"{"status":{},"scale":{"specReplicasPath":".spec.bulbs","statusReplicasPath":".status.bulbs"}}"#]]
    .assert_eq(&json::to_string(subresources));
    expect![[r#"{"name":"Bulbs","type":"integer","jsonPath":".spec.bulbs"}"#]]
        .assert_eq(&json::to_string(&version.additional_printer_columns[0]));
    assert_eq!(crd.spec.names.short_names, ["l"]);
}
