//! What stands around a message that travels by itself: upstream's `runtime.Unknown`.

use std::fmt;
use std::ops::Range;

use super::{MAGIC, Message, ReadError, Reader, Writer};

/// A body taken apart: four bytes of [`MAGIC`], then `runtime.Unknown` with the names of the kind
/// and the message.
///
/// ```
/// use watchkeeper_api::core::v1::ConfigMap;
/// use watchkeeper_api::pb::{self, Envelope};
/// let body = pb::to_body(&ConfigMap::default());
/// let envelope = Envelope::open(&body)?;
/// assert_eq!((envelope.api_version, envelope.kind), ("v1", "ConfigMap"));
/// assert_eq!(envelope.message(), pb::to_vec(&ConfigMap::default()));
/// # Ok::<(), pb::ReadError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Envelope<'a> {
    bytes: &'a [u8],
    raw: Range<usize>,
    /// Group and version of what is inside: `apps/v1`.
    pub api_version: &'a str,
    /// The kind of what is inside: `Deployment`.
    pub kind: &'a str,
    /// How it is encoded besides; empty in all that servers send.
    pub content_encoding: &'a str,
    /// What it is, if not protobuf; empty in all that servers send.
    pub content_type: &'a str,
}

/// Tells what is inside and how long it is, never the content: bodies hold secrets.
impl fmt::Debug for Envelope<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Envelope({:?} of {:?}, {} bytes)", self.kind, self.api_version, self.raw.len())
    }
}

impl<'a> Envelope<'a> {
    /// Takes a body apart.
    ///
    /// # Errors
    /// When it does not begin with [`MAGIC`], or is no `Unknown`.
    pub fn open(bytes: &'a [u8]) -> Result<Self, ReadError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(ReadError::new("the body does not begin with k8s\\0", 0));
        }
        let mut r =
            Reader::within(bytes, MAGIC.len()..bytes.len(), super::decoder::Options::default());
        let mut envelope = Self {
            bytes,
            raw: 0..0,
            api_version: "",
            kind: "",
            content_encoding: "",
            content_type: "",
        };
        while !r.is_done() {
            let tag = r.tag()?;
            match tag.number {
                1 => {
                    let outer = r.open(tag)?;
                    (envelope.api_version, envelope.kind) = type_meta(&mut r)?;
                    r.close(outer);
                }
                2 => {
                    let length = r.bytes(tag)?.len();
                    envelope.raw = r.offset() - length..r.offset();
                }
                3 => envelope.content_encoding = r.text(tag)?,
                4 => envelope.content_type = r.text(tag)?,
                _ => r.skip(tag)?,
            }
        }
        if envelope.raw.start == 0 {
            return Err(ReadError::new("nothing is in the envelope", bytes.len()));
        }
        Ok(envelope)
    }

    /// The message inside.
    #[must_use]
    pub fn message(&self) -> &'a [u8] {
        &self.bytes[self.raw.clone()]
    }

    /// Where in the body the message is.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.raw.clone()
    }

    /// The whole body.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Whether it says that it holds this kind.
    #[must_use]
    pub fn is(&self, api_version: &str, kind: &str) -> bool {
        self.api_version == api_version && self.kind == kind
    }

    pub(super) fn expect(
        &self,
        api_version: &str,
        kind: &str,
        any_version: bool,
    ) -> Result<(), ReadError> {
        // As in JSON, a name that is missing is taken for the right one.
        let is_version = any_version || ["", api_version].contains(&self.api_version);
        if is_version && ["", kind].contains(&self.kind) {
            return Ok(());
        }
        let cut = |text: &'a str| text.chars().take(60).collect::<String>();
        let found = [cut(self.api_version), cut(self.kind)];
        Err(ReadError::new(
            format!("expected {kind} of {api_version}, found {:?} of {:?}", found[1], found[0]),
            MAGIC.len(),
        ))
    }
}

pub(super) fn type_meta<'a>(r: &mut Reader<'a>) -> Result<(&'a str, &'a str), ReadError> {
    let (mut api_version, mut kind) = ("", "");
    while !r.is_done() {
        let tag = r.tag()?;
        match tag.number {
            1 => api_version = r.text(tag)?,
            2 => kind = r.text(tag)?,
            _ => r.skip(tag)?,
        }
    }
    Ok((api_version, kind))
}

/// The body of a message of that kind, byte for byte as Go writes it.
pub(super) fn seal(api_version: &str, kind: &str, message: &dyn Message) -> Vec<u8> {
    seal_with(api_version, kind, &mut |w| message.put_members(w))
}

pub(super) fn seal_with(
    api_version: &str,
    kind: &str,
    message: &mut dyn FnMut(&mut Writer),
) -> Vec<u8> {
    Writer::to_vec(&mut |w| {
        w.bytes(4, b"");
        w.bytes(3, b"");
        let end = w.len();
        message(w);
        w.close(2, end);
        let end = w.len();
        w.bytes(2, kind.as_bytes());
        w.bytes(1, api_version.as_bytes());
        w.close(1, end);
        w.raw(&MAGIC);
    })
}
