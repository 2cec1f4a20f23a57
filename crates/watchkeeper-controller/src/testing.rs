//! Doubles for unit tests.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context as Task, Poll};

use serde_json::Value;
use watchkeeper_api::Time;
use watchkeeper_client::{Body, BoxError, Client, Codec};

use crate::clock::Clock;
use crate::context::Context;
use crate::events::{self, EventSink, RecorderOptions};

/// A client that reaches nothing.
pub(crate) fn nowhere() -> Client {
    Server::new(|_, _, _| Err("no server in this test")).client()
}

/// A context that writes with `client`, and the sink of its events.
pub(crate) fn context(client: &Client) -> (Context, EventSink) {
    let clock = Clock::starting_at(Time::from_unix(1_767_225_600));
    let options = RecorderOptions { seed: Some(1), clock: clock.clone(), instance: None };
    let (recorder, sink) = events::recorder(client, "test", options);
    (Context::new("test", &Arc::default(), client, recorder, clock), sink)
}

/// A connection that broke, or the status and body of an answer.
type Answer = Result<(u16, Value), &'static str>;

type Answering = dyn Fn(&str, &str, &Value) -> Answer + Send + Sync;

/// Answers by a function of method, path and body, and keeps the requests in a log.
#[derive(Clone)]
pub(crate) struct Server {
    answer: Arc<Answering>,
    log: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(crate) fn new(
        answer: impl Fn(&str, &str, &Value) -> Answer + Send + Sync + 'static,
    ) -> Self {
        Self { answer: Arc::new(answer), log: Arc::default() }
    }

    /// What is sent can be read in the log.
    pub(crate) fn client(&self) -> Client {
        Client::new(self.clone()).codec(Codec::Json)
    }

    /// The requests so far, `METHOD path body` each.
    pub(crate) fn log(&self) -> Vec<String> {
        self.log.lock().expect("no panic").clone()
    }

    async fn respond(self, request: http::Request<Body>) -> Result<http::Response<Body>, BoxError> {
        let (head, body) = request.into_parts();
        let (method, path) = (head.method.as_str(), head.uri.path());
        let body = body.collect(1 << 20).await?;
        let body = serde_json::from_slice(&body).unwrap_or_default();
        self.log.lock().expect("no panic").push(format!("{method} {path} {body}"));
        let (status, answer) = (self.answer)(method, path, &body)?;
        let response = http::Response::builder()
            .status(status)
            .header("content-type", "application/json")
            .body(Body::from(answer.to_string()))?;
        Ok(response)
    }
}

impl tower_service::Service<http::Request<Body>> for Server {
    type Response = http::Response<Body>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, BoxError>> + Send>>;

    fn poll_ready(&mut self, _task: &mut Task<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        Box::pin(self.clone().respond(request))
    }
}
