//! Query strings and path segments, percent-encoded.

use std::fmt::Write as _;

/// A query string in the making, in the order it was said.
#[derive(Clone, Debug, Default)]
pub(crate) struct Query(String);

impl Query {
    /// Adds `name=value`, unless the value is empty.
    pub(crate) fn text(&mut self, name: &str, value: &str) {
        if !value.is_empty() {
            self.raw(name, value);
        }
    }

    /// Adds `name=value`.
    pub(crate) fn raw(&mut self, name: &str, value: &str) {
        self.0.push(if self.0.is_empty() { '?' } else { '&' });
        encode(&mut self.0, name);
        self.0.push('=');
        encode(&mut self.0, value);
    }

    /// With its question mark; empty when nothing was said.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The path with this query, also where the path brings one of its own.
    pub(crate) fn after(&self, mut path: String) -> String {
        match self.0.strip_prefix('?') {
            Some(more) if path.contains('?') => path = path + "&" + more,
            _ => path += &self.0,
        }
        path
    }
}

fn encode(out: &mut String, text: &str) {
    push(out, text, b"-._~");
}

/// One segment of a path.
pub(crate) fn push_segment(path: &mut String, segment: &str) {
    push(path, segment, b"-._~:@!$&'()*+,;=");
}

fn push(out: &mut String, text: &str, plain: &[u8]) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || plain.contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _infallible = write!(out, "%{byte:02X}");
        }
    }
}
