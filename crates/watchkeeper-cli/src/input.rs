//! Files that are given to a generator.

use std::io::Read as _;
use std::path::Path;

use crate::Outcome;

/// The text of a file; of standard input where it is called `-`.
///
/// # Errors
/// It cannot be read.
pub(crate) fn read(path: &Path) -> Outcome<String> {
    let told = |error: std::io::Error| format!("{}: {error}", path.display());
    if path == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(told)?;
        return Ok(text);
    }
    std::fs::read_to_string(path).map_err(told)
}
