//! What cargo-mutants lists.

use std::ops::Range;
use std::process::Command;

use super::states::{Area, States};
use crate::{Outcome, process, workspace};

/// A change of one place.
#[derive(Clone, Debug)]
pub(super) struct Mutant {
    /// Of the package: `src/state.rs`.
    pub(super) file: String,
    /// As it is told: file, line, column, and what is replaced with what.
    pub(super) name: String,
    pub(super) kind: Kind,
    /// What is replaced.
    pub(super) from: Position,
    pub(super) to: Position,
    pub(super) replacement: String,
}

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// What a function answers.
    Body,
    /// An operator between two expressions.
    Binary,
    /// An operator in front of one is gone.
    Unary,
    /// An arm of a `match` is gone.
    Arm,
    /// The condition of an arm.
    Guard,
    /// A field is left to what fills the others.
    Field,
}

/// Line and column, both from one, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Position {
    /// How many bytes of `text` are before it.
    fn offset(self, text: &str) -> Option<usize> {
        let before: usize = text.split_inclusive('\n').take(self.line - 1).map(str::len).sum();
        let line = text.get(before..)?;
        line.char_indices().nth(self.column - 1).map(|(at, _)| before + at)
    }
}

impl Mutant {
    /// Which bytes of its file's text are replaced.
    ///
    /// # Errors
    /// When the text has no such place.
    pub(super) fn range(&self, text: &str) -> Outcome<Range<usize>> {
        let range = self.from.offset(text).zip(self.to.offset(text));
        let range = range.map(|(from, to)| from..to).filter(|range| range.start <= range.end);
        range.ok_or_else(|| format!("not in the file: {}", self.name))
    }
}

/// The mutants of an area.
///
/// # Errors
/// When cargo-mutants fails, or lists what is not known.
pub(super) fn list(states: &States, area: &Area) -> Outcome<Vec<Mutant>> {
    let mut mutants = Command::new("cargo");
    mutants.current_dir(workspace::root());
    mutants.args(["mutants", "--list", "--json", "--gitignore", "true", "--colors", "never"]);
    mutants.args(["--package", states.package]);
    let folder = format!("crates/{}/", states.package);
    for file in area.files {
        mutants.args(["--file", &format!("{folder}{file}")]);
    }
    read(&process::output(&mut mutants)?, &folder)
}

fn read(list: &[u8], folder: &str) -> Outcome<Vec<Mutant>> {
    let list: Vec<serde_json::Value> =
        serde_json::from_slice(list).map_err(|e| format!("what cargo-mutants lists: {e}"))?;
    let unknown = |entry| format!("cargo-mutants lists what is not known here: {entry}");
    list.iter().map(|entry| mutant(entry, folder).ok_or_else(|| unknown(entry))).collect()
}

fn mutant(entry: &serde_json::Value, folder: &str) -> Option<Mutant> {
    let text = |name| entry.get(name)?.as_str();
    let position = |end| {
        let place = entry.get("span")?.get(end)?;
        let number = |name| usize::try_from(place.get(name)?.as_u64()?).ok().filter(|n| *n > 0);
        Some(Position { line: number("line")?, column: number("column")? })
    };
    let kind = match text("genre")? {
        "FnValue" => Kind::Body,
        "BinaryOperator" => Kind::Binary,
        "UnaryOperator" => Kind::Unary,
        "MatchArm" => Kind::Arm,
        "MatchArmGuard" => Kind::Guard,
        "StructField" => Kind::Field,
        _ => return None,
    };
    Some(Mutant {
        file: text("file")?.strip_prefix(folder)?.to_owned(),
        name: text("name")?.to_owned(),
        kind,
        from: position("start")?,
        to: position("end")?,
        replacement: text("replacement")?.to_owned(),
    })
}

#[cfg(test)]
mod tests;
