//! Which release of a client a chore runs: what the `go.mod` or the `Cargo.lock` of a folder pins.

use std::fs;

use crate::{Outcome, workspace};

/// Tells it in a line, so that a log says what was compared.
///
/// # Errors
/// When the folder pins no such module or package.
pub(crate) fn tell(folder: &str, client: &str) -> Outcome<()> {
    eprintln!("{client} {}", of(folder, client)?);
    Ok(())
}

fn of(folder: &str, client: &str) -> Outcome<String> {
    let folder = workspace::root().join(folder);
    let mut files = ["go.mod", "Cargo.lock"].map(|name| folder.join(name)).into_iter();
    let file = files.find(|file| file.exists());
    let file = file.ok_or_else(|| format!("{} pins nothing", folder.display()))?;
    let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let version = version(&text, client).map(str::to_owned);
    version.ok_or_else(|| format!("{} pins no {client}", file.display()))
}

/// The version beside a name, as either file has it.
fn version<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = text.lines().map(|line| line.trim().trim_start_matches("require "));
    let of_go = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(" v"));
    of_go.and_then(|rest| rest.split(' ').next()).or_else(|| {
        let (_, rest) = text.split_once(&format!("\nname = \"{name}\"\nversion = \""))?;
        rest.split('"').next()
    })
}

#[cfg(test)]
mod tests;
