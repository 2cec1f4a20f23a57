//! Cuts what arrives into documents: a list into its items, a watch into its lines.
//!
//! Nothing is decoded here, and every byte is looked at once however the network slices it.

use std::fmt;

use bytes::Bytes;
use watchkeeper_api::json::ReadError;

#[cfg(test)]
mod tests;

/// No single object or line is longer (etcd's own limit is far below).
const LIMIT: usize = 64 << 20;
/// The list is open, and its items.
const ITEMS_DEPTH: usize = 2;

/// Cuts a list into items. What is not an item is kept: the list without its items is its envelope, with
/// the kind and the metadata.
#[derive(Default)]
pub(crate) struct ListFrames {
    envelope: Vec<u8>,
    /// The beginning of an item whose end has not arrived.
    partial: Vec<u8>,
    place: Place,
    depth: usize,
    text: Text,
    /// Where in the envelope the last member name, or text value, of the list itself began.
    name_start: usize,
    done: bool,
    /// How many bytes came before those at hand.
    offset: usize,
}

/// Tells where it is, never what has arrived: lists hold secrets.
impl fmt::Debug for ListFrames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ListFrames({:?}, {} bytes)", self.place, self.partial.len())
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    /// In the list, outside of its items.
    #[default]
    Envelope,
    /// In the items, between two of them.
    Between,
    /// In an item.
    Item,
}

/// Whether the next byte belongs to a string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Text {
    #[default]
    Outside,
    Inside,
    /// After a backslash.
    Escaped,
}

impl ListFrames {
    /// Takes the next bytes and hands over each item that they complete.
    ///
    /// # Errors
    /// What cannot become a list: text after it, an item that is no object, one without end. The place is that
    /// in the whole list.
    pub(crate) fn push(
        &mut self,
        bytes: &[u8],
        mut item: impl FnMut(&[u8]),
    ) -> Result<(), ReadError> {
        let mut at = 0;
        while at < bytes.len() {
            let next = self.take(bytes, at, &mut item);
            at = next.map_err(|what| ReadError::new(what, self.offset + at))?;
        }
        self.offset += bytes.len();
        Ok(())
    }

    /// Takes some of the bytes at `at`, and says how far it came.
    fn take(
        &mut self,
        bytes: &[u8],
        at: usize,
        item: &mut impl FnMut(&[u8]),
    ) -> Result<usize, &'static str> {
        match self.place {
            Place::Envelope => self.envelope(bytes, at),
            Place::Between => self.between(bytes, at),
            Place::Item => {
                let (end, complete) = self.item(bytes, at);
                self.keep(&bytes[at..end], complete, item)?;
                Ok(end)
            }
        }
    }

    /// The list without its items, once all has arrived.
    ///
    /// # Errors
    /// When the list has not ended.
    pub(crate) fn finish(self) -> Result<Vec<u8>, ReadError> {
        match self.done {
            true => Ok(self.envelope),
            false if self.envelope.trim_ascii().is_empty() => {
                Err(ReadError::new("the answer is empty", self.offset))
            }
            false => Err(ReadError::new("the list ended in the middle", self.offset)),
        }
    }

    fn envelope(&mut self, bytes: &[u8], at: usize) -> Result<usize, &'static str> {
        let byte = bytes[at];
        if self.done {
            return if byte.is_ascii_whitespace() {
                Ok(at + 1)
            } else {
                Err("text after the list")
            };
        }
        if self.envelope.len() >= LIMIT {
            return Err("the list's metadata is too large");
        }
        if self.depth == 0 && byte != b'{' && !byte.is_ascii_whitespace() {
            return Err("the answer is no JSON object");
        }
        let was_text = self.text;
        self.step(byte);
        if self.depth == 1 && was_text == Text::Outside && byte == b'"' {
            self.name_start = self.envelope.len();
        }
        let opens_items = byte == b'[' && self.depth == 2 && self.text == Text::Outside;
        self.envelope.push(byte);
        if opens_items && was_text == Text::Outside && self.names_items() {
            self.place = Place::Between;
        }
        self.done = self.depth == 0 && matches!(byte, b'}' | b']') && was_text == Text::Outside;
        Ok(at + 1)
    }

    /// Whether the last member name of the list was `items`.
    fn names_items(&self) -> bool {
        self.envelope[self.name_start..].starts_with(b"\"items\"")
    }

    fn between(&mut self, bytes: &[u8], at: usize) -> Result<usize, &'static str> {
        match bytes[at] {
            b',' | b' ' | b'\n' | b'\r' | b'\t' => Ok(at + 1),
            b'{' => {
                self.place = Place::Item;
                Ok(at)
            }
            b']' => {
                self.place = Place::Envelope;
                self.depth -= 1;
                self.envelope.push(b']');
                Ok(at + 1)
            }
            _ => Err("an item of the list is not an object"),
        }
    }

    /// How far the item at `at` goes in these bytes, and whether it ends there.
    fn item(&mut self, bytes: &[u8], mut at: usize) -> (usize, bool) {
        let (mut depth, mut text) = (self.depth, self.text);
        while at < bytes.len() {
            match text {
                Text::Outside => {
                    let byte = bytes[at];
                    at += 1;
                    match byte {
                        b'"' => text = Text::Inside,
                        b'{' | b'[' => depth += 1,
                        b'}' | b']' => {
                            depth -= 1;
                            if depth == ITEMS_DEPTH {
                                break;
                            }
                        }
                        _ => {}
                    }
                }
                Text::Inside => {
                    at += before(b'"', b'\\', &bytes[at..]);
                    if let Some(byte) = bytes.get(at) {
                        text = if *byte == b'"' { Text::Outside } else { Text::Escaped };
                        at += 1;
                    }
                }
                Text::Escaped => {
                    at += 1;
                    text = Text::Inside;
                }
            }
        }
        let complete = depth == ITEMS_DEPTH;
        (self.depth, self.text) = (depth, text);
        if complete {
            self.place = Place::Between;
        }
        (at, complete)
    }

    fn keep(
        &mut self,
        part: &[u8],
        complete: bool,
        item: &mut impl FnMut(&[u8]),
    ) -> Result<(), &'static str> {
        if complete && self.partial.is_empty() {
            item(part);
            return Ok(());
        }
        if self.partial.len() + part.len() > LIMIT {
            return Err("an item of the list is too large");
        }
        self.partial.extend_from_slice(part);
        if complete {
            item(&self.partial);
            self.partial.clear();
        }
        Ok(())
    }

    const fn step(&mut self, byte: u8) {
        match (self.text, byte) {
            (Text::Outside, b'"') => self.text = Text::Inside,
            (Text::Outside, b'{' | b'[') => self.depth += 1,
            (Text::Outside, b'}' | b']') => self.depth = self.depth.saturating_sub(1),
            (Text::Inside, b'\\') => self.text = Text::Escaped,
            (Text::Inside, b'"') => self.text = Text::Outside,
            (Text::Escaped, _) => self.text = Text::Inside,
            (Text::Outside | Text::Inside, _) => {}
        }
    }
}

/// How many bytes there are before the next `one` or `other`: eight at a time, then one.
fn before(one: u8, other: u8, bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    let (ones, others) = (ONES * u64::from(one), ONES * u64::from(other));
    // The lowest byte that is zero is told for certain; bytes above it may be told wrongly.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & (ONES << 7);
    let (words, _) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = zeros(word ^ ones) | zeros(word ^ others);
        if found != 0 {
            return index * 8 + found.trailing_zeros() as usize / 8;
        }
    }
    let tail = words.len() * 8;
    let found = bytes[tail..].iter().position(|byte| *byte == one || *byte == other);
    found.map_or(bytes.len(), |offset| tail + offset)
}

/// Cuts a stream into lines. A line that came whole stays where it came; only what arrives in parts is put
/// together.
#[derive(Default)]
pub(crate) struct Lines {
    /// What came last; up to `at` it has been handed out, or kept.
    chunk: Bytes,
    at: usize,
    /// The beginning of a line whose end had not arrived with it; the whole line while it is lent.
    partial: Vec<u8>,
    lent: bool,
}

/// Tells how much is there, never what: watches tell of secrets.
impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let partial = if self.lent { 0 } else { self.partial.len() };
        write!(f, "Lines({} bytes)", partial + self.chunk.len() - self.at)
    }
}

/// What a partial line may keep for the next one.
const ROOM: usize = 1 << 20;

impl Lines {
    /// Takes the next bytes.
    ///
    /// # Errors
    /// When a line has no end.
    pub(crate) fn push(&mut self, bytes: Bytes) -> Result<(), ReadError> {
        self.take_back();
        let rest = self.chunk.len() - self.at;
        if self.partial.len() + rest + bytes.len() > LIMIT {
            return Err(ReadError::new("a line of the watch is too long", LIMIT));
        }
        self.chunk =
            if rest == 0 { bytes } else { [&self.chunk[self.at..], &bytes].concat().into() };
        self.at = 0;
        Ok(())
    }

    /// The next whole line that is not blank.
    pub(crate) fn next(&mut self) -> Option<&[u8]> {
        loop {
            self.take_back();
            let rest = &self.chunk[self.at..];
            let Some(length) = memchr::memchr(b'\n', rest) else {
                self.partial.extend_from_slice(rest);
                // Given back: the bytes may be a part of a large buffer.
                self.chunk = Bytes::new();
                self.at = 0;
                return None;
            };
            let whole = self.at..self.at + length;
            self.at = whole.end + 1;
            if !self.partial.is_empty() {
                self.partial.extend_from_slice(&self.chunk[whole]);
                self.lent = true;
                if !self.partial.trim_ascii().is_empty() {
                    return Some(&self.partial);
                }
            } else if !self.chunk[whole.clone()].trim_ascii().is_empty() {
                return Some(&self.chunk[whole]);
            }
        }
    }

    /// The line that was put together is over.
    fn take_back(&mut self) {
        if std::mem::take(&mut self.lent) {
            self.partial.clear();
            self.partial.shrink_to(ROOM);
        }
    }

    /// Whether a line was begun and not ended.
    pub(crate) fn is_cut(&self) -> bool {
        let partial = !self.lent && !self.partial.trim_ascii().is_empty();
        partial || !self.chunk[self.at..].trim_ascii().is_empty()
    }
}
