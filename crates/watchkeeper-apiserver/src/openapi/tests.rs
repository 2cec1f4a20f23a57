//! Documents as kubectl reads them.

use std::sync::{Arc, OnceLock};

use expect_test::expect;

use super::*;
use crate::crd::CustomVersion;
use crate::resource::Subresource;

fn verbs() -> Vec<String> {
    ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]
        .map(str::to_owned)
        .to_vec()
}

fn resource(group: &str, version: &str, kind: &str, plural: &str, model: &str) -> Resource {
    Resource {
        group: group.to_owned(),
        version: version.to_owned(),
        kind: kind.to_owned(),
        list_kind: format!("{kind}List"),
        plural: plural.to_owned(),
        singular: kind.to_lowercase(),
        namespaced: true,
        verbs: verbs(),
        short_names: Vec::new(),
        categories: Vec::new(),
        subresources: Vec::new(),
        table: Arc::from(plural),
        model: model.to_owned(),
        custom: None,
        empty: OnceLock::new(),
    }
}

fn foo() -> Resource {
    let spec = Schema::object()
        .description("What is wanted.")
        .property("replicas", Schema::int32().minimum(1.0).description("How many."));
    let schema = Schema::object().property("spec", spec);
    let custom = CustomVersion { schema: Some(Arc::new(schema)), ..CustomVersion::default() };
    Resource {
        custom: Some(Arc::new(custom)),
        ..resource("samplecontroller.k8s.io", "v1alpha1", "Foo", "foos", "")
    }
}

#[test]
fn a_custom_resource_can_be_explained() {
    let foo = foo();
    let document = document(&[&foo]);
    let schema = &document["components"]["schemas"]["io.k8s.samplecontroller.v1alpha1.Foo"];
    assert_eq!(
        schema["x-kubernetes-group-version-kind"],
        json!([{"group": "samplecontroller.k8s.io", "version": "v1alpha1", "kind": "Foo"}])
    );
    assert_eq!(
        schema["properties"]["spec"]["properties"]["replicas"],
        json!({"type": "integer", "format": "int32", "minimum": 1, "description": "How many."})
    );
    let list = &document["components"]["schemas"]["io.k8s.samplecontroller.v1alpha1.FooList"];
    assert_eq!(
        list["properties"]["items"]["items"]["$ref"],
        "#/components/schemas/io.k8s.samplecontroller.v1alpha1.Foo"
    );
}

#[test]
fn a_patch_says_which_parameters_it_takes() {
    let foo = foo();
    let document = document(&[&foo]);
    let path = "/apis/samplecontroller.k8s.io/v1alpha1/namespaces/{namespace}/foos/{name}";
    let patch = &document["paths"][path]["patch"];
    assert_eq!(patch["x-kubernetes-group-version-kind"]["kind"], "Foo");
    let media = patch["requestBody"]["content"].as_object().expect("media types");
    assert!(!media.contains_key("application/strategic-merge-patch+json"), "a custom resource");
    let names: Vec<&str> = patch["parameters"]
        .as_array()
        .expect("parameters")
        .iter()
        .filter_map(|parameter| parameter["name"].as_str())
        .collect();
    expect![[r#"["dryRun", "fieldManager", "fieldValidation", "force"]"#]]
        .assert_eq(&format!("{names:?}"));
}

#[test]
fn a_built_in_kind_brings_all_that_it_refers_to() {
    let mut deployments =
        resource("apps", "v1", "Deployment", "deployments", "io.k8s.api.apps.v1.Deployment");
    deployments.subresources.push(Subresource {
        name: "scale".to_owned(),
        group: "autoscaling".to_owned(),
        version: "v1".to_owned(),
        kind: "Scale".to_owned(),
        verbs: vec!["get".to_owned(), "patch".to_owned(), "update".to_owned()],
    });
    let document = document(&[&deployments]);
    let path = "/apis/apps/v1/namespaces/{namespace}/deployments/{name}";
    let media = &document["paths"][path]["patch"]["requestBody"]["content"];
    assert!(media.get("application/strategic-merge-patch+json").is_some());
    let schemas = document["components"]["schemas"].as_object().expect("schemas");
    for model in [
        "io.k8s.api.core.v1.PodSpec",
        "io.k8s.api.autoscaling.v1.Scale",
        "io.k8s.api.apps.v1.DeploymentList",
        "io.k8s.apimachinery.pkg.apis.meta.v1.Time",
    ] {
        assert!(schemas.contains_key(model), "{model}");
    }
    let containers = &schemas["io.k8s.api.core.v1.PodSpec"]["properties"]["containers"];
    assert_eq!(containers["x-kubernetes-patch-merge-key"], "name");
    assert_eq!(containers["x-kubernetes-list-type"], "map");
    let text = document.to_string();
    let references = text.split("\"#/components/schemas/").skip(1);
    for name in references.filter_map(|rest| rest.split('"').next()) {
        assert!(schemas.contains_key(name), "{name}");
    }
}
