//! As much of PEM (RFC 7468) as tells what is in a text, read as Go reads it (`encoding/pem`).

use crate::go::go_bytes;

/// What stands between two lines of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// What these lines say that it is.
    pub(super) kind: String,
    pub(super) has_headers: bool,
    pub(super) bytes: Vec<u8>,
}

/// The blocks of a text; what is none is passed over.
pub(super) fn blocks(text: &[u8]) -> impl Iterator<Item = Block> {
    let text = String::from_utf8_lossy(text);
    let mut blocks = Vec::new();
    let mut open: Option<Open> = None;
    for line in text.lines().map(|line| line.trim_end_matches([' ', '\t'])) {
        if let Some(kind) = marked(line, "BEGIN") {
            open = Some(Open { kind: kind.to_owned(), ..Open::default() });
        } else if let Some(kind) = marked(line, "END") {
            blocks.extend(open.take().filter(|open| open.kind == kind).and_then(Open::close));
        } else if let Some(open) = &mut open {
            open.take(line);
        }
    }
    blocks.into_iter()
}

/// What a line says that begins or ends.
fn marked<'a>(line: &'a str, what: &str) -> Option<&'a str> {
    line.strip_prefix("-----")?.strip_prefix(what)?.strip_prefix(' ')?.strip_suffix("-----")
}

/// A block that has not ended.
#[derive(Default)]
struct Open {
    kind: String,
    has_headers: bool,
    digits: String,
}

impl Open {
    fn take(&mut self, line: &str) {
        if self.digits.is_empty() && line.contains(':') {
            self.has_headers = true;
        } else {
            self.digits.extend(line.chars().filter(|sign| !sign.is_ascii_whitespace()));
        }
    }

    /// The block, if its digits are such.
    fn close(self) -> Option<Block> {
        let bytes = go_bytes(&self.digits)?;
        Some(Block { kind: self.kind, has_headers: self.has_headers, bytes })
    }
}

/// Whether bytes are one sequence of DER (X.690), as a request is.
pub(super) fn is_sequence(bytes: &[u8]) -> bool {
    behind_sequence(bytes).is_some_and(<[u8]>::is_empty)
}

/// Whether bytes are sequences of DER, one behind the other, as certificates are (`x509.ParseCertificates`).
pub(super) fn are_sequences(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while !rest.is_empty() {
        let Some(behind) = behind_sequence(rest) else { return false };
        rest = behind;
    }
    true
}

/// What stands behind the sequence that bytes begin with.
fn behind_sequence(bytes: &[u8]) -> Option<&[u8]> {
    const SEQUENCE: u8 = 0x30;
    let [SEQUENCE, first, rest @ ..] = bytes else { return None };
    let (length, rest) = match first {
        0..=0x7f => (usize::from(*first), rest),
        0x81..=0x84 => {
            let (length, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            let more = |length: usize, byte: &u8| length << 8 | usize::from(*byte);
            (length.iter().fold(0, more), rest)
        }
        _ => return None,
    };
    rest.get(length..)
}
