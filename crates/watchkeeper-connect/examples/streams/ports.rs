//! Ports of a pod.

use futures_util::future::try_join_all;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use watchkeeper_api::core::v1::Pod;
use watchkeeper_client::Api;

use crate::report::{Checked, Report, has, much, same, sum};
use crate::{POD, noted};

type Pods = Api<Pod>;

/// What listens in the pod at which port.
pub(crate) const ECHO: u16 = 7;
pub(crate) const NOTHING: u16 = 9;
pub(crate) const NOON: u16 = 13;
pub(crate) const SUM: u16 = 17;
const FLOOD: u16 = 19;
const WAIT: u16 = 23;
const RESET: u16 = 29;

pub(crate) async fn check_tunnels(pods: &Pods, report: &mut Report) {
    report.check("tunnel: a connection", one(pods)).await;
    report.check("tunnel: who speaks first and ends", noon(pods)).await;
    report.check("tunnel: a direction ends alone", half(pods)).await;
    report.check("tunnel: a hundred connections in one", several(pods)).await;
    report.check("tunnel: a port where nothing listens", nothing(pods)).await;
    report.check("tunnel: ... leaves the others alone", beside(pods)).await;
    report.check("tunnel: 16 MiB there and back", large(pods)).await;
    report.check("tunnel: who says much at once is heard each time", quick(pods)).await;
    report.check("tunnel: what is not read any more is in nobody's way", flooded(pods)).await;
    report.check("tunnel: dropped, the pod's side ends", dropped(pods, WAIT)).await;
    report.check("tunnel: a connection that is reset in the middle", reset(pods)).await;
    report.check("tunnel: a pod that is not there", nowhere(pods)).await;
}

/// Without tunnels.
pub(crate) async fn check_channels(pods: &Pods, report: &mut Report) {
    report.check("a WebSocket each: a connection", one(pods)).await;
    report.check("a WebSocket each: who speaks first and ends", noon(pods)).await;
    report.check("a WebSocket each: a hundred connections", several(pods)).await;
    report.check("a WebSocket each: a port where nothing listens", nothing(pods)).await;
    report.check("a WebSocket each: 16 MiB there and back", large(pods)).await;
    report.check("a WebSocket each: dropped, the pod's side ends", dropped(pods, FLOOD)).await;
    report.check("a WebSocket each: reset in the middle", reset(pods)).await;
}

pub(crate) async fn echoed<S>(stream: &mut S, text: &[u8]) -> Checked
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    stream.write_all(text).await?;
    stream.flush().await?;
    let mut heard = vec![0; text.len()];
    stream.read_exact(&mut heard).await?;
    same(heard, text)
}

/// As much there as back.
pub(crate) async fn echoed_much(stream: impl AsyncRead + AsyncWrite + Unpin) -> Checked {
    let bytes = much();
    let (mut reader, mut writer) = tokio::io::split(stream);
    let writing = async {
        writer.write_all(&bytes).await?;
        writer.flush().await
    };
    let mut heard = vec![0; bytes.len()];
    let (written, read) = tokio::join!(writing, reader.read_exact(&mut heard));
    written?;
    read?;
    same(sum(&heard), sum(&bytes))
}

/// All that is heard after the end of what is said.
pub(crate) async fn answered<S>(stream: &mut S, text: &[u8]) -> std::io::Result<String>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    stream.write_all(text).await?;
    stream.shutdown().await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

async fn one(pods: &Pods) -> Checked {
    let mut stream = pods.port_forward(POD, ECHO).await?;
    echoed(&mut stream, b"hello").await?;
    echoed(&mut stream, b"once more").await
}

async fn noon(pods: &Pods) -> Checked {
    let mut stream = pods.port_forward(POD, NOON).await?;
    let mut text = String::new();
    stream.read_to_string(&mut text).await?;
    same(text, "the time is noon\n")
}

async fn half(pods: &Pods) -> Checked {
    let mut stream = pods.port_forward(POD, SUM).await?;
    same(answered(&mut stream, b"hello").await?, sum(b"hello"))?;
    let mut stream = pods.port_forward(POD, SUM).await?;
    same(answered(&mut stream, &much()).await?, sum(&much()))
}

async fn several(pods: &Pods) -> Checked {
    let tunnel = pods.tunnel(POD).await?;
    let connections = (0..100).map(async |number: u8| {
        let mut stream = tunnel.connect(ECHO).await?;
        echoed(&mut stream, &vec![number; 10_000]).await
    });
    try_join_all(connections).await.map(drop)
}

async fn nothing(pods: &Pods) -> Checked {
    let mut stream = pods.port_forward(POD, NOTHING).await?;
    let error = stream.read(&mut [0]).await.err().ok_or("something listens")?;
    has(&error, "connection refused")
}

async fn beside(pods: &Pods) -> Checked {
    let tunnel = pods.tunnel(POD).await?;
    same(tunnel.is_shared(), true)?;
    let mut good = tunnel.connect(ECHO).await?;
    echoed(&mut good, b"before").await?;
    let mut bad = tunnel.connect(NOTHING).await?;
    let error = bad.read(&mut [0]).await.err().ok_or("something listens")?;
    has(&error, "connection refused")?;
    echoed(&mut good, b"after").await?;
    echoed(&mut tunnel.connect(ECHO).await?, b"anew").await
}

async fn large(pods: &Pods) -> Checked {
    echoed_much(pods.port_forward(POD, ECHO).await?).await
}

/// Whether the pod is quicker than the server's last reply is chance: about one time in ten.
async fn quick(pods: &Pods) -> Checked {
    for _ in 0..50 {
        let mut flood = pods.port_forward(POD, FLOOD).await?;
        flood.read_exact(&mut vec![0; 2 << 20]).await?;
    }
    Ok(())
}

async fn flooded(pods: &Pods) -> Checked {
    let tunnel = pods.tunnel(POD).await.map_err(while_in("the tunnel"))?;
    let mut flood = tunnel.connect(FLOOD).await.map_err(while_in("the flood"))?;
    flood.read_exact(&mut [0; 100]).await?;
    drop(flood);
    let mut beside = tunnel.connect(ECHO).await.map_err(while_in("what is beside it"))?;
    echoed(&mut beside, b"hello").await
}

fn while_in(what: &str) -> impl FnOnce(watchkeeper_client::Error) -> String {
    move |error| format!("{what}: {error}")
}

async fn dropped(pods: &Pods, port: u16) -> Checked {
    let stream = pods.port_forward(POD, port).await?;
    noted(pods, &format!("port {port} begins")).await?;
    drop(stream);
    noted(pods, &format!("port {port} ends")).await
}

async fn reset(pods: &Pods) -> Checked {
    let tunnel = pods.tunnel(POD).await?;
    let mut good = tunnel.connect(ECHO).await?;
    let mut broken = tunnel.connect(RESET).await?;
    let error = broken.read_to_end(&mut Vec::new()).await.err().ok_or("it ended well")?;
    has(&error, "connection reset by peer")?;
    echoed(&mut good, b"hello").await
}

async fn nowhere(pods: &Pods) -> Checked {
    let error = pods.tunnel("nothing").await.err().ok_or("it is there")?;
    same(error.is_not_found(), true)
}
