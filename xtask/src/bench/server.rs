//! `cargo xtask bench server`: the embedded API server, in the process and beside a real one.
//!
//! What both servers can do is asked of both by one program, in rounds in which they take turns (`beside`); what only
//! ours can do is measured in the process (`within`); lists of many pods come last (`listed`).

use std::path::PathBuf;

use super::talk::Talk;
use super::{build, page};
use crate::{Outcome, real, step};

use beside::{Beside, SIDES};
use listed::Listed;
use within::{Crowds, Within};

mod beside;
mod chapter;
mod listed;
mod within;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    cache: real::Cache,
    /// How often each figure is measured; lists and crowds are measured once
    #[arg(long, default_value_t = USUAL.rounds)]
    rounds: usize,
    /// How long writers write each time, in milliseconds
    #[arg(long, default_value_t = USUAL.time)]
    time: u64,
    /// How many changes go to watchers over HTTP; in the process five times as many
    #[arg(long, default_value_t = USUAL.changes)]
    changes: u64,
    /// How many pods our server lists
    #[arg(long, default_value_t = USUAL.listed)]
    listed: u64,
    /// How many pods both servers list
    #[arg(long, default_value_t = USUAL.both_list)]
    both_list: u64,
    /// How many replicas a Deployment has that is to become ready soon
    #[arg(long, default_value_t = USUAL.replicas)]
    replicas: u64,
    /// How many pods actors make
    #[arg(long, default_value_t = USUAL.pods)]
    pods: u64,
    /// On how many nodes
    #[arg(long, default_value_t = USUAL.nodes)]
    nodes: u64,
    /// How many clusters are in one process
    #[arg(long, default_value_t = USUAL.clusters)]
    clusters: u64,
}

/// The sizes that can be varied.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sizes {
    rounds: usize,
    time: u64,
    changes: u64,
    listed: u64,
    both_list: u64,
    replicas: u64,
    pods: u64,
    nodes: u64,
    clusters: u64,
}

const USUAL: Sizes = Sizes {
    rounds: 3,
    time: 3000,
    changes: 2000,
    listed: 150_000,
    both_list: 20_000,
    replicas: 1000,
    pods: 100_000,
    nodes: 1000,
    clusters: 1000,
};

/// What has been built.
#[derive(Debug)]
struct Programs {
    /// `watchkeeper`, of which `serve` is wanted.
    ours: PathBuf,
    /// The folder of etcd and kube-apiserver.
    real: PathBuf,
    /// The one client of both.
    requests: PathBuf,
    embedded: PathBuf,
    listed: PathBuf,
}

/// All that was measured.
#[derive(Debug)]
struct Seen {
    /// The rounds of each of [`SIDES`].
    beside: Vec<Vec<Beside>>,
    within: Vec<Within>,
    crowds: Crowds,
    ours: Listed,
    /// The list that both have, of ours and of the real server.
    both: [Listed; 2],
}

pub(super) fn run(args: &Args) -> Outcome<()> {
    let programs = step::timed("built", || build(&args.cache))?;
    let sizes = args.sizes();
    let mut beside: Vec<Vec<Beside>> = SIDES.iter().map(|_| Vec::new()).collect();
    let mut within = Vec::new();
    for round in 1..=sizes.rounds {
        step::timed(&format!("round {round} of {}", sizes.rounds), || {
            for (side, seen) in SIDES.into_iter().zip(&mut beside) {
                seen.push(beside::measured(&programs, side, &sizes)?);
            }
            within.push(within::measured(&programs, &sizes)?);
            Ok(())
        })?;
    }
    let ours = step::timed("lists of ours", || listed::of_ours(&programs, sizes.listed))?;
    let both = step::timed("lists of both", || {
        let ours = listed::of_ours(&programs, sizes.both_list)?;
        Ok([ours, listed::of_the_real(&programs, sizes.both_list)?])
    })?;
    let crowds = step::timed("crowds", || within::crowds(&programs, &sizes))?;
    page::write(&chapter::chapter(&sizes, &Seen { beside, within, crowds, ours, both }))
}

fn build(cache: &real::Cache) -> Outcome<Programs> {
    let folder = build::rust("apiserver")?;
    let [requests, embedded, listed] =
        ["bench-requests", "bench-embedded", "bench-listed"].map(|name| folder.join(name));
    Ok(Programs {
        ours: build::ours("watchkeeper")?,
        real: cache.programs()?,
        requests,
        embedded,
        listed,
    })
}

impl Programs {
    /// The client of a server.
    fn client(&self, url: &str, token: &str) -> Outcome<Talk> {
        let mut client = build::command(&self.requests);
        client.arg(url).args((!token.is_empty()).then_some(token));
        Talk::start(client)
    }
}

impl Args {
    fn sizes(&self) -> Sizes {
        let Self {
            rounds, time, changes, listed, both_list, replicas, pods, nodes, clusters, ..
        } = *self;
        Sizes { rounds, time, changes, listed, both_list, replicas, pods, nodes, clusters }
    }
}

impl Sizes {
    /// As they are given on the command line.
    fn told(&self) -> String {
        let Self { rounds, time, changes, listed, both_list, replicas, pods, nodes, clusters } =
            self;
        format!(
            " --rounds {rounds} --time {time} --changes {changes} --listed {listed} --both-list {both_list} \
             --replicas {replicas} --pods {pods} --nodes {nodes} --clusters {clusters}"
        )
    }
}

#[cfg(test)]
mod tests;
