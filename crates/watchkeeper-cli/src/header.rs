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
        let text = uncommented(&text);
        Ok(match &self.year {
            Some(year) => text.replace("YEAR", year),
            None => text,
        })
    }
}

/// The text without the marks of a block comment, as kubebuilder's `boilerplate.go.txt` has them.
fn uncommented(text: &str) -> String {
    let inside = text.trim().strip_prefix("/*").and_then(|text| text.strip_suffix("*/"));
    let Some(inside) = inside else { return text.to_owned() };
    let line = |line: &str| {
        let unmarked = line.trim_start().strip_prefix('*');
        unmarked.map_or(line, |rest| rest.strip_prefix(' ').unwrap_or(rest)).trim_end().to_owned()
    };
    let lines: Vec<String> = inside.trim_matches('*').lines().map(line).collect();
    format!("{}\n", lines.join("\n").trim())
}

#[cfg(test)]
mod tests {
    use super::uncommented;

    #[test]
    fn a_block_comment_is_taken_off() {
        let plain = "Copyright YEAR X.\n\n  Licensed.\n";
        for text in [
            "/*\nCopyright YEAR X.\n\n  Licensed.\n*/\n",
            "/**\n * Copyright YEAR X.\n *\n *   Licensed.\n **/",
            "/* Copyright YEAR X.\n\n  Licensed. */",
        ] {
            assert_eq!(uncommented(text), plain, "{text}");
        }
        for text in ["// Copyright\n", "Copyright\n/* of */ X\n", "/* open\n"] {
            assert_eq!(uncommented(text), text);
        }
    }
}
