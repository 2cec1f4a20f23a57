//! The actors on a real API server: `actors --kubeconfig FILE`.
//!
//! A kube-apiserver without kube-controller-manager, kube-scheduler and kubelets becomes a cluster
//! whose nodes run nothing. Runs until Ctrl-C.
#![expect(clippy::print_stderr, reason = "a program tells its failure on stderr")]

use std::path::PathBuf;
use std::process::ExitCode;

use watchkeeper_cluster::actors::{self, FakeNode};
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
    let mut args = std::env::args_os().skip(1);
    let path = match (args.next(), args.next(), args.next()) {
        (Some(flag), Some(path), None) if flag == "--kubeconfig" => PathBuf::from(path),
        _ => return Err(watchkeeper_api::Error::usage("usage: actors --kubeconfig FILE")),
    };
    let options = Options { path: Some(path), ..Options::default() };
    let client = Config::from_kubeconfig(&options)?.client()?.user_agent("watchkeeper-cluster");
    let manager = Manager::new(&client);
    actors::all(&manager, &FakeNode::first(1), None);
    manager.run(signals::shutdown()).await
}
