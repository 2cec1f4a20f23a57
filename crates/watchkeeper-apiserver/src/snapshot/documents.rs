//! A text of several documents, one after the other.

use serde_json::Value;
use watchkeeper_schema::yaml::{self, Limits};

use super::ImportError;
use crate::deep;
use crate::request::body;

/// How deep YAML is read, and written. Definitions nest deep, and are long.
pub(super) const LIMITS: Limits = Limits { depth: 160, nodes: usize::MAX };

/// One document of a text, with something in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Document<'a> {
    /// Which one it is, counted from 1.
    pub(super) number: usize,
    /// The line that it begins at, counted from 1.
    pub(super) line: usize,
    /// What stands behind its mark, or all of it where it has none.
    pub(super) text: &'a str,
}

impl Document<'_> {
    /// Says what is wrong with it.
    pub(super) fn error(&self, what: impl Into<String>) -> ImportError {
        ImportError { place: Some((self.number, self.line)), what: what.into() }
    }

    /// What it says. JSON is what it is, to the last digit.
    pub(super) fn value(&self) -> Result<Value, ImportError> {
        let text = self.text.as_bytes();
        if deep::starts_as_json(text)
            && let Ok(decoded) = body::text(text)
            && decoded.duplicates == body::Duplicates::default()
        {
            return Ok(decoded.value);
        }
        let read = yaml::documents(self.text, &LIMITS);
        let read = read.map_err(|error| match error.line() {
            Some(line) => {
                let what = error.what();
                self.error(format!("it is no YAML: line {}: {what}", self.line + line - 1))
            }
            None => self.error(format!("it is no YAML: {error}")),
        })?;
        read.into_iter().next().ok_or_else(|| self.error("there is nothing in it"))
    }
}

/// The documents of a text, but for those of comments alone.
pub(super) fn split(text: &str) -> Vec<Document<'_>> {
    let mut documents: Vec<Document<'_>> = Vec::new();
    let (mut begin, mut first_line, mut at, mut has_begun) = (0, 1, 0, false);
    let mut end = |begin: usize, at: usize, line: usize, has_begun: bool| {
        if has_begun && let Some(text) = text.get(begin..at) {
            documents.push(Document { number: documents.len() + 1, line, text });
        }
    };
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let said = match mark(line) {
            Some(rest) => {
                end(begin, at, first_line, has_begun);
                let mark = line.len() - rest.len();
                (begin, first_line, has_begun) = (at + mark, index + 1, false);
                rest
            }
            None => line,
        };
        let is_said = !matches!(said.trim_start().chars().next(), None | Some('#'));
        has_begun |= is_said && !line.starts_with('%');
        at += line.len();
    }
    end(begin, at, first_line, has_begun);
    documents
}

/// What stands behind the mark between two documents, in a line that has one.
fn mark(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("---").or_else(|| line.strip_prefix("..."))?;
    (rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n'])).then_some(rest)
}
