//! Connections to ports in the frames of SPDY, which are the content of a WebSocket's messages
//! (`SPDY/3.1+portforward.k8s.io`): any number of them, each with a stream of data and one of errors.
//!
//! ```text
//!  messages ─▶ Decoder ─▶ State ─▶ inputs ─▶ ways ─▶ frames ─▶ messages
//! ```
//!
//! It ends with its client, or when what that says makes no sense. All connections share the room for what nobody
//! has read: when it is full, they wait for the one that reads nothing.

mod running;
mod state;
#[cfg(test)]
mod tests;
mod way;

use std::collections::BTreeMap;
use std::future::{Future, pending};

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::io::DuplexStream;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use super::session::{Heard, PARTING, PIECE, Room, Sink, Source, WAITING, next, open, part, push};
use super::spdy::Decoder;
use crate::containers::Forward;

use running::Running;
use state::{Happened, Pair, State};
use way::{Lost, Way};

/// Connects as the client asks, until it leaves; `to` is where, whatever its port.
pub(super) async fn forward<F>(
    stream: DuplexStream,
    to: Forward,
    connect: impl Fn(Forward, DuplexStream) -> F,
) where
    F: Future<Output = Result<(), String>>,
{
    let running = Running::default();
    let running = &running;
    let (mut sink, source) = open(stream).await;
    let (out, messages) = mpsc::channel::<Bytes>(WAITING);
    let (begin, begun) = mpsc::unbounded_channel();
    let (ended_of, ended) = mpsc::unbounded_channel();
    let connected = |pair: Pair| {
        let (input, heard) = mpsc::unbounded_channel();
        let (loses, lost) = mpsc::unbounded_channel();
        let (near, far) = tokio::io::duplex(PIECE);
        let connection = connect(Forward { port: pair.port, ..to.clone() }, far);
        let way = Way { pair, out: out.clone() };
        let ended = ended_of.clone();
        running.begin();
        let _ = begin.send(async move {
            way.run(near, heard, lost, connection).await;
            running.end();
            let _ = ended.send(pair);
        });
        Input { heard: Some(input), loses }
    };
    let reader = Reader {
        state: State::default(),
        inputs: BTreeMap::new(),
        room: Room::new(),
        out: out.clone(),
        ended,
    };
    let leaving = tokio::select! {
        // In this order nothing that a port says waits while the client is listened to.
        biased;
        never = drive(begun) => never,
        () = write(&mut sink, messages, running) => None,
        leaving = reader.read(source, connected) => Some(leaving),
    };
    if let Some((code, why)) = leaving {
        part(&mut sink, code, why).await;
    }
}

/// Goes all ways that have begun. Never ends, since others may begin.
async fn drive<F: Future<Output = ()>, T>(mut begun: mpsc::UnboundedReceiver<F>) -> T {
    let mut ways = FuturesUnordered::new();
    loop {
        tokio::select! {
            biased;
            Some(way) = begun.recv() => ways.push(way),
            Some(()) = ways.next() => {}
            else => pending().await,
        }
    }
}

/// Sends what is to be said until the client is given up. It may take its time as long as there are connections, and
/// a while after that.
async fn write(sink: &mut Sink, mut messages: mpsc::Receiver<Bytes>, running: &Running) {
    while let Some(message) = messages.recv().await {
        let late = async {
            running.ended().await;
            sleep(PARTING).await;
        };
        tokio::select! {
            biased;
            true = push(sink, Message::Binary(message)) => {}
            () = late => return,
            // Who reads notices that the client has left.
            else => return,
        }
    }
}

/// Where what is said to a port goes.
struct Input {
    /// Until the client has said all.
    heard: Option<mpsc::UnboundedSender<Heard>>,
    loses: mpsc::UnboundedSender<Lost>,
}

/// How a client is told why a tunnel ends.
type Leaving = (CloseCode, &'static str);

/// Takes what the client says.
struct Reader {
    state: State,
    inputs: BTreeMap<u32, Input>,
    room: Room,
    out: mpsc::Sender<Bytes>,
    ended: mpsc::UnboundedReceiver<Pair>,
}

impl Reader {
    /// Until the client leaves, or makes no sense.
    async fn read(mut self, mut source: Source, connected: impl Fn(Pair) -> Input) -> Leaving {
        let mut decoder = Decoder::default();
        loop {
            let said = tokio::select! {
                biased;
                Some(pair) = self.ended.recv() => {
                    self.state.ended(pair);
                    self.inputs.remove(&pair.data);
                    continue;
                }
                () = expiry(self.state.deadline()) => {
                    self.state.expire(Instant::now());
                    self.answer().await;
                    continue;
                }
                said = next(&mut source) => said,
            };
            let taken = match said {
                Ok(said) => self.take(said, &mut decoder, &connected).await,
                Err(code) => Err((code, "")),
            };
            if let Err(leaving) = taken {
                return leaving;
            }
        }
    }

    async fn take(
        &mut self,
        mut said: Bytes,
        decoder: &mut Decoder,
        connected: &impl Fn(Pair) -> Input,
    ) -> Result<(), Leaving> {
        loop {
            let frame = match decoder.next(&mut said) {
                Ok(Some(frame)) => frame,
                Ok(None) => return Ok(()),
                Err(why) => return Err((CloseCode::Protocol, why)),
            };
            let happened = self.state.take(frame, Instant::now());
            // A client drops what it is told on a stream before the reply to it.
            self.answer().await;
            for happened in happened.into_iter().flatten() {
                self.act(happened, connected).await?;
            }
        }
    }

    async fn answer(&mut self) {
        let answers = self.state.answers();
        if !answers.is_empty() {
            let _ = self.out.send(answers).await;
        }
    }

    async fn act(
        &mut self,
        happened: Happened,
        connected: &impl Fn(Pair) -> Input,
    ) -> Result<(), Leaving> {
        match happened {
            Happened::Connected(pair) => {
                self.inputs.insert(pair.data, connected(pair));
            }
            Happened::Said(data, bytes) => {
                let input = self.inputs.get(&data).and_then(|input| input.heard.as_ref());
                if let Some(input) = input {
                    self.room.pass(&bytes, input).await;
                }
            }
            Happened::SaidAll(data) => {
                if let Some(input) = self.inputs.get_mut(&data) {
                    input.heard = None;
                }
            }
            Happened::Deaf(data) => self.lose(data, Lost::Port),
            Happened::Left(data) => self.lose(data, Lost::All),
            Happened::Over => return Err((CloseCode::Normal, "")),
        }
        Ok(())
    }

    fn lose(&self, data: u32, lost: Lost) {
        if let Some(input) = self.inputs.get(&data) {
            let _ = input.loses.send(lost);
        }
    }
}

/// Ends at a moment, if there is one.
async fn expiry(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => pending().await,
    }
}
