//! The sample controller, as a library so that its tests can run it.
//!
//! ```text
//!   main ──Args──▶ run ──┬─▶ embedded: a cluster in this process ─┐
//!                        └─▶ remote: a kubeconfig's cluster ──────┴─▶ controller, story, log
//! ```

pub mod access;
pub mod args;
pub mod controller;
pub mod embedded;
pub mod foo;
pub mod log;
pub mod manifest;
pub mod problem;
pub mod remote;
pub mod run;
pub mod setup;
pub mod story;
