//! The sample controller on a whole cluster, in paused time.

mod artifacts;
mod bad_input;
mod contract;
mod determinism;
mod world;
