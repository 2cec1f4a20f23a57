//! Schemas as data: structural schemas, CRD and OpenAPI documents, and the facts of the built-in
//! kinds.
//!
//! ```
//! use serde_json::json;
//! use watchkeeper_schema::{Schema, defaults, prune, structural};
//!
//! let spec = Schema::object()
//!     .property("name", Schema::string())
//!     .property("replicas", Schema::int32().minimum(1.0).default_value(1))
//!     .required("name");
//! assert!(structural::check(&spec, "spec").is_empty());
//!
//! let mut value = json!({ "name": "a", "colour": "red" });
//! assert_eq!(prune::prune(&mut value, spec.alone(), false), ["colour"]);
//! defaults::default_values(&mut value, spec.alone());
//! assert_eq!(value, json!({ "name": "a", "replicas": 1 }));
//! ```
//!
//! # Map
//!
//! - [`node`]: one [`Schema`] type for custom resources and built-in kinds alike.
//! - [`registry`]: named schemas, and [`SchemaRef`], a schema with what it needs to be followed.
//! - [`crd`]: from and to the JSON of CRDs and OpenAPI v3 documents.
//! - [`prune`], [`defaults`]: what a server drops from a value and fills in.
//! - [`error`]: what is wrong with a field, said as upstream says it.
//! - [`structural`]: whether a CRD's schema is structural.
//! - [`times`]: moments and durations as Go reads them.
//! - [`validate`] (feature `validate`): whether a value fits its schema.
//! - `rules` (feature `rules`): whether rules in CEL are ones, and what they say of objects.
//! - `expression` (feature `rules`): single expressions in CEL, as admission asks them.
//! - `yaml` (feature `yaml`): YAML as servers read it.
//! - [`facts`] (feature `facts`): what is known of every built-in struct and kind.
//! - [`builtin`] (feature `facts`): the schemas of the built-in kinds.

pub mod cel;
pub mod crd;
pub mod defaults;
pub mod error;
#[cfg(feature = "rules")]
pub mod expression;
#[cfg(feature = "rules")]
mod interpreter;
pub mod node;
#[cfg(any(feature = "rules", feature = "validate"))]
mod pattern;
pub mod prune;
pub mod registry;
#[cfg(feature = "rules")]
pub mod rules;
pub mod structural;
pub mod times;
#[cfg(feature = "validate")]
pub mod validate;
#[cfg(feature = "yaml")]
pub mod yaml;

#[cfg(feature = "facts")]
pub mod builtin;
#[cfg(feature = "facts")]
pub mod facts;

pub use error::{FieldError, Reason};
pub use node::{
    Bounds, ExternalDocs, ListType, MapType, PatchStrategy, Presence, Schema, Type, Validation,
};
pub use registry::{SchemaRef, Schemas};
