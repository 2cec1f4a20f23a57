//! What a manager promises: order, failures, grace and signals without a server; convergence with one.

mod breakdown;
mod clusters;
mod foo;
mod forms;
mod leader;
mod listen;
mod namespaces;
mod needs;
mod order;
#[cfg(feature = "endpoints")]
mod probes;
#[cfg(all(
    feature = "profiles",
    target_os = "linux",
    target_env = "gnu",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod profiles;
#[cfg(feature = "prometheus")]
mod prometheus;
mod refused;
mod sample;
mod scale;
#[cfg(feature = "tls")]
mod scrape;
mod sharding;
mod signals;
mod spans;
#[cfg(feature = "opentelemetry")]
mod telemetry;
#[cfg(feature = "webhooks")]
#[path = "../../examples/webhooks/story.rs"]
mod story;
#[cfg(feature = "logs")]
mod unheard;
#[cfg(feature = "webhooks")]
mod webhooks;
mod wraps;

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
