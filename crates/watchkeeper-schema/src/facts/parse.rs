//! What both readers share: lines with numbers, tokens, and the error that names them.

use std::fmt;

/// A mistake in a facts file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactsError {
    place: String,
    message: String,
}

impl FactsError {
    pub(super) fn unresolved(place: String, model: &str) -> Self {
        Self { place, message: format!("no struct is called `{model}`") }
    }
}

impl fmt::Display for FactsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for FactsError {}

/// One line of a facts file: its tokens are taken from left to right.
pub(super) struct Line<'a> {
    file: &'static str,
    number: usize,
    /// Lines that belong to the record above start with one space.
    pub(super) indented: bool,
    text: &'a str,
    tokens: std::str::Split<'a, char>,
}

impl<'a> Line<'a> {
    /// The next token.
    pub(super) fn expect(&mut self, what: &str) -> Result<&'a str, FactsError> {
        match self.tokens.next() {
            Some(token) if !token.is_empty() => Ok(token),
            _ => Err(self.error(format_args!("expected {what}"))),
        }
    }

    /// The next token, where the line may end.
    pub(super) fn next(&mut self) -> Option<&'a str> {
        self.tokens.next()
    }

    pub(super) fn error(&self, message: impl fmt::Display) -> FactsError {
        FactsError {
            place: format!("{}:{}", self.file, self.number),
            message: format!("{message}, in `{}`", self.text.trim()),
        }
    }
}

/// The lines of a file, empty ones and comments (`#`) left out.
pub(super) fn lines<'a>(file: &'static str, text: &'a str) -> impl Iterator<Item = Line<'a>> {
    let numbered = text.lines().enumerate();
    numbered.filter(|(_, text)| !text.is_empty() && !text.starts_with('#')).map(
        move |(index, text)| {
            let (indented, rest) = match text.strip_prefix(' ') {
                Some(rest) => (true, rest),
                None => (false, text),
            };
            Line { file, number: index + 1, indented, text, tokens: rest.split(' ') }
        },
    )
}

/// `a,b` as a list; empty text is an empty list.
pub(super) fn comma_list(text: &str) -> Vec<String> {
    text.split(',').filter(|item| !item.is_empty()).map(str::to_owned).collect()
}
