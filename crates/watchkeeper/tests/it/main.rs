//! What the README shows works.

mod readme;
