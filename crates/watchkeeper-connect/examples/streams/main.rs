//! Exec, attach, logs and port-forward, checked on a pod whose programs are those of `conformance/real/cmd/node`.
//!
//! `cargo xtask conformance streams` starts what it needs. One line a check; it fails when one fails. With
//! `--breaks` it begins to copy, says `under way`, and wants the kubelet to be killed.

mod breaks;
mod exec;
mod locals;
mod logs;
mod ports;
mod report;

use std::process::ExitCode;
use std::time::Duration;

use http::header::SEC_WEBSOCKET_PROTOCOL;
use report::Report;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_client::{Api, Client, LogOptions, Result, status_answer};

/// The pod.
const POD: &str = "streams";
/// Where it notes which of its programs ended.
const DIARY: &str = "diary";

#[tokio::main(flavor = "multi_thread", worker_threads = 4)]
#[expect(clippy::print_stderr, reason = "a program says why it ends")]
async fn main() -> ExitCode {
    match run().await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<bool> {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--silence").skip(1);
    let silence = arguments.next().and_then(|seconds| seconds.parse().ok()).unwrap_or(12);
    let client = watchkeeper_connect::connect().await?;
    let pods = client.api::<Pod>().namespace("default");
    if std::env::args().any(|argument| argument == "--breaks") {
        return Ok(breaks::check(&pods, &old(client)).await);
    }
    let mut silent = Report::new(Duration::from_secs(60 + silence));
    let mut report = Report::new(Duration::from_secs(60));
    let all = async {
        exec::check(&pods, &mut report).await;
        logs::check(&pods, &mut report).await;
        ports::check_tunnels(&pods, &mut report).await;
        ports::check_channels(&old(client.clone()), &mut report).await;
        locals::check(&pods, &mut report).await;
    };
    tokio::join!(exec::check_silence(&pods, silence, &mut silent), all);
    Ok(silent.is_good() && report.is_good())
}

/// As if the server knew no tunnels.
fn old(client: Client) -> Api<Pod> {
    let client = client.intercept(|request, next| async move {
        let protocol = request.headers().get(SEC_WEBSOCKET_PROTOCOL);
        if protocol.is_some_and(|protocol| protocol.as_bytes().starts_with(b"SPDY/")) {
            return Ok(status_answer(400, "BadRequest", "query parameter \"port\" is required"));
        }
        next.send(request).await
    });
    client.api().namespace("default")
}

/// Waits until the pod notes this.
async fn noted(pods: &Api<Pod>, text: &str) -> report::Checked {
    let follow = LogOptions::default().container(DIARY).follow();
    let mut lines = pods.log_stream(POD, &follow).await?;
    while let Some(line) = lines.next_line().await? {
        if line == text {
            return Ok(());
        }
    }
    Err(format!("the diary ends without {text:?}").into())
}
