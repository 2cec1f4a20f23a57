//! Any tower service, behind one pointer.
//!
//! No buffer and no worker task: a call clones the service and drives the clone, so dropping the call's
//! future drops the request.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http::{Request, Response};
use tower_service::Service;

use crate::body::{Body, BoxError};

pub(crate) type Answer = Pin<Box<dyn Future<Output = Result<Response<Body>, BoxError>> + Send>>;

/// One request in, one answer's head out.
pub(crate) trait Transport: Send + Sync {
    fn call(&self, request: Request<Body>) -> Answer;
}

/// Nobody is there.
pub(crate) struct Unconnected;

impl Transport for Unconnected {
    fn call(&self, _: Request<Body>) -> Answer {
        Box::pin(std::future::ready(Err("this client is connected to nothing".into())))
    }
}

/// Erases `service`.
pub(crate) fn erase<S, B>(service: S) -> Arc<dyn Transport>
where
    S: Service<Request<Body>, Response = Response<B>> + Clone + Send + 'static,
    S::Error: Into<BoxError>,
    S::Future: Send,
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    Arc::new(Shared(Mutex::new(service)))
}

/// The lock lets services that are not `Sync` be shared; it is held only while cloning.
struct Shared<S>(Mutex<S>);

impl<S, B> Transport for Shared<S>
where
    S: Service<Request<Body>, Response = Response<B>> + Clone + Send + 'static,
    S::Error: Into<BoxError>,
    S::Future: Send,
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    fn call(&self, request: Request<Body>) -> Answer {
        let mut service = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Box::pin(async move {
            poll_fn(|cx| service.poll_ready(cx)).await.map_err(Into::into)?;
            let answer = service.call(request).await.map_err(Into::into)?;
            Ok(answer.map(Body::new))
        })
    }
}
