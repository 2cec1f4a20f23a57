//! Models of what waits: the shells of the work queue, of the cache, and of those who run controllers,
//! compiled from their own sources over loom's locks and a [`Notify`](sync::Notify) made of them.
//!
//! loom runs a model again and again, with another order of its threads each time, until it has seen every
//! order with few enough preemptions. A wake-up that is lost in one of them shows as a deadlock. Which waits
//! are modelled, and what is not, is told in `docs/design/waits.md`.
//!
//! - [`sync`] is what the sources wait with here, in the place of each crate's own `sync` module.
//! - [`scenarios`] are the models: who waits and who wakes.
//! - [`mistaken`] has the same shells with the mistakes that they must not make, to show that the scenarios
//!   catch them.
#![cfg_attr(
    not(test),
    expect(
        dead_code,
        unexpected_cfgs,
        unused_imports,
        unnameable_types,
        unreachable_pub,
        reason = "whole modules of other crates are taken in, and only what waits in them is used"
    )
)]

// The sources bring their unit tests, which belong to their own crates: this one has none of its own, and
// is empty when it is compiled for them.
#[cfg(not(test))]
mod cache_sources;
#[cfg(not(test))]
mod client_sources;
#[cfg(not(test))]
mod controller_sources;
#[cfg(not(test))]
pub mod mistaken;
#[cfg(not(test))]
mod queue_sources;
#[cfg(not(test))]
pub mod scenarios;
#[cfg(not(test))]
pub mod sync;

#[cfg(not(test))]
use cache_sources::inside::{
    cache, change, changes, classic, core, delta, delta_queue, error, factory, floors, hub,
    informer, informer_metrics, inquiry, intake, item, latest, ledger, lister, lock, mailbox,
    namespaces, reflector, remote, rng, selection, source, status, store, tasks, version, watch,
    writes,
};
#[cfg(not(test))]
use client_sources::inside::wakers;
#[cfg(not(test))]
use controller_sources::controller::{mix, share, stop, switch, told};
#[cfg(not(test))]
use controller_sources::manager::{fence, runnable};
#[cfg(not(test))]
use queue_sources::inside::{job, limiter, metrics, order, queue, state};
