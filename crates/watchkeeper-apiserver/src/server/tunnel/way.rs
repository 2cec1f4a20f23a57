//! One connection: what comes goes in, what goes out is told, and so is how it ended.

use std::future::{Future, pending};
use std::pin::{Pin, pin};

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, ReadHalf, WriteHalf};
use tokio::sync::mpsc;

use super::super::session::{Heard, PIECE, pieces};
use super::super::spdy::{CANCEL, put_data, put_reset};
use super::state::Pair;

/// In what a client has lost its interest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lost {
    /// In what the port says, though not in how it ends.
    Port,
    /// In all of a connection.
    All,
}

pub(super) struct Way {
    pub(super) pair: Pair,
    pub(super) out: mpsc::Sender<Bytes>,
}

/// How a connection ended, and whether it had told before that it says no more.
struct Ended {
    result: Result<(), String>,
    is_told: bool,
}

impl Way {
    /// Goes it until the connection has ended, or nobody wants to know of it.
    pub(super) async fn run(
        self,
        near: DuplexStream,
        heard: mpsc::UnboundedReceiver<Heard>,
        mut lost: mpsc::UnboundedReceiver<Lost>,
        connection: impl Future<Output = Result<(), String>>,
    ) {
        let mut connection = pin!(connection);
        let first = tokio::select! {
            biased;
            ended = self.join(near, heard, connection.as_mut()) => return self.tell(ended).await,
            first = lost.recv() => first,
        };
        if first != Some(Lost::Port) {
            return;
        }
        // To the port it is as if its peer were gone, which it hears and may act on. That it does is no failure.
        let has_ended = tokio::select! {
            biased;
            _ = connection => true,
            _ = lost.recv() => false,
        };
        if has_ended {
            self.data(self.pair.error, &[], true).await;
        }
    }

    /// Carries what is said both ways. A port may have said all long before it ends.
    async fn join(
        &self,
        near: DuplexStream,
        heard: mpsc::UnboundedReceiver<Heard>,
        mut connection: Pin<&mut impl Future<Output = Result<(), String>>>,
    ) -> Ended {
        let (from, to) = tokio::io::split(near);
        let connected = async {
            let mut outgoing = pin!(self.carry(from));
            tokio::select! {
                biased;
                result = &mut connection => {
                    outgoing.await;
                    Ended { result, is_told: false }
                }
                () = &mut outgoing => {
                    self.data(self.pair.data, &[], true).await;
                    Ended { result: connection.await, is_told: true }
                }
            }
        };
        tokio::select! {
            biased;
            ended = connected => ended,
            never = pass_on(heard, to) => never,
        }
    }

    async fn carry(&self, mut from: ReadHalf<DuplexStream>) {
        let mut buffer = vec![0; PIECE];
        while let Ok(count @ 1..) = from.read(&mut buffer).await {
            self.data(self.pair.data, &buffer[..count], false).await;
        }
    }

    /// The end of a connection: one that failed is broken off.
    async fn tell(&self, ended: Ended) {
        let Pair { data, error, .. } = self.pair;
        let Ended { result, is_told } = ended;
        if let Err(why) = &result {
            for piece in pieces(why.as_bytes()) {
                self.data(error, piece, false).await;
            }
        }
        self.data(error, &[], true).await;
        match result {
            _ if is_told => {}
            Ok(()) => self.data(data, &[], true).await,
            Err(_) => {
                let mut frame = BytesMut::new();
                put_reset(&mut frame, data, CANCEL);
                let _ = self.out.send(frame.freeze()).await;
            }
        }
    }

    async fn data(&self, stream: u32, bytes: &[u8], last: bool) {
        let mut frame = BytesMut::new();
        put_data(&mut frame, stream, bytes, last);
        let _ = self.out.send(frame.freeze()).await;
    }
}

/// Hands a port what was said to it, and that all is said. Never ends, since the port may go on after that.
async fn pass_on<T>(
    mut heard: mpsc::UnboundedReceiver<Heard>,
    mut to: WriteHalf<DuplexStream>,
) -> T {
    while let Some((piece, _room)) = heard.recv().await {
        // A port that does not read any more: what is said to it must not take the room of the others.
        let _ = to.write_all(&piece).await;
    }
    let _ = to.shutdown().await;
    pending().await
}
