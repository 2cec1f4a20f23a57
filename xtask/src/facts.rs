//! `cargo xtask facts`: writes the facts of the Kubernetes API again, or checks
//! that the committed ones are those of the pinned release.

use crate::{Outcome, go, process, real, step, workspace};
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// What the program in `codegen/facts` writes, from the root of the workspace.
const FILES: [&str; 4] = [
    "crates/watchkeeper-schema/facts/types.facts",
    "crates/watchkeeper-schema/facts/kinds.facts",
    "crates/watchkeeper-api/tests/data/filled.jsonl",
    "crates/watchkeeper-api/tests/data/values.jsonl",
];

/// The arguments of `cargo xtask facts`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Write nothing, and fail when a file would change
    #[arg(long)]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) cache: real::Cache,
}

/// Runs the chore.
///
/// # Errors
/// One sentence: what failed, or which files are stale.
pub(crate) fn run(args: &Args) -> Outcome {
    let module = workspace::root().join("codegen/facts");
    let cache = args.cache.folder()?;
    let own = std::process::id();
    let program = cache.join(format!("facts-{own}"));
    step::timed("go mod download", || go::download(&module))?;
    step::timed("go build facts", || {
        process::succeed(go::build(&module).arg("-o").arg(&program).arg("."))
    })?;

    let made = cache.join(format!("facts-made-{own}"));
    let root = if args.check { made.clone() } else { workspace::root() };
    let mut facts = vec![program.display().to_string(), "-root".to_owned()];
    facts.push(root.display().to_string());
    let code = real::run_command_on(&args.cache, &real::Options::everything(), &facts);
    fs::remove_file(&program).map_err(|e| format!("cannot remove {}: {e}", program.display()))?;
    let code = code?;
    if code != ExitCode::SUCCESS || !args.check {
        return Ok(code);
    }
    let stale = stale(&made, &workspace::root())?;
    fs::remove_dir_all(&made).map_err(|e| format!("cannot remove {}: {e}", made.display()))?;
    if stale.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    Err(format!("stale: {}; cargo xtask facts writes them again", stale.join(", ")))
}

fn stale(made: &Path, committed: &Path) -> Outcome<Vec<&'static str>> {
    let mut stale = Vec::new();
    for file in FILES {
        let new =
            fs::read(made.join(file)).map_err(|e| format!("cannot read the new {file}: {e}"))?;
        if fs::read(committed.join(file)).ok() != Some(new) {
            stale.push(file);
        }
    }
    Ok(stale)
}
