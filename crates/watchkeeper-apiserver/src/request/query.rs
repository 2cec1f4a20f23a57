//! Query strings.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::error::{ApiError, Result};
use crate::go::parse_int;

/// The parameters of a request; of a repeated one all values are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query(BTreeMap<String, Vec<String>>);

impl Query {
    /// Reads `a=1&b=2`.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut query = Self::default();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            query.0.entry(decode(name)).or_default().push(decode(value));
        }
        query
    }

    /// The first value of a parameter.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.first().map(String::as_str)
    }

    /// The first value, empty when there is none.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// All values of a parameter.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.get(name).into_iter().flatten().map(String::as_str)
    }

    /// Sets a parameter to one value.
    pub fn set(&mut self, name: &str, value: &str) {
        self.0.insert(name.to_owned(), vec![value.to_owned()]);
    }

    /// A boolean as apimachinery converts it: `false` in any case and `0` are false, other values
    /// are true.
    #[must_use]
    pub fn flag(&self, name: &str) -> Option<bool> {
        self.get(name).map(|value| value != "0" && !value.eq_ignore_ascii_case("false"))
    }

    /// A whole number.
    ///
    /// # Errors
    ///
    /// 400 when the value is something else.
    pub fn number(&self, name: &str) -> Result<Option<i64>> {
        match self.get(name) {
            None | Some("") => Ok(None),
            Some(text) => parse_int(text).map(Some).map_err(ApiError::bad_request),
        }
    }
}

/// Undoes percent encoding and `+`.
#[must_use]
pub fn decode(text: &str) -> String {
    decode_bytes(text, true).into_owned()
}

/// Undoes percent encoding in a path segment, where `+` means itself.
#[must_use]
pub fn decode_segment(text: &str) -> Cow<'_, str> {
    decode_bytes(text, false)
}

fn decode_bytes(text: &str, plus: bool) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    if !bytes.iter().any(|byte| matches!(byte, b'%' | b'+')) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let hex = bytes.get(at + 1..at + 3).and_then(|pair| std::str::from_utf8(pair).ok());
        let value = hex.and_then(|pair| u8::from_str_radix(pair, 16).ok());
        match (byte, value) {
            (b'%', Some(value)) => {
                out.push(value);
                at += 3;
                continue;
            }
            (b'+', _) if plus => out.push(b' '),
            _ => out.push(byte),
        }
        at += 1;
    }
    Cow::Owned(String::from_utf8_lossy(&out).into_owned())
}

#[cfg(test)]
mod tests {
    use super::{Query, decode, decode_segment};

    #[test]
    fn percent_signs_are_undone_and_a_plus_is_a_space_in_queries_only() {
        let plain = "app=web,tier!=db";
        assert_eq!((decode(plain), decode_segment(plain)), (plain.to_owned(), plain.into()));
        assert_eq!(decode("a%3Db+c"), "a=b c");
        assert_eq!(decode_segment("a%2fb+c"), "a/b+c");
        assert_eq!(decode("100%, %zz %4"), "100%, %zz %4", "no escapes");
        assert_eq!(decode("%ff"), "\u{fffd}", "no text");
    }

    #[test]
    fn a_flag_is_false_in_any_case() {
        let flag = |query: &str| Query::parse(query).flag("watch");
        for query in ["watch=false", "watch=False", "watch=FALSE", "watch=0"] {
            assert_eq!(flag(query), Some(false), "{query}");
        }
        for query in
            ["watch=true", "watch=True", "watch=1", "watch=", "watch", "watch=f", "watch=no"]
        {
            assert_eq!(flag(query), Some(true), "{query}");
        }
        assert_eq!(flag("limit=0"), None);
    }
}
