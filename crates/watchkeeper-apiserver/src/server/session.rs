//! The streams of a program over a WebSocket (`v4.channel.k8s.io`, `v5.channel.k8s.io`): each message begins
//! with the number of its stream.
//!
//! It ends with its program, or with its client: who says Close gets what is on its way to it, and then a Close.

#[cfg(test)]
mod tests;

use std::future::Future;
use std::time::Duration;

use bytes::{Buf as _, Bytes};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::Value;
use tokio::io::DuplexStream;
use tokio::sync::mpsc;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role};
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use crate::containers::terminal::{
    CLOSE, Exit, RESIZE, STATUS, STDERR, STDIN, STDOUT, Size, Terminal, TerminalSize, internal,
};
use crate::containers::{Run, Streams};

pub(super) type Sink = SplitSink<WebSocketStream<DuplexStream>, Message>;

/// How many messages may wait in each direction.
const WAITING: usize = 16;
/// What has a word for the end of one stream.
const V5: &str = "v5.channel.k8s.io";
/// How long a client that leaves may take for what is on its way to it (upstream: `writeErrorDeadline`).
const PARTING: Duration = Duration::from_secs(10);

/// Runs a program to its end, or until the client leaves.
pub(super) async fn run<F>(
    stream: DuplexStream,
    protocol: &'static str,
    asked: Run,
    program: impl FnOnce(Run, Terminal) -> F,
) where
    F: Future<Output = Exit>,
{
    let socket = WebSocketStream::from_raw_socket(stream, Role::Server, None).await;
    let (mut sink, source) = socket.split();
    let (input, input_of) = mpsc::channel(WAITING);
    let (output_of, mut output) = mpsc::channel(WAITING);
    let size = TerminalSize::default();
    let streams = asked.streams;
    let terminal = Terminal { input: input_of, output: output_of, size: size.clone() };
    let program = program(asked, terminal);
    let written = async {
        // In this order nothing that is printed waits while the client is listened to.
        let (exit, ()) = tokio::join!(biased; program, write(&mut sink, &mut output, streams));
        finish(&mut sink, &exit.status()).await;
    };
    let input = streams.stdin.then_some(input);
    let incoming = Incoming { input, size, ends_streams: protocol == V5 };
    let has_ended = tokio::select! {
        biased;
        () = written => true,
        () = incoming.read(source) => false,
    };
    if !has_ended {
        part(&mut sink).await;
    }
}

/// Ends a session that cannot be had, and says why.
pub(super) async fn refuse(stream: DuplexStream, why: String) {
    let socket = WebSocketStream::from_raw_socket(stream, Role::Server, None).await;
    let (mut sink, _) = socket.split();
    finish(&mut sink, &internal(&why)).await;
}

/// Sends what the program writes until it has ended, and nobody holds its terminal any more.
async fn write(sink: &mut Sink, output: &mut mpsc::Receiver<(u8, Bytes)>, streams: Streams) {
    while let Some((stream, text)) = output.recv().await {
        let is_wanted = match stream {
            STDOUT => streams.stdout,
            STDERR => streams.stderr,
            _ => false,
        };
        if is_wanted && sink.send(message(stream, &text)).await.is_err() {
            // Who reads notices that the client has left.
            return;
        }
    }
}

/// The client gets the end of a session if it is still there.
async fn finish(sink: &mut Sink, status: &Value) {
    let status = status.to_string();
    if sink.send(message(STATUS, status.as_bytes())).await.is_ok() {
        close(sink).await;
    }
}

/// Ends a WebSocket as one that did what was wanted: kubectl takes an end without a code for a failure.
pub(super) async fn close(sink: &mut Sink) {
    let normal = CloseFrame { code: CloseCode::Normal, reason: Utf8Bytes::default() };
    if sink.send(Message::Close(Some(normal))).await.is_ok() {
        let _ = sink.close().await;
    }
}

/// Ends a WebSocket whose client has left or makes no sense. What is on its way goes out as far as the client
/// takes it in time, since a client that never reads must not be waited for.
pub(super) async fn part(sink: &mut Sink) {
    let parted = async {
        // Refused where the client was first: then what waits behind the rest is the answer to its Close.
        close(sink).await;
        let _ = sink.flush().await;
    };
    let _ = tokio::time::timeout(PARTING, parted).await;
}

fn message(stream: u8, text: &[u8]) -> Message {
    let mut bytes = Vec::with_capacity(text.len() + 1);
    bytes.push(stream);
    bytes.extend_from_slice(text);
    Message::Binary(bytes.into())
}

/// What the client sends.
struct Incoming {
    /// Standard input, until its end.
    input: Option<mpsc::Sender<Bytes>>,
    size: TerminalSize,
    /// Whether the client can say that one of its streams ends.
    ends_streams: bool,
}

impl Incoming {
    /// Takes what comes until the client leaves, or makes no sense.
    async fn read(mut self, mut source: SplitStream<WebSocketStream<DuplexStream>>) {
        while let Some(Ok(message)) = source.next().await {
            let bytes = match message {
                Message::Binary(bytes) => bytes,
                Message::Text(text) => Bytes::from(text),
                Message::Close(_) => return,
                // A ping has been answered by the time that the next message is asked for.
                _ => continue,
            };
            if !self.take(bytes).await {
                return;
            }
        }
    }

    /// Takes a message, or tells that the client is given up for it. A stream that is none is passed over.
    async fn take(&mut self, mut bytes: Bytes) -> bool {
        let Some(stream) = bytes.first().copied() else { return true };
        bytes.advance(1);
        match stream {
            STDIN => {
                if let Some(input) = &self.input {
                    // A program that does not read its input any more.
                    let _ = input.send(bytes).await;
                }
            }
            RESIZE => {
                if let Some(to) = size_of(&bytes) {
                    self.size.set(to);
                }
            }
            CLOSE if self.ends_streams => return self.end(&bytes),
            _ => {}
        }
        true
    }

    /// Ends a stream, or tells that there is none of this number (upstream: `wsstream/conn.go`).
    fn end(&mut self, streams: &[u8]) -> bool {
        match streams {
            [STDIN] => {
                self.input = None;
                true
            }
            // Of these nothing hears the end.
            [stream] => *stream <= RESIZE,
            _ => false,
        }
    }
}

fn size_of(bytes: &[u8]) -> Option<Size> {
    let value: Value = serde_json::from_slice(bytes).ok()?;
    let side = |name: &str| u16::try_from(value[name].as_u64()?).ok();
    Some(Size { width: side("Width")?, height: side("Height")? })
}
