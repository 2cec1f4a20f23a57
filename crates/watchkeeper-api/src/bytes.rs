//! Bytes that JSON carries as base64: the data of secrets, certificate bundles.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use crate::List;
use crate::json::{Read, ReadError, Reader, Write, Writer};

/// Bytes, written in JSON as base64 with padding (Go's `[]byte`).
///
/// `Debug` tells only how many there are: they tend to be secrets.
///
/// ```
/// use watchkeeper_api::{ByteString, json};
/// let bytes: ByteString = json::from_str("\"aGVsbG8=\"")?;
/// assert_eq!(*bytes, *b"hello");
/// assert_eq!(json::to_string(&bytes), "\"aGVsbG8=\"");
/// # Ok::<(), watchkeeper_api::json::ReadError>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteString(List<u8>);

impl ByteString {
    /// The bytes as text, if they are UTF-8.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }

    /// The bytes in base64.
    #[must_use]
    pub fn to_base64(&self) -> String {
        encode(&self.0)
    }

    /// Undoes base64; line breaks are passed over, as in Go.
    #[must_use]
    pub fn from_base64(text: &str) -> Option<Self> {
        decode(text).map(Self::from)
    }
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let digit = ALPHABET[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= group.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let text: Cow<'_, str> = if text.contains(['\r', '\n']) {
        Cow::Owned(text.replace(['\r', '\n'], ""))
    } else {
        Cow::Borrowed(text)
    };
    let digits = text.trim_end_matches('=');
    let padding = text.len() - digits.len();
    if !text.len().is_multiple_of(4) || padding > 2 {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    for group in digits.as_bytes().chunks(4) {
        let mut bits = 0;
        for (place, digit) in group.iter().enumerate() {
            bits |= value_of(*digit)? << (18 - 6 * place);
        }
        bytes.extend_from_slice(&bits.to_be_bytes()[1..group.len()]);
    }
    Some(bytes)
}

fn value_of(digit: u8) -> Option<u32> {
    let value = match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

impl Deref for ByteString {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for ByteString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ByteString({} bytes)", self.len())
    }
}

impl From<Vec<u8>> for ByteString {
    fn from(bytes: Vec<u8>) -> Self {
        Self(List::from(bytes))
    }
}

impl From<&[u8]> for ByteString {
    fn from(bytes: &[u8]) -> Self {
        Self(List::from(bytes))
    }
}

impl From<&str> for ByteString {
    fn from(text: &str) -> Self {
        Self::from(text.as_bytes())
    }
}

impl From<String> for ByteString {
    fn from(text: String) -> Self {
        Self::from(text.into_bytes())
    }
}

impl Read for ByteString {
    fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
        if r.null()? {
            return Ok(Self::default());
        }
        let start = r.offset();
        let text = r.text()?;
        Self::from_base64(&text).ok_or_else(|| ReadError::new("not base64", start))
    }
}

impl Write for ByteString {
    fn write(&self, w: &mut Writer) {
        if w.is_for_people() {
            return w.text(&format!("({} bytes)", self.len()));
        }
        w.text(&self.to_base64());
    }
    fn is_default(&self) -> bool {
        self.is_empty()
    }
}
