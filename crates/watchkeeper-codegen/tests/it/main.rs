//! The public API, and that the committed files are what it writes.

mod crds;
mod custom;
mod entries;
mod fresh;
mod fuzzed;
mod lights;
mod oddities;
mod schemas;
mod shades;
mod strange;
mod tiny;
mod trees;
mod use_of;
