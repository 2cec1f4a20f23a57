//! A server of ours or a real one, started, and asked by the one client.

use std::path::PathBuf;
use std::time::Duration;

use super::{Programs, Sizes};
use crate::bench::build;
use crate::bench::talk::Talk;
use crate::{Outcome, kernel, real, step};

/// Which server, and how it is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Ours, without actors, over HTTP.
    Plain,
    /// The same over TLS, as the real one is.
    Secured,
    /// Ours with its actors: only how soon it is ready, and what it holds.
    Whole,
    /// kube-apiserver with etcd, over TLS.
    Real,
}

/// In the order in which they take turns.
pub(super) const SIDES: [Side; 4] = [Side::Plain, Side::Secured, Side::Whole, Side::Real];

/// What a round has seen of a side.
#[derive(Debug)]
pub(super) struct Beside {
    /// Seconds from the start of the program to its answer that it is ready.
    pub(super) ready: f64,
    /// Bytes that are resident after a while, of all processes together.
    pub(super) idle: u64,
    /// Config maps made in a second, by one writer and by sixteen.
    pub(super) creates: [f64; 2],
    /// Events in a second to a hundred watchers together.
    pub(super) events: f64,
}

pub(super) const WRITERS: [u64; 2] = [1, 16];
pub(super) const WATCHERS: u64 = 100;
/// How long a program idles before it is looked at.
const IDLE: Duration = Duration::from_secs(3);

pub(super) fn measured(programs: &Programs, side: Side, sizes: &Sizes) -> Outcome<Beside> {
    let started = Started::begin(programs, side)?;
    let (ready, idle) = (started.ready, started.idle()?);
    let mut seen = Beside { ready, idle, creates: [0.0; 2], events: 0.0 };
    if side != Side::Whole {
        let mut client = programs.client(&started.url, &started.token)?;
        for (writers, creates) in WRITERS.into_iter().zip(&mut seen.creates) {
            client.say(&format!("creates by-{writers} {writers} {}", sizes.time))?;
            *creates = rate(client.hear_numbers()?);
        }
        client.say(&format!("watches watched {WATCHERS} {}", sizes.changes))?;
        seen.events = rate(client.hear_numbers()?);
    }
    Ok(seen)
}

/// How often in a second: a count, and the nanoseconds that it took.
pub(super) fn rate([count, nanoseconds]: [u64; 2]) -> f64 {
    count as f64 / nanoseconds as f64 * 1e9
}

/// A server that has said that it is ready; stopped when it is dropped.
pub(super) struct Started {
    pub(super) url: String,
    /// The administrator's; none for ours, where whoever asks on loopback is.
    pub(super) token: String,
    /// Seconds that it took to be ready.
    pub(super) ready: f64,
    server: Server,
}

enum Server {
    Ours(Talk),
    Real(real::Cluster),
}

impl Started {
    pub(super) fn begin(programs: &Programs, side: Side) -> Outcome<Self> {
        match side {
            Side::Real => Self::begin_real(programs),
            _ => Self::begin_ours(programs, side),
        }
    }

    fn begin_ours(programs: &Programs, side: Side) -> Outcome<Self> {
        let [port] = real::free_ports()?;
        let mut command = build::command(&programs.ours);
        command.args(["serve", "--port", &port.to_string(), "--kubeconfig-out"]);
        command.arg(folder().with_extension("kubeconfig"));
        command.args((side != Side::Whole).then_some("--actors=none"));
        command.args((side == Side::Secured).then_some("--tls"));
        let scheme = if side == Side::Secured { "https" } else { "http" };
        let url = format!("{scheme}://127.0.0.1:{port}");
        let mut client = programs.client(&url, "")?;
        let (ready, server) = step::measured(|| {
            let server = Talk::start(command)?;
            wait(&mut client).map(|()| server)
        });
        Ok(Self { url, token: String::new(), ready, server: Server::Ours(server?) })
    }

    fn begin_real(programs: &Programs) -> Outcome<Self> {
        let prepared = real::prepare(&folder(), &programs.real, real::Options::unaudited())?;
        let (url, token) = prepared.place();
        let mut client = programs.client(&url, &token)?;
        let (ready, cluster) = step::measured(|| {
            let mut cluster = prepared.launch()?;
            match wait(&mut client) {
                Ok(()) => Ok(cluster),
                Err(problem) => {
                    cluster.stop();
                    Err(problem)
                }
            }
        });
        Ok(Self { url, token, ready, server: Server::Real(cluster?) })
    }

    /// The processes, the one that is asked last.
    pub(super) fn ids(&self) -> Vec<u32> {
        match &self.server {
            Server::Ours(talk) => vec![talk.id()],
            Server::Real(cluster) => cluster.servers().iter().map(|server| server.id()).collect(),
        }
    }

    fn idle(&self) -> Outcome<u64> {
        step::pause(IDLE);
        self.ids().into_iter().map(kernel::resident).sum()
    }
}

fn wait(client: &mut Talk) -> Outcome<()> {
    client.say("ready")?;
    client.hear_numbers::<1>().map(|_| ())
}

/// Where a real server keeps its things.
fn folder() -> PathBuf {
    build::folder().join("server-run")
}

impl Drop for Started {
    fn drop(&mut self) {
        if let Server::Real(cluster) = &mut self.server {
            cluster.stop();
        }
    }
}
