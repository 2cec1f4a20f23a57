//! As much of DER (X.690) as the subject of a certificate takes.

pub(super) const OBJECT_IDENTIFIER: u8 = 0x06;
pub(super) const SEQUENCE: u8 = 0x30;
pub(super) const SET: u8 = 0x31;
/// The version of a certificate.
pub(super) const VERSION: u8 = 0xa0;

/// UTF8String, NumericString, PrintableString, TeletexString, IA5String.
const TEXTS: [u8; 5] = [0x0c, 0x12, 0x13, 0x14, 0x16];

/// Values one after the other.
pub(super) struct Der<'a>(&'a [u8]);

impl<'a> Der<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next value, if it has this tag.
    pub(super) fn value(&mut self, tag: u8) -> Option<&'a [u8]> {
        self.next().filter(|(found, _)| *found == tag).map(|(_, value)| value)
    }

    /// What is in the next value, if that has this tag.
    pub(super) fn enter(&mut self, tag: u8) -> Option<Self> {
        self.value(tag).map(Self)
    }

    /// The next value as text, if it is text.
    pub(super) fn text(&mut self) -> Option<String> {
        let (tag, value) = self.next()?;
        TEXTS.contains(&tag).then(|| String::from_utf8(value.to_vec()).ok())?
    }

    pub(super) fn skip(&mut self) -> Option<()> {
        self.next().map(|_| ())
    }

    /// Leaves out the next value if it has this tag.
    pub(super) fn skip_if(&mut self, tag: u8) -> Option<()> {
        if self.0.first() == Some(&tag) { self.skip() } else { Some(()) }
    }

    /// The next value: its tag and what is in it.
    fn next(&mut self) -> Option<(u8, &'a [u8])> {
        let [tag, first, rest @ ..] = self.0 else { return None };
        let (length, rest) = match first {
            0..=0x7f => (usize::from(*first), rest),
            // In that many bytes; a value of four gigabytes is no part of a certificate.
            0x81..=0x84 => {
                let (bytes, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
                (bytes.iter().fold(0, |length, byte| length << 8 | usize::from(*byte)), rest)
            }
            _ => return None,
        };
        let (value, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some((*tag, value))
    }
}
