//! Query strings, percent-encoded.

use std::fmt::Write as _;

/// A query string in the making, in the order it was said.
#[derive(Clone, Debug, Default)]
pub(crate) struct Query(String);

impl Query {
    /// Adds `name=value`, unless the value is empty.
    pub(crate) fn text(&mut self, name: &str, value: &str) {
        if value.is_empty() {
            return;
        }
        self.0.push(if self.0.is_empty() { '?' } else { '&' });
        self.0.push_str(name);
        self.0.push('=');
        encode(&mut self.0, value);
    }

    /// With its question mark; empty when nothing was said.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

fn encode(out: &mut String, text: &str) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _infallible = write!(out, "%{byte:02X}");
        }
    }
}
