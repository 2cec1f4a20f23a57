//! From changes to reconciles.
//!
//! ```text
//! Watch ──Change──▶ source ──Request──▶ work queue ──Job──▶ worker ──▶ reconcile function
//!                                           ▲                              │      │
//!                                           └─────────── Action ◀──────────┘      └──▶ Context: writes, events
//! ```
//!
//! ```
//! use watchkeeper_api::core::v1::ConfigMap;
//! use watchkeeper_api::object;
//! use watchkeeper_apiserver::ApiServer;
//! use watchkeeper_cache::Cache;
//! use watchkeeper_client::{Client, CreateOptions};
//! use watchkeeper_controller::{Action, Controller};
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() -> watchkeeper_api::Result<()> {
//! let client = Client::new(ApiServer::new());
//! let map = object!(ConfigMap { metadata: { name: "a", namespace: "default" } });
//! client.api_for(&map).create(&map, &CreateOptions::default()).await?;
//!
//! let cache = Cache::new(&client);
//! let client = client.observed_by(cache.observer());
//! let maps = cache.watch::<ConfigMap>();
//! let controller = Controller::new(&client, "greeter", &maps).with(maps).reconcile(
//!     async |maps, request, ctx| {
//!         let Some(map) = maps.get(&request).await? else { return Ok(Action::done()) };
//!         ctx.edit(&map, |map| drop(map.data.insert("greeting", "hello".to_owned()))).await?;
//!         Ok(Action::done())
//!     },
//! );
//! tokio::select! {
//!     biased;
//!     ended = controller.run(tokio::time::sleep(std::time::Duration::from_secs(1))) => ended?,
//!     () = cache.run() => {}
//! }
//! let map = client.api_for(&map).get("a").await?;
//! assert!(map.data.contains_key("greeting"));
//! # Ok(())
//! # }
//! ```
//!
//! - *Level-based*: a reconcile is told which object to look at, never why.
//! - *One at a time*: no object is reconciled twice at once, however many workers there are.
//! - *Persistent*: a reconcile that fails, panics or is cancelled is tried again, later each time.
//! - *Complete*: no worker starts before every source has told all there was.
//! - *Prompt*: what changed goes before what was there at the start or is only looked at again, which still
//!   has its turn.
//! - *Graceful*: a stop lets running reconciles finish and takes no more keys.
//! - *Careful*: what is written is a difference or an apply, so fields that these types do not know
//!   survive; nothing is sent when nothing changed.
//!
//! A [`ControllerBuilder`] makes a [`Controller`], which does nothing before it is run. The
//! counterpart of controller-runtime's `pkg/controller`, `builder`, `handler` and `predicate`.

mod request;
mod action;
mod failing;
mod failure;
mod reconciler;

mod source;
mod share;
mod part;
mod trigger;
mod feed;
mod sources;
mod mapping;
mod mix;
mod needs;
pub mod predicates;
mod builder;
mod controller;
mod crew;
mod limit;
mod worker;
mod span;
mod id;

mod handle;
mod switch;
mod sync;
mod figures;
mod metrics;
#[cfg(feature = "prometheus")]
mod prometheus;
mod told;
mod trace;
mod lru;

mod context;
mod claim;
pub mod finalizer;
mod expectations;
mod batches;
pub mod events;
pub mod owner;

mod clock;
mod rng;
mod stop;
#[cfg(test)]
mod testing;

pub use crate::action::Action;
pub use crate::batches::slow_start;
pub use crate::builder::{ControllerBuilder, Home, NoState, Standalone, WithState};
pub use crate::clock::Clock;
pub use crate::context::Context;
pub use crate::controller::Controller;
pub use crate::events::EventType::{self, Normal, Warning};
pub use crate::expectations::Expectations;
pub use crate::failing::Failing;
pub use crate::failure::{Failure, OrFail};
pub use crate::feed::Feed;
pub use crate::figures::Figures;
pub use crate::finalizer::{Finalizer, Finalizers, Life};
pub use crate::handle::{ControllerHandle, ControllerStatus};
pub use crate::id::ReconcileId;
pub use crate::limit::Limit;
pub use crate::metrics::{Measured, Measures, ReconcileMetrics, ReconcileTimes};
pub use crate::owner::controlled_by;
#[cfg(feature = "prometheus")]
pub use crate::prometheus::PrometheusMetrics;
pub use crate::reconciler::{CapturesNothing, Outcome, ReconcileFn, Reconciler, Reconciling};
pub use crate::request::Request;
pub use crate::rng::seed_for;
pub use crate::share::Share;
pub use crate::source::IntoSource;
pub use crate::sources::{SourceId, SourceStatus};
pub use crate::stop::{Stop, Stopper};
pub use crate::switch::ControllerPhase;
pub use crate::trace::{Cause, Happened, Why};
pub use crate::trigger::Trigger;
