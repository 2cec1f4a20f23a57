//! Reviews as they go over the wire: `AdmissionReview` of `admission.k8s.io/v1` and `v1beta1`, which say the same.

use watchkeeper_api::IStr;
use watchkeeper_api::admission::v1::AdmissionRequest;

use super::envelope::{ReviewKind, envelope_codec};
use super::{Review, Reviewed};

#[cfg(test)]
mod tests;

const REVIEWS: ReviewKind = ReviewKind {
    kind: "AdmissionReview",
    versions: ["admission.k8s.io/v1", "admission.k8s.io/v1beta1"],
};

envelope_codec!(AdmissionRequest);

/// A question, and in which version it was put.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) version: Version,
    pub(super) review: Review,
}

/// The version of a review: its answer has the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Version(&'static str);

impl Default for Version {
    fn default() -> Self {
        Self(REVIEWS.versions[0])
    }
}

/// Reads the body of a request.
///
/// # Errors
/// What is answered to a body that is no review.
pub(super) fn read(body: &[u8]) -> Result<Asked, Box<Reviewed>> {
    let (version, request) = REVIEWS
        .open::<AdmissionRequest>(body)
        .map_err(|why| Box::new(Reviewed::errored(400, why)))?;
    Ok(Asked { version: Version(version), review: Review::new(*request) })
}

/// The body of an answer to the request of this `uid`.
pub(super) fn written(version: Version, uid: &IStr, reviewed: Reviewed) -> Vec<u8> {
    REVIEWS.seal(version.0, reviewed.complete(uid))
}
