//! The streams of a program over a WebSocket (`v4.channel.k8s.io`, `v5.channel.k8s.io`): each message begins
//! with the number of its stream.

use std::future::Future;

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

/// Runs a program to its end, or until the client leaves.
pub(super) async fn run<F>(
    stream: DuplexStream,
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
        let (exit, ()) = tokio::join!(program, write(&mut sink, &mut output, streams));
        finish(&mut sink, &exit.status()).await;
    };
    tokio::select! {
        biased;
        () = written => {}
        () = read(source, streams.stdin.then_some(input), size) => {}
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

fn message(stream: u8, text: &[u8]) -> Message {
    let mut bytes = Vec::with_capacity(text.len() + 1);
    bytes.push(stream);
    bytes.extend_from_slice(text);
    Message::Binary(bytes.into())
}

/// Takes what the client sends until it leaves.
async fn read(
    mut source: SplitStream<WebSocketStream<DuplexStream>>,
    mut input: Option<mpsc::Sender<Bytes>>,
    size: TerminalSize,
) {
    while let Some(Ok(message)) = source.next().await {
        let mut bytes = match message {
            Message::Binary(bytes) => bytes,
            Message::Text(text) => Bytes::from(text),
            Message::Close(_) => return,
            _ => continue,
        };
        let Some(stream) = bytes.first().copied() else { continue };
        bytes.advance(1);
        match stream {
            STDIN => {
                if let Some(input) = &input {
                    // A program that does not read its input any more.
                    let _ = input.send(bytes).await;
                }
            }
            RESIZE => {
                if let Some(to) = size_of(&bytes) {
                    size.set(to);
                }
            }
            CLOSE if bytes.first() == Some(&STDIN) => input = None,
            _ => {}
        }
    }
}

fn size_of(bytes: &[u8]) -> Option<Size> {
    let value: Value = serde_json::from_slice(bytes).ok()?;
    let side = |name: &str| u16::try_from(value[name].as_u64()?).ok();
    Some(Size { width: side("Width")?, height: side("Height")? })
}
