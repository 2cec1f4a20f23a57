//! The server for clients without a socket.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use http::{Request, Response};
use tower_service::Service;
use watchkeeper_apiserver::server::{ActingAs, Hangup, Upgrade};

/// Hands over what a connection becomes as clients of this toolkit take it.
#[derive(Clone, Debug)]
pub(crate) struct Wired(pub(crate) ActingAs);

impl Service<Request<watchkeeper_client::Body>> for Wired {
    type Response = Response<watchkeeper_apiserver::Body>;
    type Error = Hangup;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Hangup>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Hangup>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<watchkeeper_client::Body>) -> Self::Future {
        let answer = self.0.call(request);
        Box::pin(async {
            let mut response = answer.await?;
            if let Some(upgrade) = response.extensions_mut().remove::<Upgrade>() {
                let stream = async move { upgrade.take().ok_or("the stream was taken before") };
                response.extensions_mut().insert(watchkeeper_client::Upgrade::new(stream));
            }
            Ok(response)
        })
    }
}
