//! Appends values to a text.

use std::fmt;
use std::io::Write as _;

use super::text::special;
use super::{Names, Write};

/// A compact JSON text that grows.
#[derive(Default)]
pub struct Writer {
    /// Only whole texts and the marks of JSON are appended, so it is UTF-8.
    out: Vec<u8>,
    /// Whether people read it, rather than programs.
    for_people: bool,
    /// Whether required members are left out, too, when they are the default.
    sparse: bool,
}

/// Tells how much was written, never what.
impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Writer({} bytes)", self.out.len())
    }
}

impl Writer {
    /// An empty text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Bytes tell only how many they are.
    pub(crate) fn for_people() -> Self {
        Self { for_people: true, ..Self::default() }
    }

    /// Only what differs from the default is said.
    pub(crate) fn sparse() -> Self {
        Self { sparse: true, ..Self::default() }
    }

    /// Whether people read the text, rather than programs.
    pub(crate) fn is_for_people(&self) -> bool {
        self.for_people
    }

    /// The text written.
    ///
    /// # Panics
    /// Never: what is written is UTF-8.
    #[must_use]
    pub fn finish(self) -> String {
        match String::from_utf8(self.out) {
            Ok(text) => text,
            Err(_) => unreachable!("texts are UTF-8, and so are the marks between them"),
        }
    }

    /// The bytes of the text written.
    #[must_use]
    pub fn finish_bytes(self) -> Vec<u8> {
        self.out
    }

    /// Opens an object.
    #[inline(never)]
    pub fn open(&mut self) {
        self.out.push(b'{');
    }

    /// Closes an object.
    #[inline(never)]
    pub fn close(&mut self) {
        self.out.push(b'}');
    }

    /// Begins a member, whose value must be written next; `name` comes with its quotes and colon:
    /// `"\"name\":"`.
    #[inline]
    pub fn key(&mut self, name: &str) {
        self.quoted_key(name.as_bytes());
    }

    /// As [`Writer::key`], for a name of a table.
    #[inline]
    pub(crate) fn known_key(&mut self, names: &Names, index: usize) {
        self.quoted_key(names.quoted(index).unwrap_or_default());
    }

    /// Begins a member whose name is in its quotes and has its colon.
    #[inline(never)]
    fn quoted_key(&mut self, name: &[u8]) {
        self.comma();
        append(&mut self.out, name);
    }

    /// Whether members that are always written are written when they are the default, too: not in a
    /// text of [`to_vec_sparse`](super::to_vec_sparse).
    #[inline]
    #[must_use]
    pub const fn keeps_defaults(&self) -> bool {
        !self.sparse
    }

    /// Writes a member; `name` as in [`Writer::key`]. A text of
    /// [`to_vec_sparse`](super::to_vec_sparse) leaves it out when its value is the default.
    pub fn field(&mut self, name: &str, value: &dyn Write) {
        if self.sparse {
            return self.opt(name, value);
        }
        self.member(name, value);
    }

    /// Writes a member unless its value is the default.
    pub fn opt(&mut self, name: &str, value: &dyn Write) {
        if !value.is_default() {
            self.member(name, value);
        }
    }

    fn member(&mut self, name: &str, value: &dyn Write) {
        self.key(name);
        value.write(self);
    }

    /// Writes a member whose value is a text; `name` as in [`Writer::key`].
    pub fn text_field(&mut self, name: &str, value: &str) {
        self.key(name);
        self.text(value);
    }

    /// Writes a member whose value is JSON already; here `name` is plain.
    pub fn raw_field(&mut self, name: &str, json: &str) {
        self.comma();
        self.text(name);
        self.out.push(b':');
        self.raw(json);
    }

    /// Writes members that are JSON already, without the braces around them.
    pub fn raw_fields(&mut self, members: &str) {
        if !members.is_empty() {
            self.comma();
            self.raw(members);
        }
    }

    /// Writes a string.
    pub fn text(&mut self, text: &str) {
        self.out.reserve(text.len() + 2);
        self.out.push(b'"');
        let mut rest = text.as_bytes();
        while let Some(at) = special(rest) {
            self.out.extend_from_slice(&rest[..at]);
            self.escape(rest[at]);
            rest = &rest[at + 1..];
        }
        append(&mut self.out, rest);
        self.out.push(b'"');
    }

    /// Writes a string of bytes that need no escapes.
    pub(super) fn plain(&mut self, ascii: &[u8; 20]) {
        self.out.push(b'"');
        self.out.extend_from_slice(ascii);
        self.out.push(b'"');
    }

    /// Writes what is JSON already.
    pub fn raw(&mut self, json: &str) {
        self.out.extend_from_slice(json.as_bytes());
    }

    /// Writes a whole number.
    pub fn integer(&mut self, value: i64) {
        if value < 0 {
            self.out.push(b'-');
        }
        let mut digits = [0; 20];
        let mut start = digits.len();
        let mut rest = value.unsigned_abs();
        loop {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.out.extend_from_slice(&digits[start..]);
    }

    /// Writes a float; one that JSON does not know as `null`.
    pub fn float(&mut self, value: f64) {
        // Writing to a `Vec` cannot fail.
        let _ = if !value.is_finite() {
            self.out.write_all(b"null")
        } else if value.fract() == 0.0 && value.abs() < 1e15 {
            write!(self.out, "{value:.0}")
        } else {
            write!(self.out, "{value}")
        };
    }

    /// Writes a string of what `value` displays, which needs no escapes.
    pub(super) fn display(&mut self, value: &dyn fmt::Display) {
        let _ = write!(self.out, "\"{value}\"");
    }

    /// Writes a list.
    pub fn list<'v, T: Write + 'v>(&mut self, elements: impl IntoIterator<Item = &'v T>) {
        self.out.push(b'[');
        for element in elements {
            self.next();
            element.write(self);
        }
        self.out.push(b']');
    }

    /// Writes an object of entries.
    pub fn map<'v, K: AsRef<str> + 'v, V: Write + 'v>(
        &mut self,
        entries: impl IntoIterator<Item = (&'v K, &'v V)>,
    ) {
        self.open();
        for (key, value) in entries {
            self.comma();
            self.text(key.as_ref());
            self.out.push(b':');
            value.write(self);
        }
        self.close();
    }

    #[inline(never)]
    fn next(&mut self) {
        self.comma();
    }

    /// A comma unless this is the first in its object or list. No value ends in an opening bracket,
    /// so the last byte tells.
    #[inline]
    fn comma(&mut self) {
        if !matches!(self.out.last(), Some(b'{' | b'[')) {
            self.out.push(b',');
        }
    }

    fn escape(&mut self, byte: u8) {
        let _ = match byte {
            b'"' => self.out.write_all(b"\\\""),
            b'\\' => self.out.write_all(b"\\\\"),
            b'\n' => self.out.write_all(b"\\n"),
            b'\r' => self.out.write_all(b"\\r"),
            b'\t' => self.out.write_all(b"\\t"),
            other => write!(self.out, "\\u{other:04x}"),
        };
    }
}

/// Appends bytes, a few of them without a call: names and texts are mostly short.
#[inline]
fn append(out: &mut Vec<u8>, bytes: &[u8]) {
    const WORD: usize = 8;
    let (words, tail) = bytes.as_chunks::<WORD>();
    match bytes.last_chunk::<WORD>() {
        Some(last) if words.len() <= 4 => {
            for word in words {
                out.extend_from_slice(word);
            }
            if !tail.is_empty() {
                // The last word overlaps the one before.
                out.truncate(out.len() + tail.len() - WORD);
                out.extend_from_slice(last);
            }
        }
        Some(_) => out.extend_from_slice(bytes),
        None => bytes.iter().for_each(|byte| out.push(*byte)),
    }
}
