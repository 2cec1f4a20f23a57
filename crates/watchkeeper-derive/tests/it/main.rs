//! What derived types do.

// What users name; the macros find the library under this name unless told otherwise.
extern crate watchkeeper_api as watchkeeper;

mod defaults;
mod foo;
mod lamp;
mod options;
mod projection;
