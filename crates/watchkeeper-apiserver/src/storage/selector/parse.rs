//! The text of a label selector, read as apimachinery's `labels.Parse` reads it: words first, then requirements.

use std::collections::BTreeSet;

use super::{Requirement, Test};
use crate::error::quoted;
use crate::kind_validation::names;

/// A word of a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Word {
    /// Anything that is no other word.
    Plain(String),
    /// `in` or `notin`, which are also values.
    Set(&'static str),
    /// What stands between key and value, or before a key.
    Operator(&'static str),
    Comma,
    Open,
    Close,
    End,
}

impl Word {
    /// As messages show it.
    fn text(&self) -> String {
        match self {
            Self::Plain(text) => text.clone(),
            Self::Set(text) | Self::Operator(text) => (*text).to_owned(),
            Self::Comma => ",".to_owned(),
            Self::Open => "(".to_owned(),
            Self::Close => ")".to_owned(),
            Self::End => String::new(),
        }
    }

    /// The text, if it may be a key or a value.
    fn plain(&self) -> Option<&str> {
        match self {
            Self::Plain(text) => Some(text),
            Self::Set(text) => Some(text),
            _ => None,
        }
    }
}

const SPECIAL: &[u8] = b"=!(),><";

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn words(text: &str) -> Vec<Word> {
    let (mut words, mut rest) = (Vec::new(), text);
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        let Some(first) = rest.bytes().next() else {
            words.push(Word::End);
            return words;
        };
        let is_special = SPECIAL.contains(&first);
        let (word, length) = if is_special { special(rest) } else { plain(rest) };
        words.push(word);
        rest = &rest[length..];
    }
}

fn plain(text: &str) -> (Word, usize) {
    let ends = |byte: u8| SPECIAL.contains(&byte) || is_blank(byte);
    let length = text.bytes().position(ends).unwrap_or(text.len());
    let word = match &text[..length] {
        "in" => Word::Set("in"),
        "notin" => Word::Set("notin"),
        other => Word::Plain(other.to_owned()),
    };
    (word, length)
}

/// No operator has more letters.
const LONGEST: usize = 2;

/// The longest operator that the text begins with.
fn special(text: &str) -> (Word, usize) {
    let known = |text: &str| {
        Some(match text {
            ")" => Word::Close,
            "," => Word::Comma,
            "(" => Word::Open,
            "!" => Word::Operator("!"),
            "==" => Word::Operator("=="),
            "=" => Word::Operator("="),
            ">" => Word::Operator(">"),
            "<" => Word::Operator("<"),
            "!=" => Word::Operator("!="),
            _ => return None,
        })
    };
    let run = text.bytes().take(LONGEST).take_while(|byte| SPECIAL.contains(byte)).count();
    let longest = (1..=run).rev().find_map(|length| Some((known(&text[..length])?, length)));
    // Each of these letters alone is one.
    longest.unwrap_or((Word::Comma, 1))
}

/// The requirements of a selector.
pub(super) fn requirements(text: &str) -> Result<Vec<Requirement>, String> {
    let words = words(text);
    let mut parser = Parser { words: &words, at: 0 };
    let mut requirements = Vec::new();
    loop {
        match parser.next() {
            Word::End => return Ok(requirements),
            word if word.plain().is_some() || *word == Word::Operator("!") => {}
            other => {
                let found = other.text();
                return Err(format!(
                    "found '{found}', expected: !, identifier, or 'end of string'"
                ));
            }
        }
        let requirement = parser.requirement();
        requirements
            .push(requirement.map_err(|why| format!("unable to parse requirement: {why}"))?);
        match parser.take() {
            Word::End => return Ok(requirements),
            Word::Comma => {
                let next = parser.next();
                if next.plain().is_none() && *next != Word::Operator("!") {
                    return Err(format!("found '{}', expected: identifier after ','", next.text()));
                }
            }
            other => {
                return Err(format!("found '{}', expected: ',' or 'end of string'", other.text()));
            }
        }
    }
}

struct Parser<'a> {
    words: &'a [Word],
    at: usize,
}

impl<'a> Parser<'a> {
    /// The next word; behind the last it is the end.
    fn next(&self) -> &'a Word {
        self.words.get(self.at).unwrap_or(&Word::End)
    }

    fn take(&mut self) -> &'a Word {
        let word = self.next();
        self.at += 1;
        word
    }

    fn requirement(&mut self) -> Result<Requirement, String> {
        let mut word = self.take();
        let is_missing = *word == Word::Operator("!");
        if is_missing {
            word = self.take();
        }
        let Some(key) = word.plain() else {
            return Err(format!("found '{}', expected: identifier", word.text()));
        };
        let wrong = names::qualified(key);
        if !wrong.is_empty() {
            return Err(format!("<nil>: Invalid value: {}: {}", quoted(key), wrong.join("; ")));
        }
        if is_missing {
            return Ok((key.to_owned(), Test::Missing));
        }
        if matches!(self.next(), Word::End | Word::Comma) {
            return Ok((key.to_owned(), Test::Exists));
        }
        let operator = self.take();
        let values = match operator {
            Word::Set(_) => self.set()?,
            Word::Operator("=" | "==" | "!=" | ">" | "<") => BTreeSet::from([self.value()?]),
            other => {
                let found = other.text();
                return Err(format!("found '{found}', expected: in, notin, =, ==, !=, gt, lt"));
            }
        };
        check(key, operator, &values)?;
        let number = || values.iter().next().and_then(|value| integer(value)).unwrap_or_default();
        let test = match operator {
            Word::Set("notin") | Word::Operator("!=") => Test::NotIn(values),
            Word::Operator(">") => Test::Above(number()),
            Word::Operator("<") => Test::Below(number()),
            _ => Test::In(values),
        };
        Ok((key.to_owned(), test))
    }

    /// The value behind an operator; none is an empty one.
    fn value(&mut self) -> Result<String, String> {
        if matches!(self.next(), Word::End | Word::Comma) {
            return Ok(String::new());
        }
        let word = self.take();
        let expected = || format!("found '{}', expected: identifier", word.text());
        word.plain().map(str::to_owned).ok_or_else(expected)
    }

    /// `(a, b)`
    fn set(&mut self) -> Result<BTreeSet<String>, String> {
        let word = self.take();
        if *word != Word::Open {
            return Err(format!("found '{}' expected: '('", word.text()));
        }
        let first = self.next();
        match first {
            Word::Close => {
                self.at += 1;
                Ok(BTreeSet::from([String::new()]))
            }
            word if word.plain().is_some() || *word == Word::Comma => self.values(),
            other => Err(format!("found '{}', expected: ',', ')' or identifier", other.text())),
        }
    }

    /// Values with commas between, and the bracket behind them; where none stands, it is an empty one.
    fn values(&mut self) -> Result<BTreeSet<String>, String> {
        let mut values = BTreeSet::new();
        loop {
            match self.take() {
                Word::Comma => {
                    if values.is_empty() {
                        values.insert(String::new());
                    }
                    match self.next() {
                        Word::Close => {
                            values.insert(String::new());
                            self.at += 1;
                            return Ok(values);
                        }
                        Word::Comma => _ = values.insert(String::new()),
                        _ => {}
                    }
                }
                word => {
                    let Some(value) = word.plain() else {
                        let found = word.text();
                        return Err(format!("found '{found}', expected: ',', or identifier"));
                    };
                    values.insert(value.to_owned());
                    match self.next() {
                        Word::Comma => {}
                        Word::Close => {
                            self.at += 1;
                            return Ok(values);
                        }
                        other => {
                            let found = other.text();
                            return Err(format!("found '{found}', expected: ',' or ')'"));
                        }
                    }
                }
            }
        }
    }
}

/// Values must be such as labels have, and numbers where they are compared as such.
fn check(key: &str, operator: &Word, values: &BTreeSet<String>) -> Result<(), String> {
    let mut wrong = Vec::new();
    let is_number = matches!(operator, Word::Operator(">" | "<"));
    for (index, value) in values.iter().enumerate() {
        if is_number && integer(value).is_none() {
            let why = "for 'Gt', 'Lt' operators, the value must be an integer";
            wrong.push(format!("values[{index}]: Invalid value: {}: {why}", quoted(value)));
        }
    }
    for (index, value) in values.iter().enumerate() {
        let why = names::label_value(value);
        if !why.is_empty() {
            let place = format!("values[{index}][{key}]");
            wrong.push(format!("{place}: Invalid value: {}: {}", quoted(value), why.join("; ")));
        }
    }
    match wrong.len() {
        0 => Ok(()),
        1 => Err(wrong.remove(0)),
        _ => Err(format!("[{}]", wrong.join(", "))),
    }
}

/// As Go's `strconv.ParseInt`.
pub(super) fn integer(text: &str) -> Option<i64> {
    text.parse().ok()
}
