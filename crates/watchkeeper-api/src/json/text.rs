//! Strings: finding their end, undoing their escapes.

use std::borrow::Cow;

pub(super) use super::simd::special;
use super::{ReadError, Reader};

impl<'a> Reader<'a> {
    /// Reads a string. Borrowed from the text unless it has escapes.
    ///
    /// # Errors
    /// When the next value is no string.
    pub fn text(&mut self) -> Result<Cow<'a, str>, ReadError> {
        match self.plain_text()? {
            Some(text) => Ok(Cow::Borrowed(text)),
            None => self.escaped_text().map(Cow::Owned),
        }
    }

    /// Reads a string, unless it has escapes or is wrong: then its quote is still the next byte.
    #[inline]
    pub(super) fn plain_text(&mut self) -> Result<Option<&'a str>, ReadError> {
        if self.peek()? != b'"' {
            return Err(self.unexpected("a string"));
        }
        let start = self.at + 1;
        let rest = &self.text.as_bytes()[start..];
        let length = special(rest).filter(|length| rest[*length] == b'"');
        Ok(length.map(|length| {
            self.at = start + length + 1;
            &self.text[start..start + length]
        }))
    }

    /// Reads a string that has escapes, or is wrong.
    #[cold]
    pub(super) fn escaped_text(&mut self) -> Result<String, ReadError> {
        let start = self.open_text()?;
        match self.plain_end()? {
            b'"' => {
                self.at += 1;
                Ok(self.text[start..self.at - 1].to_owned())
            }
            _ => self.escaped(start),
        }
    }

    pub(super) fn skip_text(&mut self) -> Result<(), ReadError> {
        self.open_text()?;
        while self.plain_end()? == b'\\' {
            self.escape()?;
        }
        self.at += 1;
        Ok(())
    }

    fn open_text(&mut self) -> Result<usize, ReadError> {
        if self.peek()? != b'"' {
            return Err(self.unexpected("a string"));
        }
        self.at += 1;
        Ok(self.at)
    }

    /// Moves to the next quote or backslash, and says which.
    fn plain_end(&mut self) -> Result<u8, ReadError> {
        let rest = &self.text.as_bytes()[self.at..];
        let Some(length) = special(rest) else {
            self.at = self.text.len();
            return Err(self.error("the text ends within a string"));
        };
        self.at += length;
        match rest[length] {
            found @ (b'"' | b'\\') => Ok(found),
            _ => Err(self.error("a control character within a string")),
        }
    }

    /// The rest of a string that starts at `start` and has its first escape here.
    fn escaped(&mut self, start: usize) -> Result<String, ReadError> {
        let mut text = self.text[start..self.at].to_owned();
        loop {
            text.push(self.escape()?);
            let start = self.at;
            let end = self.plain_end()?;
            text.push_str(&self.text[start..self.at]);
            if end == b'"' {
                self.at += 1;
                return Ok(text);
            }
        }
    }

    /// One escape, from its backslash on.
    fn escape(&mut self) -> Result<char, ReadError> {
        let kind = self.text.as_bytes().get(self.at + 1).copied();
        let plain = match kind {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            _ => return Err(self.error("unknown escape within a string")),
        };
        self.at += 2;
        Ok(plain)
    }

    /// `\u1234`, or a pair of them; half a pair is the replacement character, as in Go.
    fn unicode_escape(&mut self) -> Result<char, ReadError> {
        let first = self.code_unit()?;
        self.at += 6;
        if !(0xD800..0xDC00).contains(&first) {
            return Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        if !self.text.as_bytes()[self.at..].starts_with(b"\\u") {
            return Ok(char::REPLACEMENT_CHARACTER);
        }
        let second = self.code_unit()?;
        if !(0xDC00..0xE000).contains(&second) {
            return Ok(char::REPLACEMENT_CHARACTER);
        }
        self.at += 6;
        let joined = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        Ok(char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn code_unit(&self) -> Result<u32, ReadError> {
        let digits = self.text.get(self.at + 2..self.at + 6);
        let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        digits
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .ok_or_else(|| self.error("expected four hexadecimal digits after `\\u`"))
    }
}

/// A valid JSON text without the space between its tokens.
pub(crate) fn compact(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| byte.is_ascii_whitespace()) {
        return Cow::Borrowed(text);
    }
    let mut within_text = false;
    let mut escaped = false;
    let kept = text.chars().filter(|&c| {
        if within_text {
            within_text = escaped || c != '"';
            escaped = !escaped && c == '\\';
            return true;
        }
        within_text = c == '"';
        !c.is_ascii_whitespace()
    });
    Cow::Owned(kept.collect())
}
