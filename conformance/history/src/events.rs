//! The events of a watch, whole, however the server cuts what it sends.
//!
//! A server that has much to say hands over blocks of some kilobytes that end within an event. What is done to
//! a block there is done to halves of two events: said twice, the end of one follows the beginning of another,
//! and a line of JSON comes of it that reads well and that nobody wrote. No connection does that.

use bytes::{Buf, Bytes, BytesMut};

use crate::speech::Speech;

/// What came of a watch and was not handed over.
#[derive(Debug)]
pub(crate) struct Events {
    speech: Speech,
    rest: BytesMut,
    /// So many of these bytes were searched for the end of a line, and have none.
    searched: usize,
}

/// What stands before a message: its length, without these.
const LENGTH: usize = size_of::<u32>();

impl Events {
    pub(crate) fn of(speech: Speech) -> Self {
        Self { speech, rest: BytesMut::new(), searched: 0 }
    }

    /// Takes the next bytes, in whatever pieces they come.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.rest.extend_from_slice(bytes);
    }

    /// The next event, as it is on the wire.
    pub(crate) fn next(&mut self) -> Option<Bytes> {
        let length = match self.speech {
            Speech::Json => self.line()?,
            Speech::Protobuf => {
                let length = u32::from_be_bytes(*self.rest.first_chunk::<LENGTH>()?);
                LENGTH + usize::try_from(length).ok()?
            }
        };
        (length <= self.rest.remaining()).then(|| self.rest.split_to(length).freeze())
    }

    /// How long the first line is, with its end.
    fn line(&mut self) -> Option<usize> {
        let found = memchr::memchr(b'\n', self.rest.get(self.searched..)?);
        let length = found.map(|at| self.searched + at + 1);
        self.searched = if found.is_some() { 0 } else { self.rest.len() };
        length
    }

    /// What is left when nothing more comes: no event.
    pub(crate) fn end(&mut self) -> Option<Bytes> {
        self.searched = 0;
        let rest = self.rest.split().freeze();
        (!rest.is_empty()).then_some(rest)
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::Events;
    use crate::speech::Speech;

    #[test]
    fn events_are_whole_however_they_come() {
        for speech in [Speech::Json, Speech::Protobuf] {
            let sent = [speech.bookmark(7), speech.error(410, "Expired"), speech.bookmark(1 << 40)];
            let all = sent.concat();
            for size in 1..=all.len() {
                let mut events = Events::of(speech);
                let mut came: Vec<Bytes> = Vec::new();
                for piece in all.chunks(size) {
                    events.push(piece);
                    came.extend(std::iter::from_fn(|| events.next()));
                }
                assert_eq!(came, sent, "{speech:?} in pieces of {size}");
                assert_eq!(events.end(), None);
            }
        }
    }

    #[test]
    fn what_is_cut_off_is_handed_over_at_the_end() {
        for speech in [Speech::Json, Speech::Protobuf] {
            let event = speech.bookmark(7);
            let mut events = Events::of(speech);
            events.push(&event[..event.len() - 1]);
            assert_eq!(events.next(), None);
            assert_eq!(events.end().as_deref(), Some(&event[..event.len() - 1]));
        }
    }
}
