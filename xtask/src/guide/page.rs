//! What a page of a guide says, and whether a program printed it.

use std::path::PathBuf;

use crate::Outcome;

/// A block of code: ` ```rust src/main.rs `.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block<'a> {
    pub(super) language: &'a str,
    /// The rest of the line: a file's name, or how a command runs.
    pub(super) label: &'a str,
    pub(super) text: &'a str,
}

/// What the last command printed.
pub(super) enum Printed {
    Nothing,
    Whole(String),
    /// It goes on printing into this file.
    Growing(PathBuf),
}

/// The blocks of a page, in order.
pub(super) fn blocks(page: &str) -> Vec<Block<'_>> {
    let parts = page.split("```").skip(1).step_by(2);
    let blocks = parts.filter_map(|part| {
        let (info, text) = part.split_once('\n')?;
        let (language, label) = info.split_once(' ').unwrap_or((info, ""));
        Some(Block { language, label, text })
    });
    blocks.collect()
}

/// Wants the lines of `wanted` in what was `told`, in their order; others may stand between.
///
/// # Errors
/// The first line that is missing.
pub(super) fn missing(wanted: &str, told: &str) -> Outcome<()> {
    let mut lines = told.lines();
    for line in wanted.lines().filter(|line| !line.trim().is_empty()) {
        if !lines.any(|told| is_like(line, told)) {
            return Err(format!("the page says\n{line}\nand what was printed is\n{told}"));
        }
    }
    Ok(())
}

/// Whether two lines say the same: numbers and blanks may differ, and `…` at the end of a word is anything.
fn is_like(wanted: &str, told: &str) -> bool {
    let (wanted, told) = (masked(wanted), masked(told));
    let (mut wanted, mut told) = (wanted.split_whitespace(), told.split_whitespace());
    loop {
        match (wanted.next(), told.next()) {
            (None, None) => return true,
            (Some(wanted), Some(told)) if is_word_like(wanted, told) => {}
            _ => return false,
        }
    }
}

fn is_word_like(wanted: &str, told: &str) -> bool {
    match wanted.strip_suffix('…') {
        Some(begin) => told.starts_with(begin),
        None => wanted == told,
    }
}

/// Each number as one `#`.
fn masked(line: &str) -> String {
    let mut text = String::new();
    for character in line.chars() {
        match character {
            '0'..='9' if text.ends_with('#') => {}
            '0'..='9' => text.push('#'),
            other => text.push(other),
        }
    }
    text
}
