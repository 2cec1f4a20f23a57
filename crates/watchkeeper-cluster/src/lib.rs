//! A Kubernetes cluster inside the process: the embedded API server, and the actors that make a
//! Deployment become ready.
//!
//! ```text
//!   your controller ──▶ client ──▶ ApiServer ◀── client ◀── actors: namespace, garbage collector,
//!                                                            deployment, replica set, daemon set,
//!                                                            stateful set, job, TTL after finished,
//!                                                            cron job, pod GC, endpoint slice,
//!                                                            endpoints, endpoint slice mirroring,
//!                                                            claims, disruption, taint eviction,
//!                                                            scheduler, kubelet, node, service account
//! ```
//!
//! ```
//! use watchkeeper_api::apps::v1::Deployment;
//! use watchkeeper_api::object;
//! use watchkeeper_client::CreateOptions;
//! use watchkeeper_cluster::Cluster;
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() -> watchkeeper_api::Result<()> {
//! let cluster = Cluster::builder().nodes(1).seed(7).build();
//! let web = object!(Deployment {
//!     metadata: { name: "web", namespace: "default" },
//!     spec: {
//!         replicas: 3,
//!         selector: { match_labels: { "app": "web" } },
//!         template: {
//!             metadata: { labels: { "app": "web" } },
//!             spec: { containers: [{ name: "nginx", image: "nginx:1.29" }] },
//!         },
//!     },
//! });
//! let deployments = cluster.client("me").api_for(&web);
//! deployments.create(&web, &CreateOptions::default()).await?;
//! cluster.run(tokio::time::sleep(std::time::Duration::from_secs(10))).await?;
//! assert_eq!(deployments.get("web").await?.status.available_replicas, 3);
//! # Ok(())
//! # }
//! ```
//!
//! [`Cluster`] puts both together. Each actor is an ordinary controller of this toolkit, added to
//! a [`Manager`](watchkeeper_manager::Manager) by a function of its own ([`actors`]), so each also
//! runs against a real kube-apiserver.
//!
//! With [`Builder::rbac`] roles and bindings hold, and [`Cluster::client_as`] shows what a user may do.
//!
//! A cluster lives in memory, unless [`Builder::build_on`] gives it a journal to be had again from:
//! with feature `disk` that is a folder (`Disk`). [`Cluster::export`] writes all of it as YAML, and
//! [`Builder::import`] begins with that.
//!
//! With feature `test`, `testing` runs a test beside a cluster of its own: what `#[watchkeeper::test]` does.
//!
//! [`Endpoint`] lets other programs, such as kubectl, join in. Nothing else here needs a socket or
//! real time: under tokio's paused clock a whole cluster runs in
//! milliseconds, and with one seed it runs the same way every time.

mod cluster;
#[cfg(feature = "disk")]
mod disk;
mod endpoint;
mod export;
mod resources;
mod started;
#[cfg(feature = "webhooks")]
mod webhooks;
mod wired;

pub mod actors;
pub mod containers;
#[cfg(feature = "test")]
pub mod testing;

pub use cluster::{Builder, Cluster};
pub use containers::Containers;
#[cfg(feature = "disk")]
pub use disk::Disk;
pub use endpoint::Endpoint;
#[cfg(feature = "tls")]
pub use endpoint::authority::Authority;
pub use started::Started;
pub use watchkeeper_apiserver::{Journal, Keeper, User};
