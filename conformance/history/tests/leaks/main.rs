//! What is dropped, in whatever state, takes with it every task, request, socket and buffer below it.
//!
//! A binary of its own with one test, because it counts what the whole process holds: allocations by its
//! allocator, tasks by the runtime, files and sockets by `/proc/self/fd`.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use std::alloc::System;
use std::future::pending;

use cap::Cap;

mod control;
mod copies;
mod deltas;
mod gate;
mod kinds;
mod loops;
mod queues;
mod service;
mod sockets;
mod stages;
mod unfinished;
mod usage;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

#[test]
fn nothing_is_left_of_what_was_dropped() {
    control::what_leaks_is_caught();
    stages::nothing_is_left_in_paused_time();
    queues::nothing_is_left_of_queues();
    deltas::nothing_is_left_of_deltas();
    sockets::nothing_is_left_of_connections();
    unfinished::nothing_is_left_of_what_is_unfinished();
}

/// A future of nothing.
async fn never<T>() -> T {
    pending().await
}
