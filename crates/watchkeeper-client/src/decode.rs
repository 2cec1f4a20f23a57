//! From the wire to values: JSON text, or protobuf.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use watchkeeper_api::json::{Decoder, ReadError, Reader};
use watchkeeper_api::pb::{self, Envelope};
use watchkeeper_api::{Kind, Object, Unstructured};

use crate::codec::is_protobuf;
use crate::metadata::PartialObject;

#[cfg(test)]
mod tests;

/// Decodes the objects of one kind.
#[derive(Debug)]
pub(crate) struct Decode<K> {
    decoder: Decoder,
    messages: pb::Decoder,
    kind: Arc<Kind>,
    _object: PhantomData<fn() -> K>,
}

impl<K: Object> Decode<K> {
    /// For a stream of objects: what repeats between them is kept once.
    pub(crate) fn many(kind: Arc<Kind>) -> Self {
        Self { decoder: Decoder::new(), messages: pb::Decoder::new(), kind, _object: PhantomData }
    }

    /// Whether `metadata.managedFields` are kept.
    pub(crate) fn keep_managed_fields(self, keep: bool) -> Self {
        let decoder = self.decoder.keep_managed_fields(keep);
        let messages = self.messages.keep_managed_fields(keep);
        Self { decoder, messages, ..self }
    }

    /// For one object.
    pub(crate) fn one(kind: Arc<Kind>) -> Self {
        Self {
            decoder: Decoder::default(),
            messages: pb::Decoder::default(),
            kind,
            _object: PhantomData,
        }
    }

    /// An answer: a text, or a message in its envelope.
    pub(crate) fn body(&mut self, body: &[u8]) -> Result<K, ReadError> {
        if is_protobuf(body) { self.enveloped(&Envelope::open(body)?) } else { self.object(body) }
    }

    /// A message in its envelope, which says what it is.
    pub(crate) fn enveloped(&mut self, envelope: &Envelope<'_>) -> Result<K, ReadError> {
        let Kind { kind, .. } = &*self.kind;
        if !K::METADATA_ONLY && !envelope.is(&self.kind.api_version(), kind) {
            let (found, of) = (cut(envelope.kind), cut(envelope.api_version));
            return Err(ReadError::new(format!("expected {kind}, found {found:?} of {of:?}"), 0));
        }
        self.messages.object_in(envelope).map(|object| self.named(object))
    }

    /// A message without envelope: an item of a list.
    pub(crate) fn message(&mut self, message: &[u8]) -> Result<K, ReadError> {
        self.messages.object(message).map(|object| self.named(object))
    }

    /// An object's text. It need not say what it is: servers leave that out of lists of built-in kinds.
    pub(crate) fn object(&mut self, text: &[u8]) -> Result<K, ReadError> {
        self.decoder.decode(text).map(|object| self.named(object))
    }

    fn named(&self, mut object: K) -> K {
        let any = &mut object as &mut dyn Any;
        if let Some(dynamic) = any.downcast_mut::<Unstructured>() {
            dynamic.set_kind(&self.kind);
        } else if let Some(partial) = any.downcast_mut::<PartialObject>() {
            partial.set_kind(&self.kind);
        }
        object
    }
}

pub(crate) fn cut(text: &str) -> String {
    text.chars().take(60).collect()
}

/// One line of a watch.
#[derive(PartialEq, Eq)]
pub(crate) struct Event<'a> {
    pub(crate) type_: &'a str,
    pub(crate) object: &'a [u8],
}

/// Never tells the object, which may be a secret.
impl fmt::Debug for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Event({:?}, {} bytes)", self.type_, self.object.len())
    }
}

/// Takes an event apart without reading its object.
pub(crate) fn event_of(line: &[u8]) -> Result<Event<'_>, ReadError> {
    let line = line.trim_ascii();
    if let Some(event) = usual_event(line) {
        return Ok(event);
    }
    let text = std::str::from_utf8(line)
        .map_err(|error| ReadError::new("the event is not UTF-8", error.valid_up_to()))?;
    let (mut type_, mut object, mut kind) = ("", "", "");
    let mut reader = Reader::new(text)?;
    reader.members(&mut |reader, name| {
        match name {
            "type" => type_ = reader.raw()?.trim_matches('"'),
            "object" => object = reader.raw_deep()?,
            "kind" => kind = reader.raw_deep()?,
            _ => reader.skip_deep()?,
        }
        Ok(())
    })?;
    reader.end()?;
    if type_.is_empty() && object.is_empty() {
        let found = if kind.starts_with('"') { cut(kind) } else { "something else".to_owned() };
        return Err(ReadError::new(format!("expected an event of a watch, found {found}"), 0));
    }
    Ok(Event { type_, object: object.as_bytes() })
}

/// The layout that servers write. What is wrong with the rest, also that it is no text, shows when the
/// object is read.
fn usual_event(line: &[u8]) -> Option<Event<'_>> {
    let rest = line.strip_prefix(br#"{"type":""#)?;
    let (type_, rest) = rest.split_at(rest.iter().position(|byte| *byte == b'"')?);
    let object = rest.strip_prefix(br#"","object":"#)?.strip_suffix(b"}")?;
    Some(Event { type_: std::str::from_utf8(type_).ok()?, object })
}
