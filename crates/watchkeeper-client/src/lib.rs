//! A Kubernetes REST client over any tower service.
//!
//! [`Client::new`] takes whatever turns an [`http::Request`] into an [`http::Response`]: a connection made
//! by `watchkeeper-connect`, the embedded server in the same process, a closure in a test. The client adds
//! what the API needs: paths, typed answers, Status errors, deadlines, retries, streamed lists, watches.
//!
//! ```text
//!   Api<K> ──Call──▶ Client (deadline, retries, WriteObserver) ──http::Request──▶ service
//!          ◀── K, ListPage<K>, WatchEvent<K>, Error ──────────◀── http::Response ──
//! ```
//!
//! ```
//! use watchkeeper_api::core::v1::ConfigMap;
//! use watchkeeper_api::object;
//! use watchkeeper_apiserver::ApiServer;
//! use watchkeeper_client::{Client, CreateOptions, ListOptions};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> watchkeeper_client::Result<()> {
//! let client = Client::new(ApiServer::new());
//! let maps = client.api::<ConfigMap>().namespace("default");
//! let map = object!(ConfigMap { metadata: { name: "a" }, data: { "colour": "red" } });
//! maps.create(&map, &CreateOptions::default()).await?;
//!
//! assert_eq!(maps.list(&ListOptions::default()).await?.items.len(), 1);
//! assert_eq!(maps.get("a").await?.data, map.data);
//! assert!(maps.get("b").await.is_err_and(|error| error.is_not_found()));
//! # Ok(())
//! # }
//! ```
//!
//! # Map
//!
//! - [`Client`], [`Api`]: the verbs, typed or not. `client.apps().v1().deployments("shop")`: the
//!   [`clientset`], generated, one cargo feature a group. [`DynamicClient`], [`RestMapper`],
//!   [`DiscoveryClient`]: kinds known at run time only. [`PartialObject`]: metadata alone.
//! - [`Subresource`], [`LogOptions`], `ScaleClient`: parts of objects. [`RestClient`]: any request.
//! - [`ListStream`], [`Pager`], [`WatchStream`], [`RetryWatch`]: many objects.
//! - [`Upsert`], [`Patch`], [`Difference`], [`retry_on_conflict`]: changing what others change, too.
//! - [`NoticeHandler`], [`RequestMetrics`], [`RateLimit`], [`WriteObserver`], [`Client::intercept`],
//!   [`Client::dry_run`], [`Client::namespaced`]: what holds for every request.
//! - [`Client::openapi`]: the documents that generators read.
//! - [`access`]: which permissions a program needs, declared and recorded.
//! - `ExecOptions`, `Tunnel`, `PortStream` (feature `ws`): streams into containers, over an [`Upgrade`].
//! - [`Upgrade`], [`Hint`]: what a service of your own can say beside its answers.
//!
//! It opens no socket, reads no file, keeps no cache and spawns no task: dropping a call's future drops the
//! request. Every call has a deadline. Bodies, which may hold secrets, are in no error and no debug output.

pub mod access;
mod api;
mod body;
mod client;
pub mod clientset;
mod codec;
mod conflict;
mod decode;
mod diff;
mod difference;
mod discovery;
mod dynamic;
mod fail;
mod frames;
mod head;
mod hint;
mod intercept;
mod list;
mod mapper;
mod metadata;
pub mod metrics;
mod notice;
mod observe;
mod openapi;
mod options;
mod pager;
mod patch;
#[cfg(feature = "prometheus")]
mod prometheus;
mod query;
mod rate;
mod request;
mod rest;
mod retry;
mod retry_watch;
mod rules;
#[cfg(feature = "autoscaling")]
mod scale;
mod select;
mod send;
mod shard;
mod span;
#[cfg(feature = "ws")]
mod stream;
#[cfg(feature = "ws")]
mod sync;
mod transport;
mod upgrade;
pub mod wait;
mod watch;

pub use api::{
    Api, Deleted, Extracted, LogOptions, LogStream, Subresource, Token, TokenOptions, Upsert,
};
pub use body::{Body, BoxError};
pub use client::Client;
pub use codec::Codec;
pub use conflict::{retry_on_conflict, retry_on_error};
pub use difference::Difference;
pub use discovery::{
    Catalog, DiscoveryClient, FailedVersion, Group, GroupVersion, Resource, ResourcePart,
    ServerVersion,
};
pub use dynamic::DynamicClient;
pub use hint::Hint;
pub use intercept::{Next, NotSent, status_answer};
pub use list::{ListItem, ListMeta, ListPage, ListStream, Malformed};
pub use mapper::RestMapper;
pub use metadata::PartialObject;
pub use metrics::RequestMetrics;
pub use notice::{Asked, Flow, LogWarnings, NoWarnings, NoticeHandler, WarnOnce, Warning};
pub use observe::{Labels, WriteIntent, WriteObserver, WriteOutcome};
pub use openapi::OpenApiDocument;
pub use options::{
    ApplyOptions, CreateOptions, DeleteOptions, FieldValidation, GetOptions, ListOptions,
    PatchOptions, Propagation, UpdateOptions, VersionMatch, WatchOptions, WriteOptions,
};
pub use pager::{Expired, Pager};
pub use patch::Patch;
#[cfg(feature = "prometheus")]
pub use prometheus::PrometheusMetrics;
pub use rate::RateLimit;
pub use request::Verb;
pub use rest::{RestAnswer, RestClient, RestRequest};
pub use retry_watch::RetryWatch;
#[cfg(feature = "autoscaling")]
pub use scale::ScaleClient;
pub use select::Select;
pub use shard::Shard;
#[cfg(feature = "ws")]
pub use stream::{Attached, ExecOptions, Exit, Finished, Input, Output, PortStream, Tunnel};
pub use upgrade::{Duplex, Upgrade};
pub use watch::{WatchEvent, WatchStream};
pub use watchkeeper_api::{Error, Result};
