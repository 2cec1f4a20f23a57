//! Selectors on fields, as in `status.phase=Running,spec.nodeName!=`.

use std::fmt;
use std::str::FromStr;

use super::SelectorError;
use crate::IStr;

/// Requirements on fields, all of which must hold. Without any it selects everything.
///
/// Which fields may be named is the server's decision, a kind at a time. In values a backslash
/// protects `\`, `,` and `=`, as in upstream's `fields.EscapeValue`.
///
/// ```
/// use watchkeeper_api::selector::FieldSelector;
/// let selector: FieldSelector = "status.phase!=Failed,spec.nodeName==a\\,b".parse()?;
/// assert_eq!(selector.to_string(), "status.phase!=Failed,spec.nodeName=a\\,b");
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

    fn from_str(text: &str) -> Result<Self, SelectorError> {
        let terms = split_unescaped(text, ',');
        let terms = terms.into_iter().map(str::trim).filter(|term| !term.is_empty());
        terms.map(term).collect::<Result<_, _>>().map(Self)
    }
}

fn term(text: &str) -> Result<Term, SelectorError> {
    let wrong = || {
        SelectorError::new(format!(
            "{text:?} is no field selector: expected `path=value` or `path!=value`"
        ))
    };
    let at = find_unescaped(text, '=').ok_or_else(wrong)?;
    let (left, value) = (&text[..at], &text[at + 1..]);
    let (path, equal) = match left.strip_suffix('!') {
        Some(path) => (path, false),
        None => (left, true),
    };
    let value = if equal { value.strip_prefix('=').unwrap_or(value) } else { value };
    if path.is_empty() {
        return Err(wrong());
    }
    Ok(Term { path: IStr::from(path), equal, value: unescape(value)?.into() })
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

fn unescape(text: &str) -> Result<String, SelectorError> {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some(c @ ('\\' | ',' | '=')) => plain.push(c),
                _ => {
                    return Err(SelectorError::new(format!(
                        "{text:?}: a backslash protects only `\\`, `,` and `=`"
                    )));
                }
            },
            ',' | '=' => {
                return Err(SelectorError::new(format!("{text:?}: write `\\{c}` within a value")));
            }
            c => plain.push(c),
        }
    }
    Ok(plain)
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
