//! A local copy of some objects of a Kubernetes API server, which follows the server.
//!
//! ```text
//!  client ──ListPage────▶ reflector ──Delta──▶ delta queue ──Delta──▶ store + index ──Change──▶ handlers
//!         ──WatchEvent──▶                                                 ▲
//!                                                           Watch, Lister │ reads
//! ```
//!
//! ```
//! use watchkeeper_api::core::v1::ConfigMap;
//! use watchkeeper_api::object;
//! use watchkeeper_apiserver::ApiServer;
//! use watchkeeper_cache::Cache;
//! use watchkeeper_client::{Client, CreateOptions};
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let client = Client::new(ApiServer::new());
//! let cache = Cache::new(&client);
//! let client = client.observed_by(cache.observer());
//! let maps = cache.watch::<ConfigMap>();
//! let work = async {
//!     let map = object!(ConfigMap { metadata: { name: "a", namespace: "default" } });
//!     client.api_for(&map).create(&map, &CreateOptions::default()).await?;
//!     assert!(maps.get(("default", "a")).await?.is_some(), "own writes are seen");
//!     assert_eq!(maps.list().await?.len(), 1, "in lists, too");
//!     assert!(maps.get(("default", "b")).await?.is_none());
//!     Ok(())
//! };
//! tokio::select! {
//!     biased;
//!     ended = work => ended,
//!     () = cache.run() => Ok(()),
//! }
//! # }
//! ```
//!
//! - [`Cache`] owns the copies of a process: one for each selection, however many ask for it.
//! - [`Watch`] is a handle to one copy: it reads ([`Watch::get`] and [`Watch::list`] see this process's own writes), makes
//!   [indices](Index), and [subscribes](Watch::subscribe), or is read as a [stream of
//!   changes](Watch::changes). [`Source`] is what a controller listens to.
//! - `Cache::packed` (feature `packed`) keeps objects compressed, and makes them anew when they are read.
//! - [`Namespaces`] are the copies of some namespaces as one, and which ones can change: a source, too.
//! - [`SharedInformerFactory`], [`SharedInformer`] and [`Lister`] are the same under client-go's names.
//! - [`Store`], [`DeltaQueue`], [`Delta`], [`Replacement`] and [`Change`] are the parts, each usable alone.
//! - [`classic`] has the parts of the field's tutorials: `ListWatch`, `Reflector`, `DeltaFifo`, `Indexer`,
//!   `IndexerInformer` and what else stands there.
//!
//! What holds:
//!
//! - For each object a handler is told a subsequence of the states the server had, in order, and in the end
//!   the last one. What vanished while nobody looked is told as a deletion whose final state is unknown.
//! - A list replaces the copy as one step. Readers see it before or after, and do not hold up the writer.
//! - The last handle ends the watch. Nothing runs but below [`Cache::run`], and nothing after it.
//! - A slow handler, a handler that panics and an object that cannot be read hurt nobody else.
//! - The same seed and the same answers of the server give the same requests at the same times.
//! - Nothing here writes to the server.

mod cache;
mod change;
mod changes;
pub mod classic;
mod core;
mod delta;
mod delta_queue;
mod error;
mod factory;
mod floors;
mod hub;
mod informer;
pub mod informer_metrics;
mod inquiry;
mod intake;
mod item;
mod latest;
mod ledger;
mod lister;
mod lock;
mod mailbox;
mod namespaces;
#[cfg(feature = "packed")]
mod packed;
#[cfg(feature = "prometheus")]
mod prometheus;
mod reflector;
mod remote;
mod rng;
mod selection;
mod source;
mod status;
mod store;
mod sync;
mod tasks;
#[cfg(test)]
mod testing;
mod version;
mod watch;
mod writes;

pub use cache::Cache;
pub use change::Change;
pub use changes::Changes;
pub use delta::{Delta, Replacement};
pub use delta_queue::DeltaQueue;
pub use error::{Error, Result};
pub use factory::{Running, SharedInformerFactory};
pub use hub::HandlerOptions;
pub use informer::SharedInformer;
pub use intake::{NotWhole, Transformed};
pub use item::Item;
pub use lister::Lister;
pub use mailbox::Overflow;
pub use namespaces::Namespaces;
#[cfg(feature = "packed")]
pub use packed::{Packed, Packer, Unpacked};
#[cfg(feature = "prometheus")]
pub use prometheus::PrometheusMetrics;
pub use source::{Source, filtered};
pub use status::{Phase, Status};
pub use store::{Found, Index, Snapshot, Store};
pub use watch::{Subscription, Watch};
