//! The actors on a real API server: `actors --kubeconfig FILE [--nodes N] [--actors LIST]`.
//!
//! A kube-apiserver without kube-controller-manager, kube-scheduler and kubelets becomes a cluster
//! whose nodes run nothing. With a list (`scheduler,node,kubelet`) the others are left to whoever is there
//! already. Runs until Ctrl-C.
#![expect(clippy::print_stderr, reason = "a program tells its failure on stderr")]

use std::path::PathBuf;
use std::process::ExitCode;

use watchkeeper_api::Error;
use watchkeeper_cluster::actors::{Actor, FakeNode};
use watchkeeper_connect::{Config, Options};
use watchkeeper_manager::{Manager, signals};

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> watchkeeper_api::Result<()> {
    let Args { path, nodes, actors } = Args::read(std::env::args().skip(1))
        .map_err(|problem| Error::usage(format!("{problem}; usage: {USAGE}")))?;
    let options = Options { path: Some(path), ..Options::default() };
    let client = Config::from_kubeconfig(&options)?.client()?.user_agent("watchkeeper-cluster");
    let manager = Manager::new(&client);
    for actor in actors {
        actor.add(&manager, &FakeNode::first(nodes), None);
    }
    manager.run(signals::shutdown()).await
}

const USAGE: &str = "actors --kubeconfig FILE [--nodes N] [--actors LIST]";

/// What it was called with.
struct Args {
    path: PathBuf,
    nodes: u16,
    actors: Vec<Actor>,
}

impl Args {
    fn read(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let (mut path, mut nodes, mut actors) = (None, 1, Actor::ALL.to_vec());
        while let Some(flag) = args.next() {
            let value = args.next().ok_or_else(|| format!("{flag} has no value"))?;
            match &*flag {
                "--kubeconfig" => path = Some(value.into()),
                "--nodes" => nodes = value.parse().map_err(|e| format!("{flag} {value}: {e}"))?,
                "--actors" => {
                    let named = value.split(',').map(|name| name.parse::<Actor>());
                    actors = named.collect::<Result<_, _>>().map_err(|e| e.to_string())?;
                }
                _ => return Err(format!("there is no {flag}")),
            }
        }
        let path = path.ok_or("no kubeconfig is named")?;
        Ok(Self { path, nodes, actors })
    }
}
