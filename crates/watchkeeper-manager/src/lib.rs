//! Several things as one process.
//!
//! A [`Manager`] owns one cache and the controllers that read it:
//!
//! - *Start*: the cache is run and synced before any controller or other runnable starts.
//! - *Stop*: runnables first, each with time to finish what is under way, then the lease is given up;
//!   then the cache, which they read until then.
//! - *Together*: the first runnable that fails stops all, and its error is returned.
//! - *One leads*: with an [election](Manager::leader_election), of several replicas the one that holds the
//!   lease works, and sends no write after it.
//! - *Shared*: with a [sharding](Manager::sharding), replicas share the objects: each reconciles those of the
//!   shards that it holds, and sends no write of them after it.
//! - *In many places*: [`Manager::clusters`] runs the same controllers in [clusters] that come and go.
//! - *Probed*: with the feature `endpoints`, `Manager::health_probes` answers `/healthz` and `/readyz`, by checks
//!   with names, from the first moment to the last.
//! - *Measured*: [`Manager::metrics`] reaches the requests, the informers, the queues and the reconciles;
//!   `Manager::serve_metrics` tells them to who scrapes.
//! - *Profiled*: with the feature `profiles`, `Manager::serve_profiles` shows `go tool pprof` where the processor's time
//!   goes.
//! - *Traced*: each reconcile is a span of `tracing` with an id, outcome and all its requests below; with the feature
//!   `opentelemetry`, `Telemetry` sends them to a collector.
//! - *Own writes are seen*: the cache observes the manager's client, so that a controller reads
//!   what it wrote.
//!
//! ```
//! use std::sync::Arc;
//!
//! use tokio::sync::Notify;
//! use watchkeeper_api::core::v1::ConfigMap;
//! use watchkeeper_api::object;
//! use watchkeeper_apiserver::ApiServer;
//! use watchkeeper_client::{Client, CreateOptions};
//! use watchkeeper_controller::Action;
//! use watchkeeper_manager::Manager;
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() -> watchkeeper_api::Result<()> {
//! let manager = Manager::new(&Client::new(ApiServer::new()));
//! let (maps, found) = (manager.watch::<ConfigMap>(), Arc::new(Notify::new()));
//! let shutdown = Arc::clone(&found);
//!
//! manager.controller("finder", &maps).with((maps, found)).reconcile(
//!     async |(maps, found), request, _ctx| {
//!         if maps.get(&request).await?.is_some_and(|map| map.data.contains_key("treasure")) {
//!             found.notify_one();
//!         }
//!         Ok(Action::done())
//!     },
//! );
//! let client = manager.client().clone();
//! manager.add("hider", async move |_stop| {
//!     let map = object!(ConfigMap {
//!         metadata: { name: "island", namespace: "default" },
//!         data: { "treasure": "gold" },
//!     });
//!     client.api_for(&map).create(&map, &CreateOptions::default()).await.map(drop)
//! });
//! manager.run(async move { shutdown.notified().await }).await
//! # }
//! ```
//!
//! # Replicas that share the objects
//!
//! One process that reconciles everything has a limit. With [`Manager::sharding`] several replicas do: the
//! objects are in a fixed number of shards, by namespace and name, and each replica holds some of them, by a
//! lease each. Shares are fair; a replica that comes is handed its share, and what a replica leaves behind is
//! taken by the others: at once if it stopped in order, after the time of a lease if not. No object is
//! reconciled by two at once, nor written, for the bounds on delays and clocks that hold for a leader.
//!
//! ```
//! use tokio::time::{Duration, sleep};
//! use watchkeeper_api::core::v1::ConfigMap;
//! use watchkeeper_apiserver::ApiServer;
//! use watchkeeper_client::Client;
//! use watchkeeper_controller::Action;
//! use watchkeeper_manager::{Manager, Sharding};
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() -> watchkeeper_api::Result<()> {
//! let client = Client::new(ApiServer::new());
//! let replica = |identity| {
//!     // A process of its own each; there the identity is drawn.
//!     let sharding = Sharding::new("my-operator", 16).namespace("default").identity(identity);
//!     let manager = Manager::new(&client).sharding(sharding);
//!     let maps = manager.watch::<ConfigMap>();
//!     manager.controller("maps", &maps).reconcile(async |request, _ctx| {
//!         println!("{request} is mine");
//!         Ok(Action::done())
//!     });
//!     manager
//! };
//! let (one, other) = (replica("a"), replica("b"));
//! let shares = [&one, &other].map(|manager| manager.share().expect("it shares").clone());
//! let shutdown = async {
//!     sleep(Duration::from_secs(10)).await;
//!     assert_eq!(shares.map(|share| share.held().len()), [8, 8]);
//! };
//! tokio::select! {
//!     ended = one.run(shutdown) => ended,
//!     ended = other.run(std::future::pending()) => ended,
//! }
//! # }
//! ```
//!
//! What it takes: reconcile functions write with their context, as those writes stop with the shard; every
//! replica has every object in its cache; and the number of shards stays. `docs/design/sharding.md` has the
//! reasons and the proof.
//!
//! # The end
//!
//! A program ends at a signal instead: [`signals`] turns SIGINT and SIGTERM into a shutdown. With the feature
//! `cli`, `Flags` has the flags that upstream's programs have, and `LogFlags` those of their logs. The counterpart of controller-runtime's
//! `pkg/manager`.

pub mod clusters;
mod crew;
#[cfg(feature = "endpoints")]
mod endpoints;
#[cfg(feature = "cli")]
mod flags;
#[cfg(feature = "endpoints")]
mod health;
mod leader;
#[cfg(feature = "logs")]
mod logs;
mod manager;
mod metrics;
mod panics;
#[cfg(feature = "profiles")]
mod profiles;
mod runnable;
mod sharding;
pub mod signals;
mod sync;
#[cfg(feature = "opentelemetry")]
mod telemetry;
#[cfg(feature = "webhooks")]
pub mod webhook;

#[cfg(feature = "tls")]
pub use crate::endpoints::Tls;
#[cfg(feature = "endpoints")]
pub use crate::endpoints::{Bind, MetricsEndpoint};
#[cfg(all(feature = "cli", feature = "webhooks"))]
pub use crate::flags::WebhookFlags;
#[cfg(feature = "cli")]
pub use crate::flags::{Flags, LogEncoder, LogFlags};
pub use crate::leader::{Candidate, ElectionMetrics, Ended, Fence, LeaderElection, LeaderElector};
#[cfg(feature = "logs")]
pub use crate::logs::{Logs, TimeEncoding};
pub use crate::manager::Manager;
pub use crate::metrics::Metrics;
pub use crate::runnable::Registered;
pub use crate::sharding::Sharding;
#[cfg(feature = "opentelemetry")]
pub use crate::telemetry::Telemetry;
pub use watchkeeper_controller::{Share, Stop};
