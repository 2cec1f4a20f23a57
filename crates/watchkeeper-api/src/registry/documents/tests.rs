//! Texts of several objects, and what is told of those that are wrong.

use std::sync::Arc;

use super::{Document, Registry};
use crate::apps::v1::Deployment;
use crate::core::v1::{ConfigMap, Pod};
use crate::{Kind, Object, Scope, json};

fn names(text: &str) -> Vec<String> {
    let shown = |document: &Document| {
        let typed = if let Document::Typed(_) = document { "" } else { "? " };
        format!("{typed}{} {}", document.kind(), document.key())
    };
    match Registry::built_in().read(text) {
        Ok(documents) => documents.iter().map(shown).collect(),
        Err(error) => vec![error.to_string()],
    }
}

#[test]
fn documents_of_yaml_and_json_become_objects() {
    let yaml = "
# first
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec: {replicas: 2}
---
# nothing here
---
apiVersion: x.io/v1
kind: Policy
metadata: {name: a}
";
    let expected = ["apps/v1/Deployment shop/web", "? x.io/v1/Policy a"];
    assert_eq!(names(yaml), expected);
    let json = r#"{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop"}}
        {"apiVersion":"x.io/v1","kind":"Policy","metadata":{"name":"a"}}"#;
    assert_eq!(names(json), expected);
    assert_eq!(names(" \n"), [""; 0]);
    let documents = Registry::built_in().read(yaml).unwrap();
    assert_eq!(documents[0].get::<Deployment>().unwrap().spec.replicas, Some(2));
    assert!(documents[0].get::<Pod>().is_none());
    assert_eq!(documents[1].clone().into_unstructured().kind().plural, "policies");
    assert_eq!(
        json::to_string(&documents[0]),
        json::to_string(&documents[0].clone().into_unstructured())
    );
}

#[test]
fn lists_are_opened() {
    let list = r#"{"apiVersion":"v1","kind":"PodList","metadata":{},"items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]}"#;
    assert_eq!(names(list), ["v1/Pod a", "v1/Pod b"]);
    let list = r#"{"kind":"FooList","apiVersion":"x.io/v1","items":[{"metadata":{"name":"a"}}]}"#;
    assert_eq!(names(list), ["? x.io/v1/Foo a"]);
    let list = r#"{"kind":"List","apiVersion":"v1","items":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}]}"#;
    assert_eq!(names(list), ["v1/Pod a"]);
    let within = format!(r#"{{"kind":"List","apiVersion":"v1","items":[{list}]}}"#);
    assert_eq!(names(&within), ["? v1/List "], "lists of lists are not opened");
}

#[test]
fn errors_tell_which_document_and_where() {
    let error = |registry: Registry, text: &str| registry.read(text).unwrap_err().to_string();
    let two = "{apiVersion: v1, kind: Pod}\n---\n{apiVersion: apps/v1, kind: Deployment, spec: {replicas: two}}";
    let yaml = format!("# two\n{two}");
    let told = error(Registry::built_in(), &yaml);
    assert!(
        told.starts_with("document 2: spec.replicas: expected a number, found a string"),
        "{told}"
    );
    let told = error(Registry::built_in(), "a: [1");
    assert!(told.contains("line"), "{told}");
    assert_eq!(
        error(Registry::built_in(), "a: 1"),
        "document 1: it names no apiVersion and kind (at byte 0)"
    );
    let unknown = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"dta\":{}}";
    assert!(Registry::built_in().read(unknown).is_ok());
    assert_eq!(
        error(Registry::built_in().strict(true), unknown),
        "document 1: dta: unknown field (at byte 44)"
    );
    let list = r#"{"apiVersion":"v1","kind":"PodList","items":[{"spec":{"containers":1}}]}"#;
    let told = error(Registry::built_in(), list);
    let at = list.find("1}}").unwrap();
    assert_eq!(
        told,
        format!(
            "document 1: items[0].spec.containers: expected a list, found a number (at byte {at})"
        )
    );
}

#[test]
fn kinds_lists_and_resources_are_known_by_their_names() {
    let registry = Registry::new().with::<Deployment>().with::<ConfigMap>();
    assert_eq!(registry.kinds().count(), 2);
    assert_eq!(registry.kind("apps/v1", "Deployment"), Some(&Deployment::KIND));
    assert_eq!(registry.kind("v1", "Pod"), None);
    assert_eq!(registry.kind_of_list("v1", "ConfigMapList"), Some(&ConfigMap::KIND));
    assert_eq!(registry.kind_of_list("v1", "ConfigMap"), None);
    assert_eq!(registry.kind_of_resource("apps", "v1", "deployments"), Some(&Deployment::KIND));
    assert_eq!(registry.versions("apps"), ["v1"]);
    assert!(Registry::built_in().versions("autoscaling").contains(&"v2"));
}

#[test]
fn events_get_references_to_objects_of_any_kind() {
    let text = r#"{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","uid":"1-2","resourceVersion":"7"}}"#;
    let typed = &Registry::built_in().read(text).unwrap()[0];
    let untyped = &Registry::new().read(text).unwrap()[0];
    let reference = typed.reference();
    assert_eq!(reference, untyped.reference());
    assert_eq!(
        json::to_string(&reference),
        r#"{"kind":"Deployment","namespace":"shop","name":"web","uid":"1-2","apiVersion":"apps/v1","resourceVersion":"7"}"#
    );
    let part =
        crate::registry::reference_to_part(typed.get::<Deployment>().unwrap(), "spec.template");
    assert_eq!(part.field_path, "spec.template");
    let mut object = untyped.clone().into_unstructured();
    object.set_kind(&Arc::new(Kind::new("x.io", "v1", "Foo", "foos", Scope::Namespaced)));
    assert_eq!(crate::registry::reference(&object).api_version, "x.io/v1");
}
