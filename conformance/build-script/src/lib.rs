//! A program whose `build.rs` makes its types with `watchkeeper-codegen`, and includes them here: nothing
//! that is generated is committed. That this compiles is half of the test.

include!(concat!(env!("OUT_DIR"), "/crds.rs"));

#[cfg(test)]
mod tests;
