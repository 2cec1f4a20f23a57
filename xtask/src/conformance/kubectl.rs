//! `cargo xtask conformance kubectl`: what a person types after `kubectl`, on a real kube-apiserver and on the
//! embedded one, with our actors on both. Exit code, standard output and standard error must be equal but for
//! what `mask` hides. The command lines are in `conformance/kubectl/scripts`.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use crate::kubectl::release_of;
use crate::{Outcome, pinned, programs, real, step, workspace};

mod compare;
mod mask;
mod script;
mod side;

use compare::Verdict;
pub(super) use script::Script;
use side::Side;

/// The arguments of `cargo xtask conformance kubectl`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only this script, by the beginning of its name, after those that it needs; may be given several times
    #[arg(long)]
    only: Vec<String>,
    /// Print every command with its masked answer
    #[arg(long)]
    verbose: bool,
    /// How many seconds what changes nothing is typed again until the servers agree: what actors do takes a moment
    #[arg(long, default_value_t = PATIENCE)]
    patience: u64,
    /// Typed with the kubectl of this minor version in place of the pinned one, as `1.35`
    #[arg(long, value_name = "MINOR", value_parser = release_of)]
    minor: Option<&'static str>,
    #[command(flatten)]
    cache: real::Cache,
    /// Runs with the real servers up already
    #[arg(long, hide = true)]
    inside: bool,
    /// What is typed with, if it is not the pinned one
    #[arg(long, hide = true, requires = "inside")]
    kubectl: Option<PathBuf>,
}

impl Args {
    /// Everything, typed with the kubectl of another release.
    pub(crate) const fn of_release(release: &'static str, cache: real::Cache) -> Self {
        Self {
            only: Vec::new(),
            verbose: false,
            patience: PATIENCE,
            minor: Some(release),
            cache,
            inside: false,
            kubectl: None,
        }
    }
}

/// In seconds.
const PATIENCE: u64 = 20;

/// Runs the comparison.
///
/// # Errors
/// The commands that are answered differently, and deviations that are listed and are none.
pub(crate) fn run(args: &Args) -> Outcome {
    if args.inside {
        return inside(args);
    }
    build()?;
    let kubectl = kubectl(args)?;
    let patience = format!("--patience={}", args.patience);
    let mut chore = vec!["conformance", "kubectl", &patience];
    chore.extend(args.verbose.then_some("--verbose"));
    chore.extend(args.only.iter().flat_map(|name| ["--only", name]));
    chore.extend(kubectl.as_deref());
    real::run_inside_on(&args.cache, &real::Options::with_service_accounts(), &chore)
}

/// The flag that names another kubectl than the pinned one, which is built unless it is there.
fn kubectl(args: &Args) -> Outcome<Option<String>> {
    let Some(release) = args.minor else {
        pinned::tell("conformance/real", "k8s.io/kubectl")?;
        return Ok(None);
    };
    eprintln!("kubectl {release}");
    let program = real::kubectl_of(&args.cache.folder()?, release)?;
    Ok(Some(format!("--kubectl={}", program.display())))
}

/// The embedded server under the name of the real one, and the actors.
fn build() -> Outcome<()> {
    let packages = ["--package", "watchkeeper-cli", "--package", "watchkeeper-cluster"];
    programs::build(&[&packages[..], &["--bins", "--example", "actors"]].concat())
}

fn inside(args: &Args) -> Outcome {
    let scripts = scripts(&args.only)?;
    let kubectl = args.kubectl.clone().map_or_else(|| real::path_of("REAL_KUBECTL"), Ok)?;
    let mut real = Side::real(&kubectl)?;
    let embedded = step::timed("the embedded server", || Side::embedded(&kubectl));
    let outcome = embedded.and_then(|mut embedded| {
        let outcome = step::timed("comparison", || compared(args, &scripts, &real, &embedded));
        embedded.stop();
        outcome
    });
    real.stop();
    outcome
}

/// The scripts in the order of their names, or those that are asked for.
///
/// # Errors
/// When one cannot be read, or has a line that is no command.
pub(super) fn scripts(only: &[String]) -> Outcome<Vec<Script>> {
    let folder = workspace::root().join("conformance/kubectl/scripts");
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut scripts = BTreeMap::new();
    for entry in entries {
        let path = entry.map_err(|e| format!("{}: {e}", folder.display()))?.path();
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into());
        if only.is_empty() || only.iter().any(|only| name.starts_with(only)) {
            scripts.insert(name.clone(), Script::read(&name, &text)?);
        }
    }
    Ok(scripts.into_values().collect())
}

/// From when on a command is named for the time it takes, in seconds.
const SLOW: f64 = 10.0;

fn compared(args: &Args, scripts: &[Script], real: &Side, embedded: &Side) -> Outcome {
    let patience = Duration::from_secs(args.patience);
    let (mut equal, mut listed, mut wrong) = (0, 0, Vec::new());
    for script in scripts {
        for line in &script.lines {
            let (seconds, found) = step::measured(|| compare::line(line, real, embedded, patience));
            let (verdict, said) = found?;
            if seconds > SLOW {
                eprintln!("{seconds:.1} s: {}:{} {}", script.name, line.number, line.text);
            }
            if args.verbose {
                eprintln!("$ {}\n{said}", line.text);
            }
            match verdict {
                Verdict::Equal => equal += 1,
                Verdict::Listed => listed += 1,
                Verdict::Wrong(why) => {
                    wrong.push(format!("{}:{}: {}\n{why}", script.name, line.number, line.text));
                }
            }
        }
    }
    eprintln!("{equal} commands answered alike by both servers, {listed} as the deviations say");
    if wrong.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    Err(format!("{} commands:\n\n{}", wrong.len(), wrong.join("\n\n")))
}
