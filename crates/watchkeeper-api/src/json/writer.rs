//! Appends values to a text.

use std::fmt::{self, Write as _};

use super::Write;
use super::text::special;

/// A compact JSON text that grows.
#[derive(Debug, Default)]
pub struct Writer {
    out: String,
    /// Whether people read it, rather than programs.
    for_people: bool,
    /// Whether required members are left out, too, when they are the default.
    sparse: bool,
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
    #[must_use]
    pub fn finish(self) -> String {
        self.out
    }

    /// Opens an object.
    pub fn open(&mut self) {
        self.out.push('{');
    }

    /// Closes an object.
    pub fn close(&mut self) {
        self.out.push('}');
    }

    /// Writes a member; `name` comes with its quotes and colon: `"\"name\":"`. A text of
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
        self.comma();
        self.out.push_str(name);
        value.write(self);
    }

    /// Writes a member whose value is a text; `name` as in [`Writer::field`].
    pub fn text_field(&mut self, name: &str, value: &str) {
        self.comma();
        self.out.push_str(name);
        self.text(value);
    }

    /// Writes a member whose value is JSON already; here `name` is plain.
    pub fn raw_field(&mut self, name: &str, json: &str) {
        self.comma();
        self.text(name);
        self.out.push(':');
        self.out.push_str(json);
    }

    /// Writes members that are JSON already, without the braces around them.
    pub fn raw_fields(&mut self, members: &str) {
        if !members.is_empty() {
            self.comma();
            self.out.push_str(members);
        }
    }

    /// Writes a string.
    pub fn text(&mut self, text: &str) {
        self.out.push('"');
        let mut rest = text;
        while let Some(at) = special(rest.as_bytes()) {
            self.out.push_str(&rest[..at]);
            self.escape(rest.as_bytes()[at]);
            rest = &rest[at + 1..];
        }
        self.out.push_str(rest);
        self.out.push('"');
    }

    /// Writes what is JSON already.
    pub fn raw(&mut self, json: &str) {
        self.out.push_str(json);
    }

    /// Writes a whole number.
    pub fn integer(&mut self, value: i64) {
        // Writing to a `String` cannot fail.
        let _ = write!(self.out, "{value}");
    }

    /// Writes a float; one that JSON does not know as `null`.
    pub fn float(&mut self, value: f64) {
        let _ = if !value.is_finite() {
            self.out.write_str("null")
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
    pub fn list(&mut self, elements: &mut dyn Iterator<Item = &dyn Write>) {
        self.out.push('[');
        for element in elements {
            self.comma();
            element.write(self);
        }
        self.out.push(']');
    }

    /// Writes an object of entries.
    pub fn map<'v>(&mut self, entries: &mut dyn Iterator<Item = (&'v str, &'v dyn Write)>) {
        self.open();
        for (key, value) in entries {
            self.comma();
            self.text(key);
            self.out.push(':');
            value.write(self);
        }
        self.close();
    }

    /// A comma unless this is the first in its object or list. No value ends in an opening bracket,
    /// so the last byte tells.
    fn comma(&mut self) {
        if !matches!(self.out.as_bytes().last(), Some(b'{' | b'[')) {
            self.out.push(',');
        }
    }

    fn escape(&mut self, byte: u8) {
        let _ = match byte {
            b'"' => self.out.write_str("\\\""),
            b'\\' => self.out.write_str("\\\\"),
            b'\n' => self.out.write_str("\\n"),
            b'\r' => self.out.write_str("\\r"),
            b'\t' => self.out.write_str("\\t"),
            other => write!(self.out, "\\u{other:04x}"),
        };
    }
}
