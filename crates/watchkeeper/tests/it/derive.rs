//! What derived types do. The macros' own crate says why that is tested here.

mod defaults;
mod foo;
mod lamp;
mod options;
mod projection;
