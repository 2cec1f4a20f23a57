//! Schemas as data: structural schemas, CRD and OpenAPI documents, and the facts of the built-in
//! kinds.
//!
//! - [`node`]: one [`Schema`] type for custom resources and built-in kinds alike.
//! - [`registry`]: named schemas, and [`SchemaRef`], a schema with what it needs to be followed.
//! - [`crd`]: from and to the JSON of CRDs and OpenAPI v3 documents.
//! - [`prune`], [`defaults`]: what a server drops from a value and fills in.
//! - [`error`]: what is wrong with a field, said as upstream says it.
//! - [`structural`]: whether a CRD's schema is structural.
//! - [`validate`] (feature `validate`): whether a value fits its schema.
//! - [`facts`] (feature `facts`): what is known of every built-in struct and kind.
//! - [`builtin`] (feature `facts`): the schemas of the built-in kinds.

pub mod crd;
pub mod defaults;
pub mod error;
pub mod node;
pub mod prune;
pub mod registry;
pub mod structural;
#[cfg(feature = "validate")]
pub mod validate;

#[cfg(feature = "facts")]
pub mod builtin;
#[cfg(feature = "facts")]
pub mod facts;

pub use error::{FieldError, Reason};
pub use node::{Bounds, ListType, MapType, PatchStrategy, Presence, Schema, Type, Validation};
pub use registry::{SchemaRef, Schemas};
