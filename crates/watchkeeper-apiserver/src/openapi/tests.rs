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

/// The methods at a path, in order.
fn methods(document: &Value, path: &str) -> String {
    let operations = document["paths"][path].as_object().into_iter().flatten();
    operations.map(|(method, _)| method.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn each_verb_is_an_operation_of_its_path() {
    let base = "/apis/samplecontroller.k8s.io/v1alpha1";
    let everywhere = format!("{base}/foos");
    let collection = format!("{base}/namespaces/{{namespace}}/foos");
    let object = format!("{collection}/{{name}}");
    for (verb, expected) in [
        ("list", ["get parameters", "get parameters", ""]),
        ("create", ["", "parameters post", ""]),
        ("deletecollection", ["", "delete parameters", ""]),
        ("get", ["", "", "get parameters"]),
        ("update", ["", "", "parameters put"]),
        ("patch", ["", "", "parameters patch"]),
        ("delete", ["", "", "delete parameters"]),
        ("watch", ["", "", ""]),
    ] {
        let foo = Resource { verbs: vec![verb.to_owned()], ..foo() };
        let document = document(&[&foo]);
        let told = [&everywhere, &collection, &object].map(|path| methods(&document, path));
        assert_eq!(told, expected, "{verb}");
    }
    let cluster = Resource { namespaced: false, ..foo() };
    let document = document(&[&cluster]);
    assert_eq!(methods(&document, &everywhere), "delete get parameters post");
    assert_eq!(document["paths"].as_object().map(Map::len), Some(2));
    assert_eq!(document["paths"][&everywhere]["parameters"], json!([]));
}

#[test]
fn an_operation_says_what_it_takes_and_gives() {
    let foo = foo();
    let document = document(&[&foo]);
    let base = "/apis/samplecontroller.k8s.io/v1alpha1/namespaces/{namespace}/foos";
    let (many, one) = (&document["paths"][base], &document["paths"][&format!("{base}/{{name}}")]);
    let names = |operation: &Value| {
        let all = operation["parameters"].as_array().into_iter().flatten();
        all.filter_map(|one| one["name"].as_str()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(many), "namespace");
    assert_eq!(names(one), "name namespace");
    assert_eq!(names(&one["get"]), "");
    assert_eq!(names(&one["put"]), "dryRun fieldManager fieldValidation");
    assert_eq!(
        names(&one["delete"]),
        "dryRun gracePeriodSeconds orphanDependents propagationPolicy"
    );
    assert!(names(&many["get"]).starts_with("allowWatchBookmarks continue "));
    let model = |of: &Value| {
        let schema = &of["content"]["application/json"]["schema"]["$ref"];
        schema.as_str().map(|text| text.rsplit(['/', '.']).next().unwrap_or_default().to_owned())
    };
    let given = |operation: &Value| model(&operation["responses"]["200"]).expect("a model");
    let taken = |operation: &Value| model(&operation["requestBody"]).unwrap_or_default();
    for (operation, action, takes, gives) in [
        (&many["get"], "list", "", "FooList"),
        (&many["post"], "post", "Foo", "Foo"),
        (&many["delete"], "deletecollection", "DeleteOptions", "Status"),
        (&one["get"], "get", "", "Foo"),
        (&one["put"], "put", "Foo", "Foo"),
        (&one["delete"], "delete", "DeleteOptions", "Status"),
    ] {
        assert_eq!(operation["x-kubernetes-action"], action);
        assert_eq!((&*taken(operation), &*given(operation)), (takes, gives), "{action}");
    }
}

#[test]
fn a_subresource_is_of_its_own_kind_or_of_that_of_its_object() {
    let sub = |name: &str, group: &str, kind: &str| Subresource {
        name: name.to_owned(),
        group: group.to_owned(),
        version: "v1".to_owned(),
        kind: kind.to_owned(),
        verbs: vec!["get".to_owned()],
    };
    let subresources = vec![sub("scale", "autoscaling", "Scale"), sub("status", "x", "Foo")];
    let foo = Resource { subresources, ..foo() };
    let document = document(&[&foo]);
    let base = "/apis/samplecontroller.k8s.io/v1alpha1/namespaces/{namespace}/foos/{name}";
    for (name, model) in [
        ("scale", "io.k8s.api.autoscaling.v1.Scale"),
        ("status", "io.k8s.samplecontroller.v1alpha1.Foo"),
    ] {
        let path = format!("{base}/{name}");
        assert_eq!(methods(&document, &path), "get parameters");
        let content = &document["paths"][&path]["get"]["responses"]["200"]["content"];
        let schema = &content["application/json"]["schema"]["$ref"];
        assert_eq!(*schema, format!("#/components/schemas/{model}"));
    }
}

#[test]
fn a_model_is_of_the_kinds_that_are_served_as_it() {
    let told = |model: &str| {
        let kinds = names::kinds_of_model(model);
        kinds.iter().map(|kind| format!("{}/{}", kind["group"], kind["kind"])).collect::<Vec<_>>()
    };
    assert_eq!(told("io.k8s.api.apps.v1.Deployment"), [r#""apps"/"Deployment""#]);
    assert_eq!(told("io.k8s.api.apps.v1.DeploymentList"), [r#""apps"/"DeploymentList""#]);
    assert!(told("io.k8s.api.core.v1.DeploymentList").is_empty(), "another package");
    assert!(told("io.k8s.api.core.v1.PodSpec").is_empty());
}

#[test]
fn a_custom_kind_without_a_schema_may_hold_anything() {
    let custom = CustomVersion::default();
    let foo = Resource { custom: Some(Arc::new(custom)), list_kind: String::new(), ..foo() };
    let document = document(&[&foo]);
    let schemas = document["components"]["schemas"].as_object().expect("schemas");
    let names: Vec<&String> =
        schemas.keys().filter(|name| name.contains("samplecontroller")).collect();
    assert_eq!(names, ["io.k8s.samplecontroller.v1alpha1.Foo"], "no list without a name for it");
    let schema = &schemas["io.k8s.samplecontroller.v1alpha1.Foo"];
    assert_eq!(schema["x-kubernetes-preserve-unknown-fields"], true);
}
