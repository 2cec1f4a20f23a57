//! From when until when a certificate is good: the one thing that we read in certificates ourselves, for
//! metrics. Whether it is good is for the server to say.

use watchkeeper_api::Time;

#[cfg(test)]
mod tests;

const SEQUENCE: u8 = 0x30;
const VERSION: u8 = 0xa0;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;

/// The seconds of Unix time between which a certificate is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Validity {
    pub(crate) from: i64,
    pub(crate) until: i64,
}

impl Validity {
    /// That of a certificate in DER (RFC 5280, 4.1).
    pub(crate) fn of(certificate: &[u8]) -> Option<Self> {
        let mut signed = Der(Der(certificate).value(SEQUENCE)?);
        let mut body = Der(signed.value(SEQUENCE)?);
        if body.0.first() == Some(&VERSION) {
            body.value(VERSION)?;
        }
        // Serial number, algorithm, issuer.
        for _ in 0..3 {
            body.next()?;
        }
        let mut validity = Der(body.value(SEQUENCE)?);
        Some(Self { from: validity.time()?, until: validity.time()? })
    }
}

/// What is left to read of DER.
struct Der<'a>(&'a [u8]);

impl<'a> Der<'a> {
    /// The next element: its tag and its content.
    fn next(&mut self) -> Option<(u8, &'a [u8])> {
        let (&tag, rest) = self.0.split_first()?;
        let (&first, mut rest) = rest.split_first()?;
        let mut length = usize::from(first);
        if first >= 0x80 {
            let bytes;
            (bytes, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            // Longer than any certificate.
            if bytes.len() > 4 {
                return None;
            }
            length = bytes.iter().fold(0, |length, byte| length << 8 | usize::from(*byte));
        }
        let (content, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some((tag, content))
    }

    fn value(&mut self, wanted: u8) -> Option<&'a [u8]> {
        self.next().filter(|(tag, _)| *tag == wanted).map(|(_, content)| content)
    }

    fn time(&mut self) -> Option<i64> {
        let (tag, text) = self.next()?;
        let text = std::str::from_utf8(text).ok().filter(|text| text.is_ascii())?;
        let (year, rest) = text.split_at_checked(if tag == GENERALIZED_TIME { 4 } else { 2 })?;
        // Two digits are those of 1950 to 2049.
        let century = match (tag, year) {
            (GENERALIZED_TIME, _) => "",
            (UTC_TIME, year) if year < "50" => "20",
            (UTC_TIME, _) => "19",
            _ => return None,
        };
        let part = |at: usize| rest.get(at..at + 2);
        let (month, day, hour, minute, second) = (part(0)?, part(2)?, part(4)?, part(6)?, part(8)?);
        let text = format!("{century}{year}-{month}-{day}T{hour}:{minute}:{second}Z");
        text.parse::<Time>().ok().map(|time| time.unix())
    }
}
