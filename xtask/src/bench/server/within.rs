//! Our server without a socket.

use super::{Programs, Sizes, beside};
use crate::bench::build;
use crate::bench::talk::Talk;
use crate::{Outcome, step};

/// What a round has seen.
#[derive(Debug)]
pub(super) struct Within {
    /// Nanoseconds until a server, and a cluster, answer that they are ready.
    pub(super) ready: [u64; 2],
    /// Config maps made in a second.
    pub(super) writes: f64,
    /// Events in a second to all watchers together.
    pub(super) events: f64,
    /// Nanoseconds from a Deployment's creation until all replicas are available.
    pub(super) deployment: u64,
    /// How many writes that took.
    pub(super) deployment_writes: u64,
}

/// What many things hold: bytes that are resident.
#[derive(Debug)]
pub(super) struct Crowds {
    /// Nanoseconds in which actors made the pods, or for which they were let.
    pub(super) pods_took: u64,
    /// How many were available then.
    pub(super) pods_made: u64,
    pub(super) pods: u64,
    /// Clusters as they were built, and with their actors at work.
    pub(super) clusters: [u64; 2],
}

pub(super) fn measured(programs: &Programs, sizes: &Sizes) -> Outcome<Within> {
    let changes = sizes.changes * 5;
    let [deployment, deployment_writes] =
        ask(programs, &["deployment", &sizes.replicas.to_string()])?;
    Ok(Within {
        ready: ask(programs, &["ready"])?,
        writes: beside::rate(ask(programs, &["writes", &sizes.time.to_string()])?),
        events: beside::rate(ask(
            programs,
            &["watches", &beside::WATCHERS.to_string(), &changes.to_string()],
        )?),
        deployment,
        deployment_writes,
    })
}

pub(super) fn crowds(programs: &Programs, sizes: &Sizes) -> Outcome<Crowds> {
    let [pods, nodes, clusters] = [sizes.pods, sizes.nodes, sizes.clusters].map(|n| n.to_string());
    let [pods_took, pods, pods_made] =
        step::timed("pods", || ask(programs, &["pods", &pods, &nodes]))?;
    let clusters = step::timed("clusters", || ask(programs, &["clusters", &clusters]))?;
    Ok(Crowds { pods_took, pods_made, pods, clusters })
}

fn ask<const N: usize>(programs: &Programs, what: &[&str]) -> Outcome<[u64; N]> {
    let mut command = build::command(&programs.embedded);
    command.args(what);
    Talk::start(command)?.hear_numbers().map_err(|e| format!("{}: {e}", what.join(" ")))
}
