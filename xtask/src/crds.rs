//! `cargo xtask crds`: definitions as YAML, from what programs print of their types.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use watchkeeper_codegen::Crds;

use crate::{Outcome, input, stale};

/// The arguments of `cargo xtask crds`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Definitions as the program prints them, JSON or YAML; `-` is standard input
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// The .yaml file to write, or the folder, with a file for each kind; without it all is printed
    #[arg(long)]
    out: Option<PathBuf>,
    /// Write nothing, and fail with the difference when a file is not what would be written
    #[arg(long, requires = "out")]
    check: bool,
    /// A file whose text every file begins with: a licence
    #[arg(long)]
    header: Option<PathBuf>,
}

/// Writes what is stale, or tells it.
///
/// # Errors
/// An input cannot be read or contradicts another, no version of a kind is stored, or with `--check` what
/// is stale.
pub(crate) fn run(args: &Args) -> Outcome {
    let crds = crds(args)?;
    if let [name, ..] = crds.unstored().as_slice() {
        return Err(format!("{name}: objects are stored in no version"));
    }
    let Some(out) = &args.out else {
        print(&crds.yaml());
        return Ok(ExitCode::SUCCESS);
    };
    let one = is_file(out);
    let stale = match (args.check, one) {
        (_, true) => crds.stale(out).map(|stale| stale.into_iter().collect()),
        (true, false) => crds.stale_files(out),
        (false, false) => crds.write_files(out),
    };
    let stale = stale.map_err(|error| error.to_string())?;
    if args.check {
        stale::fail(&stale)?;
        return Ok(ExitCode::SUCCESS);
    }
    if one {
        crds.write(out).map_err(|error| format!("{}: {error}", out.display()))?;
    }
    for file in &stale {
        eprintln!("wrote {}", file.path.display());
    }
    Ok(ExitCode::SUCCESS)
}

fn crds(args: &Args) -> Outcome<Crds> {
    let mut crds = Crds::new().header(&input::header(args.header.as_deref())?);
    for path in &args.inputs {
        let text = input::read(path)?;
        crds = crds.text(&path.display().to_string(), &text).map_err(|error| error.to_string())?;
    }
    Ok(crds)
}

fn is_file(out: &Path) -> bool {
    out.extension().is_some_and(|end| end == "yaml" || end == "yml")
}

#[expect(clippy::print_stdout, reason = "the definitions are what was asked for")]
fn print(text: &str) {
    print!("{text}");
}
