//! Strings: finding their end, undoing their escapes.

use std::borrow::Cow;

use super::{ReadError, Reader};

impl<'a> Reader<'a> {
    /// Reads a string. Borrowed from the text unless it has escapes.
    ///
    /// # Errors
    /// When the next value is no string.
    pub fn text(&mut self) -> Result<Cow<'a, str>, ReadError> {
        let start = self.open_text()?;
        match self.plain_end()? {
            b'"' => {
                let text = &self.text[start..self.at];
                self.at += 1;
                Ok(Cow::Borrowed(text))
            }
            _ => self.escaped(start).map(Cow::Owned),
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

/// Where the first quote, backslash or control character is.
///
/// Looks at eight bytes at a time. In each byte of `marks` the highest bit says "special"; a borrow
/// can set it in bytes above a special one, never below, so the lowest is right.
pub(super) fn special(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    let mut words = bytes.chunks_exact(8);
    for (index, word) in words.by_ref().enumerate() {
        let word = u64::from_le_bytes(word.try_into().unwrap_or_default());
        let quotes = word ^ (ONES * b'"' as u64);
        let backslashes = word ^ (ONES * b'\\' as u64);
        let below = |word: u64, limit: u64| word.wrapping_sub(ONES * limit) & !word;
        let marks = (below(quotes, 1) | below(backslashes, 1) | below(word, 0x20)) & HIGH;
        if marks != 0 {
            return Some(index * 8 + marks.trailing_zeros() as usize / 8);
        }
    }
    let rest = words.remainder();
    let found = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20));
    found.map(|at| bytes.len() - rest.len() + at)
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
