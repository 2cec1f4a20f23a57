//! A Kubernetes cluster inside the process: the embedded API server, and the actors that make a
//! Deployment become ready.
//!
//! ```text
//!   your controller ──▶ client ──▶ ApiServer ◀── client ◀── actors: namespace, garbage collector,
//!                                                            deployment, replica set, scheduler,
//!                                                            kubelet, node, service account
//! ```
//!
//! [`Cluster`] puts both together. Each actor is an ordinary controller of this toolkit, added to
//! a [`Manager`](watchkeeper_manager::Manager) by a function of its own ([`actors`]), so each also
//! runs against a real kube-apiserver.
//!
//! [`Endpoint`] lets other programs, such as kubectl, join in. Nothing else here needs a socket or
//! real time: under tokio's paused clock a whole cluster runs in
//! milliseconds, and with one seed it runs the same way every time.

mod cluster;
mod endpoint;
mod resources;

pub mod actors;

pub use cluster::{Builder, Cluster};
pub use endpoint::Endpoint;
