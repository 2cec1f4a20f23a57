//! Watchkeeper beside kube 5 and k8s-openapi 0.29: their types as objects of ours, their client under
//! ours, values from one to the other.
//!
//! A program that has such types keeps them, and moves a controller at a time:
//!
//! - [`client`]: our client over a `kube::Client`, with its credentials and connections.
//! - [`Kube`]: a kind of k8s-openapi in our client, caches and controllers.
//! - [`Object`](derive@Object): the same for one's own `#[derive(kube::CustomResource)]`, by one
//!   attribute, unwrapped. [`KubeCustom`]: for those of other crates.
//! - [`to_lean`], [`from_lean`]: values from their types to ours and back.
//! - [`Reconciler`]: a reconcile function and an error policy as kube has them, under a controller of
//!   ours.
//!
//! ```
//! use k8s_openapi::api::core::v1 as openapi;
//! use watchkeeper_apiserver::ApiServer;
//! use watchkeeper_cache::Cache;
//! use watchkeeper_client::{CreateOptions, Patch, PatchOptions};
//! use watchkeeper_kube::Kube;
//!
//! type ConfigMap = Kube<openapi::ConfigMap>;
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let client = watchkeeper_kube::client(kube::Client::new(ApiServer::new(), "default"));
//! let cache = Cache::new(&client);
//! let client = client.observed_by(cache.observer());
//! let maps = cache.watch::<ConfigMap>();
//! let work = async {
//!     let mut map = ConfigMap::default();
//!     map.metadata.name = Some("a".into());
//!     let api = client.api::<ConfigMap>().namespace("default");
//!     api.create(&map, &CreateOptions::default()).await?;
//!     let patch = Patch::merge(&serde_json::json!({ "data": { "colour": "red" } }));
//!     api.patch("a", &patch, &PatchOptions::default()).await?;
//!     let map = maps.get(("default", "a")).await?.ok_or("own writes are seen")?;
//!     assert_eq!(map.data.as_ref().ok_or("data")?["colour"], "red");
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
//! One crate goes with one major of kube. It selects no version of Kubernetes: the program does, by a
//! feature of `k8s-openapi`.

mod acts;
mod client;
mod custom;
mod implement;
mod kind;
mod open_api;
mod lean;
mod reconcile;
mod status;
mod text;
mod value;
mod view;

pub use client::{KubeService, client};
pub use custom::{CustomKind, KubeCustom};
pub use kind::KnownScope;
pub use lean::{from_lean, to_lean};
pub use open_api::{Kube, OpenApiKind};
pub use reconcile::{Action, Reconciler};
pub use status::OpenApiStatus;
pub use value::Serde;
/// Makes a struct of `#[derive(kube::CustomResource)]` an object of ours, as it is: `Object`,
/// `StaticKind`, `Writable`, `CustomResource`, and `HasStatus` where it has a status.
///
/// ```
/// # use watchkeeper_api as watchkeeper;
/// use watchkeeper::{CustomResource, HasStatus, Object, StaticKind};
///
/// #[derive(kube::CustomResource, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// #[derive(Clone, Debug)]
/// #[kube(group = "example.com", version = "v1", kind = "Lamp", status = "LampStatus", namespaced)]
/// #[kube(derive = "watchkeeper_kube::Object")]
/// pub struct LampSpec { pub colour: String }
///
/// #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// #[derive(Clone, Debug, Default, PartialEq)]
/// pub struct LampStatus { pub lit: bool }
///
/// let mut lamp = Lamp::new("a", LampSpec { colour: "red".into() });
/// HasStatus::status_mut(&mut lamp).get_or_insert_default().lit = true;
/// assert_eq!(Object::name(&lamp), "a");
/// assert_eq!(Lamp::static_kind().api_version(), "example.com/v1");
/// assert_eq!(<Lamp as CustomResource>::crd().metadata.name, "lamps.example.com");
/// ```
///
/// kube's traits have methods of the same names; where both are imported, write which one is meant,
/// as above.
pub use watchkeeper_derive::KubeObject as Object;

/// What derived code names.
#[doc(hidden)]
pub mod __private {
    pub use crate::custom::definition;
    pub use crate::kind::named;
    pub use crate::text::{read_object, write};
    pub use crate::view::{finalizers, namespace, owners, pairs, text, time};
    pub use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
    pub use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
    pub use watchkeeper_api::json::{Read, ReadError, Reader, Write, Writer};
    pub use watchkeeper_api::{
        CustomResource, HasStatus, Kind, Object, Owner, StaticKind, Time, Writable,
    };

    /// The metadata of an object of kube.
    pub fn meta<K: kube::Resource>(object: &K) -> &ObjectMeta {
        object.meta()
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
