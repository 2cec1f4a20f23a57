//! Schemas as data: structural schemas, CRD and OpenAPI documents, and the facts of the built-in
//! kinds.
//!
//! - [`facts`] (feature `facts`): what is known of every built-in struct and kind.

#[cfg(feature = "facts")]
pub mod facts;
