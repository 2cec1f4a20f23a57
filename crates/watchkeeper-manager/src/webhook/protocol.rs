//! Reviews as they go over the wire: `AdmissionReview` of `admission.k8s.io/v1` and `v1beta1`, which say the same.

use watchkeeper_api::IStr;
use watchkeeper_api::admission::v1::{AdmissionRequest, AdmissionResponse};
use watchkeeper_api::json::{
    self, Fields, Read as _, ReadError, Reader, Write, Writer, names, struct_codec,
};

use super::{Review, Reviewed};

#[cfg(test)]
mod tests;

const KIND: &str = "AdmissionReview";
/// The versions that are understood; the first is that of answers to what could not be read.
const VERSIONS: [&str; 2] = ["admission.k8s.io/v1", "admission.k8s.io/v1beta1"];

/// A question, and in which version it was put.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) version: Version,
    pub(super) review: Review,
}

/// The version of a review: its answer has the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Version(usize);

/// Reads the body of a request.
///
/// # Errors
/// What is answered to a body that is no review.
pub(super) fn read(body: &[u8]) -> Result<Asked, Box<Reviewed>> {
    let wrong = |why: String| Box::new(Reviewed::errored(400, why));
    let envelope: Envelope = json::from_slice(body)
        .map_err(|error| wrong(format!("the review cannot be read: {error}")))?;
    let Envelope { api_version, kind, request } = envelope;
    let found = VERSIONS.iter().position(|known| *known == &*api_version);
    // Upstream takes what does not say what it is for a review.
    let version = found.or_else(|| api_version.is_empty().then_some(0)).map(Version);
    let version = version.filter(|_| kind.is_empty() || kind == KIND);
    let version = version.ok_or_else(|| {
        wrong(format!("expected AdmissionReview of {}, got {kind} of {api_version}", VERSIONS[0]))
    })?;
    let request = request.ok_or_else(|| wrong("the review has no request".to_owned()))?;
    Ok(Asked { version, review: Review::new(*request) })
}

/// The body of an answer to the request of this `uid`.
pub(super) fn written(version: Version, uid: &IStr, reviewed: Reviewed) -> Vec<u8> {
    json::to_vec(&Answer { version: VERSIONS[version.0], response: reviewed.complete(uid) })
}

#[derive(Debug, Default)]
struct Envelope {
    api_version: IStr,
    kind: IStr,
    request: Option<Box<AdmissionRequest>>,
}

impl Fields for Envelope {
    fn set(&mut self, index: usize, r: &mut Reader<'_>) -> Result<(), ReadError> {
        match index {
            0 => self.api_version.read_into(r),
            1 => self.kind.read_into(r),
            2 => self.request.read_into(r),
            _ => r.skip(),
        }
    }
}

struct_codec!(Envelope, names!["apiVersion", "kind", "request"]);

struct Answer {
    version: &'static str,
    response: AdmissionResponse,
}

impl Write for Answer {
    fn write(&self, w: &mut Writer) {
        w.open();
        w.text_field("\"kind\":", KIND);
        w.text_field("\"apiVersion\":", self.version);
        w.field("\"response\":", &self.response);
        w.close();
    }

    fn is_default(&self) -> bool {
        false
    }
}
