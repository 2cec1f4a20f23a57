//! Reading many values with the same options and the same tables.

use super::{Read, ReadError, Reader};
use crate::tables::Tables;

/// Reads values with options of its own, and remembers what repeats between them.
///
/// Texts are looked for in a small table before the process-wide one, and subtrees that are
/// [`Shared`](crate::Shared) and met for the third time are not decoded again. Keep one decoder a
/// stream of objects; its tables are bounded.
///
/// ```
/// use watchkeeper_api::{Map, json::Decoder};
/// let mut decoder = Decoder::new().strict(true);
/// let labels: Map = decoder.decode(br#"{"app":"web"}"#)?;
/// assert_eq!(labels.len(), 1);
/// # Ok::<(), watchkeeper_api::json::ReadError>(())
/// ```
#[derive(Debug, Default)]
pub struct Decoder {
    options: Options,
    tables: Option<Box<Tables>>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Options {
    pub(super) strict: bool,
    pub(super) managed_fields: bool,
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
    pub fn strict(mut self, strict: bool) -> Self {
        self.options.strict = strict;
        self
    }

    /// Whether `metadata.managedFields` are kept: they are a third of many objects.
    #[must_use]
    pub fn keep_managed_fields(mut self, keep: bool) -> Self {
        self.options.managed_fields = keep;
        self
    }

    /// Reads the one value of a text in bytes.
    ///
    /// # Errors
    /// When the bytes are no UTF-8 or no JSON, or no value of this type, or more follows.
    pub fn decode<T: Read>(&mut self, bytes: &[u8]) -> Result<T, ReadError> {
        let text = std::str::from_utf8(bytes)
            .map_err(|error| ReadError::new("the text is not UTF-8", error.valid_up_to()))?;
        self.decode_str(text)
    }

    /// Reads the one value of a text.
    ///
    /// # Errors
    /// As [`Decoder::decode`].
    pub fn decode_str<T: Read>(&mut self, text: &str) -> Result<T, ReadError> {
        let mut r = Reader::with_options(text, self.options)?;
        r.tables = self.tables.take();
        let value = T::read(&mut r).and_then(|value| r.end().map(|()| value));
        self.tables = r.tables;
        value
    }
}
