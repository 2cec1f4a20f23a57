//! The public API, and that the committed files are what it writes.

mod fresh;
mod tiny;
