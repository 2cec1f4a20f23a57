//! `cargo xtask codegen`: the generated files of `watchkeeper-api`, from the facts.

use std::process::ExitCode;

use crate::{Outcome, workspace};

/// Writes what is stale and names it.
pub(crate) fn run() -> Outcome {
    let api = workspace::root().join("crates/watchkeeper-api");
    let stale = watchkeeper_codegen::write(&api).map_err(|error| error.to_string())?;
    for file in &stale {
        eprintln!("wrote {}", file.path.display());
    }
    eprintln!("{} files were stale", stale.len());
    Ok(ExitCode::SUCCESS)
}
