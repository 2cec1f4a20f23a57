//! What stands around a question, and around its answer, whatever is asked: a kind and a version.

use watchkeeper_api::IStr;
use watchkeeper_api::json::{self, Fields, Read, ReadError, Reader, Write, Writer};

/// The names of the members of an [`Envelope`].
macro_rules! envelope_codec {
    ($request:ty) => {
        ::watchkeeper_api::json::struct_codec!(
            $crate::webhook::envelope::Envelope<$request>,
            ::watchkeeper_api::json::names!["apiVersion", "kind", "request"]
        );
    };
}
pub(super) use envelope_codec;

/// A kind of review, in two versions that say the same.
#[derive(Debug)]
pub(super) struct ReviewKind {
    pub(super) kind: &'static str,
    /// Those that are understood; the first is that of answers to what does not say which it is.
    pub(super) versions: [&'static str; 2],
}

/// A question as it comes.
#[derive(Debug)]
pub(super) struct Envelope<Q> {
    api_version: IStr,
    kind: IStr,
    request: Option<Box<Q>>,
}

impl<Q> Default for Envelope<Q> {
    fn default() -> Self {
        Self { api_version: IStr::default(), kind: IStr::default(), request: None }
    }
}

impl<Q: Read> Fields for Envelope<Q> {
    fn set(&mut self, index: usize, r: &mut Reader<'_>) -> Result<(), ReadError> {
        match index {
            0 => self.api_version.read_into(r),
            1 => self.kind.read_into(r),
            2 => self.request.read_into(r),
            _ => r.skip(),
        }
    }
}

impl ReviewKind {
    /// The version of a question, which that of its answer is, and what is asked.
    ///
    /// # Errors
    /// Why the body is no such question.
    pub(super) fn open<Q>(&self, body: &[u8]) -> Result<(&'static str, Box<Q>), String>
    where
        Envelope<Q>: Read,
    {
        let envelope: Envelope<Q> = json::from_slice(body)
            .map_err(|error| format!("the {} cannot be read: {error}", self.kind))?;
        let Envelope { api_version, kind, request } = envelope;
        let [first, _] = self.versions;
        let found = self.versions.into_iter().find(|known| *known == &*api_version);
        // Upstream takes what does not say what it is for a review.
        let version = found.or_else(|| api_version.is_empty().then_some(first));
        let version =
            version.filter(|_| kind.is_empty() || kind == self.kind).ok_or_else(|| {
                format!("expected {} of {first}, got {kind} of {api_version}", self.kind)
            })?;
        let request = request.ok_or_else(|| format!("the {} has no request", self.kind))?;
        Ok((version, request))
    }

    /// The body of an answer in a version.
    pub(super) fn seal<R: Write>(&self, version: &'static str, response: R) -> Vec<u8> {
        json::to_vec(&Answer { kind: self.kind, version, response })
    }
}

struct Answer<R> {
    kind: &'static str,
    version: &'static str,
    response: R,
}

impl<R: Write> Write for Answer<R> {
    fn write(&self, w: &mut Writer) {
        w.open();
        w.text_field("\"kind\":", self.kind);
        w.text_field("\"apiVersion\":", self.version);
        w.field("\"response\":", &self.response);
        w.close();
    }

    fn is_default(&self) -> bool {
        false
    }
}
