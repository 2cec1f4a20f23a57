//! The Kubernetes API as values: what everybody above the wire speaks of, and nothing that waits.
//!
//! ```
//! use watchkeeper_api::{Object, apps::v1::Deployment, edit, json, object};
//!
//! let mut web = object!(Deployment {
//!     metadata: { name: "web", namespace: "shop" },
//!     spec: {
//!         selector: { match_labels: { "app": "web" } },
//!         template: {
//!             metadata: { labels: { "app": "web" } },
//!             spec: { containers: [{ name: "nginx", image: "nginx:1.29" }] },
//!         },
//!     },
//! });
//! edit!(web, { spec: { replicas: 3 } });
//!
//! let text = json::to_string(&web);
//! let back: Deployment = json::from_str(&text)?;
//! assert_eq!(back, web);
//! assert_eq!(back.key().to_string(), "shop/web");
//! # Ok::<(), json::ReadError>(())
//! ```
//!
//! # Map
//!
//! ```text
//!  text ──json::Reader──▶ value ──json::Writer──▶ text
//! bytes ────pb::Reader──▶       ────pb::Writer──▶ bytes
//!            │               │
//!            │               ├─ built-in type (core, apps, … : generated)   ┐
//!            │               ├─ custom resource (#[derive(Object)])         │  impl Object
//!            │               ├─ Unstructured (metadata read, rest as text)  │
//!            │               └─ Metadata<K> (metadata only)                 ┘
//!            └─ Names + Fields: a table of names and a match, a type
//! ```
//!
//! - What objects are made of, small in memory: [`IStr`] (interned text), [`List`], [`Map`],
//!   [`Shared`] (subtrees that objects hold together).
//! - The API's own scalars: [`Quantity`], [`IntOrString`], [`Time`], [`MicroTime`], [`ByteString`],
//!   [`Raw`]; [`SecretText`] for what nobody is to be told.
//! - [`json`]: the codec. Generated code only names fields; one driver reads and writes them all.
//! - [`pb`]: protobuf, for built-in kinds: the same driver idea, with field numbers for names.
//! - [`build`]: [`object!`] and [`edit!`], objects written as their manifests read.
//! - [`mod@object`]: the traits that everything above is generic over: [`Object`], [`StaticKind`],
//!   [`Writable`], [`HasMeta`], [`HasStatus`].
//! - [`Kind`], [`ObjectKey`], [`ResourceVersion`]: what, which, how old. [`selector`]: which ones.
//!   [`registry`]: from a kind's name to its type. [`conditions`]: what is true of an object.
//! - [`meta`] and one module a group (`core`, `apps`, …), each behind the cargo feature of its name:
//!   the built-in types, generated from the facts. Struct fields that Go holds by value are plain,
//!   pointers are options; embedded structs are flattened, as JSON has them.
//! - [`merge`]: which lists of built-in kinds merge in patches.
//! - [`described`] and `custom_resource`: from Rust types to schemas and definitions.
//! - [`Unstructured`], [`Metadata`]: objects without a type, or without a body.
//! - [`Error`] and its [`error::Why`]: what calls to the server end with.
//!
//! # Invariants
//!
//! - No I/O, no clock, nothing spawned.
//! - Nothing that comes from outside makes it panic, recurse without end, or grow a table for good.
//! - What an object does not say is not written: apply claims only what was said.
//! - No type of another crate in an error.
//! - Unsafe code only in [`istr`] and in `json::simd`, where its rules are written down.

pub mod istr;
pub mod list;
pub mod map;
pub mod shared;

pub mod bytes;
pub mod int_or_string;
pub mod quantity;
pub mod raw;
pub mod secret_text;
pub mod time;

pub mod json;
pub mod pb;

pub mod build;
#[cfg(feature = "apiextensions")]
pub mod custom_resource;
pub mod described;

pub mod diff;
pub mod error;
pub mod metadata;
pub mod show;
pub mod unstructured;

pub mod conditions;
pub mod key;
pub mod kind;
pub mod merge;
pub mod object;
pub mod registry;
#[cfg(feature = "rules")]
pub mod rules;
pub mod selector;
pub mod validation;
pub mod version;

mod codec;
mod custom;
/// For the tables of our own crates.
#[doc(hidden)]
pub mod hash;
mod tables;
#[expect(missing_docs, reason = "the fields carry upstream's names and meaning")]
mod generated;

pub use bytes::ByteString;
#[cfg(feature = "apiextensions")]
pub use custom_resource::CustomResource;
pub use described::Described;
pub use error::{Error, Result};
pub use generated::*;
pub use int_or_string::IntOrString;
pub use istr::IStr;
pub use key::ObjectKey;
pub use kind::{Kind, Scope};
pub use list::List;
pub use map::Map;
pub use metadata::Metadata;
pub use object::{
    AsObject, HasBinding, HasEviction, HasLogs, HasMeta, HasStatus, HasStreams, HasToken, Object,
    Owner, StaticKind, Writable,
};
pub use quantity::Quantity;
pub use raw::Raw;
pub use secret_text::SecretText;
pub use shared::Shared;
pub use time::{MicroTime, Span, Time};
pub use unstructured::Unstructured;
pub use version::ResourceVersion;

/// What derived code names.
#[doc(hidden)]
pub mod __derive {
    #[cfg(feature = "apiextensions")]
    pub use crate::apiextensions::v1::CustomResourceDefinition;
    #[cfg(feature = "apiextensions")]
    pub use crate::custom_resource::{Column, CustomResource, Definition, ScalePaths};
    pub use crate::described::projects::stands_for;
    pub use crate::described::{
        Described, Filled, Is, Known, Literal, Member, Members, Projects, Rule, Shape, shape,
        wrapper,
    };
    pub use crate::json::{Fields, Names, Read, ReadError, Reader, Write, Writer};
    pub use crate::pb;
    pub use crate::{Kind, Scope, impl_object, impl_projection, names, struct_codec, stub_object};
    pub use crate::{Object, Shared, StaticKind};
    pub use watchkeeper_schema::Schema;
}
