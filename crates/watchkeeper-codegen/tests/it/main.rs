//! The public API, and that the committed files are what it writes.

mod crds;
mod custom;
mod entries;
mod fresh;
mod fuzzed;
mod lights;
mod shades;
mod tiny;
mod trees;
mod use_of;
