//! What kube-rs' client and runtime see of a server: `kube-rs-story KUBECONFIG`.
//!
//! Every line is what was asked and what was seen, without what differs from run to run, so that the lines of two
//! servers can be compared. The server is an empty one, without controllers and nodes; with `--containers` behind it,
//! one with a node on which a pod runs, and that is all that the story is about.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use tokio::time::timeout;

use told::{Outcome, Story};

mod caches;
mod containers;
mod controller;
mod definitions;
mod discovery;
mod garden;
mod lists;
mod objects;
mod patches;
mod pods;
mod reviews;
mod subresources;
mod told;
mod waits;
mod watches;

/// How long a chapter may take.
const LIMIT: Duration = Duration::from_secs(60);

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Outcome {
    let mut words = std::env::args_os().skip(1);
    let path = words.next().ok_or("usage: kube-rs-story KUBECONFIG [--containers]")?;
    let of_containers = words.next().is_some_and(|word| word == "--containers");
    let config = config(Path::new(&path)).await?;
    let story = Story::new(Client::try_from(config.clone())?, config);
    if of_containers {
        return through(&story, "containers", containers::tell(&story)).await;
    }
    story.begin().await?;
    for (name, chapter) in chapters(&story) {
        through(&story, name, chapter).await?;
    }
    Ok(())
}

async fn through(
    story: &Story,
    name: &'static str,
    chapter: impl Future<Output = Outcome>,
) -> Outcome {
    story.chapter(name);
    let told = timeout(LIMIT, chapter).await;
    let told = told.map_err(|_| format!("{name}: it is not over after {LIMIT:?}"))?;
    told.map_err(|error| format!("{name}: {error}").into())
}

async fn config(path: &Path) -> Outcome<Config> {
    let kubeconfig = Kubeconfig::read_from(path)?;
    Ok(Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?)
}

/// In the order in which they are told: later ones use the definition of an earlier one.
fn chapters(story: &Story) -> Vec<(&'static str, LocalBoxFuture<'_, Outcome>)> {
    vec![
        ("discovery", discovery::tell(story).boxed_local()),
        ("reviews", reviews::tell(story).boxed_local()),
        ("objects", objects::tell(story).boxed_local()),
        ("lists", lists::tell(story).boxed_local()),
        ("patches", patches::tell(story).boxed_local()),
        ("subresources", subresources::tell(story).boxed_local()),
        ("pods", pods::tell(story).boxed_local()),
        ("definitions", definitions::tell(story).boxed_local()),
        ("watches", watches::tell(story).boxed_local()),
        ("caches", caches::tell(story).boxed_local()),
        ("waits", waits::tell(story).boxed_local()),
        ("controller", controller::tell(story).boxed_local()),
    ]
}
