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
        annotations: &[("example.com/watt", "5")],
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
        ..Definition::default()
    };
    let crd = definition.of(&KIND);
    let version = &crd.spec.versions[0];
    let subresources = version.subresources.as_deref().expect("there are two");
    expect![[r#"{"status":{},"scale":{"specReplicasPath":".spec.bulbs","statusReplicasPath":".status.bulbs"}}"#]]
    .assert_eq(&json::to_string(subresources));
    expect![[r#"{"name":"Bulbs","type":"integer","jsonPath":".spec.bulbs"}"#]]
        .assert_eq(&json::to_string(&version.additional_printer_columns[0]));
    assert_eq!(crd.spec.names.short_names, ["l"]);
    assert_eq!(crd.metadata.annotations.len(), 1);
}

#[test]
fn a_definition_in_a_protected_group_says_that_it_is_not_approved() {
    const URL: &str = "https://example.com/approved";
    let of = |group: &str, annotations| {
        let kind = Kind::dynamic(&format!("{group}/v1"), "Lamp", "lamps", Scope::Cluster);
        let crd = Definition { annotations, ..Definition::default() }.of(&kind);
        crd.metadata.annotations.get("api-approved.kubernetes.io").map(ToString::to_string)
    };
    assert!(of("x.k8s.io", &[]).is_some_and(|text| text.starts_with("unapproved")));
    assert!(of("x.kubernetes.io", &[]).is_some());
    assert!(of("k8s.io", &[]).is_some() && of("kubernetes.io", &[]).is_some());
    assert_eq!(of("myk8s.io", &[]), None);
    let approved = of("x.k8s.io", &[("api-approved.kubernetes.io", URL)]);
    assert_eq!(approved.as_deref(), Some(URL));
}
