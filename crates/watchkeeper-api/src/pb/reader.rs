//! Pulls values off bytes.

use std::borrow::Cow;
use std::fmt;

use super::decoder::Options;
use super::members::{LEVELS, Member, Rule, find, run};
use super::{Members, Message, Tag, Wire};
use crate::IStr;
use crate::json::ReadError;
use crate::tables::Tables;

/// A place in the bytes of a message, from which values are read in order.
///
/// It never looks beyond the message it is in, and every length is compared with what is left of
/// it before anything is made of that length.
pub struct Reader<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    /// Where the innermost open message ends.
    pub(super) end: usize,
    pub(super) depth: usize,
    /// Where the tag of the member that is read begins.
    pub(super) member: usize,
    /// Which member of which type is read: a number that is the same for all of its values.
    pub(super) place: usize,
    /// How many bytes the elements, entries and boxes take that were read.
    pub(super) grown: usize,
    /// How many elements of lists may still be moved because a list comes in several parts.
    moves: usize,
    pub(super) options: Options,
    /// What repeats between the values of one decoder.
    pub(super) tables: Option<Box<Tables>>,
}

impl<'a> Reader<'a> {
    /// Starts at the beginning of `bytes`.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self::within(bytes, 0..bytes.len(), Options::default())
    }

    pub(super) fn within(bytes: &'a [u8], range: std::ops::Range<usize>, options: Options) -> Self {
        let (at, end) = (range.start, range.end.min(bytes.len()));
        let moves = end.saturating_sub(at);
        let (depth, place, grown, tables) = (0, 0, 0, None);
        Self { bytes, at, end, depth, member: at, place, grown, moves, options, tables }
    }

    /// The byte at which the next value is looked for.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.at
    }

    /// Whether the innermost message has ended.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.at >= self.end
    }

    /// An error at the current place.
    #[cold]
    #[must_use]
    pub fn error(&self, message: impl Into<Cow<'static, str>>) -> ReadError {
        ReadError::new(message, self.at)
    }

    /// Reads the members of the innermost open message into `message`, up to its end.
    ///
    /// # Errors
    /// When the bytes are no message, a field refuses its value, or a member is unknown in strict
    /// mode.
    pub fn message(&mut self, message: &mut dyn Message) -> Result<(), ReadError> {
        let members = message.members();
        self.level(message, members, members.all, 0)
    }

    /// The members of a message, or of a struct embedded in it.
    fn level(
        &mut self,
        message: &mut dyn Message,
        table: &'static Members,
        members: &'static [Member],
        level: usize,
    ) -> Result<(), ReadError> {
        let mut guess = 0;
        while !self.is_done() {
            let start = self.at;
            let tag = self.tag()?;
            let Some(first) = find(members, level, tag.number, guess) else {
                self.unknown(tag, start)?;
                continue;
            };
            guess = first + 1;
            let member = members[first];
            if level + 1 < LEVELS && member.path[level + 1] != 0 {
                let embedded = run(members, level, first);
                guess = first + embedded.len();
                let outer = self.open(tag)?;
                self.level(message, table, embedded, level + 1)?;
                self.close(outer);
            } else {
                (self.member, self.place) =
                    (start, table.names.place().wrapping_add(usize::from(member.index)));
                let read = self.member(message, member, tag);
                read.map_err(|error| error.in_member(name_of(table, member)))?;
            }
        }
        Ok(())
    }

    fn member(
        &mut self,
        message: &mut dyn Message,
        member: Member,
        tag: Tag,
    ) -> Result<(), ReadError> {
        if member.rule == Rule::Managed && !self.options.managed_fields {
            return self.skip(tag);
        }
        message.merge_member(self, tag, member.rule, usize::from(member.index))
    }

    #[cold]
    fn unknown(&mut self, tag: Tag, start: usize) -> Result<(), ReadError> {
        if self.options.strict {
            return Err(ReadError::new(format!("unknown field {}", tag.number), start));
        }
        self.skip(tag)
    }

    /// Enters the message that is the next value; what it gives back goes to [`Reader::close`].
    pub(super) fn open(&mut self, tag: Tag) -> Result<usize, ReadError> {
        let length = self.length(tag)?;
        if self.depth >= self.options.max_depth {
            return Err(self.error("messages are nested too deeply"));
        }
        self.depth += 1;
        Ok(std::mem::replace(&mut self.end, self.at + length))
    }

    /// Leaves the innermost message, whose members have all been read.
    pub(super) const fn close(&mut self, outer: usize) {
        self.depth -= 1;
        self.at = self.end;
        self.end = outer;
    }

    /// Calls `value` for the members of the message that is the next value; it must read each.
    ///
    /// # Errors
    /// When the next value is no message, or `value` fails.
    pub fn members(
        &mut self,
        tag: Tag,
        value: &mut dyn FnMut(&mut Self, Tag) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let outer = self.open(tag)?;
        while !self.is_done() {
            let tag = self.tag()?;
            value(self, tag)?;
        }
        self.close(outer);
        Ok(())
    }

    /// How many scalars there are in the value that is next, one behind the other without tags.
    pub(super) fn count_packed(&mut self, tag: Tag, wire: Wire) -> Result<usize, ReadError> {
        let start = self.at;
        let bytes = self.bytes(tag)?;
        self.at = start;
        Ok(match wire {
            Wire::Fixed64 => bytes.len().div_ceil(8),
            // The last byte of each integer, and the rest if it does not end.
            _ => {
                bytes.iter().filter(|byte| **byte < 0x80).count()
                    + usize::from(bytes.last().is_some_and(|byte| *byte >= 0x80))
            }
        })
    }

    /// Takes the tag of another value that [`Reader::count`] has seen.
    pub(super) fn next(&mut self, tag: Tag) -> Result<(), ReadError> {
        if self.take(tag) { Ok(()) } else { Err(self.error("the list ends too early")) }
    }

    /// How many values there are with this tag, from the next one on.
    pub(super) fn count(&mut self, tag: Tag) -> Result<usize, ReadError> {
        let start = self.at;
        let mut count = 0;
        loop {
            self.skip(tag)?;
            count += 1;
            if !self.take(tag) {
                self.at = start;
                return Ok(count);
            }
        }
    }

    /// Where the next value ends, and if it `repeats` those that follow with the same tag.
    pub(super) fn end_of(&mut self, tag: Tag, repeats: bool) -> Result<usize, ReadError> {
        let start = self.at;
        self.skip(tag)?;
        while repeats && self.take(tag) {
            self.skip(tag)?;
        }
        Ok(std::mem::replace(&mut self.at, start))
    }

    /// Whether the next tag is this one.
    pub(super) fn is_next(&mut self, tag: Tag) -> bool {
        let start = self.at;
        let is_next = self.take(tag);
        self.at = start;
        is_next
    }

    /// Takes the next tag if it is this one.
    fn take(&mut self, tag: Tag) -> bool {
        let start = self.at;
        if !self.is_done() && self.tag().is_ok_and(|next| next == tag) {
            return true;
        }
        self.at = start;
        false
    }

    /// Pays for moving the elements that a list has already. Writers write lists in one piece.
    pub(super) fn pay(&mut self, elements: usize) -> Result<(), ReadError> {
        match self.moves.checked_sub(elements) {
            Some(left) => {
                self.moves = left;
                Ok(())
            }
            None => Err(self.error("a list comes in too many pieces")),
        }
    }

    /// Reads a tag.
    ///
    /// # Errors
    /// When there is none.
    pub fn tag(&mut self) -> Result<Tag, ReadError> {
        // Numbers up to 15, of texts, messages and integers: nearly all.
        match self.next_byte() {
            Some(byte @ 8..0x80) if byte & 7 == 2 => {
                self.at += 1;
                Ok(Tag { number: u32::from(byte >> 3), wire: Wire::Length })
            }
            Some(byte @ 8..0x80) if byte & 7 == 0 => {
                self.at += 1;
                Ok(Tag { number: u32::from(byte >> 3), wire: Wire::Varint })
            }
            _ => self.any_tag(),
        }
    }

    /// The next byte of the innermost message.
    fn next_byte(&self) -> Option<u8> {
        if self.at < self.end { self.bytes.get(self.at).copied() } else { None }
    }

    fn any_tag(&mut self) -> Result<Tag, ReadError> {
        let start = self.at;
        let word = self.varint()?;
        let number = u32::try_from(word >> 3).ok().filter(|number| (1..1 << 29).contains(number));
        match (number, Wire::from_bits(word & 7)) {
            (Some(number), Some(wire)) => Ok(Tag { number, wire }),
            _ => Err(ReadError::new("no tag of a field", start)),
        }
    }

    /// Reads a variable-length integer.
    ///
    /// # Errors
    /// When it does not end, or does not fit 64 bits.
    pub fn varint(&mut self) -> Result<u64, ReadError> {
        if let Some(byte @ ..0x80) = self.next_byte() {
            self.at += 1;
            return Ok(u64::from(byte));
        }
        self.long_varint()
    }

    fn long_varint(&mut self) -> Result<u64, ReadError> {
        let start = self.at;
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let Some(byte) = self.next_byte() else {
                return Err(ReadError::new("the message ends too early", start));
            };
            self.at += 1;
            if shift == 63 && byte > 1 {
                break;
            }
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(ReadError::new("a number is longer than 64 bits", start))
    }

    /// Reads the integer of a field.
    ///
    /// # Errors
    /// When the field holds something else.
    pub fn integer(&mut self, tag: Tag) -> Result<u64, ReadError> {
        self.expect(tag, Wire::Varint)?;
        self.varint()
    }

    /// Reads the eight bytes of a field.
    ///
    /// # Errors
    /// When the field holds something else.
    pub fn fixed64(&mut self, tag: Tag) -> Result<u64, ReadError> {
        self.expect(tag, Wire::Fixed64)?;
        let bytes = self.take_bytes(8)?;
        Ok(u64::from_le_bytes(bytes.try_into().unwrap_or_default()))
    }

    /// Reads the bytes of a field.
    ///
    /// # Errors
    /// When the field holds something else.
    pub fn bytes(&mut self, tag: Tag) -> Result<&'a [u8], ReadError> {
        let length = self.length(tag)?;
        self.take_bytes(length)
    }

    /// Reads the text of a field.
    ///
    /// # Errors
    /// When the field holds something else, or bytes that are no UTF-8.
    pub fn text(&mut self, tag: Tag) -> Result<&'a str, ReadError> {
        let bytes = self.bytes(tag)?;
        std::str::from_utf8(bytes).map_err(|error| self.no_text(bytes, error))
    }

    /// The bytes just read are no text.
    #[cold]
    fn no_text(&self, bytes: &[u8], error: std::str::Utf8Error) -> ReadError {
        let start = self.at - bytes.len();
        ReadError::new("the text is not UTF-8", start + error.valid_up_to())
    }

    /// Reads a text that repeats in other objects.
    ///
    /// # Errors
    /// As [`Reader::text`].
    pub fn interned(&mut self, tag: Tag) -> Result<IStr, ReadError> {
        let bytes = self.bytes(tag)?;
        let text = match &mut self.tables {
            Some(tables) => tables.intern_bytes(self.place, bytes),
            None => std::str::from_utf8(bytes).map(IStr::new),
        };
        text.map_err(|error| self.no_text(bytes, error))
    }

    /// Passes over a value.
    ///
    /// # Errors
    /// When it does not end.
    pub fn skip(&mut self, tag: Tag) -> Result<(), ReadError> {
        match tag.wire {
            Wire::Varint => self.varint().map(drop),
            Wire::Fixed64 => self.take_bytes(8).map(drop),
            Wire::Fixed32 => self.take_bytes(4).map(drop),
            Wire::Length => self.bytes(tag).map(drop),
            Wire::GroupStart => self.skip_group(),
            Wire::GroupEnd => Err(self.error("a group ends that did not begin")),
        }
    }

    fn skip_group(&mut self) -> Result<(), ReadError> {
        let mut open = 1_usize;
        while open > 0 {
            let tag = self.tag()?;
            match tag.wire {
                Wire::GroupStart => open += 1,
                Wire::GroupEnd => open -= 1,
                Wire::Varint | Wire::Fixed64 | Wire::Length | Wire::Fixed32 => self.skip(tag)?,
            }
        }
        Ok(())
    }

    /// Reads the length in front of a value; that much is there.
    fn length(&mut self, tag: Tag) -> Result<usize, ReadError> {
        self.expect(tag, Wire::Length)?;
        let start = self.at;
        let length = self.varint()?;
        usize::try_from(length)
            .ok()
            .filter(|length| *length <= self.end - self.at)
            .ok_or_else(|| ReadError::new("a value is longer than its message", start))
    }

    fn take_bytes(&mut self, length: usize) -> Result<&'a [u8], ReadError> {
        if length > self.end - self.at {
            return Err(self.error("the message ends too early"));
        }
        self.at += length;
        Ok(&self.bytes[self.at - length..self.at])
    }

    fn expect(&self, tag: Tag, wire: Wire) -> Result<(), ReadError> {
        if tag.wire == wire {
            return Ok(());
        }
        Err(self.error(format!("expected a value of wire type {wire:?}, found {:?}", tag.wire)))
    }
}

fn name_of(table: &Members, member: Member) -> &'static str {
    table.names.name(usize::from(member.index)).unwrap_or_default()
}

impl fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("at", &self.at).field("end", &self.end).finish()
    }
}
