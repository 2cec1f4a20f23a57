//! Our client over kube's: its connections, its credentials.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use http::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tower_service::Service;
use watchkeeper_client::{Body, BoxError, Client, Upgrade};

/// Our client, which sends what it sends through `client`: kubeconfig, credentials, certificates,
/// proxies and layers stay kube's.
///
/// Deadlines, retries and the field manager are ours, as of any [`Client`]. Kube's client tries a
/// request again by itself, too, writes included, unless its `Config` says otherwise
/// (`default_retry`); it speaks HTTP/1.1. Bodies of requests are sent whole.
///
/// ```
/// use watchkeeper_api::core::v1::Namespace;
/// use watchkeeper_apiserver::ApiServer;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> watchkeeper_client::Result<()> {
/// // In a program: kube::Client::try_default().await?
/// let kube_client = kube::Client::new(ApiServer::new(), "default");
/// let client = watchkeeper_kube::client(kube_client);
/// assert_eq!(client.api::<Namespace>().get("default").await?.status.phase, "Active");
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn client(client: kube::Client) -> Client {
    Client::new(KubeService { client })
}

/// A `kube::Client` as the service that our client sends through: for those who put layers between
/// the two.
#[derive(Clone)]
pub struct KubeService {
    client: kube::Client,
}

impl From<kube::Client> for KubeService {
    fn from(client: kube::Client) -> Self {
        Self { client }
    }
}

impl fmt::Debug for KubeService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KubeService").finish_non_exhaustive()
    }
}

impl Service<Request<Body>> for KubeService {
    type Response = Response<kube::client::Body>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, BoxError>> + Send>>;

    /// Always ready: kube's client waits for its own turn when it is called.
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let client = self.client.clone();
        Box::pin(async move {
            let (head, body) = request.into_parts();
            // Whole, so that kube's client can send it again after refreshing credentials.
            let body = kube::client::Body::from(body.collect(usize::MAX).await?);
            let mut answer = client.send(Request::from_parts(head, body)).await?;
            if answer.status() == StatusCode::SWITCHING_PROTOCOLS {
                let stream = hyper::upgrade::on(&mut answer);
                let stream = Upgrade::new(async { stream.await.map(TokioIo::new) });
                answer.extensions_mut().insert(stream);
            }
            Ok(answer)
        })
    }
}
