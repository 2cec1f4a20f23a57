//! Watches: frames with their length in front, a `WatchEvent` in each.

use std::fmt;

use super::envelope::Envelope;
use super::{Message, ReadError, Reader, Writer};

#[cfg(test)]
mod tests;

/// No frame is longer (etcd's own limit is far below).
const LIMIT: usize = 64 << 20;

/// The length in front of each frame: four bytes, the highest first.
const LENGTH: usize = 4;

/// Cuts a stream into frames.
///
/// ```
/// use watchkeeper_api::core::v1::Pod;
/// use watchkeeper_api::pb::{self, Decoder, WatchFrames};
/// let sent = pb::event_to_frame("ADDED", &Pod::default());
/// let (mut frames, mut decoder) = (WatchFrames::default(), Decoder::new());
/// for chunk in sent.chunks(7) {
///     frames.push(chunk)?;
/// }
/// let event = pb::Event::open(frames.frame()?.unwrap_or_default())?;
/// assert_eq!((event.type_, event.object.kind), ("ADDED", "Pod"));
/// let pod: Pod = decoder.object_in(&event.object)?;
/// assert_eq!(pod, Pod::default());
/// # Ok::<(), pb::ReadError>(())
/// ```
#[derive(Default)]
pub struct WatchFrames {
    buffer: Vec<u8>,
    /// Where the next frame starts.
    start: usize,
}

/// Tells how much is there, never what: watches tell of secrets.
impl fmt::Debug for WatchFrames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WatchFrames({} bytes)", self.buffer.len() - self.start)
    }
}

impl WatchFrames {
    /// Takes the next bytes.
    ///
    /// # Errors
    /// When the frame that is begun is too long.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), ReadError> {
        self.buffer.drain(..self.start);
        self.start = 0;
        self.buffer.extend_from_slice(bytes);
        self.length().map(drop)
    }

    /// The next whole frame, without its length.
    ///
    /// # Errors
    /// When it is too long.
    pub fn frame(&mut self) -> Result<Option<&[u8]>, ReadError> {
        let Some(length) = self.length()? else { return Ok(None) };
        let start = self.start + LENGTH;
        if length > self.buffer.len() - start {
            return Ok(None);
        }
        self.start = start + length;
        Ok(Some(&self.buffer[start..self.start]))
    }

    /// Whether a frame was begun and not ended.
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        self.start < self.buffer.len()
    }

    fn length(&self) -> Result<Option<usize>, ReadError> {
        let Some(length) = self.buffer[self.start..].first_chunk::<LENGTH>() else {
            return Ok(None);
        };
        match usize::try_from(u32::from_be_bytes(*length)) {
            Ok(length) if length <= LIMIT => Ok(Some(length)),
            _ => Err(ReadError::new("a frame of the watch is too long", 0)),
        }
    }
}

/// A frame taken apart: upstream's `WatchEvent { optional string type = 1; optional RawExtension
/// object = 2 }` whose object is in an envelope of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event<'a> {
    /// What happened: `ADDED`, `MODIFIED`, `DELETED`, `BOOKMARK`, `ERROR`.
    pub type_: &'a str,
    /// The object it happened to; a `Status` in an `ERROR`.
    pub object: Envelope<'a>,
}

impl<'a> Event<'a> {
    /// Takes a frame apart without reading its object.
    ///
    /// # Errors
    /// When it is no event with an object.
    pub fn open(frame: &'a [u8]) -> Result<Self, ReadError> {
        let (mut type_, mut object, mut start) = ("", None, 0);
        let mut r = Reader::new(frame);
        while !r.is_done() {
            let tag = r.tag()?;
            match tag.number {
                1 => type_ = r.text(tag).map_err(|error| error.in_member("type"))?,
                2 => r.members(tag, &mut |r, tag| {
                    if tag.number != 1 {
                        return r.skip(tag);
                    }
                    let bytes = r.bytes(tag)?;
                    start = r.offset() - bytes.len();
                    object = Some(&frame[start..r.offset()]);
                    Ok(())
                })?,
                _ => r.skip(tag)?,
            }
        }
        let object = object.ok_or_else(|| r.error("the event has no object"))?;
        let opened = Envelope::open(object);
        let object = opened.map_err(|error| error.later(start).in_member("object"))?;
        Ok(Self { type_, object })
    }
}

/// The frame of an event, byte for byte as Go writes it.
#[must_use]
pub fn event_to_frame(type_: &str, object: &dyn Message) -> Vec<u8> {
    let object = super::to_body(object);
    let mut w = Writer::new();
    w.bytes(1, &object);
    w.close(2, 0);
    w.bytes(1, type_.as_bytes());
    let length = u32::try_from(w.len()).unwrap_or(u32::MAX);
    w.raw(&length.to_be_bytes());
    w.finish()
}
