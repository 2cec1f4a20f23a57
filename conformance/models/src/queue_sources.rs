//! The work queue's modules, without its `sync`.

#[path = "../../../crates/watchkeeper-queue/src"]
pub(crate) mod inside {
    pub(crate) mod job;
    pub(crate) mod limiter;
    pub(crate) mod metrics;
    pub(crate) mod order;
    pub(crate) mod queue;
    pub(crate) mod state;
}
