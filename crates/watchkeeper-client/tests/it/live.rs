//! A client of the embedded server, in the same process.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use http::{Request, Response};
use tower_service::Service;
use watchkeeper_apiserver::{ApiServer, server::Hangup};
use watchkeeper_client::{Body, Client};

/// A server, and a client of it.
pub(crate) struct Live {
    pub(crate) server: ApiServer,
    pub(crate) client: Client,
    asked: Arc<Mutex<Vec<String>>>,
}

pub(crate) fn live() -> Live {
    let server = ApiServer::new();
    let asked = Arc::default();
    let seen = Seen { server: server.clone(), asked: Arc::clone(&asked) };
    Live { server, client: Client::new(seen).user_agent("it"), asked }
}

impl Live {
    /// What was asked since the last time: `GET /api/v1/pods`.
    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

/// Writes down what goes through it.
#[derive(Clone)]
struct Seen {
    server: ApiServer,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Service<Request<Body>> for Seen {
    type Response = Response<watchkeeper_apiserver::Body>;
    type Error = Hangup;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Hangup>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Hangup>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        self.asked.lock().unwrap().push(format!("{} {}", request.method(), request.uri()));
        self.server.call(request)
    }
}
