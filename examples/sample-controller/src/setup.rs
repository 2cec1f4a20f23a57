//! What must be there before the controller has something to do: the CRD, and a Foo.

use std::time::Duration;

use watchkeeper::api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper::api::json;
use watchkeeper::client::{ApplyOptions, FieldValidation, ListOptions, WatchEvent, WatchOptions};
use watchkeeper::prelude::*;

use crate::foo::Foo;
use crate::manifest::Manifest;
use crate::problem::Problem;

/// The name of the CRD.
pub const FOOS: &str = "foos.samplecontroller.k8s.io";

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

/// Applies a Foo and returns it as stored.
///
/// # Errors
///
/// When the server refuses it.
pub async fn apply_foo(client: &Client, manifest: &Manifest) -> Result<Foo, Problem> {
    let Manifest { foo, source } = manifest;
    let api = client.dynamic(Foo::static_kind().clone());
    let api = api.namespace(foo.namespace().unwrap_or("default"));
    let mut options = ApplyOptions::forced().field_manager("kubectl");
    options.write.field_validation = Some(FieldValidation::Strict);
    let applied = api.apply(foo, &options).await.map_err(|error| {
        Problem::new(format!("the server refuses the Foo of {source}: {error}"))
    })?;
    json::from_slice(&json::to_vec(&applied))
        .map_err(|error| Problem::new(format!("the server's answer is no Foo: {error}")))
}

/// Asks for what the controller will need, so that what is missing is told at once.
///
/// # Errors
///
/// When the server cannot be reached, the CRD is missing, or a permission is.
pub async fn preflight(client: &Client) -> Result<(), Problem> {
    let one = ListOptions::default().limit(1);
    match client.api::<Foo>().list(&one).await {
        Ok(_) => {}
        Err(error) if error.is_not_found() => return Err(no_foos(client).await),
        Err(error) => return Err(explain(&error, FOOS)),
    }
    let deployments = client.api::<Deployment>().list(&one).await;
    deployments.map(drop).map_err(|error| explain(&error, "deployments.apps"))
}

/// Why the server serves no Foos: there is no CRD, or it has other versions.
async fn no_foos(client: &Client) -> Problem {
    let crd = client.api::<CustomResourceDefinition>().get(FOOS).await;
    let version = &Foo::static_kind().version;
    Problem::new(match crd {
        Ok(crd) => {
            let served = crd.spec.versions.iter().filter(|version| version.served);
            let served: Vec<&str> = served.map(|version| &*version.name).collect();
            format!(
                "the CRD {FOOS} that is installed serves {}, not {version}; bring it up to date \
                 with --install-crd, or delete it first",
                served.join(", ")
            )
        }
        Err(_) => format!(
            "the server has no {FOOS}: install the CRD with --install-crd, or with \
             `sample-controller --print-crd | kubectl apply -f -`"
        ),
    })
}

fn explain(error: &watchkeeper::Error, resource: &str) -> Problem {
    Problem::new(if error.is_forbidden() {
        format!(
            "this user may not list {resource}: {error}; artifacts/role.yaml is a ClusterRole that \
             grants what the controller needs"
        )
    } else if error.is_unauthorized() {
        format!("the server does not know this user: {error}; check the kubeconfig's credentials")
    } else {
        error.to_string()
    })
}
