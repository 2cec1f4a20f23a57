//! Compressed answers, unpacked as they come (RFC 1952). A body may be several members one after the other.

use std::fmt;
use std::io::{self, Write as _};

use bytes::Bytes;
use flate2::write::MultiGzDecoder;

#[cfg(test)]
mod tests;

/// So much is unpacked at once. It becomes a thousand times as much at most.
const STEP: usize = 4 << 10;

/// Bytes in, more bytes out.
pub(crate) struct Gunzip {
    decoder: MultiGzDecoder<Vec<u8>>,
    packed: Bytes,
    begun: bool,
}

/// Never what comes, packed or not: answers hold secrets.
impl fmt::Debug for Gunzip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Gunzip({} bytes)", self.packed.len())
    }
}

impl Gunzip {
    pub(crate) fn new() -> Self {
        Self { decoder: MultiGzDecoder::new(Vec::new()), packed: Bytes::new(), begun: false }
    }

    /// Takes what came, after what was there is unpacked.
    pub(crate) fn push(&mut self, packed: Bytes) {
        debug_assert!(self.packed.is_empty(), "what was there is unpacked");
        self.begun |= !packed.is_empty();
        self.packed = packed;
    }

    /// The next bytes unpacked; `None` when more must come.
    pub(crate) fn pull(&mut self) -> io::Result<Option<Bytes>> {
        while !self.packed.is_empty() {
            let step = self.packed.split_to(self.packed.len().min(STEP));
            self.decoder.write_all(&step)?;
            self.decoder.flush()?;
            if let Some(bytes) = self.unpacked() {
                return Ok(Some(bytes));
            }
        }
        Ok(None)
    }

    /// No more comes: the last bytes, if all is there.
    pub(crate) fn finish(&mut self) -> io::Result<Option<Bytes>> {
        if self.begun {
            self.decoder.try_finish()?;
        }
        Ok(self.unpacked())
    }

    fn unpacked(&mut self) -> Option<Bytes> {
        let bytes = std::mem::take(self.decoder.get_mut());
        (!bytes.is_empty()).then(|| bytes.into())
    }
}
