//! Something to see on an empty cluster: a definition comes, goes and comes again.

use std::time::Duration;

use tokio::time::sleep;
use watchkeeper::api::{Kind, Scope, Unstructured, json};
use watchkeeper::client::{Api, DeleteOptions};
use watchkeeper::prelude::*;

use crate::Outcome;

/// What the script makes definitions and objects of.
pub const FOOS: &str = "example.com/v1/foos";

const DEFINITIONS: Kind = Kind::new(
    "apiextensions.k8s.io",
    "v1",
    "CustomResourceDefinition",
    "customresourcedefinitions",
    Scope::Cluster,
);
const FOO: Kind = Kind::new("example.com", "v1", "Foo", "foos", Scope::Namespaced);

const DEFINITION: &str = r#"{
    "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
    "metadata": {"name": "foos.example.com"},
    "spec": {
        "group": "example.com", "scope": "Namespaced",
        "names": {"plural": "foos", "singular": "foo", "kind": "Foo", "listKind": "FooList"},
        "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
            {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]
    }
}"#;

/// Plays the script, each step when what the last one led to was `told`.
///
/// # Errors
///
/// When the server refuses a step, or nothing is told for two minutes.
pub async fn play(client: &Client, print: impl Fn(&str), told: impl Fn(&str) -> bool) -> Outcome {
    let played = perform(client, print, told).await;
    played.map_err(|error| format!("the script cannot go on: {error}"))
}

async fn perform(
    client: &Client,
    print: impl Fn(&str),
    told: impl Fn(&str) -> bool,
) -> watchkeeper::Result<()> {
    let definitions = client.dynamic(DEFINITIONS);
    let foos = client.dynamic(FOO).namespace("default");
    until(&told, "is its CRD installed?").await?;
    for size in 1..3 {
        print("# the script installs the definition of foos");
        let definition: Unstructured = json::from_str(DEFINITION)
            .map_err(|error| watchkeeper::Error::other(error.to_string()))?;
        definitions.create(&definition, &Default::default()).await?;
        create(&foos, size).await?;
        until(&told, &format!("+ foos default/a {{\"size\":{size}}}")).await?;
        print("# the script removes the definition");
        definitions.delete("foos.example.com", &DeleteOptions::default()).await?;
        until(&told, &format!("- foos default/a {{\"size\":{size}}}")).await?;
        // Gone are the objects first, and then the definition.
        while definitions.get_opt("foos.example.com").await?.is_some() {
            sleep(Duration::from_millis(50)).await;
        }
        if size == 1 {
            until(&told, "the server answered 404").await?;
        }
    }
    Ok(())
}

/// Waits until a line with this was told. The waits between the informer's tries grow to a minute.
async fn until(told: impl Fn(&str) -> bool, part: &str) -> watchkeeper::Result<()> {
    for _ in 0..1200 {
        if told(part) {
            return Ok(());
        }
        sleep(Duration::from_millis(100)).await;
    }
    Err(watchkeeper::Error::other(format!("nobody told of {part:?}")))
}

async fn create(foos: &Api<Unstructured>, size: u32) -> watchkeeper::Result<()> {
    let mut foo = Unstructured::new(&FOO, "default", "a");
    foo.set("/spec/size", &size).map_err(|error| watchkeeper::Error::other(error.to_string()))?;
    foos.create(&foo, &Default::default()).await.map(drop)
}
