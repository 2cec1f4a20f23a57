//! What must be there before the controller has something to do: the CRD, and a Foo.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use watchkeeper::api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper::api::{Unstructured, json};
use watchkeeper::client::{ApplyOptions, FieldValidation, ListOptions, WatchEvent, WatchOptions};
use watchkeeper::prelude::*;

use crate::foo::Foo;
use crate::problem::Problem;

/// The Foo that is applied unless another is given.
pub const EXAMPLE: &str = include_str!("../artifacts/example-foo.yaml");

/// How long a CRD may take to be established.
const ESTABLISHED_WITHIN: Duration = Duration::from_secs(20);

/// Installs the Foo CRD, or brings it up to date, and waits until it is established.
///
/// # Errors
///
/// When the server refuses it or does not establish it in time.
pub async fn install_crd(client: &Client) -> Result<(), Problem> {
    let crd = Foo::crd();
    let name = crd.name().to_owned();
    let api = client.api::<CustomResourceDefinition>();
    let applied = api.apply(&crd, &ApplyOptions::forced()).await?;
    let wait = established(client, &name, &applied);
    match tokio::time::timeout(ESTABLISHED_WITHIN, wait).await {
        Ok(result) => result,
        Err(_) => Err(Problem::new(format!(
            "the CRD {name} was not established within {ESTABLISHED_WITHIN:?}; \
             `kubectl describe crd {name}` tells why"
        ))),
    }
}

async fn established(
    client: &Client,
    name: &str,
    applied: &CustomResourceDefinition,
) -> Result<(), Problem> {
    let mut current = applied.clone();
    loop {
        if is_established(&current) {
            return Ok(());
        }
        let options =
            WatchOptions::since(current.resource_version()).fields(format!("metadata.name={name}"));
        let mut events = client.api::<CustomResourceDefinition>().watch(&options).await?;
        while let Some(event) = events.next().await {
            if let WatchEvent::Modified(crd) | WatchEvent::Added(crd) = event? {
                current = crd;
                break;
            }
        }
    }
}

fn is_established(crd: &CustomResourceDefinition) -> bool {
    crd.status
        .conditions
        .iter()
        .any(|condition| condition.type_ == "Established" && condition.status == "True")
}

/// Applies the Foo of a file, or the built-in example, and returns it as stored.
///
/// # Errors
///
/// When the file cannot be read, is not YAML, is no Foo, or the server refuses it.
pub async fn apply_foo(client: &Client, file: Option<&Path>) -> Result<Foo, Problem> {
    let (text, source) = match file {
        None => (EXAMPLE.to_owned(), "the built-in example".to_owned()),
        Some(path) => {
            let shown = path.display().to_string();
            let text = std::fs::read_to_string(path)
                .map_err(|error| Problem::new(format!("{shown} cannot be read: {error}")))?;
            (text, shown)
        }
    };
    let foo = parse(&text, &source)?;
    let api = client.dynamic(Foo::static_kind().clone());
    let api = api.namespace(foo.namespace().unwrap_or("default"));
    let mut options = ApplyOptions::forced().field_manager("kubectl");
    options.write.field_validation = Some(FieldValidation::Strict);
    let applied = api.apply(&foo, &options).await.map_err(|error| {
        Problem::new(format!("the server refuses the Foo of {source}: {error}"))
    })?;
    json::from_slice(&json::to_vec(&applied))
        .map_err(|error| Problem::new(format!("the server's answer is no Foo: {error}")))
}

/// Reads one Foo from YAML or JSON.
///
/// # Errors
///
/// When the text is not YAML, or is something else than one Foo with a name.
pub fn parse(text: &str, source: &str) -> Result<Unstructured, Problem> {
    let value: Value = serde_saphyr::from_str(text)
        .map_err(|error| Problem::new(format!("{source} is not YAML: {error}")))?;
    let kind = Foo::static_kind();
    let is_foo = value["apiVersion"] == *kind.api_version() && value["kind"] == *kind.kind;
    if !is_foo {
        return Err(Problem::new(format!(
            "{source} is no Foo: it wants apiVersion: {} and kind: {}",
            kind.api_version(),
            kind.kind
        )));
    }
    if value["metadata"]["name"].as_str().is_none_or(str::is_empty) {
        return Err(Problem::new(format!("{source}: metadata.name is missing")));
    }
    Unstructured::from_value(&value)
        .map_err(|error| Problem::new(format!("{source} is no Kubernetes object: {error}")))
}

/// Asks for what the controller will need, so that what is missing is told at once.
///
/// # Errors
///
/// When the server cannot be reached, the CRD is missing, or a permission is.
pub async fn preflight(client: &Client) -> Result<(), Problem> {
    let one = ListOptions { limit: Some(1), ..ListOptions::default() };
    let foos = client.api::<Foo>().list(&one).await;
    foos.map(drop).map_err(|error| explain(&error, "foos.samplecontroller.k8s.io"))?;
    let deployments = client.api::<Deployment>().list(&one).await;
    deployments.map(drop).map_err(|error| explain(&error, "deployments.apps"))
}

fn explain(error: &watchkeeper::Error, resource: &str) -> Problem {
    Problem::new(if error.is_not_found() {
        format!(
            "the server has no {resource}: install the CRD with --install-crd, or with \
             `sample-controller --print-crd | kubectl apply -f -`"
        )
    } else if error.is_forbidden() {
        format!(
            "this user may not list {resource}: {error}; the controller needs get, list, watch on \
             foos and get, list, watch, create, patch, delete on deployments, patch on foos/status, \
             create and patch on events"
        )
    } else if error.is_unauthorized() {
        format!("the server does not know this user: {error}; check the kubeconfig's credentials")
    } else {
        error.to_string()
    })
}
