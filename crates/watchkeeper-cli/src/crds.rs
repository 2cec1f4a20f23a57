//! `watchkeeper crds`: definitions as YAML, from what programs print of their types.

use std::io;
use std::path::{Path, PathBuf};

use watchkeeper_codegen::{Crds, StaleFile, differences};

use crate::{Outcome, header, input};

/// The arguments of `watchkeeper crds`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Definitions as the program prints them, JSON or YAML; `-` is standard input
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// The .yaml file to write, or the folder, with a file for each kind; without it all is printed
    #[arg(long)]
    out: Option<PathBuf>,
    /// The test to write beside them, as tests/crds.rs: a server in the process takes them, with every rule in
    /// CEL. The crate needs `watchkeeper` with the feature `apiserver` or `test` among its dev-dependencies
    #[arg(long, requires = "out")]
    test: Option<PathBuf>,
    /// Write nothing, and fail with the difference when a file is not what would be written
    #[arg(long, requires = "out")]
    check: bool,
    /// Cut each description of a schema behind the last sentence that ends within so many characters; with 0
    /// there are none
    #[arg(long, value_name = "CHARACTERS")]
    max_description: Option<usize>,
    #[command(flatten)]
    header: header::Args,
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
        return Ok(());
    };
    let stale = stale(&crds, out, args)?;
    if args.check {
        return differences(&stale).map_or(Ok(()), Err);
    }
    for file in &stale {
        eprintln!("wrote {}", file.path.display());
    }
    Ok(())
}

/// What is stale; without `--check` it was, and is written now.
fn stale(crds: &Crds, out: &Path, args: &Args) -> Outcome<Vec<StaleFile>> {
    let at = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
    let one = is_file(out);
    let found = match (args.check, one) {
        (_, true) => crds.stale(out).map(|stale| stale.into_iter().collect()),
        (true, false) => crds.stale_files(out),
        (false, false) => crds.write_files(out),
    };
    let mut stale = found.map_err(|error| at(out, error))?;
    if one && !args.check {
        crds.write(out).map_err(|error| at(out, error))?;
    }
    if let Some(test) = &args.test {
        let files = match one {
            true => vec![out.to_owned()],
            false => crds.files(out).into_iter().map(|(path, _)| path).collect(),
        };
        stale.extend(crds.stale_test(&files, test).map_err(|error| at(test, error))?);
        if !args.check {
            crds.write_test(&files, test).map_err(|error| at(test, error))?;
        }
    }
    Ok(stale)
}

fn crds(args: &Args) -> Outcome<Crds> {
    let mut crds = Crds::new().header(&args.header.text()?);
    if let Some(characters) = args.max_description {
        crds = crds.max_description(characters);
    }
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
