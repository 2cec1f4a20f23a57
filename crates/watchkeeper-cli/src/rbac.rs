//! `watchkeeper rbac`: roles from what a program declares and from what its tests called.

use std::path::{Path, PathBuf};

use watchkeeper_codegen::{Rbac, differences};

use crate::{Outcome, header, input};

/// The arguments of `watchkeeper rbac`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What the program declares and what was recorded of it, as it prints it itself
    #[arg(required = true)]
    access: Vec<PathBuf>,
    /// What the roles are called
    #[arg(long, default_value = "manager-role")]
    name: String,
    /// The YAML file to write; without it and without --suffices the roles are printed
    #[arg(long)]
    out: Option<PathBuf>,
    /// Write nothing, and fail with the difference when the file is not what would be written
    #[arg(long, requires = "out")]
    check: bool,
    #[command(flatten)]
    header: header::Args,
    /// A manifest of roles that must grant everything: fails with what they do not
    #[arg(long, value_name = "FILE")]
    suffices: Option<PathBuf>,
    /// Fail when something was declared and never called
    #[arg(long)]
    exercised: bool,
}

/// Writes the roles, or judges others.
///
/// # Errors
/// An input cannot be read; what is stale, what is missing, or what was never called, as asked for.
pub(crate) fn run(args: &Args) -> Outcome {
    let rbac = rbac(args)?;
    if let Some(path) = &args.suffices {
        suffices(&rbac, path)?;
    }
    match &args.out {
        Some(path) if args.check => {
            let stale = rbac.stale(path).map_err(|error| error.to_string())?;
            differences(stale.as_slice()).map_or(Ok(()), Err)?;
        }
        Some(path) => {
            let wrote = rbac.write(path).map_err(|e| format!("{}: {e}", path.display()))?;
            eprintln!("{} {}", if wrote { "wrote" } else { "fresh:" }, path.display());
        }
        None if args.suffices.is_none() => print(&rbac.text()),
        None => {}
    }
    let unexercised = rbac.unexercised();
    for of in &unexercised {
        eprintln!("declared and never called: {of}");
    }
    if args.exercised && !unexercised.is_empty() {
        return Err(format!("{} permissions were declared and never called", unexercised.len()));
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the roles are what was asked for")]
fn print(text: &str) {
    print!("{text}");
}

fn rbac(args: &Args) -> Outcome<Rbac> {
    let mut rbac = Rbac::new(&args.name).header(&args.header.text()?);
    for path in &args.access {
        rbac = rbac.file(path).map_err(|error| error.to_string())?;
    }
    Ok(rbac)
}

fn suffices(rbac: &Rbac, path: &Path) -> Outcome {
    let missing = rbac.missing(&path.display().to_string(), &input::read(path)?);
    let missing = missing.map_err(|error| error.to_string())?;
    if missing.is_empty() {
        return Ok(());
    }
    let list: Vec<String> = missing.iter().map(|of| format!("  {of}")).collect();
    Err(format!("{} does not grant:\n{}", path.display(), list.join("\n")))
}
