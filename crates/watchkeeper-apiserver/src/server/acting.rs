//! The server as one user sees it.

use std::task::{Context, Poll};

use http::Request;
use tower_service::Service;

use super::{ApiServer, Body, Hangup};
use crate::user::User;

/// A server whose requests are all one user's, by the listener's word rather than by a token.
///
/// ```
/// use tower_service::Service as _;
/// use watchkeeper_apiserver::{ApiServer, User};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut alice = ApiServer::builder().rbac().build().acting_as(User::new("alice"));
/// let request = http::Request::get("/api/v1/pods").body(String::new())?;
/// assert_eq!(alice.call(request).await?.status(), http::StatusCode::FORBIDDEN);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ActingAs {
    server: ApiServer,
    user: User,
}

impl ActingAs {
    pub(super) const fn new(server: ApiServer, user: User) -> Self {
        Self { server, user }
    }
}

impl<B> Service<Request<B>> for ActingAs
where
    B: http_body::Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Response = http::Response<Body>;
    type Error = Hangup;
    type Future = <ApiServer as Service<Request<B>>>::Future;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Hangup>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        request.extensions_mut().insert(self.user.clone());
        self.server.call(request)
    }
}
