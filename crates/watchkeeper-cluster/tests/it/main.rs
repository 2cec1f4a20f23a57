//! What each actor promises, seen from outside: a whole cluster in paused time, read and written by a client.

mod access;
mod claims;
#[cfg(feature = "webhooks")]
mod containers;
#[cfg(feature = "webhooks")]
mod containers_story;
mod conversion;
mod cron_job;
mod daemon_set;
mod deployment;
mod disruption;
mod each_write;
mod endpoint_hints;
mod endpoint_slice;
mod endpoint_slice_mirroring;
mod endpoints;
mod extremes;
mod faults;
mod garbage;
mod job;
mod kubelet;
mod leader_loss;
mod namespace;
mod node;
mod pod_gc;
mod replicaset;
mod scheduler;
mod service_account;
mod started;
mod stateful_set;
mod taint_eviction;
mod testing;
mod ttl_after_finished;
#[cfg(feature = "webhooks")]
mod webhooks;
mod world;
