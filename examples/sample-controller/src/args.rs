//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use watchkeeper::prelude::LeaderElection;

use crate::controller::NAME;

/// Runs the sample controller: on a cluster inside this process, or, with --kubeconfig, --context
/// or --master, on a real one.
#[derive(Clone, Debug, Parser)]
#[command(name = "sample-controller", version)]
pub struct Args {
    /// Path to a kubeconfig: run on that cluster instead of the embedded one.
    #[arg(long, value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,
    /// The context of the kubeconfig to use.
    #[arg(long, value_name = "NAME")]
    pub context: Option<String>,
    /// The address of the API server; overrides the kubeconfig's.
    #[arg(long, value_name = "URL")]
    pub master: Option<String>,
    /// Install the Foo CRD first; on the embedded cluster this is always done.
    #[arg(long)]
    pub install_crd: bool,
    /// Apply this Foo (YAML or JSON) instead of the built-in example. On a real cluster nothing is
    /// applied without it.
    #[arg(long, value_name = "FILE")]
    pub foo: Option<PathBuf>,
    /// How many Foos are reconciled at the same time.
    #[arg(long, value_name = "N", default_value_t = 2, allow_negative_numbers = true, value_parser = workers)]
    pub workers: u16,
    /// Look at every Foo again this often even if nothing changed, e.g. 30s; 0s means never.
    #[arg(long, value_name = "DURATION", default_value = "30s", allow_hyphen_values = true, value_parser = resync)]
    pub resync: Duration,
    /// Exit as soon as the Foo has converged: 0 when it did, 1 with the reason when it did not
    /// within --timeout. On a real cluster --foo must tell which Foo.
    #[arg(long)]
    pub once: bool,
    /// How long --once waits.
    #[arg(long, value_name = "DURATION", default_value = "30s", allow_hyphen_values = true, value_parser = timeout)]
    pub timeout: Duration,
    /// Let one of several replicas on a real cluster work at a time: the one that holds the lease
    /// sample-controller.
    #[arg(long)]
    pub leader_elect: bool,
    /// How long others wait for a leader that does not renew the lease. Whole seconds.
    #[arg(long, value_name = "DURATION", default_value = "15s", allow_hyphen_values = true, value_parser = duration)]
    pub leader_elect_lease_duration: Duration,
    /// How long a leader tries to renew the lease before it gives up.
    #[arg(long, value_name = "DURATION", default_value = "10s", allow_hyphen_values = true, value_parser = duration)]
    pub leader_elect_renew_deadline: Duration,
    /// How often a leader renews the lease, and others look at it.
    #[arg(long, value_name = "DURATION", default_value = "2s", allow_hyphen_values = true, value_parser = duration)]
    pub leader_elect_retry_period: Duration,
    /// The port of the embedded cluster on 127.0.0.1; 0 takes a free one.
    #[arg(long, value_name = "PORT", default_value_t = 0, allow_negative_numbers = true, value_parser = port, conflicts_with_all = ["kubeconfig", "context", "master"])]
    pub port: u16,
    /// How the story is told. What fails is told in the same way, on standard error; RUST_LOG chooses
    /// what else is told there.
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
    /// Print the Foo CRD as YAML-compatible JSON and exit.
    #[arg(long)]
    pub print_crd: bool,
    /// Print which permissions the controller declares, as JSON for `watchkeeper rbac`, and exit.
    #[arg(long)]
    pub print_access: bool,
}

/// How the story is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// Lines for people: aligned, coloured on a terminal.
    Text,
    /// One JSON object a line.
    Json,
}

impl Args {
    /// Whether a real cluster was asked for.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        self.kubeconfig.is_some() || self.context.is_some() || self.master.is_some()
    }

    /// How replicas choose the one that works, if they do.
    #[must_use]
    pub fn election(&self) -> Option<LeaderElection> {
        let election = LeaderElection::new(NAME).times(
            self.leader_elect_lease_duration,
            self.leader_elect_renew_deadline,
            self.leader_elect_retry_period,
        );
        self.leader_elect.then_some(election)
    }
}

/// Reads how many workers there are.
fn workers(text: &str) -> Result<u16, String> {
    let workers = text.parse().ok().filter(|workers| (1..=1000).contains(workers));
    workers.ok_or_else(|| "it must be a whole number from 1 to 1000".to_owned())
}

/// Reads a port.
fn port(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| "it must be a port from 1 to 65535, or 0 for a free one".to_owned())
}

/// Nobody waits longer, and no clock ends before.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

/// Reads how often every Foo is looked at again.
fn resync(text: &str) -> Result<Duration, String> {
    match duration(text)? {
        often if !often.is_zero() && often < Duration::from_secs(1) => {
            Err("that is too often; 1s is the least, and 0s means never".to_owned())
        }
        duration => Ok(duration),
    }
}

/// Reads how long is waited.
fn timeout(text: &str) -> Result<Duration, String> {
    match duration(text)? {
        Duration::ZERO => Err("no Foo converges in no time; write how long, as in 30s".to_owned()),
        duration => Ok(duration),
    }
}

/// Reads a whole number with a unit: `300ms`, `30s`, `5m`, `1h`.
fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    if number.is_empty() {
        return Err("it must be a whole number with a unit, as in 30s".to_owned());
    }
    let millis = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        "" => return Err(format!("the unit is missing; for seconds write {number}s")),
        _ if unit.starts_with('.') => {
            return Err("it must be a whole number; use a smaller unit, as in 1500ms".to_owned());
        }
        _ => return Err(format!("{unit:?} is no unit; use ms, s, m or h, as in {number}s")),
    };
    let millis = number.parse().ok().and_then(|number: u64| number.checked_mul(millis));
    let duration = millis.map(Duration::from_millis).filter(|duration| *duration <= LONGEST);
    duration.ok_or_else(|| "that is too long; a year (8760h) is the most".to_owned())
}
