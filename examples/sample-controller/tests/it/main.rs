//! The sample controller on a whole cluster, in paused time, and as a program.

mod artifacts;
mod asides;
mod bad_input;
mod conflicts;
mod contract;
mod determinism;
mod each_write;
mod faults;
mod leader_loss;
mod program;
mod rbac;
mod signals;
mod world;
