//! From what went wrong to the error that callers see. Never with a body in it.

use std::time::Duration;

use http::Method;
use http::response::Parts;
use watchkeeper_api::error::{self, Earlier, Error, Subject};
use watchkeeper_api::json::{self, ReadError};
use watchkeeper_api::meta::v1::Status;
use watchkeeper_api::pb;

use crate::body::BoxError;
use crate::codec::is_protobuf;
use crate::head::head_of;
use crate::hint::Hint;
use crate::observe::WriteOutcome;
use crate::retry::{Retries, retry_after};

#[cfg(test)]
mod tests;

/// Why there is no answer to give.
#[derive(Debug)]
pub(crate) enum Why {
    /// The caller asked for what cannot be asked.
    Asked(String),
    /// The server said no.
    Refused(Box<Status>),
    /// No answer, or not all of it.
    Broken(BoxError),
    /// Not in time.
    Deadline(Duration),
    /// An object that is none of its type.
    Unreadable(ReadError),
    /// An answer that is none.
    Nonsense(String),
}

impl Why {
    /// An answer to this method that is no success: the Status in it, or one made of its code; and what this side
    /// has to say about it.
    pub(crate) fn refused(method: &Method, head: &Parts, body: &[u8]) -> Self {
        let mut status = status_in(body).unwrap_or_else(|| no_status(method, head));
        if status.code == 0 {
            status.code = head.status.as_u16().into();
        }
        if let Some(wait) = retry_after(&head.headers) {
            let details = status.details.get_or_insert_default();
            if details.retry_after_seconds == 0 {
                details.retry_after_seconds = i32::try_from(wait.as_secs()).unwrap_or(i32::MAX);
            }
        }
        if let Some(hint) = head.extensions.get::<Hint>() {
            let said = Self::Refused(Box::new(status.clone())).sentence();
            status.message = format!("{said}; {hint}").into();
        }
        Self::Refused(Box::new(status))
    }

    /// In a sentence, as the error would say it.
    pub(crate) fn sentence(self) -> String {
        error::Why::from(self).to_string()
    }

    pub(crate) fn into_error(self, subject: &Subject) -> Error {
        Error::new(subject.clone(), self.into())
    }
}

impl From<Why> for error::Why {
    fn from(why: Why) -> Self {
        match why {
            Why::Asked(what) => Self::Usage(what.into()),
            Why::Nonsense(what) => Self::Other(what.into()),
            Why::Refused(status) => Self::Status(status),
            Why::Broken(error) => Self::Transport(error),
            Why::Deadline(deadline) => Self::Timeout(deadline),
            Why::Unreadable(error) => Self::Decode(error),
        }
    }
}

/// The Status that a body is, if it tells a failure. What else has members of these names is not believed: it may
/// be a proxy's own, and its `code` another one (upstream: `Result.Error`).
fn status_in(body: &[u8]) -> Option<Status> {
    let is_one = head_of(body).is_ok_and(|head| head.kind == "Status");
    let read: Result<Status, _> =
        if is_protobuf(body) { pb::from_body(body) } else { json::from_slice(body) };
    let status = read.ok().filter(|_| is_one)?;
    let tells_why = status.code != 0 || !status.reason.is_empty();
    (tells_why && status.status != "Success").then_some(status)
}

/// Something in between answered, in its own words. They are left out, as they may be anything
/// (upstream: `NewGenericServerResponse`).
fn no_status(method: &Method, head: &Parts) -> Status {
    let reason = match head.status.as_u16() {
        400 => "BadRequest",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "NotFound",
        405 => "MethodNotAllowed",
        406 => "NotAcceptable",
        409 if *method == Method::POST => "AlreadyExists",
        409 => "Conflict",
        410 => "Gone",
        413 => "RequestEntityTooLarge",
        415 => "UnsupportedMediaType",
        422 => "Invalid",
        429 => "TooManyRequests",
        503 => "ServiceUnavailable",
        504 => "Timeout",
        500.. => "InternalError",
        _ => "Unknown",
    };
    Status {
        status: "Failure".into(),
        message: format!("the server answered {} without a Status", head.status).into(),
        reason: reason.into(),
        code: head.status.as_u16().into(),
        ..Status::default()
    }
}

/// Why a request failed, and whether it may have been carried out nevertheless.
#[derive(Debug)]
pub(crate) struct Failed {
    why: Why,
    ambiguous: bool,
    earlier: Earlier,
}

impl Failed {
    /// What was never sent.
    pub(crate) fn unsent(why: Why) -> Self {
        Self { why, ambiguous: false, earlier: Earlier::default() }
    }

    /// The end of these attempts.
    pub(crate) fn after(why: Why, retries: Retries) -> Self {
        let ambiguous = retries.ambiguous || matches!(why, Why::Deadline(_));
        Self { why, ambiguous, earlier: retries.earlier }
    }

    /// What is known of a write of the object `name` of a resource, which is said as `deployments.apps`.
    pub(crate) fn outcome(&self, resource: &str, name: &str) -> WriteOutcome<'static> {
        match &self.why {
            // Whatever became of earlier attempts: there is nothing of this name now.
            Why::Refused(status) if is_absence(status, resource, name) => WriteOutcome::Absent,
            _ if self.ambiguous => WriteOutcome::Unknown,
            _ => WriteOutcome::Refused,
        }
    }

    pub(crate) fn into_error(self, subject: &Subject) -> Error {
        self.why.into_error(subject).after(self.earlier)
    }
}

/// Whether a refusal says that there is no such object: a 404 may also mean its namespace, its kind, or a
/// path that nothing is behind (upstream: `NewNotFound`).
fn is_absence(status: &Status, resource: &str, name: &str) -> bool {
    let Some(details) = &status.details else { return false };
    let (plural, group) = resource.split_once('.').unwrap_or((resource, ""));
    let names_it = !name.is_empty() && details.name == name;
    status.reason == "NotFound" && names_it && details.kind == plural && details.group == group
}
