//! How `--check` fails.

use std::fmt::Write as _;

use watchkeeper_codegen::StaleFile;

use crate::Outcome;

/// Tells all that differs, if something does.
///
/// # Errors
/// How many files are stale, and the difference of each.
pub(crate) fn fail(stale: &[StaleFile]) -> Outcome<()> {
    if stale.is_empty() {
        return Ok(());
    }
    let mut text = match stale.len() {
        1 => "1 file is stale:\n".to_owned(),
        count => format!("{count} files are stale:\n"),
    };
    for file in stale {
        // Writing to a text cannot fail.
        let _ = write!(text, "{}", file.diff());
    }
    Err(text)
}
