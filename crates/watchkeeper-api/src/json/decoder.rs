//! Reading many values with the same options and the same tables.

use super::simd::utf8;
use super::strict::{self, Finding, Findings};
use super::{MAX_DEPTH, MAX_LENGTH, Read, ReadError, Reader};
use crate::tables::Tables;

/// Reads values with options of its own, and remembers what repeats between them.
///
/// - A text is left alone when it is met for the first time: most do not come again. From the second time
///   on it is kept in a small table of the decoder's own. What comes often is the one of the process-wide table
///   ([`IStr::new`](crate::IStr::new)), which is seldom asked because of that.
/// - A subtree that is [`Shared`](crate::Shared) is kept when it is met again, or at once where the one
///   before it was known; from then on it is not decoded any more. Only so if it has at most 2,048 bytes,
///   and elements, entries and boxes of at most 8,192 bytes are made of it. Where nearly all are new they
///   are looked for only now and then, so equal ones may be apart.
///
/// Keep one decoder a stream of objects. Its tables are bounded: of pods they take some hundred kilobytes,
/// of the worst input twenty megabytes.
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

#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    pub(super) unknown: Unknown,
    pub(super) managed_fields: bool,
    pub(super) max_depth: usize,
    pub(super) max_length: usize,
}

/// What becomes of members that a type does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    Skip,
    Refuse,
    Note,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            unknown: Unknown::Skip,
            managed_fields: false,
            max_depth: MAX_DEPTH,
            max_length: MAX_LENGTH,
        }
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

    /// Whether unknown members are refused, and members that come twice. The first one is told; all
    /// of them by [`Decoder::decode_noting`].
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.options.unknown = if strict { Unknown::Refuse } else { Unknown::Skip };
        self
    }

    /// How deep values may nest; at most [`MAX_DEPTH`], which is what a stack holds.
    #[must_use]
    pub fn max_depth(mut self, depth: usize) -> Self {
        self.options.max_depth = depth.min(MAX_DEPTH);
        // What was kept may be deeper.
        self.forget();
        self
    }

    /// How many bytes a text may have; at most [`MAX_LENGTH`].
    #[must_use]
    pub fn max_length(mut self, length: usize) -> Self {
        self.options.max_length = length.min(MAX_LENGTH);
        self
    }

    /// Forgets what was met, and frees what was kept of it.
    pub fn forget(&mut self) {
        if let Some(tables) = &mut self.tables {
            tables.clear();
        }
    }

    /// Whether `metadata.managedFields` are kept: they are a third of many objects. Each manager's
    /// fields stay JSON text, which objects with the same fields share.
    #[must_use]
    pub fn keep_managed_fields(mut self, keep: bool) -> Self {
        self.options.managed_fields = keep;
        // What was kept was read otherwise.
        self.forget();
        self
    }

    /// Reads the one value of a text in bytes.
    ///
    /// # Errors
    /// When the bytes are no UTF-8 or no JSON, or no value of this type, or more follows.
    pub fn decode<T: Read>(&mut self, bytes: &[u8]) -> Result<T, ReadError> {
        let text = utf8(bytes)
            .map_err(|error| ReadError::new("the text is not UTF-8", error.valid_up_to()))?;
        self.decode_str(text)
    }

    /// Reads the one value of a text.
    ///
    /// # Errors
    /// As [`Decoder::decode`].
    pub fn decode_str<T: Read>(&mut self, text: &str) -> Result<T, ReadError> {
        let mut value = None;
        self.read_alone(text, &mut |r| {
            value = Some(T::read(r)?);
            Ok(())
        })?;
        value.ok_or_else(nothing)
    }

    /// Reads the one value of a text in bytes, and tells which members its type does not know and
    /// which come twice, in the order of the text: the first hundred of them.
    ///
    /// A server that is asked for `fieldValidation=Warn` tells the same in its warnings.
    ///
    /// # Errors
    /// As [`Decoder::decode`], but never for those members.
    pub fn decode_noting<T: Read>(&mut self, bytes: &[u8]) -> Result<(T, Vec<Finding>), ReadError> {
        let text = utf8(bytes)
            .map_err(|error| ReadError::new("the text is not UTF-8", error.valid_up_to()))?;
        let options = Options { unknown: Unknown::Note, ..self.options };
        let mut unknown = Vec::new();
        let mut value = None;
        self.read_by(text, options, &mut unknown, &mut |r| {
            value = Some(T::read(r)?);
            Ok(())
        })?;
        Ok((value.ok_or_else(nothing)?, Findings::of(text, options, unknown)?))
    }

    /// Reads the one value of a text by `read`, and refuses what comes twice where that is asked for: the same
    /// code for all types.
    pub(crate) fn read_alone(
        &mut self,
        text: &str,
        read: &mut dyn FnMut(&mut Reader<'_>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        self.read_by(text, self.options, &mut Vec::new(), read)?;
        match self.options.unknown {
            Unknown::Refuse => strict::refuse_repeated(text, self.options),
            _ => Ok(()),
        }
    }

    /// Reads the one value of a text by `read`.
    fn read_by(
        &mut self,
        text: &str,
        options: Options,
        unknown: &mut Vec<usize>,
        read: &mut dyn FnMut(&mut Reader<'_>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let mut r = Reader::with_options(text, options)?;
        r.tables = self.tables.take();
        let outcome = read(&mut r).and_then(|()| r.end());
        self.tables = r.tables;
        *unknown = r.unknown;
        outcome
    }
}

/// A type that reads a value, and gives none.
fn nothing() -> ReadError {
    ReadError::new("nothing was read", 0)
}
