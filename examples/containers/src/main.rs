//! The program: `cargo run -p containers`.
#![expect(clippy::print_stderr, reason = "a program tells its failure on stderr")]

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use containers::Toolbox;
use tokio::sync::oneshot;
use watchkeeper::cluster::{Cluster, Endpoint};
use watchkeeper::prelude::*;

/// Keeps a cluster inside this process, whose containers have programs, files and ports for kubectl exec,
/// attach, cp and port-forward.
#[derive(Debug, Parser)]
#[command(name = "containers", version)]
struct Args {
    /// The port of the cluster on 127.0.0.1; 0 takes a free one.
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
}

/// The pod that is there from the start.
const POD: &str = "toolbox";

#[tokio::main]
async fn main() -> ExitCode {
    match run(&Args::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

async fn run(args: &Args) -> Result<(), String> {
    let shutdown = signals::shutdown();
    let mut endpoint = Endpoint::bind(args.port).await.map_err(|error| {
        format!("{error}; choose another port with --port, or none for a free one")
    })?;
    let kubeconfig = endpoint.kubeconfig().map_err(|error| error.to_string())?;
    let cluster = Cluster::builder().build();
    Toolbox::default().answer_for(cluster.containers());
    let (stop, stopped) = oneshot::channel::<()>();
    let served = async {
        let outcome = endpoint.serve(&cluster, shutdown).await;
        drop(stop);
        outcome
    };
    let acted = cluster.run(async { drop(stopped.await) });
    let begun = begin(&cluster, &kubeconfig);
    let ended = tokio::try_join!(served, acted, begun).map(|_| ());
    ended.map_err(|error| error.to_string())
}

/// Makes the pod, and tells how to join in once it runs.
async fn begin(cluster: &Cluster, kubeconfig: &Path) -> watchkeeper::Result<()> {
    let pods = cluster.client("containers").api::<Pod>().namespace("default");
    let pod = object!(Pod {
        metadata: {
            name: POD,
            namespace: "default",
            annotations: { "fake-kubelet/ends-after": "never" },
        },
        spec: { containers: [{ name: "main", image: "none" }, { name: "side", image: "none" }] },
    });
    pods.create(&pod, &Default::default()).await?;
    while pods.get(POD).await?.status.phase != "Running" {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let kubectl = format!("kubectl --kubeconfig {}", kubeconfig.display());
    // A reader that went away is not an error.
    let _gone = writeln!(std::io::stdout().lock(), "# to join in: {kubectl} exec {POD} -- ls /");
    Ok(())
}
