//! What the README shows works, derived types do what their options say, and a test that fails tells why.

mod derive;
mod failing;
mod readme;
