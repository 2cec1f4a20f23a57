//! Standing between a client and its service (upstream: controller-runtime's `interceptor.Funcs`).

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use http::{Request, Response, StatusCode, header};
use serde_json::json;

use crate::body::{Body, BoxError};
use crate::client::Client;
use crate::transport::{Answer, Transport};

/// The way on to the server.
#[derive(Clone)]
pub struct Next(Arc<dyn Transport>);

impl Next {
    /// Sends the request on.
    ///
    /// # Errors
    /// No answer came.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request.
    pub async fn send(self, request: Request<Body>) -> Result<Response<Body>, BoxError> {
        self.0.call(request).await
    }
}

impl fmt::Debug for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Next")
    }
}

impl Client {
    /// Hands every attempt of this handle and its clones to `intercept`, which sends it on, changes it, or
    /// answers in the server's place.
    ///
    /// ```
    /// use http::Method;
    /// use watchkeeper_client::{Client, status_answer};
    ///
    /// /// A client whose deletes are all refused.
    /// fn without_deletes(client: Client) -> Client {
    ///     client.intercept(|request, next| async move {
    ///         if request.method() == Method::DELETE {
    ///             return Ok(status_answer(403, "Forbidden", "nothing is deleted in this test"));
    ///         }
    ///         next.send(request).await
    ///     })
    /// }
    /// ```
    #[must_use]
    pub fn intercept<F, R>(mut self, intercept: F) -> Self
    where
        F: Fn(Request<Body>, Next) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Response<Body>, BoxError>> + Send + 'static,
    {
        self.transport = Arc::new(Intercepted { intercept, next: Next(self.transport) });
        self
    }
}

struct Intercepted<F> {
    intercept: F,
    next: Next,
}

impl<F, R> Transport for Intercepted<F>
where
    F: Fn(Request<Body>, Next) -> R + Send + Sync,
    R: Future<Output = Result<Response<Body>, BoxError>> + Send + 'static,
{
    fn call(&self, request: Request<Body>) -> Answer {
        Box::pin((self.intercept)(request, self.next.clone()))
    }
}

/// Put into the extensions of an error that is answered in the server's place: nothing was sent, so nothing was
/// stored, whatever the code. Without it a 5xx leaves open whether it was.
///
/// ```
/// use watchkeeper_client::{Body, NotSent, status_answer};
///
/// fn refusal() -> http::Response<Body> {
///     let mut answer = status_answer(503, "Closed", "not sent: out of office");
///     answer.extensions_mut().insert(NotSent);
///     answer
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotSent;

/// An error as a server answers it: its code, its reason in one word, its message.
#[must_use]
pub fn status_answer(code: u16, reason: &str, message: &str) -> Response<Body> {
    let status = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": message, "reason": reason, "code": code,
    });
    let mut answer = Response::new(Body::from(status.to_string()));
    *answer.status_mut() = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let json = http::HeaderValue::from_static("application/json");
    answer.headers_mut().insert(header::CONTENT_TYPE, json);
    answer
}
