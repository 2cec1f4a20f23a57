//! What a webhook answers.

use serde_json::Value;
use watchkeeper_api::admission::v1::AdmissionResponse;
use watchkeeper_api::meta::v1::Status;
use watchkeeper_api::{IStr, List, Map, object};

use super::Refusal;
use super::review::Review;

/// The answer to a [`Review`]. Upstream: `admission.Response`, with `Allowed`, `Denied`, `Errored` and `Patched`.
///
/// ```
/// use serde_json::json;
/// use watchkeeper_manager::webhook::Reviewed;
///
/// let teams = Reviewed::denied("no team").warning("teams are asked for since May");
/// assert!(!teams.is_allowed());
/// let add = json!({ "op": "add", "path": "/metadata/labels", "value": { "team": "web" } });
/// assert!(Reviewed::patched([add]).is_allowed());
/// ```
#[derive(Clone, PartialEq)]
#[must_use = "it is the answer of the webhook"]
pub struct Reviewed {
    allowed: bool,
    status: Status,
    operations: Vec<Value>,
    warnings: List<IStr>,
    annotations: Map,
}

impl Reviewed {
    /// Lets the write pass.
    pub fn allowed() -> Self {
        Self::of(true, object!(Status { code: 200 }))
    }

    /// Refuses it: 403 `Forbidden`, with these words for who writes.
    pub fn denied(message: impl Into<IStr>) -> Self {
        let message: IStr = message.into();
        Self::of(false, object!(Status { code: 403, reason: "Forbidden", message: message }))
    }

    /// Refuses it, as it cannot be judged: with this code and no reason.
    pub fn errored(code: u16, message: impl Into<IStr>) -> Self {
        let message: IStr = message.into();
        Self::of(false, object!(Status { code: i32::from(code), message: message }))
    }

    /// Lets it pass with these changes: the operations of a JSON patch. Only mutating webhooks may say so.
    pub fn patched(operations: impl IntoIterator<Item = Value>) -> Self {
        Self { operations: operations.into_iter().collect(), ..Self::allowed() }
    }

    /// Tells who writes, allowed or not.
    pub fn warning(mut self, warning: impl Into<IStr>) -> Self {
        self.warnings.push(warning.into());
        self
    }

    /// Adds to the audit of the write.
    pub fn audit_annotation(mut self, key: &str, value: &str) -> Self {
        self.annotations.insert(key, value);
        self
    }

    /// Whether the write may pass.
    #[must_use]
    pub const fn is_allowed(&self) -> bool {
        self.allowed
    }

    /// The operations of its patch.
    #[must_use]
    pub fn operations(&self) -> &[Value] {
        &self.operations
    }

    /// What it says of the write.
    #[must_use]
    pub const fn status(&self) -> &Status {
        &self.status
    }

    /// The warnings.
    #[must_use]
    pub fn warnings(&self) -> &[IStr] {
        &self.warnings
    }

    fn of(allowed: bool, status: Status) -> Self {
        let (warnings, annotations) = (List::new(), Map::new());
        Self { allowed, status, operations: Vec::new(), warnings, annotations }
    }

    /// With what another answer says beside it, too, and its changes before.
    pub(super) fn after(mut self, mut first: Self) -> Self {
        first.operations.append(&mut self.operations);
        self.operations = first.operations;
        self.warnings.edit(|warnings| drop(warnings.splice(..0, first.warnings.into_vec())));
        for (key, value) in &first.annotations {
            if !self.annotations.contains_key(key) {
                self.annotations.insert(key, value.clone());
            }
        }
        self
    }

    /// Adds what the review was told beside the answer.
    pub(super) fn told_by(mut self, review: &Review) -> Self {
        let told = review.take_told();
        for warning in told.warnings {
            self = self.warning(warning);
        }
        for (key, value) in &told.annotations {
            self = self.audit_annotation(key, value);
        }
        self
    }

    /// As it goes over the wire, to the request of this `uid`. A refusal has no patch.
    pub(super) fn complete(self, uid: &IStr) -> AdmissionResponse {
        let Self { allowed, status, operations, warnings, annotations } = self;
        let patch = (allowed && !operations.is_empty()).then(|| Value::from(operations));
        AdmissionResponse {
            uid: uid.clone(),
            allowed,
            status: Some(Box::new(status)),
            patch_type: patch.is_some().then(|| "JSONPatch".into()),
            patch: patch.map(|patch| patch.to_string().into()).unwrap_or_default(),
            audit_annotations: annotations,
            warnings,
        }
    }
}

impl From<Refusal> for Reviewed {
    fn from(refusal: Refusal) -> Self {
        Self::of(false, refusal.into_status())
    }
}

/// Without the patch, which may tell what is in a secret.
impl std::fmt::Debug for Reviewed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reviewed")
            .field("allowed", &self.allowed)
            .field("code", &self.status.code)
            .field("operations", &self.operations.len())
            .finish_non_exhaustive()
    }
}
