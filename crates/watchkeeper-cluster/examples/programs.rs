//! A cluster at a port whose pod `streams` has the programs of `conformance/real/cmd/node`, and its port that echoes:
//! `programs FILE`.
//!
//! The file becomes a kubeconfig as soon as the pod runs. Runs until Ctrl-C. `cargo xtask conformance streams`
//! has client-go ask it what it asks a real kube-apiserver.
#![expect(clippy::print_stderr, reason = "a program tells its failure on stderr")]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::sleep;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{Error, Result, object};
use watchkeeper_client::CreateOptions;
use watchkeeper_cluster::containers::{Exit, Forward, PortStream, Run, Size, Terminal};
use watchkeeper_cluster::{Cluster, Endpoint, User};
use watchkeeper_manager::signals;

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

async fn run() -> Result<()> {
    let path = std::env::args_os().nth(1).map(PathBuf::from);
    let path = path.ok_or_else(|| Error::usage("usage: programs FILE"))?;
    let shutdown = signals::shutdown();
    let cluster = Cluster::builder().build();
    cluster.containers().on_run(program);
    cluster.containers().on_port(7, echo);
    let mut endpoint = Endpoint::bind(0).await?;
    let (stop, stopped) = oneshot::channel::<()>();
    let served = async {
        start(&cluster).await?;
        endpoint.kubeconfig_at(&path, &cluster, &User::admin())?;
        let outcome = endpoint.serve(&cluster, shutdown).await;
        drop(stop);
        outcome
    };
    let acted = cluster.run(async { drop(stopped.await) });
    tokio::try_join!(served, acted).map(drop)
}

/// Makes the pod, and waits until it runs.
async fn start(cluster: &Cluster) -> Result<()> {
    let pods = cluster.client("programs").api::<Pod>().namespace("default");
    let pod = object!(Pod {
        metadata: {
            name: "streams",
            namespace: "default",
            annotations: { "fake-kubelet/ends-after": "never" },
        },
        spec: { containers: [{ name: "main", image: "none" }, { name: "diary", image: "none" }] },
    });
    pods.create(&pod, &CreateOptions::default()).await?;
    while pods.get("streams").await?.status.phase != "Running" {
        sleep(Duration::from_millis(100)).await;
    }
    Ok(())
}

/// The programs, each as its namesake in `conformance/real/cmd/node/programs.go`.
async fn program(run: Run, mut terminal: Terminal) -> Exit {
    let words: Vec<&str> = run.command.iter().flatten().map(String::as_str).collect();
    let number = words.get(1).and_then(|word| word.parse().ok()).unwrap_or_default();
    match words.first() {
        None => attached(&mut terminal).await,
        Some(&"both") => {
            terminal.print("to standard output\n").await;
            terminal.print_error("to standard error\n").await;
        }
        Some(&"exit") => return Exit::Code(i32::try_from(number).unwrap_or(1)),
        Some(&"cat") => {
            while let Some(piece) = terminal.read().await {
                terminal.print(piece).await;
            }
        }
        Some(&"sum") => sum(&mut terminal).await,
        Some(&"fill") => fill(&terminal, number).await,
        Some(&"size") => sizes(&terminal, number).await,
        Some(&"sleep") => {
            sleep(Duration::from_secs(u64::from(number))).await;
            terminal.print("awake\n").await;
        }
        Some(&"tick") => loop {
            terminal.print("tick\n").await;
            sleep(Duration::from_millis(10)).await;
        },
        Some(name) => {
            let why = format!("exec: {name:?}: executable file not found in $PATH");
            return Exit::Failed(format!("error executing command in container: {why}"));
        }
    }
    Exit::Code(0)
}

/// The port that repeats what it hears, as in `conformance/real/cmd/node/ports.go`.
async fn echo(_: Forward, stream: PortStream) -> std::result::Result<(), String> {
    let (mut from, mut to) = tokio::io::split(stream);
    let copied = tokio::io::copy(&mut from, &mut to).await;
    copied.map(drop).map_err(|error| error.to_string())
}

/// Repeats the lines that it hears, once there are no more.
async fn attached(terminal: &mut Terminal) {
    terminal.print_error("beside\n").await;
    let mut heard = Vec::new();
    while let Some(piece) = terminal.read().await {
        heard.extend_from_slice(&piece);
    }
    for line in String::from_utf8_lossy(&heard).lines() {
        terminal.print(format!("heard {line}\n")).await;
    }
}

/// Tells how much it read, and its hash (FNV-1a).
async fn sum(terminal: &mut Terminal) {
    let (mut count, mut hash) = (0, 0xcbf2_9ce4_8422_2325_u64);
    while let Some(piece) = terminal.read().await {
        count += piece.len();
        for byte in &piece {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    terminal.print(format!("{count} {hash:016x}\n")).await;
}

/// How much is written at once.
const PIECE: usize = 32 << 10;

/// Writes so many bytes.
async fn fill(terminal: &Terminal, count: u32) {
    let bytes: Vec<u8> =
        (0..count).map(|at| at.wrapping_mul(2_654_435_761).to_be_bytes()[0]).collect();
    for piece in bytes.chunks(PIECE) {
        terminal.print(piece.to_vec()).await;
    }
}

/// Tells the size of its terminal each time that it is another, so many times.
async fn sizes(terminal: &Terminal, count: u32) {
    let mut last: Option<Size> = None;
    for _ in 0..count {
        while terminal.size() == last {
            sleep(Duration::from_millis(10)).await;
        }
        last = terminal.size();
        if let Some(Size { width, height }) = last {
            terminal.print(format!("{width}x{height}\n")).await;
        }
    }
}
