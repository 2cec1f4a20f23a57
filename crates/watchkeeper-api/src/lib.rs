//! The Kubernetes API as values.
//!
//! - [`Object`] and its family ([`StaticKind`], [`Writable`], [`HasStatus`]): what everything above
//!   the wire is generic over; [`Kind`], [`ObjectKey`], [`ResourceVersion`]: which object, how old.
//! - [`json`]: the codec: [`json::Reader`], [`json::Writer`] and the traits of what they read and
//!   write.
//! - [`IStr`], [`List`], [`Map`], [`Shared`]: what objects are made of, small in memory.
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

pub mod key;
pub mod kind;
pub mod object;
pub mod version;

pub use bytes::ByteString;
pub use int_or_string::IntOrString;
pub use istr::IStr;
pub use key::ObjectKey;
pub use kind::{Kind, Scope};
pub use list::List;
pub use map::Map;
pub use object::{HasStatus, Object, Owner, StaticKind, Writable};
pub use quantity::Quantity;
pub use raw::Raw;
pub use shared::Shared;
pub use time::{MicroTime, Time};
pub use version::ResourceVersion;
