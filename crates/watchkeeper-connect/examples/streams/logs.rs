//! What containers wrote.

use std::time::Duration;

use watchkeeper_api::core::v1::Pod;
use watchkeeper_client::{Api, ExecOptions, LogOptions, LogStream};

use crate::report::{Checked, Report, same};
use crate::{DIARY, POD};

type Pods = Api<Pod>;

pub(crate) async fn check(pods: &Pods, report: &mut Report) {
    report.check("logs: whole", whole(pods)).await;
    report.check("logs: line by line", streamed(pods)).await;
    report.check("logs: the tail", tail(pods)).await;
    report.check("logs: with times", times(pods)).await;
    report.check("logs: a number of bytes", bytes(pods)).await;
    report.check("logs: of the life before", before(pods)).await;
    report.check("logs: followed", Box::pin(followed(pods))).await;
}

fn main() -> LogOptions {
    LogOptions::default().container("main")
}

fn lines(first: u32) -> String {
    (first..=1000).map(|number| format!("line {number}\n")).collect()
}

async fn whole(pods: &Pods) -> Checked {
    same(pods.logs(POD, &main()).await?, lines(1))
}

async fn streamed(pods: &Pods) -> Checked {
    let mut stream = pods.log_stream(POD, &main()).await?;
    let mut all = String::new();
    while let Some(line) = stream.next_line().await? {
        all.push_str(&line);
        all.push('\n');
    }
    same(all, lines(1))
}

async fn tail(pods: &Pods) -> Checked {
    let options = LogOptions { tail: Some(3), ..main() };
    same(pods.logs(POD, &options).await?, lines(998))
}

async fn times(pods: &Pods) -> Checked {
    let options = LogOptions { tail: Some(1), timestamps: true, ..main() };
    let line = pods.logs(POD, &options).await?;
    let (time, text) = line.split_once(' ').ok_or("no time")?;
    time.parse::<watchkeeper_api::MicroTime>().map_err(|error| format!("{time}: {error}"))?;
    same(text, "line 1000\n")
}

async fn bytes(pods: &Pods) -> Checked {
    let options = LogOptions { limit_bytes: Some(10), ..main() };
    same(pods.logs(POD, &options).await?, "line 1\nlin")
}

async fn before(pods: &Pods) -> Checked {
    let options = LogOptions { previous: true, ..main() };
    same(pods.logs(POD, &options).await?, "the life before\n")
}

/// The next line that is of neither the program that sleeps meanwhile nor the one that knocks.
async fn next(stream: &mut LogStream) -> watchkeeper_client::Result<Option<String>> {
    loop {
        match stream.next_line().await? {
            Some(line) if line.contains("sleep") || line.contains("[\"exit\" \"0\"]") => {}
            line => return Ok(line),
        }
    }
}

/// Runs a program again and again, so that there is something in the log.
async fn knock(pods: &Pods) -> watchkeeper_client::Result<LogStream> {
    let program = ExecOptions::new(["exit", "0"]).container("main");
    loop {
        pods.exec(POD, &program).await?.finish(100).await?;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// What is written while somebody follows arrives, and nothing twice. A kubelet answers with the first line, so
/// somebody has to write one.
async fn followed(pods: &Pods) -> Checked {
    let options = LogOptions { tail: Some(0), follow: true, ..LogOptions::default() };
    let options = options.container(DIARY);
    let mut stream = tokio::select! {
        stream = pods.log_stream(POD, &options) => stream?,
        failed = knock(pods) => failed?,
    };
    let program = ExecOptions::new(["exit", "3"]).container("main");
    for _ in 0..2 {
        pods.exec(POD, &program).await?.finish(100).await?;
        same(next(&mut stream).await?.as_deref(), Some("[\"exit\" \"3\"] begins"))?;
        same(next(&mut stream).await?.as_deref(), Some("[\"exit\" \"3\"] ends"))?;
    }
    Ok(())
}
