//! `cargo xtask conformance generated`: requests that are made up by a seed, sent to a real kube-apiserver and to the
//! embedded server, which must answer alike but for what `mask` hides: objects, patches, schemas with their values,
//! and selectors; or, with `--definitions`, objects of the definitions in files. What differs for a reason is listed in `conformance/generated/deviations.json`.
//!
//! Each case has names of its own, so neither their order nor how many are under way at a time matters, and
//! `--case K` sends one of them alone.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use watchkeeper_generator::{DEFINITIONS, Drawing, EDGES, Generator, population};

use super::proxy::Proxy;
use crate::process::{Lifetime, Server};
use crate::programs::built;
use crate::{Outcome, programs, real, step};

mod compare;
mod definitions;
mod report;
mod wire;
mod work;

use definitions::Definitions;
use report::Report;

/// The arguments of `cargo xtask conformance generated`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// How many cases
    #[arg(long, default_value_t = 1_000)]
    cases: u64,
    /// How many cases of values at the edges, beside the others
    #[arg(long, default_value_t = 0)]
    edges: u64,
    /// What they are drawn by
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only the cases of this generator
    #[arg(long, value_parser = generator)]
    only: Option<Generator>,
    /// Only the case of this number
    #[arg(long)]
    case: Option<u64>,
    /// Write down what both servers answer alike, which the tests of the embedded server are held to
    #[arg(long, conflicts_with_all = ["only", "case"])]
    record: bool,
    /// So many of a hundred cases must be answered alike, whatever is listed
    #[arg(long, default_value_t = 100.0)]
    least: f64,
    /// Objects of the definitions in this file instead, or of each file in this folder that ends in .yaml, for each of
    /// which both servers are new
    #[arg(long, value_name = "PATH", conflicts_with_all = ["only", "record", "edges"])]
    definitions: Option<PathBuf>,
    /// How many objects are drawn of each version of such a definition, beside the full one and the smallest one
    #[arg(long, default_value_t = 10, requires = "definitions")]
    objects: usize,
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
        Self {
            cases,
            edges: 0,
            seed,
            only: None,
            case: None,
            record: false,
            definitions: None,
            objects: 0,
            least: LEAST,
            workers: 6,
            cache,
            inside: false,
        }
    }

    /// So many objects of each version of the definitions of a folder.
    pub(crate) fn of_definitions(
        dir: PathBuf,
        objects: usize,
        seed: u64,
        cache: real::Cache,
    ) -> Self {
        Self { definitions: Some(dir), objects, ..Self::of(0, seed, cache) }
    }

    fn numbers(&self) -> Vec<u64> {
        let all = (0..self.cases).chain(EDGES..EDGES + self.edges);
        let is_asked_for = |case: &u64| self.only.is_none_or(|only| only == Generator::of(*case));
        self.case.map_or_else(|| all.filter(is_asked_for).collect(), |case| vec![case])
    }
}

/// Of a hundred cases, in the long run.
const LEAST: f64 = 98.0;

fn generator(name: &str) -> Result<Generator, String> {
    let found = Generator::ALL.into_iter().find(|generator| generator.name() == name);
    found.ok_or_else(|| Generator::ALL.map(Generator::name).join(", "))
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
    if let Some(path) = &args.definitions {
        return of_files(args, path);
    }
    let mut chore = vec!["conformance".to_owned(), "generated".to_owned()];
    let numbers = [
        ("cases", args.cases),
        ("edges", args.edges),
        ("seed", args.seed),
        ("workers", args.workers),
    ];
    chore.extend(numbers.map(|(name, number)| format!("--{name}={number}")));
    chore.push(format!("--least={}", args.least));
    chore.extend(args.case.map(|case| format!("--case={case}")));
    chore.extend(args.only.map(|only| format!("--only={}", only.name())));
    chore.extend(args.record.then(|| "--record".to_owned()));
    let chore: Vec<&str> = chore.iter().map(String::as_str).collect();
    real::run_inside_on(&args.cache, &real::Options::alone(), &chore)
}

/// Objects of the definitions of each file, on servers of its own.
fn of_files(args: &Args, path: &Path) -> Outcome {
    let mut failed = Vec::new();
    for file in files(path)? {
        eprintln!("{}", file.display());
        let numbers = [
            format!("--definitions={}", file.display()),
            format!("--objects={}", args.objects),
            format!("--seed={}", args.seed),
            format!("--workers={}", args.workers),
            format!("--least={}", args.least),
        ];
        let mut chore = vec!["conformance", "generated"];
        chore.extend(numbers.iter().map(String::as_str));
        let case = args.case.map(|case| format!("--case={case}"));
        chore.extend(case.as_deref());
        match real::run_inside_on(&args.cache, &real::Options::alone(), &chore) {
            Ok(ExitCode::SUCCESS) => {}
            Ok(_) => failed.push(file.display().to_string()),
            Err(error) => failed.push(format!("{}: {error}", file.display())),
        }
    }
    if failed.is_empty() { Ok(ExitCode::SUCCESS) } else { Err(failed.join("\n")) }
}

fn files(path: &Path) -> Outcome<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = std::fs::read_dir(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "yaml"));
    files.sort();
    if files.is_empty() {
        return Err(format!("{} has no definitions: no file ends in .yaml", path.display()));
    }
    Ok(files)
}

/// Installs the definitions of a file, then sends the cases of their objects.
fn installed(
    args: &Args,
    path: &Path,
    addresses: &[String; 2],
    deviations: &[compare::Deviation],
    report: &mut Report,
) -> Outcome<()> {
    let Definitions { installs, objects } = Definitions::read(path, args.seed, args.objects)?;
    let first = DEFINITIONS + installs.len() as u64;
    eprintln!("{} definitions, {} cases of their objects", installs.len(), objects.len());
    let numbers: Vec<u64> = (DEFINITIONS..first).collect();
    let of = |number: u64| installs[(number - DEFINITIONS) as usize].clone();
    work::all(addresses, of, deviations, &numbers, args.workers, report)?;
    let numbers = first..first + objects.len() as u64;
    let numbers = args.case.map_or_else(|| numbers.collect(), |case| vec![case]);
    let of = |number: u64| objects[(number - first) as usize].clone();
    work::all(addresses, of, deviations, &numbers, args.workers, report)
}

/// The deviations that are listed, a line each.
///
/// # Errors
/// When they cannot be read.
pub(super) fn deviations() -> Outcome<Vec<String>> {
    Ok(compare::deviations()?.iter().map(ToString::to_string).collect())
}

fn inside(args: &Args) -> Outcome {
    let proxy = Proxy::start()?;
    let mut embedded = Embedded::start()?;
    let drawing = Drawing::of(args.seed);
    let deviations = compare::deviations()?;
    let addresses = [proxy.address.clone(), embedded.address.clone()];
    work::prepare(&addresses, &population())?;
    let mut report = Report::default();
    let (seconds, outcome) = step::measured(|| match &args.definitions {
        Some(path) => installed(args, path, &addresses, &deviations, &mut report),
        None => {
            let (of, numbers) = (|number| drawing.case(number), args.numbers());
            work::all(&addresses, of, &deviations, &numbers, args.workers, &mut report)
        }
    });
    let outcome = outcome.and_then(|()| embedded.server.check());
    embedded.server.stop();
    outcome?;
    if args.record {
        report.record(args.seed)?;
    }
    match report.tell(&deviations, args.least, seconds) {
        // What differs is not recorded.
        Err(told) if args.record => eprintln!("{told}"),
        told => told?,
    }
    Ok(ExitCode::SUCCESS)
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
