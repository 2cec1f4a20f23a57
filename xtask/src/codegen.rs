//! `cargo xtask codegen`: the generated files of `watchkeeper-api` and `watchkeeper-client`, from the
//! facts.

use std::process::ExitCode;

use watchkeeper_codegen::Crate;

use crate::{Outcome, workspace};

/// Writes what is stale and names it.
pub(crate) fn run() -> Outcome {
    let mut count = 0;
    for which in Crate::ALL {
        let folder = workspace::root().join("crates").join(which.folder());
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
