//! `cargo xtask conformance generated`: requests that are made up by a seed, sent to a real kube-apiserver and to the
//! embedded server, which must answer alike but for what `mask` hides: objects, patches, schemas with their values,
//! and selectors. What differs for a reason is listed in `conformance/generated/deviations.json`.
//!
//! Each case has names of its own, so neither their order nor how many are under way at a time matters, and
//! `--case K` sends one of them alone.

use std::process::{Command, ExitCode};
use std::time::Duration;

use serde_json::json;

use super::dice::Dice;
use super::proxy::Proxy;
use crate::process::{Lifetime, Server};
use crate::programs::built;
use crate::{Outcome, programs, real, step};

mod case;
mod compare;
mod mask;
mod objects;
mod patches;
mod report;
mod schemas;
mod selectors;
mod spoil;
mod template;
mod wire;
mod work;

use case::{Case, Request};
use report::Report;
use template::{Place, Templates};

/// The arguments of `cargo xtask conformance generated`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// How many cases
    #[arg(long, default_value_t = 1_000)]
    cases: u64,
    /// What they are drawn by
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only the cases of this generator
    #[arg(long, value_enum)]
    only: Option<Generator>,
    /// Only the case of this number
    #[arg(long)]
    case: Option<u64>,
    /// So many of a hundred cases must be answered alike, whatever is listed
    #[arg(long, default_value_t = 100.0)]
    least: f64,
    /// How many cases are under way at a time
    #[arg(long, default_value_t = 6)]
    workers: u64,
    #[command(flatten)]
    cache: real::Cache,
    /// Runs with the real servers up already
    #[arg(long, hide = true)]
    inside: bool,
}

impl Args {
    pub(crate) const fn of(cases: u64, seed: u64, cache: real::Cache) -> Self {
        Self { cases, seed, only: None, case: None, least: LEAST, workers: 6, cache, inside: false }
    }
}

/// Of a hundred cases, in the long run.
const LEAST: f64 = 98.0;

/// What draws a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
enum Generator {
    Objects,
    Patches,
    Schemas,
    Selectors,
}

impl Generator {
    /// Of twenty cases eight are objects, seven patches, one is a definition with its objects, four are selectors.
    const fn of(case: u64) -> Self {
        match case % 20 {
            0..8 => Self::Objects,
            8..15 => Self::Patches,
            15 => Self::Schemas,
            _ => Self::Selectors,
        }
    }
}

/// Runs the comparison.
///
/// # Errors
/// The cases that are answered differently, or that too many are listed.
pub(crate) fn run(args: &Args) -> Outcome {
    if args.inside {
        return inside(args);
    }
    programs::example("watchkeeper-apiserver", "serve")?;
    let mut chore = vec!["conformance".to_owned(), "generated".to_owned()];
    let numbers = [("cases", args.cases), ("seed", args.seed), ("workers", args.workers)];
    chore.extend(numbers.map(|(name, number)| format!("--{name}={number}")));
    chore.push(format!("--least={}", args.least));
    chore.extend(args.case.map(|case| format!("--case={case}")));
    chore.extend(args.only.map(|only| format!("--only={only:?}").to_lowercase()));
    let chore: Vec<&str> = chore.iter().map(String::as_str).collect();
    real::run_inside_on(&args.cache, &real::Options::alone(), &chore)
}

/// The namespaces of the cases.
const NAMESPACES: u64 = 4;

fn inside(args: &Args) -> Outcome {
    let proxy = Proxy::start()?;
    let mut embedded = Embedded::start()?;
    let drawing = Drawing { seed: args.seed, templates: Templates::read()? };
    let deviations = compare::deviations()?;
    let numbers: Vec<u64> = match args.case {
        Some(case) => vec![case],
        None => (0..args.cases)
            .filter(|case| args.only.is_none_or(|only| only == Generator::of(*case)))
            .collect(),
    };
    let addresses = [proxy.address.clone(), embedded.address.clone()];
    work::prepare(&addresses, &population())?;
    let mut report = Report::default();
    let (seconds, outcome) = step::measured(|| {
        work::all(&addresses, &drawing, &deviations, &numbers, args.workers, &mut report)
    });
    let outcome = outcome.and_then(|()| embedded.server.check());
    embedded.server.stop();
    outcome?;
    report.tell(&deviations, args.least, seconds)?;
    Ok(ExitCode::SUCCESS)
}

/// What every case may count on.
fn population() -> Vec<Request> {
    let namespace = |index| json!({"metadata": {"name": format!("generated-{index}")}});
    let mut requests: Vec<Request> = (0..NAMESPACES)
        .map(|index| Request::json("POST", "/api/v1/namespaces", &namespace(index)))
        .collect();
    requests.extend(selectors::population());
    requests
}

/// What cases are drawn by.
struct Drawing {
    seed: u64,
    templates: Templates,
}

impl Drawing {
    /// The case of a number: always the same.
    fn case(&self, number: u64) -> Case {
        let mut dice = Dice::new(self.seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ (number << 20));
        let place = Place {
            name: name_of(number),
            namespace: format!("generated-{}", number % NAMESPACES),
        };
        match Generator::of(number) {
            Generator::Objects => objects::case(&self.templates, place, &mut dice),
            Generator::Patches => patches::case(&self.templates, place, &mut dice),
            Generator::Schemas => schemas::case(&place.name, &mut dice),
            Generator::Selectors => selectors::case(&mut dice),
        }
    }
}

/// A name for a number, in letters: no number that a server draws is part of it.
fn name_of(mut number: u64) -> String {
    let mut name = "case-".to_owned();
    loop {
        name.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
        if number == 0 {
            return name;
        }
    }
}

/// The embedded server on a port of this machine.
struct Embedded {
    server: Server,
    address: String,
}

impl Embedded {
    fn start() -> Outcome<Self> {
        let mut serve = Command::new(built("debug", "examples/serve"));
        serve.arg("0");
        let log = real::own_folder()?.join("embedded.log");
        let mut server = Server::start(serve, &log, Lifetime::Ours)?;
        let mut address = String::new();
        step::until(Duration::from_secs(20), || {
            server.check()?;
            let told = std::fs::read_to_string(&log).unwrap_or_default();
            let told = told.split_whitespace().find_map(|word| word.strip_prefix("http://"));
            address = told.unwrap_or_default().to_owned();
            Ok(!address.is_empty())
        })?;
        Ok(Self { server, address })
    }
}

#[cfg(test)]
mod tests;
