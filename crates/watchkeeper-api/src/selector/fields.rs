//! Selectors on fields, as in `status.phase=Running,spec.nodeName!=`.

use std::fmt;
use std::str::FromStr;

use super::SelectorError;
use crate::IStr;

/// Requirements on fields, all of which must hold. Without any it selects everything.
///
/// Which fields may be named is the server's decision, a kind at a time. In values a backslash
/// protects `\`, `,` and `=`, as in upstream's `fields.EscapeValue`. Terms read from a text are
/// sorted, as upstream prints them.
///
/// ```
/// use watchkeeper_api::selector::FieldSelector;
/// let selector: FieldSelector = "status.phase!=Failed,spec.nodeName==a\\,b".parse()?;
/// assert_eq!(selector.to_string(), "spec.nodeName=a\\,b,status.phase!=Failed");
/// assert!(selector.matches(|path| (path == "spec.nodeName").then_some("a,b")));
/// # Ok::<(), watchkeeper_api::selector::SelectorError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FieldSelector(Vec<Term>);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Term {
    path: IStr,
    equal: bool,
    value: IStr,
}

impl FieldSelector {
    /// Selects everything.
    #[must_use]
    pub const fn everything() -> Self {
        Self(Vec::new())
    }

    /// Selects objects whose field at `path` has this value.
    #[must_use]
    pub fn equals(path: impl Into<IStr>, value: impl Into<IStr>) -> Self {
        Self::everything().and_equals(path, value)
    }

    /// Requires the field at `path` to have this value, too.
    #[must_use]
    pub fn and_equals(self, path: impl Into<IStr>, value: impl Into<IStr>) -> Self {
        self.and(path.into(), true, value.into())
    }

    /// Requires the field at `path` to have another value, too.
    #[must_use]
    pub fn and_not_equals(self, path: impl Into<IStr>, value: impl Into<IStr>) -> Self {
        self.and(path.into(), false, value.into())
    }

    fn and(mut self, path: IStr, equal: bool, value: IStr) -> Self {
        self.0.push(Term { path, equal, value });
        self
    }

    /// The terms: path, whether the value must be equal (or differ), value.
    pub fn terms(&self) -> impl Iterator<Item = (&str, bool, &str)> {
        self.0.iter().map(|term| (&*term.path, term.equal, &*term.value))
    }

    /// Whether it selects everything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the fields that `value_of` looks up by path satisfy every term; a field that does
    /// not exist counts as empty.
    pub fn matches<'a>(&self, value_of: impl Fn(&str) -> Option<&'a str>) -> bool {
        self.0.iter().all(|term| {
            let value = value_of(&term.path).unwrap_or_default();
            (value == &*term.value) == term.equal
        })
    }
}

impl FromStr for FieldSelector {
    type Err = SelectorError;

    /// Terms are sorted as they are written, as upstream's `ParseSelector` sorts them.
    fn from_str(text: &str) -> Result<Self, SelectorError> {
        let mut parts = split_unescaped(text, ',');
        parts.sort_unstable();
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts.map(|part| term(text, part)).collect::<Result<_, _>>().map(Self)
    }
}

/// One term; the first operator splits it, for nothing is escaped on its left.
fn term(text: &str, part: &str) -> Result<Term, SelectorError> {
    let wrong = || {
        SelectorError::new(format!("invalid selector: '{text}'; can't understand '{part}'"))
            .within(text, part)
    };
    let at = part.find('=').ok_or_else(wrong)?;
    let (left, value) = (&part[..at], &part[at + 1..]);
    let (path, equal) = match left.strip_suffix('!') {
        Some(path) => (path, false),
        None => (left, true),
    };
    let value = if equal { value.strip_prefix('=').unwrap_or(value) } else { value };
    if path.is_empty() {
        return Err(wrong());
    }
    Ok(Term { path: IStr::from(path), equal, value: unescape(text, value)?.into() })
}

fn find_unescaped(text: &str, wanted: char) -> Option<usize> {
    let mut escaped = false;
    text.char_indices().find_map(|(at, c)| {
        let found = c == wanted && !escaped;
        escaped = c == '\\' && !escaped;
        found.then_some(at)
    })
}

fn split_unescaped(mut text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    while let Some(at) = find_unescaped(text, separator) {
        parts.push(&text[..at]);
        text = &text[at + separator.len_utf8()..];
    }
    parts.push(text);
    parts
}

/// A value of the selector `text`.
fn unescape(text: &str, value: &str) -> Result<String, SelectorError> {
    let mut plain = String::with_capacity(value.len());
    let mut chars = value.chars();
    let wrong = |rest: &str, what: String| {
        SelectorError::new(format!("invalid field selector: {what}")).within(text, rest)
    };
    loop {
        let rest = chars.as_str();
        let Some(c) = chars.next() else { return Ok(plain) };
        match c {
            '\\' => match chars.next() {
                Some(c @ ('\\' | ',' | '=')) => plain.push(c),
                other => {
                    let sequence: String = std::iter::once('\\').chain(other).collect();
                    return Err(wrong(rest, format!("invalid escape sequence: {sequence}")));
                }
            },
            // Upstream tells the character's number.
            ',' | '=' => {
                let what = format!("unescaped character in value: {}", u32::from(c));
                return Err(wrong(rest, what));
            }
            c => plain.push(c),
        }
    }
}

impl fmt::Display for FieldSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, term) in self.0.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{}{}", term.path, if term.equal { "=" } else { "!=" })?;
            for c in term.value.chars() {
                if matches!(c, '\\' | ',' | '=') {
                    f.write_str("\\")?;
                }
                write!(f, "{c}")?;
            }
        }
        Ok(())
    }
}
