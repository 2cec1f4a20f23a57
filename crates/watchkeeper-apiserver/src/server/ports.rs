//! Connections to ports over a WebSocket (`v4.channel.k8s.io`): of each port a stream of data and one of
//! errors, in the order of the ports.

#[cfg(test)]
mod tests;

use std::future::Future;

use bytes::{Buf as _, Bytes};
use futures_util::future::join_all;
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::sync::mpsc;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::Role;

use super::session::{close, part};
use crate::containers::Forward;

/// How many messages may wait.
const WAITING: usize = 16;
/// How much is read at once, and how much may be on its way to a port.
const PIECE: usize = 32 << 10;

/// Connects each port until it ends, or until the client leaves.
pub(super) async fn forward<F>(
    stream: DuplexStream,
    asked: Vec<Forward>,
    connect: impl Fn(Forward, DuplexStream) -> F,
) where
    F: Future<Output = Result<(), String>>,
{
    let socket = WebSocketStream::from_raw_socket(stream, Role::Server, None).await;
    let (mut sink, mut source) = socket.split();
    let (out, mut messages) = mpsc::channel::<Bytes>(WAITING);
    let (inputs, ways): (Vec<_>, Vec<_>) = asked
        .into_iter()
        .enumerate()
        .map(|(at, asked)| {
            let port = asked.port;
            let (input, input_of) = mpsc::channel(WAITING);
            let (near, far) = tokio::io::duplex(PIECE);
            let data = u8::try_from(2 * at).unwrap_or(u8::MAX - 1);
            (input, way(port, data, near, input_of, out.clone(), connect(asked, far)))
        })
        .unzip();
    drop(out);
    let written = async {
        while let Some(message) = messages.recv().await {
            if sink.send(Message::Binary(message)).await.is_err() {
                return;
            }
        }
        close(&mut sink).await;
    };
    let read = async {
        while let Some(Ok(message)) = source.next().await {
            let mut bytes = match message {
                Message::Binary(bytes) => bytes,
                Message::Text(text) => Bytes::from(text),
                Message::Close(_) => return,
                // A ping has been answered by the time that the next message is asked for.
                _ => continue,
            };
            let Some(stream) = bytes.first().copied().filter(|stream| stream % 2 == 0) else {
                continue;
            };
            bytes.advance(1);
            if let Some(input) = inputs.get(usize::from(stream / 2)) {
                // A port that does not read any more.
                let _ = input.send(bytes).await;
            }
        }
    };
    // In this order nothing that a port says waits while the client is listened to.
    let carried = async { tokio::join!(biased; join_all(ways), written) };
    let has_ended = tokio::select! {
        biased;
        _ = carried => true,
        () = read => false,
    };
    if !has_ended {
        part(&mut sink).await;
    }
}

/// One port: what comes goes in, what goes out is told, and so is why it ended.
async fn way(
    port: u16,
    data: u8,
    near: DuplexStream,
    mut input: mpsc::Receiver<Bytes>,
    out: mpsc::Sender<Bytes>,
    connection: impl Future<Output = Result<(), String>>,
) {
    let told = |stream: u8, text: &[u8]| {
        let mut bytes = Vec::with_capacity(text.len() + 1);
        bytes.push(stream);
        bytes.extend_from_slice(text);
        out.send(bytes.into())
    };
    // The first message of each stream is the number of the port.
    for stream in [data, data + 1] {
        let _ = told(stream, &port.to_le_bytes()).await;
    }
    let (mut from, mut to) = tokio::io::split(near);
    let incoming = async {
        while let Some(bytes) = input.recv().await {
            if to.write_all(&bytes).await.is_err() {
                break;
            }
        }
        std::future::pending::<()>().await;
    };
    let outgoing = async {
        let mut buffer = vec![0; PIECE];
        while let Ok(count @ 1..) = from.read(&mut buffer).await {
            let _ = told(data, &buffer[..count]).await;
        }
    };
    let ended = tokio::select! {
        biased;
        (ended, ()) = async { tokio::join!(connection, outgoing) } => ended,
        () = incoming => Ok(()),
    };
    if let Err(why) = ended {
        let _ = told(data + 1, why.as_bytes()).await;
    }
}
