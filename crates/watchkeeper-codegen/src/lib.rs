//! Schemas to code: the lean API types of `watchkeeper-api`, written from the facts of the
//! built-in kinds, and such types of custom resources.
//!
//! ```text
//! Facts ── model ──▶ Module { Family { StructDef } } ── emit ──▶ (path, text)
//! ```
//!
//! ```
//! use watchkeeper_codegen::{Groups, generate};
//! use watchkeeper_schema::facts::Facts;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let files = generate(&Facts::builtin()?, &Groups::kubernetes())?;
//! let text = files.iter().find(|(path, _)| path.ends_with("coordination/v1.rs"));
//! assert!(text.is_some_and(|(_, text)| text.contains("pub struct LeaseSpec")));
//! # Ok(())
//! # }
//! ```
//!
//! [`generate`] is a pure function: the same facts and [`Groups`] give the same text, already laid
//! out as rustfmt would. `cargo xtask codegen` writes it below `crates/watchkeeper-api/src`, and a
//! test of this crate fails when the committed files differ.
//!
//! A struct is written with its fields and one `codec!` table, from which a macro of
//! `watchkeeper-api` makes its reader and writer; a kind has a `kind!` line besides.
//!
//! [`Generator`] writes the types of custom resources, from their definitions or a server's OpenAPI
//! document; see [`custom`].
//!
//! [`Crds`] writes the definitions of a program's own types; see [`crds`].
//!
//! [`Rbac`] writes the roles that a program needs, from what it declares and what its tests called; see
//! [`rbac`].
//!
//! [`clientset`] writes the typed accessors of `watchkeeper-client` from the same facts.

mod groups;
mod name;
mod model;
mod emit;
mod features;
mod diff;
mod disk;
mod yaml;
mod clientset;
pub mod crds;
pub mod custom;
pub mod rbac;

use std::path::PathBuf;

pub use clientset::{client_features, clientset};
pub use crds::Crds;
pub use custom::{Generated, Generator, InputError, Place};
pub use disk::{Crate, Stale, StaleFile, differences, stale, write};
pub use features::{cargo_features, splice_features};
pub use groups::{Group, Groups};
pub use model::ModelError;
pub use rbac::Rbac;
use watchkeeper_schema::facts::Facts;

/// The files of the generated modules, by their path below `src/` of `watchkeeper-api`.
///
/// # Errors
///
/// A struct that a generated one needs lies in no group, or two fields of a struct would get the
/// same name.
pub fn generate(facts: &Facts, groups: &Groups) -> Result<Vec<(PathBuf, String)>, ModelError> {
    let modules = model::modules(facts, groups)?;
    Ok(emit::files(&modules, groups, facts))
}

/// `docs/code-generation.md`, so that its programs are compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/code-generation.md")]
struct Guide;
