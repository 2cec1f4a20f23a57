//! The licence that generated files begin with.

use std::path::PathBuf;

use crate::{Outcome, input};

/// What every file begins with.
#[derive(Debug, clap::Args)]
#[group(id = "licence")]
pub(crate) struct Args {
    /// A file whose text every file begins with: a licence
    #[arg(long, value_name = "FILE")]
    header: Option<PathBuf>,
    /// What takes the place of each `YEAR` in it
    #[arg(long, requires = "header")]
    year: Option<String>,
}

impl Args {
    /// The text; none where none is asked for.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn text(&self) -> Outcome<String> {
        let Some(path) = &self.header else { return Ok(String::new()) };
        let text = input::read(path)?;
        Ok(match &self.year {
            Some(year) => text.replace("YEAR", year),
            None => text,
        })
    }
}
