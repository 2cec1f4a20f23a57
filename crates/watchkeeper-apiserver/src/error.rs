//! The error every client sees: `metav1.Status` with upstream's reasons, messages and causes.
//!
//! Source of the shapes: apimachinery's `api/errors` and `meta/v1` types.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::quote;

use crate::resource::Resource;

/// A refused request, as the Status object that is sent for it.
#[derive(Clone, Debug, PartialEq)]
pub struct ApiError {
    /// The HTTP status code.
    pub code: u16,
    /// The machine-readable reason, e.g. `NotFound`; that of a webhook may be any.
    pub reason: Cow<'static, str>,
    /// The sentence for people.
    pub message: String,
    /// `details` of the Status, without the empty members.
    pub details: Map<String, Value>,
    /// Whether `details` is written even when nothing is in it, as some of upstream's errors do.
    pub bare_details: bool,
    /// `metadata.continue`: how to go on after an expired list.
    pub continue_token: Option<String>,
}

/// What the server's inner functions return.
pub type Result<T> = std::result::Result<T, ApiError>;

/// One entry of `details.causes`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// E.g. `FieldValueInvalid`.
    pub reason: String,
    /// What is wrong, without the path.
    pub message: String,
    /// The path of the field, e.g. `spec.replicas`.
    pub field: String,
}

impl ApiError {
    /// An error without details.
    #[must_use]
    pub fn new(code: u16, reason: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            reason: Cow::Borrowed(reason),
            message: message.into(),
            details: Map::new(),
            bare_details: false,
            continue_token: None,
        }
    }

    /// Names the object that the error is about.
    #[must_use]
    pub fn about(mut self, resource: &Resource, name: &str) -> Self {
        self.detail("name", name);
        self.detail("group", &resource.group);
        self.detail("kind", &resource.plural);
        self
    }

    /// Adds a member of `details`, unless it is empty.
    #[must_use]
    pub fn with_detail(mut self, key: &str, value: &str) -> Self {
        self.detail(key, value);
        self
    }

    fn detail(&mut self, key: &str, value: &str) {
        if !value.is_empty() {
            self.details.insert(key.to_owned(), value.into());
        }
    }

    /// Writes `details` even when nothing is in it.
    #[must_use]
    pub const fn with_details(mut self) -> Self {
        self.bare_details = true;
        self
    }

    /// Adds causes.
    #[must_use]
    pub fn causes(mut self, causes: impl IntoIterator<Item = Cause>) -> Self {
        let list: Vec<Value> = causes.into_iter().map(Cause::into_json).collect();
        if !list.is_empty() {
            self.details.insert("causes".to_owned(), list.into());
        }
        self
    }

    /// Tells the client when to come back.
    #[must_use]
    pub fn retry_after(mut self, seconds: u32) -> Self {
        self.details.insert("retryAfterSeconds".to_owned(), seconds.into());
        self
    }

    /// The seconds of `Retry-After`, where the error has them.
    #[must_use]
    pub fn retry_seconds(&self) -> Option<u64> {
        self.details.get("retryAfterSeconds").and_then(Value::as_u64)
    }

    /// The Status object.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut metadata = Map::new();
        if let Some(token) = &self.continue_token {
            metadata.insert("continue".to_owned(), token.as_str().into());
        }
        let mut status = json!({
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": metadata,
            "status": "Failure",
            "message": self.message,
            "code": self.code,
        });
        if !self.reason.is_empty() {
            status["reason"] = self.reason.as_ref().into();
        }
        if self.bare_details || !self.details.is_empty() {
            status["details"] = Value::Object(self.details.clone());
        }
        status
    }

    /// 400: the request itself makes no sense.
    #[must_use]
    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::new(400, "BadRequest", message)
    }

    /// 404: there is no such object.
    #[must_use]
    pub fn not_found(resource: &Resource, name: &str) -> Self {
        let message = format!("{} {} not found", resource.qualified(), quoted(name));
        Self::new(404, "NotFound", message).about(resource, name)
    }

    /// 404: there is no such path.
    #[must_use]
    pub fn no_path() -> Self {
        let message = "the server could not find the requested resource";
        Self::new(404, "NotFound", message).with_details()
    }

    /// 409: the name is taken.
    #[must_use]
    pub fn already_exists(resource: &Resource, name: &str) -> Self {
        let message = format!("{} {} already exists", resource.qualified(), quoted(name));
        Self::new(409, "AlreadyExists", message).about(resource, name)
    }

    /// 409: a precondition does not hold.
    #[must_use]
    pub fn conflict(resource: &Resource, name: &str, why: &str) -> Self {
        let message = format!(
            "Operation cannot be fulfilled on {} {}: {why}",
            resource.qualified(),
            quoted(name)
        );
        Self::new(409, "Conflict", message).about(resource, name)
    }

    /// 409: the object changed since the client read it.
    #[must_use]
    pub fn modified(resource: &Resource, name: &str) -> Self {
        let why = "the object has been modified; please apply your changes to the latest version \
                   and try again";
        Self::conflict(resource, name, why)
    }

    /// 403.
    #[must_use]
    pub fn forbidden(resource: &Resource, name: &str, why: &str) -> Self {
        let what = if name.is_empty() {
            resource.qualified()
        } else {
            format!("{} {}", resource.qualified(), quoted(name))
        };
        Self::new(403, "Forbidden", format!("{what} is forbidden: {why}")).about(resource, name)
    }

    /// 422: the object breaks rules; every broken one is a cause.
    #[must_use]
    pub fn invalid(group: &str, kind: &str, name: &str, causes: Vec<Cause>) -> Self {
        let qualified = if group.is_empty() { kind.to_owned() } else { format!("{kind}.{group}") };
        let message = format!("{qualified} {} is invalid: {}", quoted(name), aggregate(&causes));
        let mut error = Self::new(422, "Invalid", message);
        error.detail("name", name);
        error.detail("group", group);
        error.detail("kind", kind);
        error.causes(causes)
    }

    /// 405.
    #[must_use]
    pub fn method_not_supported(resource: &Resource, action: &str) -> Self {
        let message = format!(
            "{action} is not supported on resources of kind {}",
            quoted(&resource.qualified())
        );
        Self::new(405, "MethodNotAllowed", message).about(resource, "")
    }

    /// 410: the asked revision is gone.
    #[must_use]
    pub fn expired(message: impl Into<String>) -> Self {
        Self::new(410, "Expired", message)
    }

    /// 429: the client shall come back later.
    #[must_use]
    pub fn too_many_requests(message: impl Into<String>, retry_after: u32) -> Self {
        Self::new(429, "TooManyRequests", message).retry_after(retry_after)
    }

    /// 504: the time for the answer is up.
    #[must_use]
    pub fn timeout(why: &str) -> Self {
        Self::new(504, "Timeout", format!("Timeout: {why}")).with_details()
    }

    /// 504: a read of a revision that the server has not reached.
    #[must_use]
    pub fn too_large_resource_version(asked: u64, current: u64) -> Self {
        let message = format!("Timeout: Too large resource version: {asked}, current: {current}");
        let cause = Cause {
            reason: "ResourceVersionTooLarge".to_owned(),
            message: "Too large resource version".to_owned(),
            field: String::new(),
        };
        Self::new(504, "Timeout", message).causes([cause]).retry_after(1)
    }

    /// 406: no representation that the client accepts.
    #[must_use]
    pub fn not_acceptable(offered: &str) -> Self {
        let message = format!("406: Not Acceptable\n\nAvailable representations: {offered}");
        Self::new(406, "NotAcceptable", message).with_details()
    }

    /// 406: the media types are fine, what their parameters ask for is not.
    #[must_use]
    pub fn not_accepted(offered: &str) -> Self {
        let message = format!("only the following media types are accepted: {offered}");
        Self::new(406, "NotAcceptable", message)
    }

    /// 415: a body in a format that the server does not read.
    #[must_use]
    pub fn unsupported_media_type(offered: &str) -> Self {
        let message = format!(
            "the body of the request was in an unknown format - accepted media types include: {offered}"
        );
        Self::new(415, "UnsupportedMediaType", message)
    }

    /// 413.
    #[must_use]
    pub fn too_large(limit: usize) -> Self {
        let message = format!("Request entity too large: limit is {limit}");
        Self::new(413, "RequestEntityTooLarge", message)
    }

    /// 500.
    #[must_use]
    pub fn internal(message: impl Into<String>) -> Self {
        let message = format!("Internal error occurred: {}", message.into());
        Self::new(500, "InternalError", message)
    }
}

impl Cause {
    /// A field that must be set.
    pub fn required(field: impl Into<String>, detail: &str) -> Self {
        let message = if detail.is_empty() {
            "Required value".to_owned()
        } else {
            format!("Required value: {detail}")
        };
        Self { reason: "FieldValueRequired".to_owned(), message, field: field.into() }
    }

    /// A field with a value that is not allowed.
    pub fn invalid(field: impl Into<String>, value: &Value, detail: &str) -> Self {
        FieldError::invalid(field, value.clone(), detail).into()
    }

    /// A field that must not be set here.
    pub fn forbidden(field: impl Into<String>, detail: &str) -> Self {
        let message = format!("Forbidden: {detail}");
        Self { reason: "FieldValueForbidden".to_owned(), message, field: field.into() }
    }

    fn into_json(self) -> Value {
        let mut cause = Map::new();
        for (key, value) in
            [("reason", self.reason), ("message", self.message), ("field", self.field)]
        {
            if !value.is_empty() {
                cause.insert(key.to_owned(), value.into());
            }
        }
        Value::Object(cause)
    }
}

impl From<FieldError> for Cause {
    fn from(error: FieldError) -> Self {
        Self { reason: error.reason.cause().to_owned(), message: error.body(), field: error.field }
    }
}

/// The message of several field errors, as apimachinery aggregates them: each once, in brackets.
fn aggregate(causes: &[Cause]) -> String {
    let texts: Vec<String> =
        causes.iter().map(|cause| format!("{}: {}", cause.field, cause.message)).collect();
    let mut seen = BTreeSet::new();
    let told: Vec<&str> =
        texts.iter().map(String::as_str).filter(|text| seen.insert(*text)).collect();
    match told[..] {
        [only] => only.to_owned(),
        _ => format!("[{}]", told.join(", ")),
    }
}

/// Go's `%q`.
pub(crate) fn quoted(text: &str) -> String {
    quote(text)
}
