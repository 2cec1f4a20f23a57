//! The few shapes of text that the rules speak of, matched without regular expressions.

pub(super) const LABEL: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
pub(super) const SUBDOMAIN: &str =
    "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";

pub(super) fn is_label(text: &str) -> bool {
    let edge = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    bounded(text, edge, |byte| edge(byte) || *byte == b'-')
}

pub(super) fn is_subdomain(text: &str) -> bool {
    text.split('.').all(is_label)
}

/// The part of a label's key behind the slash.
pub(super) fn is_name(text: &str) -> bool {
    bounded(text, u8::is_ascii_alphanumeric, is_key_byte)
}

pub(super) fn is_key(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| is_key_byte(&byte))
}

fn is_key_byte(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.".contains(byte)
}

fn bounded(text: &str, edge: impl Fn(&u8) -> bool, inner: impl Fn(&u8) -> bool) -> bool {
    let bytes = text.as_bytes();
    bytes.first().is_some_and(&edge) && bytes.last().is_some_and(&edge) && bytes.iter().all(inner)
}
