//! `meta/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

mod api_group_list;
mod api_resource_list;
mod condition;
mod delete_options;
mod label_selector;
mod object_meta;
mod other;
mod partial_object_metadata;
mod status;
mod table;

pub use api_group_list::*;
pub use api_resource_list::*;
pub use condition::*;
pub use delete_options::*;
pub use label_selector::*;
pub use object_meta::*;
pub use other::*;
pub use partial_object_metadata::*;
pub use status::*;
pub use table::*;
