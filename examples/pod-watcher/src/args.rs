//! The command line.

use std::path::PathBuf;

use clap::Parser;

use crate::lab::Style;

/// Watches the pods of a namespace: on a cluster inside this process, or, with --kubeconfig,
/// --context or --master, on a real one.
#[derive(Clone, Debug, Parser)]
#[command(name = "pod-watcher", version)]
pub struct Args {
    /// Path to a kubeconfig: watch that cluster instead of the embedded one.
    #[arg(long, value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,
    /// The context of the kubeconfig to use.
    #[arg(long, value_name = "NAME")]
    pub context: Option<String>,
    /// The address of the API server; overrides the kubeconfig's.
    #[arg(long, value_name = "URL")]
    pub master: Option<String>,
    /// The namespace whose pods are watched.
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub namespace: String,
    /// How many pods are handled at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = workers)]
    pub workers: u16,
    /// The port of the embedded cluster on 127.0.0.1; 0 takes a free one.
    #[arg(long, value_name = "PORT", default_value_t = 0, allow_negative_numbers = true, value_parser = port, conflicts_with_all = ["kubeconfig", "context", "master"])]
    pub port: u16,
    /// How the lab is written.
    #[arg(long, value_enum, default_value_t)]
    pub style: Style,
    /// Exit when there is no more to see: on the embedded cluster at the end of its script, on a
    /// real one when every pod there is was told.
    #[arg(long)]
    pub once: bool,
}

impl Args {
    /// Whether a real cluster was asked for.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        self.kubeconfig.is_some() || self.context.is_some() || self.master.is_some()
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
