//! What derived types do.

mod foo;
mod options;
