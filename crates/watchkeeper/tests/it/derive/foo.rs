//! The kind of the sample controller, as a user writes it.

use expect_test::{expect, expect_file};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{
    CustomResource, HasMeta, HasStatus, IStr, Object as _, StaticKind, json, object,
};
use watchkeeper_derive::{Fields, Object};

/// A Foo has a Deployment.
#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(group = "samplecontroller.k8s.io", version = "v1alpha1", status)]
#[object(printcolumn("Deployment", "string", ".spec.deploymentName"))]
#[object(printcolumn("Replicas", "integer", ".spec.replicas"))]
#[object(printcolumn("Available", "integer", ".status.availableReplicas"))]
#[object(printcolumn("Age", "date", ".metadata.creationTimestamp"))]
struct Foo {
    metadata: ObjectMeta,
    spec: FooSpec,
    status: FooStatus,
}

/// What is wanted.
#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct FooSpec {
    /// The name of its Deployment.
    deployment_name: IStr,
    /// How many pods there are,
    /// at the least one.
    #[field(minimum = 1, maximum = 10)]
    replicas: Option<i32>,
}

/// What there is.
#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct FooStatus {
    /// How many pods are available.
    #[field(optional)]
    available_replicas: i32,
}

fn foo() -> Foo {
    object!(Foo {
        metadata: { name: "example-foo", namespace: "default" },
        spec: { deployment_name: "example-foo", replicas: 1 },
    })
}

#[test]
fn an_object_survives_json() {
    let foo = foo();
    let text = json::to_string(&foo);
    expect![[r#"{"apiVersion":"samplecontroller.k8s.io/v1alpha1","kind":"Foo","metadata":{"name":"example-foo","namespace":"default"},"spec":{"deploymentName":"example-foo","replicas":1}}"#]]
    .assert_eq(&text);
    assert_eq!(json::from_str::<Foo>(&text).expect("written by us"), foo);
}

#[test]
fn another_kind_is_refused() {
    let text = r#"{"apiVersion":"samplecontroller.k8s.io/v1alpha1","kind":"Bar"}"#;
    let error = json::from_str::<Foo>(text).expect_err("no Foo");
    expect![[r#"kind: expected "Foo", found "Bar" (at byte 56)"#]].assert_eq(&error.to_string());
}

#[test]
fn a_kind_is_known_from_its_type() {
    assert_eq!(Foo::static_kind(), &Foo::KIND);
    let foo = foo();
    assert_eq!((foo.name(), foo.namespace()), ("example-foo", Some("default")));
    assert_eq!(
        foo.kind().path(foo.namespace(), Some("x")),
        "/apis/samplecontroller.k8s.io/v1alpha1/namespaces/default/foos/x"
    );
}

#[test]
fn metadata_and_status_can_be_changed() {
    let mut foo = foo();
    foo.metadata_mut().labels.insert("app", "nginx");
    foo.status_mut().available_replicas = 2;
    assert_eq!(foo.label("app"), Some("nginx"));
    assert_eq!(foo.status().available_replicas, 2);
}

#[test]
fn the_definition_follows_from_the_type() {
    let crd = json::to_value(&Foo::crd());
    expect_file!["snapshots/foo.json"].assert_eq(&format!("{crd:#}\n"));
}
