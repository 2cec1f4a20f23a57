//! Ports of this machine that lead to ports of a pod.

use futures_util::future::try_join_all;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_client::Api;
use watchkeeper_connect::{LocalPort, PortForward};

use crate::POD;
use crate::ports::{ECHO, NOON, NOTHING, SUM, answered, echoed, echoed_much};
use crate::report::{Checked, Report, has, much, same, sum};

pub(crate) async fn check(pods: &Api<Pod>, report: &mut Report) {
    report.check("local ports: each leads to its own", each(pods)).await;
    report.check("local ports: a hundred connections at once", many(pods)).await;
    report.check("local ports: 16 MiB there and back", large(pods)).await;
    report.check("local ports: a direction ends alone", half(pods)).await;
    report.check("local ports: what goes wrong is told", wrong(pods)).await;
}

async fn listen(pods: &Api<Pod>) -> watchkeeper_client::Result<PortForward> {
    let ports = [ECHO, NOTHING, NOON, SUM].map(LocalPort::any);
    PortForward::listen(pods, POD, &ports).await
}

async fn connect(forward: &PortForward, port: u16) -> std::io::Result<TcpStream> {
    let address = forward.local(port).ok_or(std::io::ErrorKind::NotFound)?;
    TcpStream::connect(address).await
}

async fn each(pods: &Api<Pod>) -> Checked {
    let forward = listen(pods).await?;
    let mut one = connect(&forward, ECHO).await?;
    let mut text = String::new();
    connect(&forward, NOON).await?.read_to_string(&mut text).await?;
    same(text, "the time is noon\n")?;
    let mut other = connect(&forward, ECHO).await?;
    echoed(&mut other, b"other").await?;
    echoed(&mut one, b"one").await
}

async fn many(pods: &Api<Pod>) -> Checked {
    let forward = listen(pods).await?;
    let connections = (0..100).map(async |number: u8| {
        let mut stream = connect(&forward, ECHO).await?;
        for _ in 0..10 {
            echoed(&mut stream, &vec![number; 10_000]).await?;
        }
        Ok(())
    });
    try_join_all(connections).await.map(drop)
}

async fn large(pods: &Api<Pod>) -> Checked {
    let forward = listen(pods).await?;
    echoed_much(connect(&forward, ECHO).await?).await
}

async fn half(pods: &Api<Pod>) -> Checked {
    let forward = listen(pods).await?;
    let mut stream = connect(&forward, SUM).await?;
    same(answered(&mut stream, &much()).await?, sum(&much()))
}

async fn wrong(pods: &Api<Pod>) -> Checked {
    let mut forward = listen(pods).await?;
    let mut stream = connect(&forward, NOTHING).await?;
    let told = forward.next_error().await.ok_or("nothing is told")?;
    same(told.from, stream.local_addr()?)?;
    has(&told, "connection refused")?;
    same(stream.read(&mut [0]).await.unwrap_or_default(), 0)
}
