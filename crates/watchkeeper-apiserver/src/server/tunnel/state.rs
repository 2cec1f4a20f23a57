//! Which streams of a tunnel are a connection: what a client says in, answers and what to do about it out.
//!
//! Source: `k8s.io/cri-streaming/pkg/streaming/portforward/httpstream.go`, on `moby/spdystream`.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use tokio::time::Instant;

use super::super::spdy::{
    CANCEL, Frame, Headers, PROTOCOL_ERROR, REFUSED, Replies, put_data, put_ping, put_reset,
};
use crate::go::parse_uint;

/// How many streams a client may have open: two for each connection.
pub(super) const MOST_STREAMS: usize = 1000;
/// How long one stream of a connection waits for the other (upstream: `DefaultStreamCreationTimeout`).
pub(super) const PAIRED_WITHIN: Duration = Duration::from_secs(30);

/// A connection: its streams, and the port that it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) data: u32,
    pub(super) error: u32,
    pub(super) port: u16,
}

/// What a frame is to lead to, beside answers. Connections are named by their stream of data.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Happened {
    /// Both streams of a connection are there.
    Connected(Pair),
    /// Something was said to a port.
    Said(u32, Bytes),
    /// Nothing more will be.
    SaidAll(u32),
    /// Nobody takes what a port says any more; why it ends is still heard.
    Deaf(u32),
    /// Nobody hears anything of a connection.
    Left(u32),
    /// The client ends the tunnel.
    Over,
}

/// What a stream is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stream {
    /// One that waits for its other half, with the name of both.
    Half(String),
    /// That of data, with that of errors, unless the client has reset it.
    Data { error: Option<u32>, is_ended: bool },
    /// That of errors, with that of data, unless the client has reset it.
    Error { data: u32, is_deaf: bool },
}

#[derive(Debug)]
struct Half {
    data: Option<(u32, u16)>,
    error: Option<u32>,
    /// Whether nothing more is said on the stream of data.
    is_ended: bool,
    until: Instant,
}

#[derive(Debug, Default)]
pub(super) struct State {
    streams: BTreeMap<u32, Stream>,
    halves: BTreeMap<String, Half>,
    /// The least number that a new stream may have.
    next: u32,
    replies: Replies,
    answers: BytesMut,
}

/// Which stream of a connection.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Data,
    Error,
}

impl State {
    /// What the client is to be told first.
    pub(super) fn answers(&mut self) -> Bytes {
        self.answers.split().freeze()
    }

    /// Takes what a client says, and tells what happens in turn.
    pub(super) fn take(&mut self, frame: Frame, now: Instant) -> [Option<Happened>; 2] {
        match frame {
            Frame::Open { stream, headers, last } => self.open(stream, &headers, last, now),
            Frame::Data { stream, bytes, last } => self.said(stream, bytes, last),
            Frame::Reset { stream } => [self.reset(stream), None],
            Frame::Ping { id } => {
                // An even one would be the answer to a ping from here, and there are none.
                if id % 2 == 1 {
                    put_ping(&mut self.answers, id);
                }
                [None, None]
            }
            Frame::GoAway => [Some(Happened::Over), None],
        }
    }

    /// Forgets a connection that has ended here. What is still said to it is passed over.
    pub(super) fn ended(&mut self, pair: Pair) {
        self.streams.remove(&pair.data);
        self.streams.remove(&pair.error);
    }

    /// When somebody has waited too long for the other half of a connection.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.halves.values().map(|half| half.until).min()
    }

    /// Gives up the connections of which one half has not come in time.
    pub(super) fn expire(&mut self, now: Instant) {
        for (name, half) in self.halves.extract_if(.., |_, half| half.until <= now) {
            if let Some((data, _)) = half.data {
                self.streams.remove(&data);
                put_reset(&mut self.answers, data, CANCEL);
            }
            if let Some(error) = half.error {
                self.streams.remove(&error);
                let why = format!("(request={name}) timed out waiting for streams");
                put_data(&mut self.answers, error, why.as_bytes(), true);
            }
        }
    }

    fn open(
        &mut self,
        stream: u32,
        headers: &Headers,
        last: bool,
        now: Instant,
    ) -> [Option<Happened>; 2] {
        let taken = self.admit(stream).and_then(|()| {
            let (kind, port) = asked(headers).ok_or(CANCEL)?;
            let name = request(headers, kind, stream);
            self.pair(name.clone(), stream, kind, port, now)?;
            Ok((name, kind))
        });
        let (name, kind) = match taken {
            Ok(taken) => taken,
            Err(why) => {
                put_reset(&mut self.answers, stream, why);
                return [None, None];
            }
        };
        self.replies.put(&mut self.answers, stream);
        let half = self.halves.get_mut(&name);
        if let Some(half) = half.filter(|_| last && kind == Kind::Data) {
            half.is_ended = true;
        }
        self.connect(&name)
    }

    /// Numbers grow, and there are not too many streams.
    fn admit(&mut self, stream: u32) -> Result<(), u32> {
        if stream < self.next {
            return Err(PROTOCOL_ERROR);
        }
        self.next = stream + 2;
        if self.streams.len() < MOST_STREAMS { Ok(()) } else { Err(REFUSED) }
    }

    /// Puts a stream with its other half, unless somebody has this place.
    fn pair(
        &mut self,
        name: String,
        stream: u32,
        kind: Kind,
        port: u16,
        now: Instant,
    ) -> Result<(), u32> {
        let until = now + PAIRED_WITHIN;
        let new = || Half { data: None, error: None, is_ended: false, until };
        let half = self.halves.entry(name.clone()).or_insert_with(new);
        let what = match kind {
            Kind::Data if half.data.is_none() => {
                half.data = Some((stream, port));
                self.streams.insert(stream, Stream::Half(name));
                return Ok(());
            }
            Kind::Error if half.error.is_none() => {
                half.error = Some(stream);
                self.streams.insert(stream, Stream::Half(name));
                return Ok(());
            }
            Kind::Data => "data",
            Kind::Error => "error",
        };
        if let Some(error) = half.error {
            let why = format!(
                "error processing stream for request {name}: {what} stream already assigned"
            );
            put_data(&mut self.answers, error, why.as_bytes(), false);
        }
        Err(CANCEL)
    }

    /// A connection once both halves are there.
    fn connect(&mut self, name: &str) -> [Option<Happened>; 2] {
        let whole = self.halves.get(name).and_then(|half| {
            let ((data, port), error) = half.data.zip(half.error)?;
            Some((Pair { data, error, port }, half.is_ended))
        });
        let Some((pair, is_ended)) = whole else { return [None, None] };
        self.halves.remove(name);
        self.streams.insert(pair.data, Stream::Data { error: Some(pair.error), is_ended });
        self.streams.insert(pair.error, Stream::Error { data: pair.data, is_deaf: false });
        [Some(Happened::Connected(pair)), is_ended.then_some(Happened::SaidAll(pair.data))]
    }

    fn said(&mut self, stream: u32, bytes: Bytes, last: bool) -> [Option<Happened>; 2] {
        match self.streams.get_mut(&stream) {
            Some(Stream::Data { is_ended, .. }) if !*is_ended => {
                *is_ended = last;
                let said = (!bytes.is_empty()).then_some(Happened::Said(stream, bytes));
                [said, last.then_some(Happened::SaidAll(stream))]
            }
            Some(Stream::Half(name)) => {
                let half = self.halves.get_mut(name);
                let is_data = |half: &&mut Half| half.data.is_some_and(|(data, _)| data == stream);
                if let Some(half) = half.filter(is_data) {
                    half.is_ended |= last;
                    if !bytes.is_empty() {
                        // There is nobody yet whom it could be told, and nobody keeps it.
                        put_reset(&mut self.answers, stream, PROTOCOL_ERROR);
                        return [self.reset(stream), None];
                    }
                }
                [None, None]
            }
            // Nothing is heard on a stream of errors, nor where there is no stream any more.
            Some(Stream::Data { .. } | Stream::Error { .. }) | None => [None, None],
        }
    }

    /// A stream is no more.
    fn reset(&mut self, stream: u32) -> Option<Happened> {
        match self.streams.remove(&stream)? {
            Stream::Half(name) => {
                self.leave(&name, stream);
                None
            }
            Stream::Data { error: None, .. } => Some(Happened::Left(stream)),
            Stream::Data { error: Some(error), .. } => {
                let deaf = Stream::Error { data: stream, is_deaf: true };
                self.streams.insert(error, deaf);
                Some(Happened::Deaf(stream))
            }
            Stream::Error { data, is_deaf: true } => Some(Happened::Left(data)),
            Stream::Error { data, is_deaf: false } => {
                if let Some(Stream::Data { error, .. }) = self.streams.get_mut(&data) {
                    *error = None;
                }
                None
            }
        }
    }

    /// Takes a stream from where it waits for its other half.
    fn leave(&mut self, name: &str, stream: u32) {
        let Some(half) = self.halves.get_mut(name) else { return };
        half.data = half.data.filter(|(data, _)| *data != stream);
        half.error = half.error.filter(|error| *error != stream);
        if half.data.is_none() && half.error.is_none() {
            self.halves.remove(name);
        }
    }
}

/// Which stream of a connection to which port is asked for, if that makes sense.
fn asked(headers: &Headers) -> Option<(Kind, u16)> {
    let port = parse_uint(headers.get("port"), u16::MAX.into()).ok()?;
    let port = u16::try_from(port).ok().filter(|port| *port > 0)?;
    match headers.get("streamtype") {
        "data" => Some((Kind::Data, port)),
        "error" => Some((Kind::Error, port)),
        _ => None,
    }
}

/// What both streams of a connection have in common. Old clients did not name it: theirs were opened one after the
/// other, that of errors first.
fn request(headers: &Headers, kind: Kind, stream: u32) -> String {
    match (headers.get("requestid"), kind) {
        ("", Kind::Error) => stream.to_string(),
        ("", Kind::Data) => i64::from(stream).saturating_sub(2).to_string(),
        (name, _) => name.to_owned(),
    }
}
