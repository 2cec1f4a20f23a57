//! The frames of SPDY/3.1, as far as port-forward uses them.
//!
//! Header blocks are written without compression, as blocks that are stored in a zlib stream: they are three
//! short lines. Those that arrive are passed over unread, since none of them means anything to a client that
//! forwards ports; so there is nothing to unpack, and no dictionary.

use bytes::{Buf as _, BufMut as _, Bytes, BytesMut};

#[cfg(test)]
mod tests;

const CONTROL: u8 = 0x80;
const VERSION: u16 = 3;
const SYN_STREAM: u16 = 1;
const SYN_REPLY: u16 = 2;
const RST_STREAM: u16 = 3;
const PING: u16 = 6;
const GO_AWAY: u16 = 7;
const HEADERS: u16 = 8;
/// A frame's flag: the sender's side of the stream ends with it.
const LAST: u8 = 1;
/// What comes before the content of every frame.
const HEAD: usize = 8;
/// No control frame has more that matters: a stream and a status.
const FIXED: usize = 8;
/// A control frame that is longer is none.
const CONTROL_LIMIT: u32 = 1 << 20;

/// Why a stream is reset.
pub(super) const REFUSED: u32 = 3;
pub(super) const CANCEL: u32 = 5;

/// What arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// Content, perhaps a part of what was one frame.
    Data { stream: u32, bytes: Bytes, last: bool },
    /// The other side opens a stream.
    Opened { stream: u32 },
    /// A stream that was opened is taken.
    Reply { stream: u32, last: bool },
    /// The other side ends its side of a stream.
    Ended { stream: u32 },
    /// A stream is no more.
    Reset { stream: u32 },
    /// To be sent back, or one of ours that comes back.
    Ping { id: u32 },
    /// No stream may be opened any more.
    GoAway,
}

/// Cuts what arrives into frames, however it is sliced. It holds sixteen bytes and no content.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    place: Place,
    /// What came of a head, or of the beginning of a control frame.
    held: BytesMut,
}

#[derive(Clone, Copy, Debug, Default)]
enum Place {
    #[default]
    Head,
    /// In a frame with content, of which so much is to come.
    Data { stream: u32, flags: u8, left: u32 },
    /// In a control frame, of which so much is to come before what is passed over, and of that.
    Control { kind: u16, flags: u8, fixed: usize, left: u32 },
    /// In what means nothing.
    Skip { left: u32 },
}

impl Decoder {
    /// Takes bytes from the front until they complete something; `None` when all are taken.
    ///
    /// # Errors
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
                Place::Data { stream, flags, left } => {
                    if left > 0 && bytes.is_empty() {
                        return Ok(None);
                    }
                    let part = take(bytes, left);
                    let left = left - part.len() as u32;
                    self.place =
                        if left > 0 { Place::Data { stream, flags, left } } else { Place::Head };
                    let last = left == 0 && flags & LAST != 0;
                    return Ok(Some(Frame::Data { stream, bytes: part, last }));
                }
                Place::Control { kind, flags, fixed, left } => {
                    if !self.hold(fixed, bytes) {
                        return Ok(None);
                    }
                    self.place = Place::Skip { left };
                    if let Some(frame) = control(kind, flags, &mut self.held)? {
                        return Ok(Some(frame));
                    }
                }
                Place::Skip { left } => {
                    let left = left - take(bytes, left).len() as u32;
                    if left > 0 {
                        self.place = Place::Skip { left };
                        return Ok(None);
                    }
                    self.place = Place::Head;
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
}

/// At most so many bytes from the front.
fn take(bytes: &mut Bytes, most: u32) -> Bytes {
    bytes.split_to(bytes.len().min(most as usize))
}

/// What a head says of what comes after it.
fn head(held: &mut BytesMut) -> Result<Place, &'static str> {
    let first = held.get_u32();
    let second = held.get_u32();
    let (flags, left) = ((second >> 24) as u8, second & 0x00ff_ffff);
    if first & (u32::from(CONTROL) << 24) == 0 {
        if first == 0 {
            return Err("content of no stream");
        }
        return Ok(Place::Data { stream: first, flags, left });
    }
    let (version, kind) = ((first >> 16) as u16 & 0x7fff, first as u16);
    if version != VERSION {
        return Err("another version of SPDY");
    }
    if left > CONTROL_LIMIT {
        return Err("a control frame that is too long");
    }
    let fixed = FIXED.min(left as usize);
    Ok(Place::Control { kind, flags, fixed, left: left - fixed as u32 })
}

/// What a control frame says; nothing when it does not matter here.
fn control(kind: u16, flags: u8, held: &mut BytesMut) -> Result<Option<Frame>, &'static str> {
    let mut fixed = std::mem::take(held);
    let last = flags & LAST != 0;
    let needed = match kind {
        SYN_STREAM | RST_STREAM => 8,
        SYN_REPLY | PING | GO_AWAY | HEADERS => 4,
        // Settings and windows: the servers that there are neither send nor heed them. Others may be ignored.
        _ => return Ok(None),
    };
    if fixed.len() < needed {
        return Err("a control frame that is too short");
    }
    let number = fixed.get_u32();
    let stream = number & 0x7fff_ffff;
    Ok(match kind {
        SYN_STREAM => Some(Frame::Opened { stream }),
        SYN_REPLY => Some(Frame::Reply { stream, last }),
        RST_STREAM => Some(Frame::Reset { stream }),
        PING => Some(Frame::Ping { id: number }),
        GO_AWAY => Some(Frame::GoAway),
        _ if last => Some(Frame::Ended { stream }),
        _ => None,
    })
}

/// Writes frames.
#[derive(Debug, Default)]
pub(super) struct Encoder {
    /// Whether the zlib stream of all header blocks has begun.
    begun: bool,
}

impl Encoder {
    /// Opens a stream. The headers are short: together less than 64 KiB.
    pub(super) fn open(&mut self, out: &mut BytesMut, stream: u32, headers: &[(&str, &str)]) {
        let mut block = BytesMut::new();
        put_length(&mut block, headers.len());
        for (name, value) in headers {
            for text in [name, value] {
                put_length(&mut block, text.len());
                block.extend_from_slice(text.as_bytes());
            }
        }
        let mut packed = BytesMut::new();
        if !std::mem::replace(&mut self.begun, true) {
            // Deflate with the largest window, fastest, no dictionary (RFC 1950).
            packed.put_u16(0x7801);
        }
        // A stored block, and an empty one, so that readers do not wait for more (RFC 1951, 3.2.4).
        for stored in [&block[..], &[]] {
            packed.put_u8(0);
            packed.put_u16_le(stored.len() as u16);
            packed.put_u16_le(!(stored.len() as u16));
            packed.extend_from_slice(stored);
        }
        put_control(out, SYN_STREAM, 10 + packed.len());
        out.put_u32(stream);
        // Associated with no other; of the highest priority; no slot.
        out.put_slice(&[0; 6]);
        out.extend_from_slice(&packed);
    }
}

/// Writes content: at most 16 MiB less one.
pub(super) fn put_data(out: &mut BytesMut, stream: u32, bytes: &[u8], last: bool) {
    out.put_u32(stream);
    out.put_u32((u32::from(last) << 24) | bytes.len() as u32);
    out.extend_from_slice(bytes);
}

/// Ends a stream at once.
pub(super) fn put_reset(out: &mut BytesMut, stream: u32, status: u32) {
    put_control(out, RST_STREAM, 8);
    out.put_u32(stream);
    out.put_u32(status);
}

/// Sends a ping, or sends it back.
pub(super) fn put_ping(out: &mut BytesMut, id: u32) {
    put_control(out, PING, 4);
    out.put_u32(id);
}

fn put_control(out: &mut BytesMut, kind: u16, length: usize) {
    out.put_u16(u16::from(CONTROL) << 8 | VERSION);
    out.put_u16(kind);
    out.put_u32(length as u32);
}

fn put_length(out: &mut BytesMut, length: usize) {
    out.put_u32(length as u32);
}
