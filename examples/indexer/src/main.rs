//! The program: `cargo run -p indexer -- --once`.
#![expect(clippy::print_stderr, reason = "a program tells its failure on stderr")]

use std::future::pending;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use indexer::{Outcome, PodsByNode, script};
use watchkeeper::cluster::Cluster;
use watchkeeper::connection::{self, Config, Options};
use watchkeeper::prelude::*;

/// Prints the pods of each node: of a cluster inside this process, or, with --kubeconfig, of a real one.
#[derive(Debug, Parser)]
#[command(name = "indexer", version)]
struct Args {
    /// Path to a kubeconfig: look at that cluster instead of the embedded one.
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,
    /// Exit when there is no more to see.
    #[arg(long)]
    once: bool,
}

#[tokio::main]
async fn main() -> ExitCode {
    let args = Args::parse();
    let outcome = match &args.kubeconfig {
        Some(path) => Box::pin(remote(path, args.once)).await,
        None => Box::pin(embedded(args.once)).await,
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// A reader that went away is not an error.
fn print(line: &str) {
    let _gone = writeln!(std::io::stdout().lock(), "{line}");
}

async fn remote(path: &std::path::Path, once: bool) -> Outcome {
    let options = Options { path: Some(path.to_owned()), ..Options::default() };
    let config = Config::from_kubeconfig(&options).map_err(|error| error.to_string())?;
    let client = connection::verified(config).await.map_err(|error| error.to_string())?;
    let pods = PodsByNode::new(&client.user_agent("indexer"));
    let enough = async {
        if !once {
            signals::shutdown().await;
        }
    };
    pods.run(print, enough).await
}

async fn embedded(once: bool) -> Outcome {
    let cluster = Cluster::builder().nodes(2).build();
    let pods = PodsByNode::new(&cluster.client("indexer"));
    let mut played = Ok(());
    let enough = async {
        played = script::play(&cluster.client("script"), &pods).await;
        if played.is_ok() && !once {
            signals::shutdown().await;
        }
    };
    tokio::select! {
        biased;
        ended = cluster.run(pending()) => {
            let why = ended.err().map_or_else(String::new, |error| error.to_string());
            return Err(format!("the embedded cluster ended early: {why}"));
        }
        outcome = pods.run(print, enough) => outcome?,
    }
    played
}
