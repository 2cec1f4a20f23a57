//! The controller toolkit for Kubernetes in Rust.
//!
//! This is the crate that programs name; the work is done by the crates below it, each re-exported
//! here under the name of its part. Start with [`prelude`], [`connect`] and [`Manager`].
//!
//! ```no_run
//! use watchkeeper::prelude::*;
//!
//! # async fn f() -> watchkeeper::Result<()> {
//! let client = watchkeeper::connect().await?;
//! let manager = Manager::new(&client);
//! let maps = manager.watch::<ConfigMap>();
//! manager.controller("counter", &maps).with(maps).reconcile(async |maps, request, ctx| {
//!     if let Some(map) = maps.get(&request).await? {
//!         ctx.event(&*map, Normal, "Counted", &format!("{} keys", map.data.len()));
//!     }
//!     Ok(Action::done())
//! });
//! manager.run(signals::shutdown()).await
//! # }
//! ```

#[doc(hidden)]
pub use watchkeeper_api::__derive;
pub use watchkeeper_api::{self as api, Error, Object, Result};
#[cfg(feature = "apiserver")]
pub use watchkeeper_apiserver as apiserver;
pub use watchkeeper_cache as cache;
pub use watchkeeper_client as client;
#[cfg(feature = "cluster")]
pub use watchkeeper_cluster as cluster;
#[cfg(feature = "test")]
pub use watchkeeper_cluster::testing;
pub use watchkeeper_connect::{self as connection, connect};
pub use watchkeeper_controller as controller;
#[cfg(feature = "test")]
pub use watchkeeper_derive::test;
pub use watchkeeper_derive::{Fields, Object};
#[cfg(feature = "webhooks")]
pub use watchkeeper_manager::webhook;
pub use watchkeeper_manager::{self as manager, Manager, Metrics, signals};
pub use watchkeeper_queue as queue;
pub use watchkeeper_schema as schema;

/// What most controllers use, under the names that the field uses.
pub mod prelude {
    #[cfg(feature = "apiextensions")]
    pub use watchkeeper_api::CustomResource;
    #[cfg(feature = "apps")]
    pub use watchkeeper_api::apps::v1::Deployment;
    #[cfg(feature = "core")]
    pub use watchkeeper_api::core::v1::{ConfigMap, Pod, Secret, Service};
    pub use watchkeeper_api::meta::v1::{Condition, ObjectMeta};
    pub use watchkeeper_api::{
        HasStatus, IStr, List, Map, Object, ObjectKey, StaticKind, Time, Writable, edit, object,
    };
    pub use watchkeeper_cache::{Change, SharedInformerFactory, Watch};
    pub use watchkeeper_client::{Client, Select};
    pub use watchkeeper_controller::EventType::{Normal, Warning};
    pub use watchkeeper_controller::{
        Action, Context, Controller, EventType, Failure, OrFail, Request, controlled_by,
    };
    pub use watchkeeper_derive::{Fields, Object};
    pub use watchkeeper_manager::{LeaderElection, Manager, Sharding, signals};
    pub use watchkeeper_queue::RateLimitingQueue;
}

/// The examples of the macros run.
#[cfg(doctest)]
mod macros {
    #[doc = include_str!("../../watchkeeper-derive/docs/macros.md")]
    mod all {}
    #[doc = include_str!("../../watchkeeper-derive/docs/object.md")]
    mod object {}
    #[doc = include_str!("../../watchkeeper-derive/docs/fields.md")]
    mod fields {}
}

/// Its code compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/coming-from-kube-rs.md")]
mod coming_from_kube_rs {}

/// Its code compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/coming-from-go.md")]
mod coming_from_go {}

/// Its code compiles, and its tests pass.
#[cfg(all(doctest, feature = "test"))]
#[doc = include_str!("../../../docs/testing.md")]
mod testing_a_controller {}

/// Its code runs.
#[cfg(all(doctest, feature = "test"))]
#[doc = include_str!("../../../docs/what-users-ask.md")]
mod what_users_ask {}
