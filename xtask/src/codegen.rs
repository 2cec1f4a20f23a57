//! `cargo xtask codegen`: the generated files of `watchkeeper-api` and `watchkeeper-client`, from the
//! facts.

use std::path::PathBuf;
use std::process::ExitCode;

use watchkeeper_codegen::{Crate, differences};

use crate::{Outcome, workspace};

/// The arguments of `cargo xtask codegen`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Write nothing, and fail with the difference when a file is not what would be written
    #[arg(long)]
    check: bool,
    /// A file whose text every Rust file begins with: a licence
    #[arg(long)]
    header: Option<PathBuf>,
}

/// Writes what is stale and names it.
///
/// # Errors
/// A file cannot be read or written, or with `--check` what is stale.
pub(crate) fn run(args: &Args) -> Outcome {
    let mut count = 0;
    let header = header(args)?;
    for which in Crate::ALL {
        let folder = workspace::root().join("crates").join(which.folder());
        if args.check {
            let stale = watchkeeper_codegen::stale(which, &folder, &header);
            let stale = stale.map_err(|error| error.to_string())?;
            differences(&stale).map_or(Ok(()), Err)?;
            continue;
        }
        let stale = watchkeeper_codegen::write(which, &folder, &header);
        let stale = stale.map_err(|error| error.to_string())?;
        for file in &stale {
            eprintln!("wrote {}", file.path.display());
        }
        count += stale.len();
    }
    eprintln!("{count} files were stale");
    Ok(ExitCode::SUCCESS)
}

/// The licence, where one is asked for.
fn header(args: &Args) -> Outcome<String> {
    let Some(path) = &args.header else { return Ok(String::new()) };
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}
