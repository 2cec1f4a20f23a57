//! The program: `cargo run -p dynamic -- --once`.
#![expect(clippy::print_stderr, reason = "a program tells its failure on stderr")]

use std::cell::RefCell;
use std::future::pending;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use dynamic::{Follower, Outcome, ResourceName, script};
use watchkeeper::cluster::{Cluster, Endpoint};
use watchkeeper::connection::{self, Config, Options};
use watchkeeper::prelude::*;

/// Prints what becomes of the objects of any resources: on a cluster inside this process, or, with
/// --kubeconfig, on a real one.
#[derive(Debug, Parser)]
#[command(name = "dynamic", version)]
struct Args {
    /// Group, version and plural of a resource, such as apps/v1/deployments or v1/pods; it need not be
    /// there yet.
    #[arg(value_name = "RESOURCE", default_values_t = [foos(), maps()])]
    resources: Vec<ResourceName>,
    /// Path to a kubeconfig: look at that cluster instead of the embedded one.
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,
    /// Exit at the end of the script, which the embedded cluster plays with foos if they are followed.
    #[arg(long, conflicts_with = "kubeconfig")]
    once: bool,
    /// The port of the embedded cluster on 127.0.0.1; 0 takes a free one.
    #[arg(long, value_name = "PORT", default_value_t = 0, conflicts_with = "kubeconfig")]
    port: u16,
}

impl Args {
    fn follows_foos(&self) -> bool {
        self.resources.contains(&foos())
    }
}

fn foos() -> ResourceName {
    ResourceName { api_version: "example.com/v1".to_owned(), plural: "foos".to_owned() }
}

fn maps() -> ResourceName {
    ResourceName { api_version: "v1".to_owned(), plural: "configmaps".to_owned() }
}

#[tokio::main]
async fn main() -> ExitCode {
    let args = Args::parse();
    if args.once && !args.follows_foos() {
        let what =
            format!("--once ends with the script, which needs {} among the resources", foos());
        Args::command().error(ErrorKind::ArgumentConflict, what).exit();
    }
    let outcome = match &args.kubeconfig {
        Some(path) => Box::pin(remote(path, &args.resources)).await,
        None => Box::pin(embedded(&args)).await,
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

async fn remote(path: &Path, resources: &[ResourceName]) -> Outcome {
    let options = Options { path: Some(path.to_owned()), ..Options::default() };
    let config = Config::from_kubeconfig(&options).map_err(|error| error.to_string())?;
    let client = connection::verified(config).await.map_err(|error| error.to_string())?;
    let mut follower = Follower::new(&client.user_agent("dynamic"), resources);
    follower.run(print, signals::shutdown()).await;
    Ok(())
}

async fn embedded(args: &Args) -> Outcome {
    let cluster = Cluster::builder().build();
    let mut endpoint = Endpoint::bind(args.port).await.map_err(|error| {
        format!("{error}; choose another port with --port, or none for a free one")
    })?;
    // With --once nobody has the time to join in.
    if !args.once {
        let kubeconfig = endpoint.kubeconfig().map_err(|error| error.to_string())?;
        let kubectl = format!("kubectl --kubeconfig {}", kubeconfig.display());
        print(&format!("# to join in: {kubectl} create configmap mine"));
    }
    let mut follower = Follower::new(&cluster.client("dynamic"), &args.resources);
    // What was told, as long as the script asks for it.
    let (mut played, told) = (Ok(()), RefCell::new(args.follows_foos().then(String::new)));
    let print = |line: &str| {
        print(line);
        if let Some(told) = &mut *told.borrow_mut() {
            told.push_str(line);
        }
    };
    let enough = async {
        if args.follows_foos() {
            let has = |part: &str| told.borrow().as_ref().is_some_and(|told| told.contains(part));
            played = script::play(&cluster.client("script"), print, has).await;
            told.take();
        }
        if played.is_ok() && !args.once {
            signals::shutdown().await;
        }
    };
    let ended = tokio::select! {
        biased;
        ended = cluster.run(pending()) => ended,
        ended = endpoint.serve(&cluster, pending()) => ended,
        () = follower.run(print, enough) => return played,
    };
    let why = ended.err().map_or_else(|| "nobody said why".to_owned(), |error| error.to_string());
    Err(format!("the embedded cluster ended early: {why}"))
}
