//! The OpenAPI documents of a running cluster.

use std::collections::BTreeSet;
use std::path::PathBuf;

use watchkeeper_client::{Error, OpenApiDocument};
use watchkeeper_connect::{Config, Options, verified};
use watchkeeper_schema::facts::Facts;

use crate::Outcome;

/// Which cluster, and which of its groups.
#[derive(Debug, clap::Args)]
#[group(id = "cluster")]
pub(crate) struct Args {
    /// Read the OpenAPI v3 documents of the cluster at hand
    #[arg(long)]
    pub(crate) from_cluster: bool,
    /// Of these groups only [default: all but those of Kubernetes itself]
    #[arg(long, requires = "from_cluster", value_name = "NAME")]
    group: Vec<String>,
    /// The kubeconfig to use
    #[arg(long, requires = "from_cluster", value_name = "FILE")]
    kubeconfig: Option<PathBuf>,
    /// The context of the kubeconfig to use
    #[arg(long, requires = "from_cluster", value_name = "NAME")]
    context: Option<String>,
}

/// The documents of the groups that were asked for.
///
/// # Errors
/// The cluster cannot be reached or says no, or it has no such group.
pub(crate) fn documents(args: &Args) -> Outcome<Vec<OpenApiDocument>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("the runtime does not start: {error}"))?;
    let documents = runtime.block_on(read(args)).map_err(|error| error.to_string())?;
    for group in &args.group {
        let prefix = format!("apis/{group}/");
        if !documents.iter().any(|document| document.name.starts_with(&prefix)) {
            return Err(format!("the cluster has no group {group}"));
        }
    }
    Ok(documents)
}

async fn read(args: &Args) -> watchkeeper_client::Result<Vec<OpenApiDocument>> {
    let options = Options {
        path: args.kubeconfig.clone(),
        context: args.context.clone(),
        ..Options::default()
    };
    let client = verified(Config::from_kubeconfig(&options)?).await?;
    let facts = Facts::builtin().map_err(|error| Error::other(error.to_string()))?;
    let built_in = facts.kinds.into_iter().map(|kind| kind.group).collect();
    client.openapi(|name| is_wanted(name, &args.group, &built_in)).await
}

/// Whether a name of the index is that of a version of a wanted group.
fn is_wanted(name: &str, groups: &[String], built_in: &BTreeSet<String>) -> bool {
    let parts: Vec<&str> = name.split('/').collect();
    match parts.as_slice() {
        ["apis", group, _] if groups.is_empty() => !built_in.contains(*group),
        ["apis", group, _] => groups.iter().any(|of| of == group),
        _ => false,
    }
}
