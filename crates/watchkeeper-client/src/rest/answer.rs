//! An answer as it came.

use bytes::Bytes;
use http::{HeaderMap, Response, StatusCode, header};
use watchkeeper_api::Result;
use watchkeeper_api::error::Subject;
use watchkeeper_api::json::{self, Read};

use crate::fail::Why;
use crate::notice::{Warning, warnings};

/// The answer to a [`RestRequest`](crate::RestRequest): always a success.
pub struct RestAnswer {
    answer: Response<Bytes>,
    subject: Subject,
}

impl RestAnswer {
    pub(super) const fn new(answer: Response<Bytes>, subject: Subject) -> Self {
        Self { answer, subject }
    }

    /// 200, 201, 202 …
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.answer.status()
    }

    /// Whether the object was made by this request (upstream: `WasCreated`).
    #[must_use]
    pub fn was_created(&self) -> bool {
        self.status() == StatusCode::CREATED
    }

    /// The headers.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        self.answer.headers()
    }

    /// What the body is, as the server says; empty if it does not.
    #[must_use]
    pub fn content_type(&self) -> &str {
        self.headers().get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or("")
    }

    /// What the server warned of.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        warnings(self.headers())
    }

    /// The body.
    #[must_use]
    pub fn bytes(&self) -> &Bytes {
        self.answer.body()
    }

    /// The body.
    #[must_use]
    pub fn into_bytes(self) -> Bytes {
        self.answer.into_body()
    }

    /// The body as a value.
    ///
    /// # Errors
    /// When it is no `R`.
    pub fn read<R: Read>(&self) -> Result<R> {
        json::from_slice(self.bytes()).map_err(|e| Why::Unreadable(e).into_error(&self.subject))
    }
}

/// Tells the size of the body, never its content, and no header: cookies are among them.
impl std::fmt::Debug for RestAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RestAnswer({}, {} bytes)", self.status(), self.bytes().len())
    }
}
