//! What a webhook is asked.

use std::fmt;
use std::ops::Deref;
use std::sync::PoisonError;

use watchkeeper_api::admission::v1::AdmissionRequest;
use watchkeeper_api::json::{Read, ReadError};
use watchkeeper_api::{Map, Raw};

use crate::sync::{Mutex, MutexGuard};

/// One write that a webhook is asked about: the `AdmissionRequest`, and what is told of it beside the answer.
///
/// ```
/// use watchkeeper_api::admission::v1::AdmissionRequest;
/// use watchkeeper_manager::webhook::Review;
///
/// let request = AdmissionRequest { operation: "CREATE".into(), ..AdmissionRequest::default() };
/// let review = Review::new(request);
/// assert_eq!(review.operation, "CREATE");
/// assert!(!review.is_dry_run());
/// review.warn("spec.size is going to be removed");
/// ```
#[derive(Default)]
pub struct Review {
    request: AdmissionRequest,
    told: Mutex<Told>,
}

/// What who writes is told, and the audit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) warnings: Vec<String>,
    pub(super) annotations: Map,
}

impl Review {
    /// A review of this request: for tests of what answers it.
    #[must_use]
    pub fn new(request: AdmissionRequest) -> Self {
        Self { request, told: Mutex::default() }
    }

    /// Whether nothing is stored whatever the answer: what has effects elsewhere has to leave them out.
    #[must_use]
    pub fn is_dry_run(&self) -> bool {
        self.request.dry_run == Some(true)
    }

    /// The object as it is to be stored.
    ///
    /// # Errors
    /// There is none, as in a deletion, or it is no `K`.
    pub fn new_object<K: Read>(&self) -> Result<K, ReadError> {
        decoded(&self.request.object)
    }

    /// The object as it is stored.
    ///
    /// # Errors
    /// There is none, as in a creation, or it is no `K`.
    pub fn stored_object<K: Read>(&self) -> Result<K, ReadError> {
        decoded(&self.request.old_object)
    }

    /// Tells who writes, whether the write is allowed or not; kubectl prints it. Servers cut what is longer than
    /// 256 characters, or 4096 in all.
    pub fn warn(&self, warning: impl Into<String>) {
        self.told().warnings.push(warning.into());
    }

    /// Adds to the audit of the write. The server puts the name of the webhook before the key.
    pub fn annotate(&self, key: &str, value: &str) {
        self.told().annotations.insert(key, value);
    }

    pub(super) fn take_told(&self) -> Told {
        std::mem::take(&mut *self.told())
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Deref for Review {
    type Target = AdmissionRequest;

    fn deref(&self) -> &AdmissionRequest {
        &self.request
    }
}

/// Without the objects: they may be secrets.
impl fmt::Debug for Review {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AdmissionRequest { uid, operation, resource, namespace, name, .. } = &self.request;
        f.debug_struct("Review")
            .field("uid", uid)
            .field("operation", operation)
            .field("resource", &resource.resource)
            .field("namespace", namespace)
            .field("name", name)
            .finish_non_exhaustive()
    }
}

/// Upstream's `Decoder.DecodeRaw`: nothing is no object.
fn decoded<K: Read>(object: &Raw) -> Result<K, ReadError> {
    if object.is_empty() {
        return Err(ReadError::new("there is no content to decode", 0));
    }
    object.decode()
}
