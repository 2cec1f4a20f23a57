//! JSON to values and back, without intermediate trees and without serde.
//!
//! A [`Reader`] pulls values off a text, a [`Writer`] appends them to one. What a struct adds is
//! little: a table of names, a `match` from the index of a name to its field, and a list of what
//! to write. One driver, [`Reader::object`], does the rest for all of them, so neither the compiler
//! nor the binary pays for a parser a type.
//!
//! # How a struct takes part
//!
//! This is the shape of generated code, too:
//!
//! ```
//! use watchkeeper_api::json::{self, Fields, Names, Read, ReadError, Reader, Write, Writer, names};
//! use watchkeeper_api::{IStr, List, Map, Quantity};
//!
//! #[derive(Clone, Debug, Default, PartialEq)]
//! struct Container {
//!     name: IStr,                         // `json:"name"`: always written
//!     args: List<IStr>,                   // `json:"args,omitempty"`
//!     limits: Map<Quantity>,              // `json:"limits,omitempty"`
//!     stdin: bool,                        // `json:"stdin,omitempty"`
//!     uid: Option<i64>,                   // a pointer with omitempty
//!     probe: Option<Box<Probe>>,          // a pointer to a struct
//! }
//! # #[derive(Clone, Debug, Default, PartialEq)]
//! # struct Probe;
//! # impl Fields for Probe {
//! #     fn set(&mut self, _: usize, r: &mut Reader<'_>) -> Result<(), ReadError> { r.skip() }
//! # }
//! # json::struct_codec!(Probe, names![]);
//! # impl Write for Probe {
//! #     fn write(&self, w: &mut Writer) { w.open(); w.close(); }
//! #     fn is_default(&self) -> bool { true }
//! # }
//!
//! impl Fields for Container {
//!     fn set(&mut self, index: usize, r: &mut Reader<'_>) -> Result<(), ReadError> {
//!         match index {                   // indices into the names below, in order
//!             0 => self.name.read_into(r),
//!             1 => self.args.read_into(r),
//!             2 => self.limits.read_into(r),
//!             3 => self.stdin.read_into(r),
//!             4 => self.uid.read_into(r),
//!             5 => self.probe.read_into(r),
//!             _ => r.skip(),
//!         }
//!     }
//! }
//!
//! // `Read` by way of `Default`, `Fields` and the names (in the order in which servers write them).
//! json::struct_codec!(Container, names!["name", "args", "limits", "stdin", "uid", "probe"]);
//!
//! impl Write for Container {
//!     fn write(&self, w: &mut Writer) {
//!         w.open();
//!         w.field("\"name\":", &self.name);       // `req`, `ptrnull`: always written
//!         w.opt("\"args\":", &self.args);         // `omit`, `zero`, `ptr`: skipped when default
//!         w.opt("\"limits\":", &self.limits);
//!         w.opt("\"stdin\":", &self.stdin);
//!         w.opt("\"uid\":", &self.uid);
//!         w.opt("\"probe\":", &self.probe);
//!         w.close();
//!     }
//!     fn is_default(&self) -> bool {
//!         self.name.is_default() && self.args.is_default() && self.limits.is_default()
//!             && self.stdin.is_default() && self.uid.is_default() && self.probe.is_default()
//!     }
//! }
//!
//! let text = r#"{"name":"web","args":["-v"],"limits":{"cpu":"100m"},"uid":0}"#;
//! let container: Container = json::from_str(text)?;
//! assert_eq!(container.uid, Some(0));
//! assert_eq!(json::to_string(&container), text);
//! # Ok::<(), ReadError>(())
//! ```
//!
//! A whole kind has `"apiVersion"` and `"kind"` as its first two names; it reads them with
//! [`Reader::expect_text`] and writes them with [`Writer::text_field`]. The field `managedFields` is
//! read with [`Reader::managed_fields`], which skips it unless the caller asked for it. A field
//! whose text hardly repeats (uid, containerID) is read with [`Reader::unique`]. A flattened struct
//! has its fields among those of the struct around it.
//!
//! # Rules
//!
//! - `null` reads as "absent": the field keeps its default. An absent required list is written as
//!   `[]`, an absent required map as `{}`, an absent required pointer as `null`.
//! - Structs by value are skipped when all of their fields are default, though Go writes `{}`:
//!   apply must not claim what the caller did not say.
//! - A repeated member wins over the earlier one; a struct is read over what it said before, as in Go.
//!   Names are case-sensitive.
//! - Unknown members are skipped, or refused in strict mode ([`Decoder::strict`]), which refuses
//!   repeated ones, too; or both are told with their paths ([`Decoder::decode_noting`]).
//! - Nesting deeper than [`MAX_DEPTH`] and texts longer than [`MAX_LENGTH`] are refused, or what a
//!   [`Decoder`] was given as lower limits.
//! - Nothing is allocated for what is not there: for each byte of input at most [`MAX_GROWTH`] bytes.
//! - Errors carry the path (`spec.containers[0].name`) and the byte.

mod decoder;
mod error;
mod head;
mod names;
mod reader;
mod share;
mod simd;
mod skip;
mod std_values;
mod strict;
#[doc(hidden)]
pub mod structs;
mod text;
mod values;
mod writer;

pub(crate) use skip::Memory;

#[cfg(test)]
mod tests;

pub use decoder::Decoder;
pub use error::ReadError;
pub use head::{TypeMeta, type_meta};
pub use names::Names;
pub use reader::Reader;
pub use strict::Finding;
pub use writer::Writer;

#[doc(inline)]
pub use crate::{names, struct_codec};

/// How deep values may nest. Kubernetes' deepest types, the schemas of custom resources, stay far
/// below it, and a thread's stack holds it.
pub const MAX_DEPTH: usize = 200;

/// How long a text may be: offsets in errors and tables are kept in 32 bits.
pub const MAX_LENGTH: usize = u32::MAX as usize;

/// How many bytes of memory reading takes for a byte of text, at most: an empty element takes three
/// bytes in a list, and up to some hundred as a value, which move while the list grows.
pub const MAX_GROWTH: usize = 2_048;

/// A value that can be read.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from JSON",
    note = "derive `Object` for a kind of its own or `Fields` for a struct within one"
)]
pub trait Read: Sized {
    /// Reads a value; `null` reads as the default.
    ///
    /// # Errors
    /// When the text is no JSON, or no value of this type.
    fn read(r: &mut Reader<'_>) -> Result<Self, ReadError>;

    /// Reads into a value that exists: what the text does not say stays.
    ///
    /// # Errors
    /// As [`Read::read`].
    fn read_into(&mut self, r: &mut Reader<'_>) -> Result<(), ReadError> {
        *self = Self::read(r)?;
        Ok(())
    }

    /// Reads an element of a list: large ones where they stay.
    ///
    /// # Errors
    /// As [`Read::read`].
    #[doc(hidden)]
    fn read_onto(elements: &mut Vec<Self>, r: &mut Reader<'_>) -> Result<(), ReadError> {
        elements.push(Self::read(r)?);
        Ok(())
    }

    /// Reads a value that may be absent: large ones where they stay.
    ///
    /// # Errors
    /// As [`Read::read`].
    #[doc(hidden)]
    fn read_option(slot: &mut Option<Self>, r: &mut Reader<'_>) -> Result<(), ReadError> {
        *slot = Option::<Self>::read(r)?;
        Ok(())
    }

    /// Reads a value on the heap that may be absent: large ones where they stay.
    ///
    /// # Errors
    /// As [`Read::read`].
    #[doc(hidden)]
    fn read_boxed(slot: &mut Option<Box<Self>>, r: &mut Reader<'_>) -> Result<(), ReadError> {
        *slot = Option::<Box<Self>>::read(r)?;
        Ok(())
    }
}

/// A value that can be written.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as JSON",
    note = "derive `Object` for a kind of its own or `Fields` for a struct within one"
)]
pub trait Write {
    /// Appends the value.
    fn write(&self, w: &mut Writer);

    /// Whether an optional field with this value is left out.
    fn is_default(&self) -> bool;
}

/// The fields of a struct, by their index in its table of names.
pub trait Fields {
    /// Reads the value of one field.
    ///
    /// # Errors
    /// When the value is none of the field's type.
    fn set(&mut self, index: usize, r: &mut Reader<'_>) -> Result<(), ReadError>;
}

/// Reads the one value of a text.
///
/// # Errors
/// When the text is no JSON, or no value of this type, or more follows.
pub fn from_str<T: Read>(text: &str) -> Result<T, ReadError> {
    Decoder::once().decode_str(text)
}

/// Reads the one value of a text in bytes.
///
/// # Errors
/// When the bytes are no UTF-8, otherwise as [`from_str`].
pub fn from_slice<T: Read>(bytes: &[u8]) -> Result<T, ReadError> {
    Decoder::once().decode(bytes)
}

/// The value as compact JSON.
#[must_use]
pub fn to_string(value: &impl Write) -> String {
    written(value).finish()
}

/// The value as compact JSON, in bytes.
#[must_use]
pub fn to_vec(value: &impl Write) -> Vec<u8> {
    written(value).finish_bytes()
}

fn written(value: &dyn Write) -> Writer {
    let mut w = Writer::new();
    value.write(&mut w);
    w
}

/// The value as compact JSON that says only what differs from the default: required members are left
/// out, too, when nobody set them. This is how a whole type says a part of an object (server-side apply).
///
/// ```
/// use watchkeeper_api::autoscaling::v2::HorizontalPodAutoscaler;
/// use watchkeeper_api::{json, object};
///
/// let part = object!(HorizontalPodAutoscaler { metadata: { name: "web" }, spec: { min_replicas: 2 } });
/// let text = String::from_utf8(json::to_vec_sparse(&part))?;
/// assert!(text.ends_with(r#""metadata":{"name":"web"},"spec":{"minReplicas":2}}"#));
/// # Ok::<(), std::string::FromUtf8Error>(())
/// ```
#[must_use]
pub fn to_vec_sparse(value: &impl Write) -> Vec<u8> {
    let mut w = Writer::sparse();
    value.write(&mut w);
    w.finish().into_bytes()
}

/// The value as a tree, through its text: for edges that speak serde. Numbers that no float holds become the
/// largest one.
///
/// # Panics
/// Never: what [`Write`] writes is JSON, and what nests deeper than [`MAX_DEPTH`] cannot be read.
#[must_use]
pub fn to_value(value: &impl Write) -> serde_json::Value {
    tree(&to_string(value))
}

/// The value as a tree, with what people are told in the place of bytes and secret texts.
pub(crate) fn to_value_for_people(value: &impl Write) -> serde_json::Value {
    let mut w = Writer::for_people();
    value.write(&mut w);
    tree(&w.finish())
}

fn tree(text: &str) -> serde_json::Value {
    let largest = |text: &str| Ok(if text.starts_with('-') { f64::MIN } else { f64::MAX }.into());
    Reader::new(text).and_then(|mut r| std_values::tree(&mut r, &largest)).unwrap_or_default()
}

/// Reads a value from a tree, through its text.
///
/// # Errors
/// When the tree is no value of this type.
pub fn from_value<T: Read>(value: &serde_json::Value) -> Result<T, ReadError> {
    from_str(&value.to_string())
}

pub(crate) use error::{Step, is_plain, path};
pub(crate) use text::compact;
