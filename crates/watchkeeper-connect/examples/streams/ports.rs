//! Ports of a pod.

use futures_util::future::try_join_all;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use watchkeeper_api::core::v1::Pod;
use watchkeeper_client::{Api, PortStream};

use crate::report::{Checked, Report, has, much, same, sum};
use crate::{POD, noted};

type Pods = Api<Pod>;

/// What listens in the pod at which port.
const ECHO: u16 = 7;
const NOTHING: u16 = 9;
const NOON: u16 = 13;
const FLOOD: u16 = 19;

pub(crate) async fn check(pods: &Pods, report: &mut Report) {
    report.check("port-forward: a connection", one(pods)).await;
    report.check("port-forward: who speaks first and ends", noon(pods)).await;
    report.check("port-forward: ten connections", several(pods)).await;
    report.check("port-forward: a port where nothing listens", nothing(pods)).await;
    report.check("port-forward: 16 MiB there and back", large(pods)).await;
    report.check("port-forward: dropped, the pod's side ends", dropped(pods)).await;
}

async fn echoed(stream: &mut PortStream, text: &[u8]) -> Checked {
    stream.write_all(text).await?;
    stream.flush().await?;
    let mut heard = vec![0; text.len()];
    stream.read_exact(&mut heard).await?;
    same(heard, text)
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

async fn several(pods: &Pods) -> Checked {
    let connections = (0..10).map(async |number: u8| {
        let mut stream = pods.port_forward(POD, ECHO).await?;
        echoed(&mut stream, &[number; 100]).await
    });
    try_join_all(connections).await.map(drop)
}

async fn nothing(pods: &Pods) -> Checked {
    let mut stream = pods.port_forward(POD, NOTHING).await?;
    let error = stream.read(&mut [0]).await.err().ok_or("something listens")?;
    has(&error, "connection refused")
}

async fn large(pods: &Pods) -> Checked {
    let bytes = much();
    let stream = pods.port_forward(POD, ECHO).await?;
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

async fn dropped(pods: &Pods) -> Checked {
    let mut stream = pods.port_forward(POD, FLOOD).await?;
    stream.read_exact(&mut [0; 100]).await?;
    drop(stream);
    noted(pods, &format!("port {FLOOD} ends")).await
}
