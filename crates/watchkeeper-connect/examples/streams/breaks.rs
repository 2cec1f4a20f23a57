//! Streams whose other end is gone in the middle of a copy.

use std::pin::Pin;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Barrier;
use tokio::time::timeout;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_client::{Api, ExecOptions, Exit, LogOptions, Output};
use watchkeeper_connect::{LocalPort, PortForward};

use crate::ports::ECHO;
use crate::report::{Checked, Report, has, same};
use crate::{DIARY, POD};

type Pods = Api<Pod>;
type Check<'a> = Pin<Box<dyn Future<Output = Checked> + 'a>>;

/// What is copied at a time.
const PIECE: &[u8] = &[7; 64 << 10];

/// Begins to copy on every kind of stream, says so, and wants all of them to end: whoever reads that kills the
/// kubelet. Whether it went well.
#[expect(clippy::print_stdout, reason = "somebody waits for it")]
pub(crate) async fn check(pods: &Pods, old: &Pods) -> bool {
    let patience = Duration::from_secs(30);
    let begun = &Barrier::new(8);
    let checks: [(&str, Check<'_>); 7] = [
        ("exec: a kubelet that dies ends what is read", Box::pin(read(pods, begun))),
        ("exec: ... and what is written", Box::pin(written(pods, begun))),
        ("logs: ... and what is followed", Box::pin(followed(pods, begun))),
        ("tunnel: ... and every connection", Box::pin(tunnelled(pods, begun))),
        ("tunnel: ... and one in which nobody speaks", Box::pin(quiet(pods, begun))),
        ("a WebSocket each: ... and this one", Box::pin(forwarded(old, begun))),
        ("local ports: ... and is told", Box::pin(local(pods, begun))),
    ];
    let all = checks.map(|(what, check)| async move {
        let mut report = Report::new(patience);
        report.check(what, check).await;
        report.is_good()
    });
    let told = async {
        begun.wait().await;
        println!("{BEGUN}");
    };
    let (results, told) = tokio::join!(join_all(all), timeout(patience, told));
    let mut after = Report::new(patience);
    after.check("a kubelet that is gone is told", gone(pods)).await;
    told.is_ok() && after.is_good() && results.into_iter().all(|good| good)
}

/// What is said when all is under way.
const BEGUN: &str = "under way";

async fn read(pods: &Pods, begun: &Barrier) -> Checked {
    let mut attached = pods.exec(POD, &ExecOptions::new(["tick"]).container("main")).await?;
    same(matches!(attached.next().await?, Some(Output::Stdout(_))), true)?;
    begun.wait().await;
    loop {
        match attached.next().await {
            Ok(Some(_)) => {}
            Ok(None) => return ended(attached.exit()),
            Err(error) => return has(&error, POD),
        }
    }
}

/// Of a kubelet that is gone kube-apiserver says what it says of a program that went well: the end of what it
/// reads is all that it looks at.
fn ended(exit: Option<Exit>) -> Checked {
    same(exit.map(Exit::success), Some(true))
}

async fn written(pods: &Pods, begun: &Barrier) -> Checked {
    let options = ExecOptions::new(["sum"]).container("main").stdin();
    let attached = pods.exec(POD, &options).await?;
    let mut input = attached.input();
    input.write(PIECE).await?;
    begun.wait().await;
    let writing = async {
        loop {
            if let Err(error) = input.write(PIECE).await {
                return error;
            }
            tokio::task::yield_now().await;
        }
    };
    let (refused, done) = tokio::join!(writing, attached.finish(100));
    has(&refused, POD)?;
    match done {
        Ok(done) => ended(Some(done.exit)),
        Err(error) => has(&error, POD),
    }
}

/// Logs that break off end as logs that are whole do, as far as the server tells: they end.
async fn followed(pods: &Pods, begun: &Barrier) -> Checked {
    let follow = LogOptions::default().container(DIARY).follow();
    let mut lines = pods.log_stream(POD, &follow).await?;
    same(lines.next_line().await?.is_some(), true)?;
    begun.wait().await;
    while let Ok(Some(_)) = lines.next_line().await {}
    Ok(())
}

/// Copies there and back until it ends, and gives the error it ends with.
async fn copied<S>(
    mut stream: S,
    begun: &Barrier,
) -> Result<std::io::Error, Box<dyn std::error::Error>>
where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
{
    let mut heard = vec![0; PIECE.len()];
    stream.write_all(PIECE).await?;
    stream.read_exact(&mut heard).await?;
    begun.wait().await;
    loop {
        let there = async {
            stream.write_all(PIECE).await?;
            stream.flush().await?;
            stream.read_exact(&mut heard).await
        };
        if let Err(error) = there.await {
            return Ok(error);
        }
    }
}

async fn tunnelled(pods: &Pods, begun: &Barrier) -> Checked {
    let tunnel = pods.tunnel(POD).await?;
    same(tunnel.is_shared(), true)?;
    // Another connection that only waits ends, too.
    let mut idle = tunnel.connect(ECHO).await?;
    let copying = copied(tunnel.connect(ECHO).await?, begun);
    let mut heard = Vec::new();
    let (error, idle) = tokio::join!(copying, idle.read_to_end(&mut heard));
    has(&error?, POD)?;
    has(&idle.err().ok_or("a connection ended well")?, POD)?;
    has(&tunnel.closed().await, POD)?;
    same(tunnel.is_closed(), true)?;
    has(&tunnel.connect(ECHO).await.err().ok_or("it opens another")?, POD)
}

/// While the API server hears nothing it does not close, so that something must be said to it.
async fn quiet(pods: &Pods, begun: &Barrier) -> Checked {
    let tunnel = pods.tunnel(POD).await?;
    let mut streams = [tunnel.connect(ECHO).await?, tunnel.connect(ECHO).await?];
    begun.wait().await;
    for stream in &mut streams {
        let read = stream.read_to_end(&mut Vec::new()).await;
        has(&read.err().ok_or("a connection ended well")?, POD)?;
    }
    has(&tunnel.closed().await, POD)
}

async fn forwarded(old: &Pods, begun: &Barrier) -> Checked {
    let error = copied(old.port_forward(POD, ECHO).await?, begun).await?;
    has(&error, POD)
}

async fn local(pods: &Pods, begun: &Barrier) -> Checked {
    let mut forward = PortForward::listen(pods, POD, &[LocalPort::any(ECHO)]).await?;
    let address = forward.local(ECHO).ok_or("no local port")?;
    let stream = TcpStream::connect(address).await?;
    let from = stream.local_addr()?;
    copied(stream, begun).await?;
    let told = forward.next_error().await.ok_or("nothing is told")?;
    same(told.from, from)?;
    has(&told, POD)
}

async fn gone(pods: &Pods) -> Checked {
    let options = ExecOptions::new(["both"]).container("main");
    let error = pods.exec(POD, &options).await?.finish(100).await.err();
    has(&error.ok_or("it runs")?, "connection refused")?;
    let error = pods.port_forward(POD, ECHO).await.err();
    has(&error.ok_or("it leads somewhere")?, POD)
}
