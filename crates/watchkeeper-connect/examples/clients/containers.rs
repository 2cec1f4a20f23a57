//! A walk through what the containers of two pods print, run and listen to: two servers, each with what plays
//! its kubelet, that tell the same story serve it alike.
//!
//! The pod `streams` has the containers `main`, which ran before and has printed a thousand lines, the first
//! half of them more than a minute ago, and `diary`. The pod `brief` has one, which ends when it runs the program `end`.

use std::fmt::{Display, Write as _};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{Error, Time};
use watchkeeper_client::{Api, Client, ExecOptions, LogOptions, Result};

const POD: &str = "streams";
const BRIEF: &str = "brief";
const MAIN: &str = "main";
/// Where what is said is repeated, and where nothing listens.
const ECHO: u16 = 7;
const NOTHING: u16 = 9;
/// No program says more.
const MOST: usize = 10_000;

type Pods = Api<Pod>;

/// Walks through everything, and tells what happened.
///
/// # Errors
/// Whatever a healthy server would not answer.
pub(crate) async fn containers(client: &Client) -> Result<String> {
    let pods = client.api::<Pod>().namespace("default");
    let mut told = Told::default();
    logs(&pods, &mut told).await?;
    refused_logs(&pods, &mut told).await;
    programs(&pods, &mut told).await?;
    refused_programs(&pods, &mut told).await;
    followed(&pods, &mut told).await?;
    ports(&pods, &mut told).await?;
    Ok(told.0)
}

/// What happened, line by line.
#[derive(Default)]
struct Told(String);

impl Told {
    fn tell(&mut self, line: impl Display) {
        // Writing to a String cannot fail.
        let _infallible = writeln!(self.0, "{line}");
    }

    fn refused<T>(&mut self, what: &str, result: Result<T>) {
        match result {
            Ok(_) => self.tell(format!("{what}: was allowed")),
            Err(error) => self.tell(format!("{what}: {error}")),
        }
    }
}

fn main() -> LogOptions {
    LogOptions::default().container(MAIN)
}

/// How many lines, which are the first and the last, and whether the last one is whole.
fn shape(log: &str) -> String {
    let (first, last) = (log.lines().next().unwrap_or(""), log.lines().last().unwrap_or(""));
    format!("{} lines, {first:?} to {last:?}, whole {}", log.lines().count(), log.ends_with('\n'))
}

async fn logs(pods: &Pods, told: &mut Told) -> Result<()> {
    let minute = Some(Duration::from_secs(60));
    let parts = [
        ("all", main()),
        ("a tail", LogOptions { tail: Some(3), ..main() }),
        ("a tail of nothing", LogOptions { tail: Some(0), ..main() }),
        ("ten bytes", LogOptions { limit_bytes: Some(10), ..main() }),
        ("ten bytes of a tail", LogOptions { tail: Some(2), limit_bytes: Some(10), ..main() }),
        ("of the last minute", LogOptions { since: minute, ..main() }),
        ("of a tail, the last minute", LogOptions { since: minute, tail: Some(600), ..main() }),
        ("the life before", LogOptions { previous: true, ..main() }),
        ("of the only one", LogOptions::default()),
    ];
    for (what, options) in parts {
        let of = if options.container.is_some() { POD } else { BRIEF };
        told.tell(format!("log, {what}: {}", shape(&pods.logs(of, &options).await?)));
    }
    let mut lines = pods.log_stream(POD, &main()).await?;
    let mut count = 0;
    while lines.next_line().await?.is_some() {
        count += 1;
    }
    told.tell(format!("log, line by line: {count}"));
    let stamped = LogOptions { timestamps: true, tail: Some(500), ..main() };
    let stamped = pods.logs(POD, &stamped).await?;
    let (time, line) = stamped.split_once(' ').unwrap_or_default();
    // With nine digits, and the same ones for what is cut off to seconds.
    let seconds = time.split_once('.').map(|(seconds, rest)| (format!("{seconds}Z"), rest.len()));
    let (since, digits) = seconds.unwrap_or_default();
    let since: Time = since.parse().map_err(|error| Error::other(format!("{time}: {error}")))?;
    told.tell(format!("log, with times: {} letters after the point, {}", digits, line.len()));
    let since = LogOptions { since_time: Some(since), ..main() };
    told.tell(format!("log, since that time: {}", shape(&pods.logs(POD, &since).await?)));
    Ok(())
}

async fn refused_logs(pods: &Pods, told: &mut Told) {
    let other = LogOptions::default().container("other");
    let none = LogOptions { limit_bytes: Some(0), ..main() };
    let previous = LogOptions { previous: true, ..main() };
    told.refused("log, of one of two", pods.logs(POD, &LogOptions::default()).await);
    told.refused("log, of a container that is none", pods.logs(POD, &other).await);
    told.refused("log, of a pod that is none", pods.logs("nothing", &main()).await);
    told.refused("log, no bytes", pods.logs(POD, &none).await);
    told.refused("log, the life before the first", pods.logs(BRIEF, &previous).await);
    told.refused("log, followed", pods.log_stream(POD, &other.follow()).await);
}

fn program<const N: usize>(words: [&str; N]) -> ExecOptions {
    ExecOptions::new(words).container(MAIN)
}

/// What a program says on both streams, and how it ends.
async fn run(pods: &Pods, options: &ExecOptions, input: &[u8]) -> Result<String> {
    let attached = match options.command.is_empty() {
        true => pods.attach(POD, options).await?,
        false => pods.exec(POD, options).await?,
    };
    if options.stdin {
        let mut stdin = attached.input();
        stdin.write(input).await?;
        stdin.close().await?;
    }
    let done = attached.finish(MOST).await?;
    let text = String::from_utf8_lossy;
    let (stdout, stderr) = (text(&done.stdout), text(&done.stderr));
    Ok(format!("{stdout:?} and {stderr:?}, {:?}", done.exit))
}

async fn programs(pods: &Pods, told: &mut Told) -> Result<()> {
    let output = ExecOptions::output().container(MAIN);
    let only = ExecOptions { stderr: false, ..program(["both"]) };
    for (what, options, input) in [
        ("exec, on both streams", program(["both"]), ""),
        ("exec, on one of them", only, ""),
        ("exec, a code", program(["exit", "3"]), ""),
        ("exec, what is said to it", program(["cat"]).stdin(), "hello"),
        ("attach", output.clone(), ""),
        ("attach, what is said to it", output.stdin(), "one\ntwo\n"),
    ] {
        told.tell(format!("{what}: {}", run(pods, &options, input.as_bytes()).await?));
    }
    Ok(())
}

async fn refused_programs(pods: &Pods, told: &mut Told) {
    let both = program(["both"]);
    let silent = ExecOptions { stdout: false, stderr: false, ..both.clone() };
    for (what, options) in [
        ("exec, a program that is none", program(["nothing"])),
        ("exec, in a container that is none", both.clone().container("other")),
        ("exec, in one of two", ExecOptions { container: None, ..both.clone() }),
        ("exec, without a stream", silent),
        ("attach, to a container that is none", ExecOptions::output().container("other")),
    ] {
        told.refused(what, run(pods, &options, b"").await);
    }
    told.refused("exec, in a pod that is none", pods.exec("nothing", &both).await);
}

/// Who follows gets what is printed meanwhile, and the end of the container.
async fn followed(pods: &Pods, told: &mut Told) -> Result<()> {
    let mut lines = pods.log_stream(BRIEF, &LogOptions::tail(1).follow()).await?;
    let line = lines.next_line().await?.unwrap_or_default();
    told.tell(format!("followed: {line:?}"));
    pods.exec(BRIEF, &ExecOptions::new(["end"])).await?.finish(MOST).await?;
    while let Some(line) = lines.next_line().await? {
        told.tell(format!("followed: {line:?}"));
    }
    let ended = pods.logs(BRIEF, &LogOptions::default()).await?;
    told.tell(format!("log, of one that has ended: {}", shape(&ended)));
    Ok(())
}

async fn ports(pods: &Pods, told: &mut Told) -> Result<()> {
    let broken = |error: std::io::Error| Error::other(error.to_string());
    let mut echo = pods.port_forward(POD, ECHO).await?;
    echo.write_all(b"hello").await.map_err(broken)?;
    echo.flush().await.map_err(broken)?;
    let mut heard = [0; 5];
    echo.read_exact(&mut heard).await.map_err(broken)?;
    told.tell(format!("port, heard back: {:?}", String::from_utf8_lossy(&heard)));
    let mut nothing = pods.port_forward(POD, NOTHING).await?;
    let refused = nothing.read(&mut heard).await.err().map(|error| error.to_string());
    // The rest tells addresses.
    let refused = refused.is_some_and(|why| why.contains("connection refused"));
    told.tell(format!("port, where nothing listens: refused {refused}"));
    told.refused("port, of a pod that is none", pods.port_forward("nothing", ECHO).await);
    Ok(())
}
