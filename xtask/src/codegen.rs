//! `cargo xtask codegen`: the generated files of `watchkeeper-api` and `watchkeeper-client`, from the
//! facts.

use std::process::ExitCode;

use watchkeeper_codegen::Crate;

use crate::{Outcome, stale, workspace};

/// The arguments of `cargo xtask codegen`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Write nothing, and fail with the difference when a file is not what would be written
    #[arg(long)]
    check: bool,
}

/// Writes what is stale and names it.
///
/// # Errors
/// A file cannot be read or written, or with `--check` what is stale.
pub(crate) fn run(args: &Args) -> Outcome {
    let mut count = 0;
    for which in Crate::ALL {
        let folder = workspace::root().join("crates").join(which.folder());
        if args.check {
            let stale = watchkeeper_codegen::stale(which, &folder);
            stale::fail(&stale.map_err(|error| error.to_string())?)?;
            continue;
        }
        let stale =
            watchkeeper_codegen::write(which, &folder).map_err(|error| error.to_string())?;
        for file in &stale {
            eprintln!("wrote {}", file.path.display());
        }
        count += stale.len();
    }
    eprintln!("{count} files were stale");
    Ok(ExitCode::SUCCESS)
}
