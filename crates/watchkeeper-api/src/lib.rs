//! The Kubernetes API as values.
//!
//! - [`Object`] and its family ([`StaticKind`], [`Writable`], [`HasStatus`]): what everything above
//!   the wire is generic over; [`Kind`], [`ObjectKey`], [`ResourceVersion`]: which object, how old.
//! - [`json`]: the codec: [`json::Reader`], [`json::Writer`] and the traits of what they read and
//!   write.
//! - [`IStr`], [`List`], [`Map`], [`Shared`]: what objects are made of, small in memory.
//! - [`meta`] and one module a group (`core`, `apps`, …), each behind the cargo feature of its name:
//!   the built-in types, generated from the facts. Struct fields that Go holds by value are plain,
//!   pointers are options; embedded structs are flattened, as JSON has them.
//! - [`Quantity`], [`IntOrString`], [`Time`], [`MicroTime`], [`ByteString`],
//!   [`Raw`]: the API's own scalars.
//!
//! This crate does no I/O, reads no clock and spawns nothing.

pub mod istr;
pub mod list;
pub mod map;
pub mod shared;

pub mod bytes;
pub mod int_or_string;
pub mod quantity;
pub mod raw;
pub mod time;

pub mod json;

pub mod build;
#[cfg(feature = "apiextensions")]
pub mod custom_resource;
pub mod described;

pub mod error;
pub mod metadata;
pub mod unstructured;

pub mod key;
pub mod kind;
pub mod object;
pub mod registry;
pub mod selector;
pub mod version;

mod codec;
mod hash;
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
pub use object::{AsObject, HasMeta, HasStatus, Object, Owner, StaticKind, Writable};
pub use quantity::Quantity;
pub use raw::Raw;
pub use shared::Shared;
pub use time::{MicroTime, Time};
pub use unstructured::Unstructured;
pub use version::ResourceVersion;

/// What derived code names.
#[doc(hidden)]
pub mod __derive {
    #[cfg(feature = "apiextensions")]
    pub use crate::apiextensions::v1::CustomResourceDefinition;
    #[cfg(feature = "apiextensions")]
    pub use crate::custom_resource::{Column, CustomResource, Definition, ScalePaths};
    pub use crate::described::{Described, Member, Members};
    pub use crate::json::{Fields, Read, ReadError, Reader, Write, Writer};
    pub use crate::{Kind, Scope, impl_object, names, struct_codec};
    pub use watchkeeper_schema::Schema;
}
