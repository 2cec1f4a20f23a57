//! The grammar of label selectors, by recursive descent over tokens, with upstream's words for what
//! is wrong (`k8s.io/apimachinery/pkg/labels`).

use super::{Requirement, Selector, SelectorError, check};
use crate::IStr;

pub(super) fn selector(text: &str) -> Result<Selector, SelectorError> {
    let mut tokens = Tokens { text, rest: text };
    let mut requirements = Vec::new();
    match tokens.peek() {
        "" => return Ok(Selector::everything()),
        start if starts_requirement(start) => {}
        found => return Err(tokens.expected(found, "!, identifier, or 'end of string'")),
    }
    loop {
        let start = tokens.peek();
        requirements.push(tokens.requirement().map_err(|why| {
            let message = format!("unable to parse requirement: {why}");
            SelectorError { message, ..why }.within(text, start)
        })?);
        match tokens.next() {
            "" => return Ok(requirements.into_iter().collect()),
            "," if starts_requirement(tokens.peek()) => {}
            "," => return Err(tokens.expected(tokens.peek(), "identifier after ','")),
            found => return Err(tokens.expected(found, "',' or 'end of string'")),
        }
    }
}

fn starts_requirement(token: &str) -> bool {
    token == "!" || is_word(token)
}

fn is_word(token: &str) -> bool {
    !token.is_empty() && !MARKS.contains(&token)
}

/// The text that is left; a token is a mark or a word, and the empty one is the end.
struct Tokens<'a> {
    text: &'a str,
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

    /// What is wrong with a token.
    fn expected(&self, found: &str, expected: &str) -> SelectorError {
        SelectorError::new(format!("found '{found}', expected: {expected}"))
            .within(self.text, found)
    }

    fn requirement(&mut self) -> Result<Requirement, SelectorError> {
        let absent = self.peek() == "!";
        if absent {
            self.next();
        }
        let key = match self.next() {
            key if is_word(key) => key,
            found => return Err(self.expected(found, "identifier")),
        };
        check::key("<nil>", key)?;
        if absent {
            return Requirement::checked(key, "!", &[]);
        }
        if let "" | "," = self.peek() {
            return Requirement::checked(key, "exists", &[]);
        }
        match self.next() {
            operator @ ("in" | "notin") => Requirement::checked(key, operator, &self.set()?),
            operator @ ("=" | "==" | "!=" | ">" | "<") => {
                Requirement::checked(key, operator, &[self.value()?])
            }
            found => Err(self.expected(found, "in, notin, =, ==, !=, gt, lt")),
        }
    }

    /// The value after an operator; `key=` asks for the empty one.
    fn value(&mut self) -> Result<IStr, SelectorError> {
        if let "" | "," = self.peek() {
            return Ok(IStr::EMPTY);
        }
        match self.next() {
            value if is_word(value) => Ok(IStr::from(value)),
            found => Err(self.expected(found, "identifier")),
        }
    }

    /// `(a, b)`; between two commas is the empty value, as upstream has it.
    fn set(&mut self) -> Result<Vec<IStr>, SelectorError> {
        let open = self.next();
        if open != "(" {
            let wrong = SelectorError::new(format!("found '{open}' expected: '('"));
            return Err(wrong.within(self.text, open));
        }
        match self.peek() {
            ")" | "," => {}
            word if is_word(word) => {}
            found => return Err(self.expected(found, "',', ')' or identifier")),
        }
        let mut values = Vec::new();
        loop {
            match self.peek() {
                word if is_word(word) => {
                    values.push(IStr::from(self.next()));
                    if !matches!(self.peek(), "," | ")") {
                        return Err(self.expected(self.peek(), "',' or ')'"));
                    }
                }
                "," | ")" => values.push(IStr::EMPTY),
                found => return Err(self.expected(found, "',', or identifier")),
            }
            if self.next() == ")" {
                values.sort();
                values.dedup();
                return Ok(values);
            }
        }
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}
