//! What the README shows works, and a test that fails tells why.

mod failing;
mod readme;
