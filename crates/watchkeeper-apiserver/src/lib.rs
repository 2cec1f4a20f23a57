//! An embedded Kubernetes API server.
//!
//! The core is a synchronous state machine: requests and moments in time go in, replies, watch
//! frames and wake-up times come out. It reads no clock and rolls no dice of its own, so the same
//! seed and the same inputs give the same history, byte for byte. Async lives at the edge only.
//!
//! ```text
//!  http request ─▶ server ──Input──▶ step ─▶ handlers ─▶ storage ──Event──▶ watch
//!  http response ◀─ (mailboxes) ◀──────────────Output──────────────────────────┘
//! ```
//!
//! ```
//! use tower_service::Service as _;
//! use watchkeeper_apiserver::{ApiServer, Body};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut server = ApiServer::builder().seed(7).build();
//! let request = http::Request::get("/api/v1/namespaces/default").body(String::new())?;
//! let response: http::Response<Body> = server.call(request).await?;
//! assert_eq!(response.status(), http::StatusCode::OK);
//! # Ok(())
//! # }
//! ```
//!
//! - [`step`]: the machine. [`server`]: its futures. [`listener`]: its socket.
//! - [`request`]: paths, queries, representations, bodies. [`storage`]: tables, revisions, the past.
//! - [`watch`]: who sees which event. [`registry`]: what is served, and what kinds do differently.
//! - [`journal`]: what is kept of a server beyond its end. [`snapshot`]: all that it holds, as YAML. [`crd`]: custom resources. [`hooks`]: where a test steps in. [`history`]: what was written.
//! - [`containers`]: logs of containers, and who has them.
//! - [`user`], [`access`]: who makes a request, and whether they may. [`admission`]: who may change
//!   or refuse what is written.
//! - [`patch`], [`apply`], [`shape`], [`kind_defaults`], [`kind_validation`], [`table`],
//!   [`openapi`]: the rules of the API as pure functions over JSON values.

pub mod access;
pub mod admission;
pub mod clock;
pub mod config;
pub mod containers;
pub mod error;
pub mod history;
pub mod hooks;
pub mod journal;
pub mod listener;
pub mod rng;
pub mod server;
pub mod snapshot;
pub mod step;
pub mod user;

mod answers;
mod api_services;
mod compress;
pub mod convert;
pub mod crd;
mod decode_error;
mod deep;
mod discovery;
pub mod filter;
mod flow;
mod go;
mod handlers;
mod managed;
mod meta;
mod metrics;
mod openapi_paths;
mod present;
mod pretty;
mod protobuf;
pub mod registry;
mod reply;
pub mod request;
pub mod resource;
mod restore;
mod schemas;
pub mod storage;
mod subresource;
mod turn;
pub mod under_way;
mod unified;
pub mod watch;
mod yaml;

// The rules of the API as pure functions over JSON values.
#[cfg(test)]
mod any_input;
pub mod apply;
pub mod fields;
pub mod jsonpath;
pub mod kind_defaults;
pub mod kind_validation;
pub mod kind_warnings;
pub mod openapi;
pub mod patch;
pub mod shape;
pub mod table;

pub use access::Authorization;
pub use clock::{Clock, Now};
pub use config::{Config, ServiceRange};
pub use history::{History, HistoryEntry, Verb};
pub use hooks::Hook;
pub use journal::{Journal, Keeper};
pub use listener::{Identity, Tls, listen, serve, serve_tls};
pub use rng::Rng;
pub use server::{ApiServer, Body};
pub use step::{Core, Input, Output, Ticket};
pub use user::User;
