//! The streams of one SPDY session that forwards ports, without a socket: bytes in, bytes out.
//!
//! A connection is a pair of streams (upstream: `client-go/tools/portforward`): on one the server tells what
//! went wrong, the other carries the bytes. They belong together by their `requestID`.

use std::collections::BTreeMap;

use bytes::{Bytes, BytesMut};

use self::pings::Pings;
use super::spdy::{CANCEL, Decoder, Encoder, Frame, REFUSED, put_data, put_ping, put_reset};

mod pings;
#[cfg(test)]
mod tests;

/// What one connection may leave unread. SPDY's windows are not for this: the server's side of it
/// (`moby/spdystream`) neither tells nor heeds them.
const UNREAD_LIMIT: usize = 1 << 20;
/// What is told of a failure is no longer than this.
const ERROR_LIMIT: usize = 64 << 10;
/// What is to be sent because it was asked for, such as pings.
const ANSWERS_LIMIT: usize = 64 << 10;
/// What waits to be sent before writers have to wait.
const UNSENT_LIMIT: usize = 128 << 10;
/// What is sent at once of a long text.
const PIECE: usize = 32 << 10;

/// The streams of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    error: u32,
    data: u32,
}

/// How the opening of a connection goes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Opening {
    Wait,
    Done,
    Failed(String),
}

/// What there is to read of a connection.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reading {
    Bytes(Bytes),
    Wait,
    End,
    Failed(String),
}

/// The streams, and what is to be sent.
#[derive(Debug, Default)]
pub(super) struct Session {
    decoder: Decoder,
    encoder: Encoder,
    streams: BTreeMap<u32, Stream>,
    connections: u32,
    /// The last stream that the server wanted to open.
    theirs: u32,
    going: bool,
    pings: Pings,
    out: BytesMut,
    /// How much of `out` was not ours to decide.
    answers: usize,
}

#[derive(Debug, Default)]
struct Stream {
    taken: bool,
    over: Option<Over>,
    /// Whether our side of it has ended.
    finished: bool,
    unread: BytesMut,
    tells_errors: bool,
}

/// How the server's side of a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Over {
    End,
    Reset,
}

impl Session {
    /// Asks for a connection to a port.
    ///
    /// # Errors
    /// When the server takes no more.
    pub(super) fn open(&mut self, port: u16) -> Result<Pair, &'static str> {
        let error = self.connections.checked_mul(4).and_then(|first| first.checked_add(1));
        let Some(error) = error.filter(|error| !self.going && *error < 0x7fff_0000) else {
            return Err("the server takes no more connections on this tunnel");
        };
        let pair = Pair { error, data: error + 2 };
        let (port, request) = (port.to_string(), self.connections.to_string());
        self.connections += 1;
        for (stream, kind) in [(pair.error, "error"), (pair.data, "data")] {
            let headers = [("streamtype", kind), ("port", &port), ("requestid", &request)];
            self.encoder.open(&mut self.out, stream, &headers);
            let tells_errors = stream == pair.error;
            self.streams.insert(stream, Stream { tells_errors, ..Stream::default() });
        }
        Ok(pair)
    }

    /// Whether the server has taken both streams. Content before that would be lost there.
    ///
    /// That there is content says it too: the server begins with a port when it has both. Its reply on the
    /// stream of errors may be behind more content than may lie here unread, which nobody could read who waits
    /// for that reply.
    pub(super) fn opening(&self, pair: Pair) -> Opening {
        let (Some(error), Some(data)) = (self.stream(pair.error), self.stream(pair.data)) else {
            return Opening::Failed("the connection was given up".to_owned());
        };
        if data.taken && (error.taken || !data.unread.is_empty()) {
            return Opening::Done;
        }
        let is_refused = |stream: &Stream| match stream.over {
            None => false,
            Some(Over::Reset) => true,
            Some(Over::End) => !stream.taken,
        };
        if is_refused(error) || is_refused(data) {
            return Opening::Failed("the server refused the connection".to_owned());
        }
        Opening::Wait
    }

    /// Takes what arrived.
    ///
    /// # Errors
    /// What is no SPDY, or asks for too much.
    pub(super) fn take(&mut self, mut bytes: Bytes) -> Result<(), &'static str> {
        while let Some(frame) = self.decoder.next(&mut bytes)? {
            self.frame(frame)?;
            if self.answers > ANSWERS_LIMIT {
                return Err("the server asks for more answers than it reads");
            }
        }
        Ok(())
    }

    fn frame(&mut self, frame: Frame) -> Result<(), &'static str> {
        match frame {
            Frame::Data { stream: id, bytes, last } => {
                if !self.was_opened(id) {
                    return Err("content of a stream that nobody opened");
                }
                // What nobody waits for any more is dropped.
                let Some(stream) = self.streams.get_mut(&id) else { return Ok(()) };
                stream.keep(&bytes);
                if last {
                    stream.end(Over::End);
                }
            }
            Frame::Reply { stream: id, last } => {
                let Some(stream) = self.streams.get_mut(&id) else { return Ok(()) };
                stream.taken = true;
                if last {
                    stream.end(Over::End);
                }
                // Nothing is said on the stream of errors by clients.
                if stream.tells_errors && !std::mem::replace(&mut stream.finished, true) {
                    put_data(&mut self.out, id, &[], true);
                }
            }
            Frame::Ended { stream } => self.end(stream, Over::End),
            Frame::Reset { stream } => self.end(stream, Over::Reset),
            Frame::Opened { stream } => {
                self.theirs = self.theirs.max(stream);
                self.answer(|out| put_reset(out, stream, REFUSED));
            }
            Frame::Ping { id } if id % 2 == 0 => self.answer(|out| put_ping(out, id)),
            Frame::Ping { id } => self.pings.hear(id),
            Frame::GoAway => self.going = true,
        }
        Ok(())
    }

    /// Whether the stream was there at some time: ours have odd numbers.
    const fn was_opened(&self, stream: u32) -> bool {
        if stream % 2 == 1 { stream / 4 < self.connections } else { stream <= self.theirs }
    }

    fn end(&mut self, stream: u32, how: Over) {
        if let Some(stream) = self.streams.get_mut(&stream) {
            stream.end(how);
        }
    }

    fn answer(&mut self, put: impl FnOnce(&mut BytesMut)) {
        let before = self.out.len();
        put(&mut self.out);
        self.answers += self.out.len() - before;
    }

    /// Takes what there is to read of a connection, at most so many bytes.
    pub(super) fn read(&mut self, pair: Pair, most: usize) -> Reading {
        let Some(data) = self.streams.get_mut(&pair.data) else { return Reading::End };
        if let Some(bytes) = data.next(most) {
            return Reading::Bytes(bytes);
        }
        let over = data.over;
        let Some(error) = self.streams.get_mut(&pair.error) else { return Reading::End };
        // Only its end tells that nothing went wrong.
        match (over, error.over) {
            (Some(over), Some(_)) => {
                let told = String::from_utf8_lossy(&error.unread).trim().to_owned();
                match over {
                    _ if !told.is_empty() => Reading::Failed(told),
                    Over::Reset => Reading::Failed("the server reset the connection".to_owned()),
                    Over::End => Reading::End,
                }
            }
            _ => Reading::Wait,
        }
    }

    /// Whether the server has ended both streams: nobody hears what is written.
    pub(super) fn is_over(&self, pair: Pair) -> bool {
        let over = |id| self.stream(id).is_none_or(|stream| stream.over.is_some());
        over(pair.data) && over(pair.error)
    }

    /// Puts some of this into what is to be sent; zero when there is too much in it already.
    pub(super) fn write(&mut self, pair: Pair, bytes: &[u8]) -> usize {
        if self.out.len() >= UNSENT_LIMIT {
            return 0;
        }
        let taken = bytes.len().min(PIECE);
        put_data(&mut self.out, pair.data, &bytes[..taken], false);
        self.pings.say();
        taken
    }

    /// Ends our side of a connection.
    pub(super) fn finish(&mut self, pair: Pair) {
        if let Some(data) = self.streams.get_mut(&pair.data)
            && !std::mem::replace(&mut data.finished, true)
        {
            put_data(&mut self.out, pair.data, &[], true);
        }
    }

    /// Whether our side of a connection has ended.
    pub(super) fn is_finished(&self, pair: Pair) -> bool {
        self.stream(pair.data).is_none_or(|data| data.finished)
    }

    /// Forgets a connection, and tells the server unless it knows.
    pub(super) fn give_up(&mut self, pair: Pair) {
        for id in [pair.data, pair.error] {
            let stream = self.streams.remove(&id);
            if stream.is_some_and(|stream| !stream.is_closed()) {
                put_reset(&mut self.out, id, CANCEL);
            }
        }
    }

    /// Asks the pod's node for a sign of life.
    pub(super) fn ping(&mut self) {
        if let Some(id) = self.pings.ask() {
            put_ping(&mut self.out, id);
        }
    }

    /// Whether the pod's node would give one if it were there.
    pub(super) fn owes_a_sign(&self) -> bool {
        self.pings.are_owed()
    }

    /// Whether the server takes no more connections.
    pub(super) const fn is_going(&self) -> bool {
        self.going
    }

    /// Whether somebody has to read before more may arrive.
    pub(super) fn is_full(&self) -> bool {
        self.streams.values().any(|stream| stream.unread.len() >= UNREAD_LIMIT)
    }

    /// Whether there is something to send.
    pub(super) fn has_unsent(&self) -> bool {
        !self.out.is_empty()
    }

    /// What is to be sent next.
    pub(super) fn unsent(&mut self) -> Bytes {
        let part = self.out.split_to(self.out.len().min(PIECE));
        if self.out.is_empty() {
            self.answers = 0;
        }
        part.freeze()
    }

    fn stream(&self, id: u32) -> Option<&Stream> {
        self.streams.get(&id)
    }
}

impl Stream {
    fn keep(&mut self, bytes: &[u8]) {
        if self.over.is_some() {
            return;
        }
        // Of what is told of a failure, the beginning; of content all, and the rest waits in the socket.
        let room = if self.tells_errors { ERROR_LIMIT - self.unread.len() } else { bytes.len() };
        self.unread.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn end(&mut self, how: Over) {
        self.over.get_or_insert(how);
    }

    fn next(&mut self, most: usize) -> Option<Bytes> {
        let part = self.unread.split_to(self.unread.len().min(most));
        (!part.is_empty()).then(|| part.freeze())
    }

    /// Whether both sides have ended.
    fn is_closed(&self) -> bool {
        match self.over {
            None => false,
            Some(Over::Reset) => true,
            Some(Over::End) => self.finished,
        }
    }
}
