//! `bench-requests URL [TOKEN]` is a client of a server, whichever it is, on one thread. It reads lines and answers each:
//!
//! - `ready`: `1`, as soon as the server says that it is.
//! - `creates PREFIX WRITERS MILLISECONDS`: how many config maps that many writers made in that time, one after another
//!   each, and the nanoseconds that it took.
//! - `watches PREFIX WATCHERS CHANGES`: how many events came to all watchers together, and the nanoseconds
//!   from the first change to the last event.
//! - `pods PREFIX WRITERS COUNT`: nanoseconds that it took to make them.
//! - `list PATH`: the bytes that came, and nanoseconds.

use bench_apiserver::connection::{Connection, Server};
use bench_apiserver::{Outcome, objects};
use std::io::BufRead as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::task::{JoinSet, LocalSet};

const MAPS: &str = "/api/v1/namespaces/default/configmaps";
const PODS: &str = "/api/v1/namespaces/default/pods";
/// How many make the changes that are watched.
const WRITERS: u64 = 4;

fn main() -> Outcome {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (url, token) = match &args[..] {
        [url] => (url, ""),
        [url, token] => (url, &**token),
        _ => return Err("usage: bench-requests URL [TOKEN]".into()),
    };
    let server = Server::new(url, token)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    for line in std::io::stdin().lock().lines() {
        let answer = LocalSet::new().block_on(&runtime, answer(&server, &line?))?;
        println!("{answer}");
    }
    Ok(())
}

async fn answer(server: &Server, line: &str) -> Outcome<String> {
    let words: Vec<&str> = line.split(' ').collect();
    match &words[..] {
        ["ready"] => ready(server).await,
        ["creates", prefix, writers, time] => {
            let end = Some(Duration::from_millis(time.parse()?));
            let (made, took) = creates(
                server,
                Work { prefix, writers: writers.parse()?, count: u64::MAX, end, pods: false },
            )
            .await?;
            Ok(format!("{made} {took}"))
        }
        ["pods", prefix, writers, count] => {
            let work = Work {
                prefix,
                writers: writers.parse()?,
                count: count.parse()?,
                end: None,
                pods: true,
            };
            Ok(creates(server, work).await?.1.to_string())
        }
        ["watches", prefix, watchers, changes] => {
            watches(server, prefix, watchers.parse()?, changes.parse()?).await
        }
        ["list", path] => list(server, path).await,
        _ => Err(format!("{line}: no such line").into()),
    }
}

/// Asks until the answer is yes.
async fn ready(server: &Server) -> Outcome<String> {
    loop {
        if let Ok(mut connection) = server.connect().await
            && matches!(connection.get("/readyz").await, Ok((200, _)))
        {
            return Ok("1".to_owned());
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

struct Work<'a> {
    prefix: &'a str,
    writers: u64,
    count: u64,
    end: Option<Duration>,
    pods: bool,
}

/// How many were made, and nanoseconds.
async fn creates(server: &Server, work: Work<'_>) -> Outcome<(u64, u128)> {
    let mut connections = Vec::new();
    for _ in 0..work.writers {
        connections.push(server.connect().await?);
    }
    let (next, began) = (Arc::new(AtomicU64::new(0)), Instant::now());
    let mut writers = JoinSet::new();
    for connection in connections {
        let writer = Writer {
            connection,
            prefix: work.prefix.to_owned(),
            next: Arc::clone(&next),
            count: work.count,
            end: work.end.map(|end| began + end),
            pods: work.pods,
        };
        writers.spawn_local(writer.run());
    }
    let mut made = 0;
    while let Some(one) = writers.join_next().await {
        made += one??;
    }
    Ok((made, began.elapsed().as_nanos()))
}

struct Writer {
    connection: Connection,
    prefix: String,
    next: Arc<AtomicU64>,
    count: u64,
    end: Option<Instant>,
    pods: bool,
}

impl Writer {
    async fn run(mut self) -> Outcome<u64> {
        let mut made = 0;
        loop {
            let number = self.next.fetch_add(1, Relaxed);
            if number >= self.count || self.end.is_some_and(|end| Instant::now() >= end) {
                return Ok(made);
            }
            let name = format!("{}-{number}", self.prefix);
            let (path, object) =
                if self.pods { (PODS, objects::pod(&name)) } else { (MAPS, objects::map(&name)) };
            self.connection.create(path, &object).await?;
            made += 1;
        }
    }
}

async fn watches(server: &Server, prefix: &str, watchers: u64, changes: u64) -> Outcome<String> {
    let mut readers = JoinSet::new();
    let path = watched(server).await?;
    for _ in 0..watchers {
        let mut connection = server.connect().await?;
        connection.watch(&path).await?;
        readers.spawn_local(async move { connection.lines(changes).await });
    }
    let began = Instant::now();
    let work = Work { prefix, writers: WRITERS, count: changes, end: None, pods: false };
    creates(server, work).await?;
    while let Some(read) = readers.join_next().await {
        read??;
    }
    Ok(format!("{} {}", watchers * changes, began.elapsed().as_nanos()))
}

/// The path of a watch of what comes from now on.
async fn watched(server: &Server) -> Outcome<String> {
    let mut connection = server.connect().await?;
    let list = connection.text(&format!("{MAPS}?limit=1")).await?;
    let version =
        list.split(r#""resourceVersion":""#).nth(1).and_then(|rest| rest.split('"').next());
    let version = version.ok_or("a list without a version")?;
    Ok(format!("{MAPS}?watch=1&resourceVersion={version}"))
}

async fn list(server: &Server, path: &str) -> Outcome<String> {
    let mut connection = server.connect().await?;
    let began = Instant::now();
    let (status, bytes) = connection.get(path).await?;
    if status != 200 {
        return Err(format!("{path}: {status}").into());
    }
    Ok(format!("{bytes} {}", began.elapsed().as_nanos()))
}
