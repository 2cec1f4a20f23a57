//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};

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
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub workers: u16,
    /// Look at every Foo again this often even if nothing changed, e.g. 30s; 0s means never.
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = duration)]
    pub resync: Duration,
    /// Exit as soon as the Foo has converged: 0 when it did, 1 with the reason when it did not
    /// within --timeout.
    #[arg(long)]
    pub once: bool,
    /// How long --once waits.
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = duration)]
    pub timeout: Duration,
    /// The port of the embedded cluster on 127.0.0.1; 0 takes a free one.
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub port: u16,
    /// How the story is told.
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
    /// Print the Foo CRD as YAML-compatible JSON and exit.
    #[arg(long)]
    pub print_crd: bool,
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
}

/// Reads a duration as Go prints them: `300ms`, `30s`, `5m`, `1h`.
fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().map_err(|_| format!("{text:?} starts with no number"))?;
    let millis = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return Err(format!("{unit:?} is no unit; use ms, s, m or h, as in 30s")),
    };
    let millis = number.checked_mul(millis).ok_or_else(|| format!("{text:?} is too long"))?;
    Ok(Duration::from_millis(millis))
}
