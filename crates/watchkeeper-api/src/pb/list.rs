//! Lists: `{ ListMeta metadata = 1; repeated K items = 2 }` in an envelope, whole or item by item.

use std::fmt;

use super::envelope::{self, Envelope};
use super::{Decoder, Field, MAGIC, Message, ReadError, Reader, Rule, Tag, Wire};
use crate::meta::v1::ListMeta;
use crate::{Kind, Object};

#[cfg(test)]
mod tests;

/// No single item, and nothing around the items, is longer (etcd's own limit is far below).
const LIMIT: usize = 64 << 20;

/// The number of the items in every list.
const ITEMS: u32 = 2;

/// The head of a list: all but its items.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListHead {
    /// Group and version of the list's kind.
    pub api_version: String,
    /// The list's kind: `PodList`.
    pub kind: String,
    /// Its metadata: resourceVersion, continue token, remaining count.
    pub metadata: ListMeta,
}

/// The body of a list, byte for byte as Go writes it. A list's kind is that of its items with
/// `List` behind it.
///
/// ```
/// use watchkeeper_api::core::v1::Pod;
/// use watchkeeper_api::meta::v1::ListMeta;
/// use watchkeeper_api::pb::{self, Decoder};
/// let pods = [Pod::default(), Pod::default()];
/// let body = pb::list_to_body(&Pod::KIND, &ListMeta::default(), pods.iter().map(|pod| pod as _));
/// let (head, back) = Decoder::new().list::<Pod>(&body)?;
/// assert_eq!((head.kind.as_str(), back.len()), ("PodList", 2));
/// # Ok::<(), pb::ReadError>(())
/// ```
#[must_use]
pub fn list_to_body<'a>(
    kind: &Kind,
    metadata: &ListMeta,
    items: impl IntoIterator<Item = &'a dyn Message, IntoIter: DoubleEndedIterator>,
) -> Vec<u8> {
    body(&kind.api_version(), &kind.kind, metadata, &mut items.into_iter())
}

pub(super) fn body(
    api_version: &str,
    kind: &str,
    metadata: &ListMeta,
    items: &mut dyn DoubleEndedIterator<Item = &dyn Message>,
) -> Vec<u8> {
    envelope::seal_with(api_version, &format!("{kind}List"), &mut |w| {
        while let Some(item) = items.next_back() {
            w.nested(ITEMS, item);
        }
        w.nested(1, metadata);
    })
}

impl Decoder {
    /// Reads the body of a list.
    ///
    /// # Errors
    /// When the bytes are no envelope, what is in it says that it is no list, or the items are none of these.
    pub fn list<K: Object>(&mut self, body: &[u8]) -> Result<(ListHead, Vec<K>), ReadError> {
        let mut items = Vec::new();
        let head = self.list_into(body, &mut |r| {
            items.push(K::read_protobuf(r)?);
            Ok(())
        })?;
        Ok((head, items))
    }

    /// Calls `item` within each item, which it must read.
    pub(super) fn list_into(
        &mut self,
        body: &[u8],
        item: &mut dyn FnMut(&mut Reader<'_>) -> Result<(), ReadError>,
    ) -> Result<ListHead, ReadError> {
        let envelope = Envelope::open(body)?;
        let Envelope { api_version, kind, .. } = envelope;
        if !kind.is_empty() && !kind.ends_with("List") {
            let cut = |text: &str| text.chars().take(60).collect::<String>();
            let found = format!("{:?} of {:?}", cut(kind), cut(api_version));
            return Err(ReadError::new(format!("expected a list, found {found}"), MAGIC.len()));
        }
        let mut metadata = ListMeta::default();
        self.within(body, envelope.range(), |r| items(r, &mut metadata, item))?;
        Ok(ListHead {
            api_version: envelope.api_version.to_owned(),
            kind: envelope.kind.to_owned(),
            metadata,
        })
    }
}

fn items(
    r: &mut Reader<'_>,
    metadata: &mut ListMeta,
    item: &mut dyn FnMut(&mut Reader<'_>) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    let mut index = 0;
    while !r.is_done() {
        let tag = r.tag()?;
        match tag.number {
            1 => metadata.merge(r, tag, Rule::Plain).map_err(|e| e.in_member("metadata"))?,
            ITEMS => {
                let outer = r.open(tag)?;
                item(r).map_err(|e| e.in_element(index).in_member("items"))?;
                index += 1;
                r.close(outer);
            }
            _ => r.skip(tag)?,
        }
    }
    Ok(())
}

/// Cuts a list into items while it arrives. An item that arrives in one piece is handed over where
/// it lies, without a copy. A `Status`, with which servers may answer instead, has no items.
///
/// ```
/// use watchkeeper_api::core::v1::Pod;
/// use watchkeeper_api::meta::v1::ListMeta;
/// use watchkeeper_api::pb::{self, Decoder, ListFrames};
/// # let pods = [Pod::default(), Pod::default()];
/// # let body = pb::list_to_body(&Pod::KIND, &ListMeta::default(), pods.iter().map(|pod| pod as _));
/// let (mut frames, mut decoder, mut seen) = (ListFrames::default(), Decoder::new(), 0);
/// for chunk in body.chunks(7) {
///     frames.push(chunk, |item| {
///         let _pod: Pod = decoder.object(item)?;
///         seen += 1;
///         Ok(())
///     })?;
/// }
/// assert_eq!((frames.finish()?.kind.as_str(), seen), ("PodList", 2));
/// # Ok::<(), pb::ReadError>(())
/// ```
#[derive(Default)]
pub struct ListFrames {
    place: Place,
    /// What arrived of a tag, a length or a value that is not whole.
    partial: Vec<u8>,
    /// How many bytes came before what is looked at.
    offset: usize,
    /// How much of the list itself is to come, once that is known.
    left: usize,
    items: usize,
    /// Whether there was a list in the envelope.
    seen: bool,
    head: ListHead,
}

/// Tells how far it is, never what has arrived: lists hold secrets.
impl fmt::Debug for ListFrames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ListFrames({} items in {} bytes)", self.items, self.offset)
    }
}

/// What is looked for next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    /// [`MAGIC`].
    #[default]
    Magic,
    /// A member of the envelope.
    Envelope,
    /// A member of the list.
    List,
    /// It failed before.
    Broken,
}

/// What was found at the beginning of some bytes.
enum Step {
    /// Not enough of it.
    More,
    /// Something that took so many bytes.
    Took(usize),
}

impl ListFrames {
    /// Takes the next bytes and hands over each item that they complete.
    ///
    /// # Errors
    /// When the bytes are no list, or `item` fails. After that the rest cannot be read.
    pub fn push(
        &mut self,
        mut bytes: &[u8],
        mut item: impl FnMut(&[u8]) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let item: &mut dyn FnMut(&[u8]) -> Result<(), ReadError> = &mut item;
        while !bytes.is_empty() || !self.partial.is_empty() {
            if self.partial.is_empty() {
                match self.guarded(bytes, item)? {
                    Step::Took(length) => bytes = &bytes[length..],
                    Step::More => {
                        self.partial.extend_from_slice(bytes);
                        return Ok(());
                    }
                }
                continue;
            }
            // What began before: completed, it is one step.
            let mut partial = std::mem::take(&mut self.partial);
            let before = partial.len();
            let wanted = self.wanted(&partial).saturating_sub(before).max(1).min(bytes.len());
            partial.extend_from_slice(&bytes[..wanted]);
            bytes = &bytes[wanted..];
            match self.guarded(&partial, item)? {
                // A step never takes more than what it waited for.
                Step::Took(length) => partial.drain(..length).for_each(drop),
                Step::More if bytes.is_empty() => {
                    self.partial = partial;
                    return Ok(());
                }
                Step::More => {}
            }
            self.partial = partial;
        }
        Ok(())
    }

    /// The head of the list, once all has arrived.
    ///
    /// # Errors
    /// When the list has not ended.
    pub fn finish(self) -> Result<ListHead, ReadError> {
        let at_end = self.place == Place::Envelope || self.place == Place::List && self.left == 0;
        if at_end && self.partial.is_empty() && self.seen {
            return Ok(self.head);
        }
        if self.offset == 0 && self.partial.is_empty() {
            return Err(ReadError::new("the answer is empty", 0));
        }
        Err(ReadError::new("the list ended in the middle", self.offset + self.partial.len()))
    }

    /// One step; its failure is final, and told at its byte of the whole.
    fn guarded(
        &mut self,
        bytes: &[u8],
        item: &mut dyn FnMut(&[u8]) -> Result<(), ReadError>,
    ) -> Result<Step, ReadError> {
        let offset = self.offset;
        let step = self.step(bytes, item);
        match &step {
            Ok(Step::Took(length)) => self.offset += length,
            Ok(Step::More) => {}
            Err(_) => self.place = Place::Broken,
        }
        step.map_err(|error| error.later(offset))
    }

    fn step(
        &mut self,
        bytes: &[u8],
        item: &mut dyn FnMut(&[u8]) -> Result<(), ReadError>,
    ) -> Result<Step, ReadError> {
        match self.place {
            Place::Magic => {
                let length = bytes.len().min(MAGIC.len());
                if bytes[..length] != MAGIC[..length] {
                    return Err(ReadError::new("the body does not begin with k8s\\0", 0));
                }
                if length < MAGIC.len() {
                    return Ok(Step::More);
                }
                self.place = Place::Envelope;
                Ok(Step::Took(length))
            }
            Place::Envelope => self.envelope(bytes),
            Place::List if self.left == 0 => {
                self.place = Place::Envelope;
                Ok(Step::Took(0))
            }
            Place::List => self.member(bytes, item),
            Place::Broken => Err(ReadError::new("the list is broken", 0)),
        }
    }

    fn envelope(&mut self, bytes: &[u8]) -> Result<Step, ReadError> {
        let Some((tag, length, start)) = header(bytes)? else { return Ok(Step::More) };
        if tag.number == 2 && tag.wire == Wire::Length {
            (self.place, self.left, self.seen) = (Place::List, length, true);
            return Ok(Step::Took(start));
        }
        let Some(end) = whole(bytes, start, length)? else { return Ok(Step::More) };
        if tag.number == 1 && tag.wire == Wire::Length {
            let mut r = Reader::new(&bytes[start..end]);
            let names = envelope::type_meta(&mut r).map_err(|error| error.later(start))?;
            self.head.api_version = names.0.to_owned();
            self.head.kind = names.1.to_owned();
        }
        Ok(Step::Took(end))
    }

    fn member(
        &mut self,
        bytes: &[u8],
        item: &mut dyn FnMut(&[u8]) -> Result<(), ReadError>,
    ) -> Result<Step, ReadError> {
        let Some((tag, length, start)) = header(bytes)? else { return Ok(Step::More) };
        if self.left.checked_sub(start).is_none_or(|left| length > left) {
            return Err(ReadError::new("a value is longer than its message", 0));
        }
        let Some(end) = whole(bytes, start, length)? else { return Ok(Step::More) };
        let value = &bytes[start..end];
        match (tag.number, tag.wire) {
            (1, Wire::Length) if self.is_list() || self.head.kind == "Status" => {
                let read = Reader::new(value).message(&mut self.head.metadata);
                read.map_err(|error| error.later(start).in_member("metadata"))?;
            }
            (ITEMS, Wire::Length) if self.is_list() => {
                let read = item(value);
                let index = self.items;
                self.items += 1;
                read.map_err(|e| e.later(start).in_element(index).in_member("items"))?;
            }
            _ => {}
        }
        self.left -= end;
        Ok(Step::Took(end))
    }

    /// Whether it may be a list. What is none has members of its own under the same numbers.
    fn is_list(&self) -> bool {
        self.head.kind.is_empty() || self.head.kind.ends_with("List")
    }

    /// How many bytes the step needs that these begin, as far as they tell.
    fn wanted(&self, bytes: &[u8]) -> usize {
        match self.place {
            Place::Magic => MAGIC.len(),
            Place::Envelope | Place::List => match header(bytes) {
                Ok(Some((tag, _, start))) if self.place == Place::Envelope && tag.number == 2 => {
                    start
                }
                Ok(Some((_, length, start))) => start.saturating_add(length),
                _ => 0,
            },
            Place::Broken => 0,
        }
    }
}

/// The tag at the beginning, how long its value is and where it starts. `None` when the bytes end
/// within.
fn header(bytes: &[u8]) -> Result<Option<(Tag, usize, usize)>, ReadError> {
    // No tag and no length is longer than ten bytes.
    let mut r = Reader::new(&bytes[..bytes.len().min(20)]);
    let short = |r: &Reader<'_>, error| {
        if r.offset() == bytes.len() && bytes.len() < 20 { Ok(None) } else { Err(error) }
    };
    let tag = match r.tag() {
        Ok(tag) => tag,
        Err(error) => return short(&r, error),
    };
    let start = r.offset();
    let length = match tag.wire {
        Wire::Length => match r.varint() {
            Ok(length) => usize::try_from(length).unwrap_or(usize::MAX),
            Err(error) => return short(&r, error),
        },
        Wire::Varint => match r.varint() {
            Ok(_) => return Ok(Some((tag, r.offset() - start, start))),
            Err(error) => return short(&r, error),
        },
        Wire::Fixed64 => 8,
        Wire::Fixed32 => 4,
        Wire::GroupStart | Wire::GroupEnd => {
            return Err(ReadError::new("a group, which lists do not have", 0));
        }
    };
    Ok(Some((tag, length, r.offset())))
}

/// Where the value ends, if it is there as a whole.
fn whole(bytes: &[u8], start: usize, length: usize) -> Result<Option<usize>, ReadError> {
    if length > LIMIT {
        return Err(ReadError::new("a part of the list is too long", 0));
    }
    let end = start + length;
    Ok((end <= bytes.len()).then_some(end))
}
