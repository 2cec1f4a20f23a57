//! Reading many messages with the same options and the same tables.

use std::ops::Range;

use super::envelope::Envelope;
use super::{MAX_DEPTH, Message, ReadError, Reader};
use crate::Object;
use crate::tables::Tables;

/// Reads messages with options of its own, and remembers what repeats between them.
///
/// As [`json::Decoder`](crate::json::Decoder), in tables with the same bounds: texts and subtrees that are
/// [`Shared`](crate::Shared) are kept when they are met again. Keep one decoder a stream of objects.
///
/// ```
/// use watchkeeper_api::core::v1::ConfigMap;
/// use watchkeeper_api::pb::{self, Decoder};
/// # let config = watchkeeper_api::object!(ConfigMap { metadata: { name: "a" }, data: { "k": "v" } });
/// let mut decoder = Decoder::new().keep_managed_fields(true);
/// let message: ConfigMap = decoder.message(&pb::to_vec(&config))?;
/// let body: ConfigMap = decoder.body(&pb::to_body(&config))?;
/// assert_eq!((&message, &body), (&config, &config));
/// # Ok::<(), pb::ReadError>(())
/// ```
#[derive(Debug, Default)]
pub struct Decoder {
    options: Options,
    tables: Option<Box<Tables>>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    pub(super) strict: bool,
    pub(super) managed_fields: bool,
    pub(super) max_depth: usize,
    max_length: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { strict: false, managed_fields: false, max_depth: MAX_DEPTH, max_length: usize::MAX }
    }
}

impl Decoder {
    /// Skips unknown members, drops managed fields.
    #[must_use]
    pub fn new() -> Self {
        Self { options: Options::default(), tables: Some(Box::default()) }
    }

    /// A decoder for a single value, without tables.
    pub(super) fn once() -> Self {
        Self::default()
    }

    /// Whether unknown members are refused.
    #[must_use]
    pub const fn strict(mut self, strict: bool) -> Self {
        self.options.strict = strict;
        self
    }

    /// Whether `metadata.managedFields` are kept: they are a third of many objects.
    #[must_use]
    pub fn keep_managed_fields(mut self, keep: bool) -> Self {
        self.options.managed_fields = keep;
        // What was kept was read otherwise.
        self.forget();
        self
    }

    /// How deep messages may nest; at most [`MAX_DEPTH`], which is what a stack holds.
    #[must_use]
    pub fn max_depth(mut self, depth: usize) -> Self {
        self.options.max_depth = depth.min(MAX_DEPTH);
        // What was kept may be deeper.
        self.forget();
        self
    }

    /// How many bytes a message or a body may have.
    #[must_use]
    pub const fn max_length(mut self, length: usize) -> Self {
        self.options.max_length = length;
        self
    }

    /// Forgets what was met, and frees what was kept of it.
    pub fn forget(&mut self) {
        if let Some(tables) = &mut self.tables {
            tables.clear();
        }
    }

    /// Reads a message without envelope: an item of a list, the object of an event.
    ///
    /// # Errors
    /// When the bytes are no message of this type.
    pub fn message<T: Message + Default>(&mut self, bytes: &[u8]) -> Result<T, ReadError> {
        let mut value = T::default();
        self.fill(bytes, 0..bytes.len(), &mut value)?;
        Ok(value)
    }

    /// Reads a body: a message in its envelope.
    ///
    /// # Errors
    /// When the bytes are no envelope, what is in it is another kind, or no message of this type.
    pub fn body<T: Message + Default>(&mut self, bytes: &[u8]) -> Result<T, ReadError> {
        let mut value = T::default();
        self.fill_body(bytes, &mut value)?;
        Ok(value)
    }

    /// Reads a body into a message that exists: the same code for all types.
    pub(super) fn fill_body(
        &mut self,
        bytes: &[u8],
        message: &mut dyn Message,
    ) -> Result<(), ReadError> {
        let envelope = Envelope::open(bytes)?;
        if let Some(named) = message.members().named() {
            envelope.expect(named.api_version, named.kind, named.any_version)?;
        }
        self.fill(bytes, envelope.range(), message)
    }

    /// As [`Decoder::message`], for code that is generic over kinds of objects.
    ///
    /// # Errors
    /// When the kind has no protobuf ([`Object::PROTOBUF`]), or the bytes are no message of it.
    pub fn object<K: Object>(&mut self, bytes: &[u8]) -> Result<K, ReadError> {
        self.within(bytes, 0..bytes.len(), K::read_protobuf)
    }

    /// As [`Decoder::body`], for code that is generic over kinds of objects. What the envelope says
    /// of the kind is left to the caller.
    ///
    /// # Errors
    /// As [`Decoder::object`], and when the bytes are no envelope.
    pub fn object_in<K: Object>(&mut self, envelope: &Envelope<'_>) -> Result<K, ReadError> {
        self.within(envelope.bytes(), envelope.range(), K::read_protobuf)
    }

    pub(super) fn within<T>(
        &mut self,
        bytes: &[u8],
        range: Range<usize>,
        read: impl FnOnce(&mut Reader<'_>) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        if bytes.len() > self.options.max_length {
            return Err(ReadError::new("the message is too long", self.options.max_length));
        }
        let mut r = Reader::within(bytes, range, self.options);
        r.tables = self.tables.take();
        let value = read(&mut r);
        self.tables = r.tables;
        value
    }

    /// As [`Decoder::within`], into a message that exists: the same code for all types.
    fn fill(
        &mut self,
        bytes: &[u8],
        range: Range<usize>,
        message: &mut dyn Message,
    ) -> Result<(), ReadError> {
        self.within(bytes, range, |r| r.message(message))
    }

    /// How many slots its tables have, and how many bytes they hold.
    #[cfg(test)]
    pub(super) fn held(&self) -> (usize, usize) {
        self.tables.as_ref().map_or((0, 0), |tables| tables.held())
    }
}
