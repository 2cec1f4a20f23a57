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
fn what_begins_with_a_brace_may_be_yaml() {
    let one = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}";
    let json = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}"#;
    let block = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: b\n";
    assert_eq!(names(one), ["v1/ConfigMap a"]);
    assert_eq!(names(&format!("{one}\n---\n{block}")), ["v1/ConfigMap a", "v1/Pod b"]);
    assert_eq!(names(&format!("{json}\n---\n{json}\n")), ["v1/ConfigMap a"; 2]);
    assert_eq!(names(&format!("{json}\n---\n{block}")), ["v1/ConfigMap a", "v1/Pod b"]);
    let neither = names(r#"{"apiVersion":"v1","kind":}}"#).remove(0);
    assert!(neither.starts_with("document 1: ") && neither.contains("at byte"), "{neither}");
}

#[test]
fn scalars_of_manifests_are_those_of_kubectl() {
    let text = "
apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  hostNetwork: on
  volumes: [{name: s, secret: {secretName: s, defaultMode: 0644}}]
  terminationGracePeriodSeconds: 3e1
---
apiVersion: x.io/v1
kind: Mode
metadata: {name: b}
mode: 0644
paused: yes
size: 1e3
text: '0644'
";
    let documents = Registry::built_in().read(text).unwrap();
    let spec = &documents[0].get::<Pod>().unwrap().spec;
    assert!(spec.host_network);
    assert_eq!(spec.termination_grace_period_seconds, Some(30));
    let written = json::to_string(&documents[0]);
    assert!(written.contains(r#""defaultMode":420"#), "{written}");
    let written = json::to_string(&documents[1]);
    for member in [r#""mode":420"#, r#""paused":true"#, r#""size":1000"#, r#""text":"0644""#] {
        assert!(written.contains(member), "{written}");
    }
}

#[test]
fn lists_are_opened() {
    let list = r#"{"apiVersion":"v1","kind":"PodList","metadata":{},"items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]}"#;
    assert_eq!(names(list), ["v1/Pod a", "v1/Pod b"]);
    let list = r#"{"kind":"FooList","apiVersion":"x.io/v1","items":[{"metadata":{"name":"a"}}]}"#;
    assert_eq!(names(list), ["? x.io/v1/Foo a"]);
    let list = r#"{"kind":"List","apiVersion":"v1","items":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}]}"#;
    assert_eq!(names(list), ["v1/Pod a"]);
    // As kubectl has it (`FlattenListVisitor`).
    let foos = r#"{"kind":"FooList","apiVersion":"x.io/v1","items":[{"metadata":{"name":"b"}},{"kind":""}]}"#;
    let within = format!(r#"{{"kind":"List","apiVersion":"v1","items":[{list},{foos}]}}"#);
    assert_eq!(names(&within), ["v1/Pod a", "? x.io/v1/Foo b", "? x.io/v1/Foo "]);
}

#[test]
fn what_is_wrong_in_lists_of_lists_is_told_with_its_place() {
    let wrong = r#"{"apiVersion":"v1","kind":"Pod","spec":1}"#;
    let list = format!(r#"{{"kind":"List","apiVersion":"v1","items":[{wrong}]}}"#);
    let within = format!(
        r#"{{"kind":"List","apiVersion":"v1","items":[{{"kind":"List","apiVersion":"v1","items":[]}},{list}]}}"#
    );
    let at = within.find("1}]").expect("the mistake");
    let told = format!(
        "document 1: items[1].items[0].spec: expected an object, found a number (at byte {at})"
    );
    assert_eq!(names(&within), [told]);
}

#[test]
fn lists_may_be_in_lists_as_deep_as_values_may() {
    let open = r#"{"kind":"List","apiVersion":"v1","items":["#;
    let pod = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}"#;
    let nested = |levels: usize| format!("{}{pod}{}", open.repeat(levels), "]}".repeat(levels));
    assert_eq!(names(&nested(90)), ["v1/Pod a"]);
    assert!(names(&nested(1_000))[0].contains("nested too deeply"));
}

#[test]
fn errors_tell_which_document_and_where() {
    let error = |registry: Registry, text: &str| registry.read(text).unwrap_err().to_string();
    let two = "{apiVersion: v1, kind: Pod}\n---\n{apiVersion: apps/v1, kind: Deployment, spec: {replicas: two}}";
    let yaml = format!("# two\n{two}");
    let told = error(Registry::built_in(), &yaml);
    assert_eq!(told, "document 2: spec.replicas: expected a number, found a string");
    let told = error(Registry::built_in(), "a: [1");
    assert!(told.starts_with("line 1, column "), "{told}");
    assert_eq!(error(Registry::built_in(), "a: 1"), "document 1: it names no apiVersion and kind");
    let unknown = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"dta\":{}}";
    assert!(Registry::built_in().read(unknown).is_ok());
    assert_eq!(
        error(Registry::built_in().strict(true), unknown),
        "document 1: dta: unknown field (at byte 44)"
    );
    let list = r#"
        {"apiVersion": "v1", "kind": "PodList", "items": [
            {"spec": {"containers": 1}}]}"#;
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
fn errors_do_not_quote_what_is_secret() {
    let secret = "apiVersion: v1\nkind: Secret\nstringData:\n  password: hunter2\n";
    let json = r#"{"apiVersion":"v1","kind":"Secret","stringData":{"password":"hunter2"},"#;
    for (text, place) in [
        (format!("{secret}  user: [a]\n"), "document 1: stringData.user: "),
        (format!("{secret}type: {{a: 1}}\n"), "document 1: type: "),
        (format!("{secret}  user: [\n"), "line "),
        (format!("{secret}\tuser: a\n"), "line "),
        (secret.replace("hunter2", "*hunter2"), "line 4, column "),
        (secret.replace("hunter2", "&a [hunter2]"), "document 1: stringData.password: "),
        (format!("{json}\"type\":1}}"), "document 1: type: "),
        (format!("{json}\"type\":}}}}"), "document 1: "),
        (json.to_owned(), "document 1: "),
    ] {
        let told = Registry::built_in().read(&text).unwrap_err().to_string();
        assert!(told.starts_with(place), "{told}");
        assert!(text.starts_with("apiVersion") || told.contains(" (at byte "), "{told}");
        assert!(!told.contains("hunter2"), "{told}");
    }
}

#[test]
fn kinds_lists_and_resources_are_known_by_their_names() {
    let registry = Registry::new().with::<Deployment>().with::<ConfigMap>();
    assert_eq!(registry.kinds().count(), 2);
    assert_eq!(registry.kind("apps/v1", "Deployment"), Some(&Deployment::KIND));
    assert_eq!(registry.kind("v1", "Pod"), None);
    assert_eq!(registry.kind("/v1", "ConfigMap"), Some(&ConfigMap::KIND));
    assert_eq!(registry.kind("//v1", "ConfigMap"), None);
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
