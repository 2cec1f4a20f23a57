//! The grammar of label selectors, by recursive descent over tokens.

use super::{Requirement, Selector, SelectorError, Test};
use crate::IStr;

pub(super) fn selector(text: &str) -> Result<Selector, SelectorError> {
    let mut tokens = Tokens { rest: text };
    let mut requirements = Vec::new();
    if tokens.peek().is_empty() {
        return Ok(Selector::everything());
    }
    loop {
        requirements.push(tokens.requirement()?);
        match tokens.next() {
            "" => return Ok(requirements.into_iter().collect()),
            "," => {}
            found => return Err(unexpected(found, "`,` or the end")),
        }
    }
}

/// A qualified name: an optional DNS subdomain and a slash, then a name of at most 63 characters.
pub(super) fn check_key(key: &str) -> Result<(), SelectorError> {
    let valid = match key.split_once('/') {
        Some((prefix, name)) => is_subdomain(prefix) && is_name(name) && !name.contains('/'),
        None => is_name(key),
    };
    if valid { Ok(()) } else { Err(SelectorError::new(format!("{key:?} is no label key"))) }
}

pub(super) fn check_value(key: &str, value: &str) -> Result<(), SelectorError> {
    if value.is_empty() || is_name(value) {
        return Ok(());
    }
    Err(SelectorError::new(format!("{value:?} is no label value (of the label {key:?})")))
}

fn is_name(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let outer = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = text.as_bytes();
    bytes.len() <= 63
        && outer(bytes.first())
        && outer(bytes.last())
        && bytes.iter().all(|byte| inner(*byte))
}

fn is_subdomain(text: &str) -> bool {
    let label = |label: &str| {
        let edge = |byte: Option<&u8>| {
            byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        };
        let bytes = label.as_bytes();
        let plain = |byte: &u8| edge(Some(byte)) || *byte == b'-';
        edge(bytes.first()) && edge(bytes.last()) && bytes.iter().all(plain)
    };
    text.len() <= 253 && text.split('.').all(label)
}

fn unexpected(found: &str, expected: &str) -> SelectorError {
    let found = if found.is_empty() { "the end".to_owned() } else { format!("{found:?}") };
    SelectorError::new(format!("found {found} in a label selector, expected {expected}"))
}

/// The text that is left; a token is a mark or a word, and the empty one is the end.
struct Tokens<'a> {
    rest: &'a str,
}

const MARKS: [&str; 9] = ["==", "!=", "=", "!", "(", ")", ",", ">", "<"];

impl<'a> Tokens<'a> {
    fn peek(&self) -> &'a str {
        let rest = self.rest.trim_start_matches(is_space);
        if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            return &rest[..mark.len()];
        }
        let end = rest.find(|c| is_space(c) || "=!(),<>".contains(c)).unwrap_or(rest.len());
        &rest[..end]
    }

    fn next(&mut self) -> &'a str {
        let token = self.peek();
        self.rest = &self.rest.trim_start_matches(is_space)[token.len()..];
        token
    }

    /// A word, or nothing where a mark or the end is.
    fn word(&mut self) -> &'a str {
        if MARKS.contains(&self.peek()) { "" } else { self.next() }
    }

    fn requirement(&mut self) -> Result<Requirement, SelectorError> {
        if self.peek() == "!" {
            self.next();
            return Requirement::new(self.key()?, Test::Absent);
        }
        let key = self.key()?;
        let test = match self.peek() {
            "" | "," => Test::Exists,
            "=" | "==" => Test::Equals(self.value()),
            "!=" => Test::NotEquals(self.value()),
            "in" => Test::In(self.set()?),
            "notin" => Test::NotIn(self.set()?),
            ">" => Test::Above(self.number()?),
            "<" => Test::Below(self.number()?),
            found => return Err(unexpected(found, "one of `=`, `!=`, `in`, `notin`, `>`, `<`")),
        };
        Requirement::new(key, test)
    }

    fn key(&mut self) -> Result<&'a str, SelectorError> {
        match self.word() {
            "" => Err(unexpected(self.peek(), "a label key")),
            key => Ok(key),
        }
    }

    /// The value after an operator; `key=` asks for the empty one.
    fn value(&mut self) -> IStr {
        self.next();
        IStr::from(self.word())
    }

    fn number(&mut self) -> Result<i64, SelectorError> {
        self.next();
        let word = self.word();
        word.parse().map_err(|_| unexpected(word, "a whole number"))
    }

    /// `(a, b)`; between two commas is the empty value, as upstream has it.
    fn set(&mut self) -> Result<Vec<IStr>, SelectorError> {
        self.next();
        match self.next() {
            "(" => {}
            found => return Err(unexpected(found, "`(`")),
        }
        let mut values = Vec::new();
        loop {
            values.push(IStr::from(self.word()));
            match self.next() {
                ")" => return Ok(values),
                "," => {}
                found => return Err(unexpected(found, "`,` or `)`")),
            }
        }
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}
