//! The streams of a program over a WebSocket (`v4.channel.k8s.io`, `v5.channel.k8s.io`): each message begins
//! with the number of its stream.
//!
//! It ends with its program, or with its client: who says Close gets what is on its way to it, and then a Close.
//! What a client may leave unread, and what may wait for a program that reads nothing, is bounded in bytes.

#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Buf as _, Bytes};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::Value;
use tokio::io::DuplexStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::{sleep, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};

use crate::containers::terminal::{
    CLOSE, Exit, RESIZE, STATUS, STDERR, STDIN, STDOUT, Size, Terminal, TerminalSize, internal,
};
use crate::containers::{Run, Streams};

pub(super) type Sink = SplitSink<WebSocketStream<DuplexStream>, Message>;
pub(super) type Source = SplitStream<WebSocketStream<DuplexStream>>;
/// A piece of what a client has said, and the room that it takes until somebody has it.
pub(super) type Heard = (Bytes, OwnedSemaphorePermit);

/// What ends when nobody is left who speaks with a client: nothing is ever told there.
pub(super) type Ended = mpsc::Receiver<Infallible>;

/// How long a message of a client may be: clients in Go send pieces of 32 KiB, a browser may send more.
pub(super) const LONGEST: usize = 1 << 20;
/// How much goes to a program or to a client at once, as where a kubelet copies.
pub(super) const PIECE: usize = 32 << 10;
/// How many bytes of a client may wait for who reads them. As many may wait for a client.
pub(super) const UNREAD: usize = 512 << 10;
/// What a piece counts for beside its bytes, so that many small ones are bounded, too.
const EACH: usize = 128;
/// How many pieces of what is said to a client may wait.
pub(super) const WAITING: usize = 16;
/// What has a word for the end of one stream.
const V5: &str = "v5.channel.k8s.io";
/// How long a client may take for what is on its way to it, once it leaves or there is nobody any more who
/// speaks with it (upstream: `writeErrorDeadline`).
pub(super) const PARTING: Duration = Duration::from_secs(10);

/// Runs a program to its end, or until the client leaves.
pub(super) async fn run<F>(
    stream: DuplexStream,
    protocol: &'static str,
    asked: Run,
    program: impl FnOnce(Run, Terminal) -> F,
) where
    F: Future<Output = Exit>,
{
    let (mut sink, source) = open(stream).await;
    let (input, input_of) = mpsc::channel(1);
    let (heard, unread) = mpsc::unbounded_channel();
    let (output_of, mut output) = mpsc::channel(WAITING);
    let (running, mut ended) = mpsc::channel(1);
    let size = TerminalSize::default();
    let streams = asked.streams;
    let terminal = Terminal { input: input_of, output: output_of, size: size.clone() };
    let program = program(asked, terminal);
    let program = async {
        let exit = program.await;
        drop(running);
        exit
    };
    let written = async {
        let writing = write(&mut sink, &mut output, streams, &mut ended);
        // In this order nothing that is printed waits while the client is listened to.
        let (exit, is_there) = tokio::join!(biased; program, writing);
        if is_there {
            finish(&mut sink, &exit.status()).await;
        }
    };
    let heard = streams.stdin.then_some(heard);
    let incoming = Incoming { input: heard, room: Room::new(), size, ends_streams: protocol == V5 };
    let leaving = tokio::select! {
        biased;
        () = written => None,
        code = incoming.read(source) => Some(code),
        never = feed(unread, input) => never,
    };
    if let Some(code) = leaving {
        part(&mut sink, code, "").await;
    }
}

/// A WebSocket that keeps no more of a client than it must.
pub(super) async fn open(stream: DuplexStream) -> (Sink, Source) {
    let config = WebSocketConfig::default()
        .max_message_size(Some(LONGEST))
        .max_frame_size(Some(LONGEST))
        .read_buffer_size(PIECE)
        .write_buffer_size(PIECE)
        // Answers to pings wait here, too, and a client that reads none of them may go on to send pings.
        .max_write_buffer_size(UNREAD);
    WebSocketStream::from_raw_socket(stream, Role::Server, Some(config)).await.split()
}

/// Ends a session that cannot be had, and says why.
pub(super) async fn refuse(stream: DuplexStream, why: String) {
    let (mut sink, _source) = open(stream).await;
    finish(&mut sink, &internal(&why)).await;
}

/// Sends what the program writes until it has ended, and nobody holds its terminal any more. Tells whether the
/// client still takes it.
async fn write(
    sink: &mut Sink,
    output: &mut mpsc::Receiver<(u8, Bytes)>,
    streams: Streams,
    ended: &mut Ended,
) -> bool {
    while let Some((stream, text)) = output.recv().await {
        let is_wanted = match stream {
            STDOUT => streams.stdout,
            STDERR => streams.stderr,
            _ => false,
        };
        if is_wanted && !print(sink, stream, &text, ended).await {
            // Who reads notices that the client has left.
            return false;
        }
    }
    true
}

/// Sends what was printed, or tells that the client is given up.
async fn print(sink: &mut Sink, stream: u8, text: &[u8], ended: &mut Ended) -> bool {
    for piece in pieces(text) {
        if !send(sink, message(stream, piece), ended).await {
            return false;
        }
    }
    true
}

/// Sends a message, or tells that the client is given up. It may take its time as long as somebody speaks with
/// it, which is as long as the other end of `ended` is held, and a while after that.
pub(super) async fn send(sink: &mut Sink, message: Message, ended: &mut Ended) -> bool {
    let late = async {
        let _ = ended.recv().await;
        sleep(PARTING).await;
    };
    tokio::select! {
        biased;
        is_sent = push(sink, message) => is_sent,
        () = late => false,
    }
}

/// Sends a message once nothing is on its way any more: behind many answers to pings there may be no room for it,
/// and then it would be lost. Tells whether the client took it.
pub(super) async fn push(sink: &mut Sink, message: Message) -> bool {
    sink.flush().await.is_ok() && sink.send(message).await.is_ok()
}

/// The client gets the end of a session if it is still there, and takes it in time.
async fn finish(sink: &mut Sink, status: &Value) {
    let status = status.to_string();
    let told = async {
        for piece in pieces(status.as_bytes()) {
            if !push(sink, message(STATUS, piece)).await {
                return;
            }
        }
        close(sink, CloseCode::Normal, "").await;
    };
    let _ = timeout(PARTING, told).await;
}

/// Ends a WebSocket, always with a code: kubectl takes an end without one for a failure.
async fn close(sink: &mut Sink, code: CloseCode, why: &'static str) {
    let frame = CloseFrame { code, reason: Utf8Bytes::from_static(why) };
    if push(sink, Message::Close(Some(frame))).await {
        let _ = sink.close().await;
    }
}

/// Ends a WebSocket of which nothing more is to be said, or whose client has left or makes no sense. What is on
/// its way goes out as far as the client takes it in time, since a client that never reads must not be waited for.
pub(super) async fn part(sink: &mut Sink, code: CloseCode, why: &'static str) {
    let parted = async {
        // Refused where the client was first: then what waits behind the rest is the answer to its Close.
        close(sink, code, why).await;
        let _ = sink.flush().await;
    };
    let _ = timeout(PARTING, parted).await;
}

/// The next message that has content; or none is to be waited for, and how the client is to be told so.
pub(super) async fn next(source: &mut Source) -> Result<Bytes, CloseCode> {
    loop {
        match source.next().await {
            Some(Ok(Message::Binary(bytes))) => return Ok(bytes),
            Some(Ok(Message::Text(text))) => return Ok(Bytes::from(text)),
            // A ping has been answered by the time that the next message is asked for.
            Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
            Some(Err(Error::Capacity(_))) => return Err(CloseCode::Size),
            Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(CloseCode::Normal),
        }
    }
}

/// The room for what a client has said and nobody has read yet, on all streams of a WebSocket.
pub(super) struct Room(Arc<Semaphore>);

impl Room {
    pub(super) fn new() -> Self {
        Self(Arc::new(Semaphore::new(UNREAD)))
    }

    /// Hands on what was said, piece by piece as there is room for it. Nothing of it is kept for who listens no
    /// more.
    pub(super) async fn pass(&self, said: &[u8], to: &mpsc::UnboundedSender<Heard>) {
        for piece in pieces(said) {
            if to.is_closed() {
                return;
            }
            let cost = u32::try_from(piece.len() + EACH).unwrap_or(u32::MAX);
            let Ok(room) = self.0.clone().acquire_many_owned(cost).await else { return };
            // A copy: a single byte would keep the whole buffer that it was read into.
            let _ = to.send((Bytes::copy_from_slice(piece), room));
        }
    }
}

/// Nothing at all is a piece, too.
pub(super) fn pieces(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.is_empty().then_some(text).into_iter().chain(text.chunks(PIECE))
}

/// Hands a program what was said to it, as it reads. Never ends, since a program may go on after its input.
async fn feed<T>(mut unread: mpsc::UnboundedReceiver<Heard>, input: mpsc::Sender<Bytes>) -> T {
    while let Some((piece, _room)) = unread.recv().await {
        // A program that does not read its input any more.
        let _ = input.send(piece).await;
    }
    drop(input);
    std::future::pending().await
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
    input: Option<mpsc::UnboundedSender<Heard>>,
    room: Room,
    size: TerminalSize,
    /// Whether the client can say that one of its streams ends.
    ends_streams: bool,
}

impl Incoming {
    /// Takes what comes until the client leaves, or makes no sense, and tells with what it is to be answered.
    async fn read(mut self, mut source: Source) -> CloseCode {
        loop {
            let bytes = match next(&mut source).await {
                Ok(bytes) => bytes,
                Err(code) => return code,
            };
            if !self.take(bytes).await {
                return CloseCode::Normal;
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
                    self.room.pass(&bytes, input).await;
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
