//! Connections to ports over a WebSocket (`v4.channel.k8s.io`): of each port a stream of data and one of
//! errors, in the order of the ports.

#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::future::Future;

use bytes::{Buf as _, Bytes};
use futures_util::future::join_all;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::sync::mpsc;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use super::session::{
    Ended, Heard, PIECE, Room, Sink, Source, WAITING, next, open, part, pieces, send,
};
use crate::containers::Forward;

/// Connects each port until it ends, or until the client leaves.
pub(super) async fn forward<F>(
    stream: DuplexStream,
    asked: Vec<Forward>,
    connect: impl Fn(Forward, DuplexStream) -> F,
) where
    F: Future<Output = Result<(), String>>,
{
    let (mut sink, source) = open(stream).await;
    let (out, messages) = mpsc::channel::<Bytes>(WAITING);
    let (running, ended) = mpsc::channel(1);
    let (inputs, ways): (Vec<_>, Vec<_>) = asked
        .into_iter()
        .enumerate()
        .map(|(at, asked)| {
            let port = asked.port;
            let (input, heard) = mpsc::unbounded_channel();
            let (near, far) = tokio::io::duplex(PIECE);
            let data = u8::try_from(2 * at).unwrap_or(u8::MAX - 1);
            let connection = while_held(connect(asked, far), running.clone());
            (input, way(port, data, near, heard, out.clone(), connection))
        })
        .unzip();
    drop(out);
    drop(running);
    let ways = async {
        join_all(ways).await;
        // What they said last is still on its way.
        std::future::pending::<Option<CloseCode>>().await
    };
    let leaving = tokio::select! {
        // In this order nothing that a port says waits while the client is listened to.
        biased;
        never = ways => never,
        is_taken = write(&mut sink, messages, ended) => is_taken.then_some(CloseCode::Normal),
        code = read(source, &inputs) => Some(code),
    };
    if let Some(code) = leaving {
        part(&mut sink, code, "").await;
    }
}

/// Holds something until a connection has ended.
async fn while_held<T>(connection: impl Future<Output = T>, held: mpsc::Sender<Infallible>) -> T {
    let ended = connection.await;
    drop(held);
    ended
}

/// Sends what the ports say until all of them have ended. Tells whether the client takes it.
async fn write(sink: &mut Sink, mut messages: mpsc::Receiver<Bytes>, mut ended: Ended) -> bool {
    while let Some(message) = messages.recv().await {
        if !send(sink, Message::Binary(message), &mut ended).await {
            return false;
        }
    }
    true
}

/// Takes what comes until the client leaves, and tells with what it is to be answered. All ports share the room
/// for what they have not read: when it is full, they wait for the one that reads nothing.
async fn read(mut source: Source, inputs: &[mpsc::UnboundedSender<Heard>]) -> CloseCode {
    let room = Room::new();
    loop {
        let mut bytes = match next(&mut source).await {
            Ok(bytes) => bytes,
            Err(code) => return code,
        };
        let Some(stream) = bytes.first().copied().filter(|stream| stream % 2 == 0) else {
            continue;
        };
        bytes.advance(1);
        if let Some(input) = inputs.get(usize::from(stream / 2)) {
            room.pass(&bytes, input).await;
        }
    }
}

/// One port: what comes goes in, what goes out is told, and so is why it ended.
async fn way(
    port: u16,
    data: u8,
    near: DuplexStream,
    mut input: mpsc::UnboundedReceiver<Heard>,
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
        while let Some((piece, _room)) = input.recv().await {
            // A port that does not read any more: what is said to it must not take the room of the others.
            let _ = to.write_all(&piece).await;
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
        for piece in pieces(why.as_bytes()) {
            let _ = told(data + 1, piece).await;
        }
    }
}
