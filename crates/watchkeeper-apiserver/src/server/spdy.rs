//! The frames of SPDY/3.1, as far as a server of ports reads and writes them.
//!
//! Windows and settings are passed over, as `moby/spdystream` does, which is at the other end of every tunnel of
//! client-go: it neither tells nor heeds them.
//!
//! Source: `https://www.chromium.org/spdy/spdy-protocol/spdy-protocol-draft3-1/`.

mod dictionary;
mod headers;

#[cfg(test)]
pub(super) mod tests;

use std::fmt;

use bytes::{Buf as _, BufMut as _, Bytes, BytesMut};

use headers::Unpacker;

pub(super) use headers::Headers;

const CONTROL: u32 = 0x8000_0000;
const VERSION: u32 = 3;
const SYN_STREAM: u16 = 1;
const SYN_REPLY: u16 = 2;
const RST_STREAM: u16 = 3;
const SETTINGS: u16 = 4;
const PING: u16 = 6;
const GO_AWAY: u16 = 7;
const HEADERS: u16 = 8;
const WINDOW_UPDATE: u16 = 9;
/// A frame's flag: its sender says no more on the stream.
const LAST: u8 = 1;
/// What comes before the content of every frame.
const HEAD: usize = 8;
/// How long a control frame may be: the longest ones are headers, of which there are few.
const LONGEST: usize = 32 << 10;

/// Why a stream is reset.
pub(super) const PROTOCOL_ERROR: u32 = 1;
pub(super) const REFUSED: u32 = 3;
pub(super) const CANCEL: u32 = 5;

/// What a client says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// There is a new stream.
    Open { stream: u32, headers: Headers, last: bool },
    /// Content, perhaps a part of what was one frame.
    Data { stream: u32, bytes: Bytes, last: bool },
    /// A stream is no more.
    Reset { stream: u32 },
    /// To be sent back if it is the client's own.
    Ping { id: u32 },
    /// The connection is to end.
    GoAway,
}

/// Cuts what comes into frames, however it is sliced. It keeps no content, and no more than one control frame.
#[derive(Default)]
pub(super) struct Decoder {
    place: Place,
    /// What has come of a head, or of a control frame.
    held: BytesMut,
    unpacker: Unpacker,
}

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Decoder({:?})", self.place)
    }
}

#[derive(Clone, Copy, Debug, Default)]
enum Place {
    #[default]
    Head,
    /// In content, of which so much is to come.
    Data { stream: u32, flags: u8, left: usize },
    /// In a control frame of this length.
    Control { kind: u16, flags: u8, length: usize },
}

impl Decoder {
    /// Takes bytes from the front until they are a frame, or a part of its content; none when all are taken.
    ///
    /// # Errors
    ///
    /// What is no SPDY/3.1. There is no going on after it.
    pub(super) fn next(&mut self, bytes: &mut Bytes) -> Result<Option<Frame>, &'static str> {
        loop {
            match self.place {
                Place::Head => {
                    if !self.hold(HEAD, bytes) {
                        return Ok(None);
                    }
                    self.place = head(&mut self.held)?;
                }
                Place::Data { left: 1.., .. } if bytes.is_empty() => return Ok(None),
                Place::Data { stream, flags, left } => {
                    let part = bytes.split_to(bytes.len().min(left));
                    let left = left - part.len();
                    self.place =
                        if left > 0 { Place::Data { stream, flags, left } } else { Place::Head };
                    let last = left == 0 && flags & LAST != 0;
                    return Ok(Some(Frame::Data { stream, bytes: part, last }));
                }
                Place::Control { kind, flags, length } => {
                    if !self.hold(length, bytes) {
                        return Ok(None);
                    }
                    self.place = Place::Head;
                    let content = self.held.split().freeze();
                    if let Some(frame) = self.control(kind, flags, content)? {
                        return Ok(Some(frame));
                    }
                }
            }
        }
    }

    /// Whether so many bytes are held, after taking what is missing.
    fn hold(&mut self, count: usize, bytes: &mut Bytes) -> bool {
        let missing = count.saturating_sub(self.held.len());
        self.held.extend_from_slice(&bytes.split_to(missing.min(bytes.len())));
        self.held.len() == count
    }

    /// What a control frame says; nothing when it does not matter here.
    fn control(
        &mut self,
        kind: u16,
        flags: u8,
        mut content: Bytes,
    ) -> Result<Option<Frame>, &'static str> {
        const SHORT: &str = "a control frame of another length than its kind has";
        let fits = match kind {
            SETTINGS | WINDOW_UPDATE => return Ok(None),
            SYN_STREAM => content.len() >= 10,
            SYN_REPLY | HEADERS => content.len() >= 4,
            RST_STREAM | GO_AWAY => content.len() == 8,
            PING => content.len() == 4,
            _ => return Err("a control frame of a kind that is none"),
        };
        if !fits {
            return Err(SHORT);
        }
        let (number, last) = (content.get_u32(), flags & LAST != 0);
        let stream = number & !CONTROL;
        if stream == 0 && matches!(kind, SYN_STREAM | SYN_REPLY | RST_STREAM | HEADERS) {
            return Err("a stream without a number");
        }
        Ok(match kind {
            SYN_STREAM => {
                // With what other stream it belongs, and how urgent it is.
                content.advance(6);
                let headers = self.unpacker.headers(&content)?;
                Some(Frame::Open { stream, headers, last })
            }
            SYN_REPLY | HEADERS => {
                // They say nothing to a server of ports, but what is packed later repeats them.
                self.unpacker.headers(&content)?;
                let ends = last && kind == HEADERS;
                ends.then_some(Frame::Data { stream, bytes: Bytes::new(), last })
            }
            RST_STREAM => Some(Frame::Reset { stream }),
            PING => Some(Frame::Ping { id: number }),
            _ => Some(Frame::GoAway),
        })
    }
}

/// What a head says of what comes after it.
fn head(held: &mut BytesMut) -> Result<Place, &'static str> {
    let (first, second) = (held.get_u32(), held.get_u32());
    let [flags, ..] = second.to_be_bytes();
    let length = (second & 0x00ff_ffff) as usize;
    if first & CONTROL == 0 {
        if first == 0 {
            return Err("content of no stream");
        }
        return Ok(Place::Data { stream: first, flags, left: length });
    }
    if (first & !CONTROL) >> 16 != VERSION {
        return Err("another version of SPDY than 3");
    }
    if length > LONGEST {
        return Err("a control frame that is too long");
    }
    let [_, _, kind @ ..] = first.to_be_bytes();
    Ok(Place::Control { kind: u16::from_be_bytes(kind), flags, length })
}

/// No headers, as a block that is stored in a zlib stream without a dictionary, and an empty one, so that readers do
/// not wait for more (RFC 1951, 3.2.4).
const NO_HEADERS: [u8; 14] = [0, 4, 0, !4, !0, 0, 0, 0, 0, 0, 0, 0, !0, !0];
/// The beginning of a zlib stream without a dictionary (RFC 1950, 2.2).
const BEGINNING: [u8; 2] = [0x78, 0x01];

/// Writes the replies of a connection, whose headers are one zlib stream.
#[derive(Debug, Default)]
pub(super) struct Replies {
    has_begun: bool,
}

impl Replies {
    /// Takes a stream that a client opened.
    pub(super) fn put(&mut self, out: &mut BytesMut, stream: u32) {
        let beginning = if self.has_begun { &[][..] } else { &BEGINNING };
        self.has_begun = true;
        put_head(out, SYN_REPLY, 4 + beginning.len() + NO_HEADERS.len());
        out.put_u32(stream);
        out.put_slice(beginning);
        out.put_slice(&NO_HEADERS);
    }
}

/// Writes content: at most 16 MiB less one.
pub(super) fn put_data(out: &mut BytesMut, stream: u32, bytes: &[u8], last: bool) {
    out.put_u32(stream);
    out.put_u8(u8::from(last));
    out.put_uint(bytes.len() as u64, 3);
    out.put_slice(bytes);
}

/// Ends a stream at once.
pub(super) fn put_reset(out: &mut BytesMut, stream: u32, why: u32) {
    put_head(out, RST_STREAM, 8);
    out.put_u32(stream);
    out.put_u32(why);
}

/// Sends a ping back.
pub(super) fn put_ping(out: &mut BytesMut, id: u32) {
    put_head(out, PING, 4);
    out.put_u32(id);
}

fn put_head(out: &mut BytesMut, kind: u16, length: usize) {
    out.put_u32(CONTROL | VERSION << 16 | u32::from(kind));
    out.put_u8(0);
    out.put_uint(length as u64, 3);
}
