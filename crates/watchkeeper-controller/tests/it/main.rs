//! What users of controllers write, and what they may rely on.

mod conflicts;
mod events;
mod helpers;
mod kinds;
mod policy;
mod priority;
mod refused;
mod running;
mod shapes;
mod sharing;
mod skip;
mod sources;
mod world;

use std::future::{Ready, ready};
use std::io;
use std::task::{Context, Poll};

use watchkeeper_client::{Body, Client};

/// A client that reaches nothing.
pub(crate) fn nowhere() -> Client {
    Client::new(Nowhere)
}

#[derive(Clone)]
struct Nowhere;

impl tower_service::Service<http::Request<Body>> for Nowhere {
    type Response = http::Response<Body>;
    type Error = io::Error;
    type Future = Ready<Result<Self::Response, io::Error>>;

    fn poll_ready(&mut self, _task: &mut Context<'_>) -> Poll<Result<(), io::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _request: http::Request<Body>) -> Self::Future {
        ready(Err(io::Error::other("no server in this test")))
    }
}
