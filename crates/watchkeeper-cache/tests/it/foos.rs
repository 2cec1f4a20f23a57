//! A kind that comes with a definition, on the embedded server.

use watchkeeper_api::{Kind, Scope, Unstructured, json};
use watchkeeper_apiserver::{ApiServer, Clock};
use watchkeeper_client::{Client, CreateOptions, DeleteOptions};

use crate::CODEC;

/// Group and version, and plural.
pub(crate) const FOOS: (&str, &str) = ("example.com/v1", "foos");

const DEFINITIONS: Kind = Kind::new(
    "apiextensions.k8s.io",
    "v1",
    "CustomResourceDefinition",
    "customresourcedefinitions",
    Scope::Cluster,
);

/// A server in paused time and a client of it.
pub(crate) fn server() -> (ApiServer, Client) {
    let server = ApiServer::builder().seed(1).clock(Clock::default()).build();
    let client = Client::new(server.clone()).codec(CODEC);
    (server, client)
}

/// Installs the definition of foos, whose members may be anything.
pub(crate) async fn install(client: &Client) {
    let definition = r#"{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "foos.example.com"},
        "spec": {"group": "example.com", "scope": "Namespaced",
            "names": {"plural": "foos", "singular": "foo", "kind": "Foo", "listKind": "FooList"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
                {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}}"#;
    let definition: Unstructured = json::from_str(definition).unwrap();
    let definitions = client.dynamic(DEFINITIONS);
    definitions.create(&definition, &CreateOptions::default()).await.unwrap();
}

/// Removes the definition, and with it every foo.
pub(crate) async fn uninstall(client: &Client) {
    let definitions = client.dynamic(DEFINITIONS);
    definitions.delete("foos.example.com", &DeleteOptions::default()).await.unwrap();
}

/// Creates a foo in `default` with this size, which is JSON.
pub(crate) async fn create(client: &Client, name: &str, size: &str) {
    let kind = Kind::new("example.com", "v1", "Foo", "foos", Scope::Namespaced);
    let foo = format!(
        r#"{{"apiVersion":"example.com/v1","kind":"Foo","metadata":{{"name":"{name}","namespace":"default"}},"size":{size}}}"#
    );
    let foo: Unstructured = json::from_str(&foo).unwrap();
    let foos = client.dynamic(kind).namespace("default");
    foos.create(&foo, &CreateOptions::default()).await.unwrap();
}
