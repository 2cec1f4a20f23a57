//! Puts values in front of each other, the last one first.

use std::cell::Cell;
use std::fmt;

use super::members::{LEVELS, Member, Members};
use super::{Message, Rule, Wire};

/// The smallest buffer: most objects need not grow it often.
const FIRST: usize = 4_096;

/// The largest buffer that a thread keeps for what it writes next.
const KEPT: usize = 64 << 10;

thread_local! {
    /// A buffer is filled with zeros when it is made or grows, so one serves many messages.
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Members with lower numbers, nearly all, have a tag of one byte.
const SHORT_NUMBER: u32 = 16;

/// Writes one member: its number, its rule, its index in the table.
type Put<'a> = dyn FnMut(&mut Writer, u32, Rule, usize) + 'a;

const fn short_tag(number: u32, wire: Wire) -> u8 {
    (number as u8) << 3 | wire as u8
}

/// Copies texts, which are mostly short, without a call: both halves at once, which may overlap.
#[inline]
fn copy(to: &mut [u8], from: &[u8]) {
    match from.len() {
        4..8 => copy_ends::<4>(to, from),
        8..16 => copy_ends::<8>(to, from),
        16..=32 => copy_ends::<16>(to, from),
        _ => to.copy_from_slice(from),
    }
}

#[inline]
fn copy_ends<const N: usize>(to: &mut [u8], from: &[u8]) {
    if let (Some(to), Some(from)) = (to.first_chunk_mut::<N>(), from.first_chunk()) {
        *to = *from;
    }
    if let (Some(to), Some(from)) = (to.last_chunk_mut::<N>(), from.last_chunk()) {
        *to = *from;
    }
}

/// Writes a message from its end to its beginning, so that the length of everything is known when
/// it is written in front of it.
#[derive(Default)]
pub struct Writer {
    buffer: Vec<u8>,
    /// Where in the buffer what is written begins; it reaches to the end.
    start: usize,
}

/// Tells how much was written, never what.
impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Writer({} bytes)", self.len())
    }
}

impl Writer {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What `write` writes. A thread keeps its last buffer, of at most 64 KiB.
    pub(super) fn to_vec(write: &mut dyn FnMut(&mut Self)) -> Vec<u8> {
        // A thread that ends may have none left.
        let buffer = BUFFER.try_with(Cell::take).unwrap_or_default();
        let mut w = Self { start: buffer.len(), buffer };
        write(&mut w);
        if w.buffer.len() > KEPT {
            return w.finish();
        }
        let written = w.buffer[w.start..].to_vec();
        _ = BUFFER.try_with(|kept| kept.set(w.buffer));
        written
    }

    /// How much has been written.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// Whether nothing has been written.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What has been written.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        let length = self.len();
        self.buffer.copy_within(self.start.., 0);
        self.buffer.truncate(length);
        self.buffer
    }

    /// Writes bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.room(bytes.len()).copy_from_slice(bytes);
    }

    /// So many bytes in front of what is written, to be filled.
    #[inline]
    fn room(&mut self, length: usize) -> &mut [u8] {
        if self.start < length {
            self.grow(length);
        }
        self.start -= length;
        &mut self.buffer[self.start..self.start + length]
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        let length = self.len();
        let room = (2 * self.buffer.len()).max(length + more).max(FIRST);
        let mut buffer = vec![0; room];
        buffer[room - length..].copy_from_slice(&self.buffer[self.start..]);
        (self.buffer, self.start) = (buffer, room - length);
    }

    /// Writes a variable-length integer.
    pub fn varint(&mut self, value: u64) {
        if value < 0x80 {
            self.byte(value as u8);
        } else {
            self.long_varint(value);
        }
    }

    fn byte(&mut self, byte: u8) {
        self.room(1)[0] = byte;
    }

    /// Writes a tag and the integer behind it, which mostly take a byte each.
    #[inline]
    fn head(&mut self, number: u32, wire: Wire, value: u64) {
        if number < SHORT_NUMBER && value < 0x80 {
            let room = self.room(2);
            room[0] = short_tag(number, wire);
            room[1] = value as u8;
        } else {
            self.varint(value);
            self.tag(number, wire);
        }
    }

    fn long_varint(&mut self, mut value: u64) {
        let mut bytes = [0; 10];
        let mut length = 0;
        loop {
            bytes[length] = (value & 0x7f) as u8;
            value >>= 7;
            if value == 0 {
                break;
            }
            bytes[length] |= 0x80;
            length += 1;
        }
        self.raw(&bytes[..=length]);
    }

    /// Writes a tag.
    pub fn tag(&mut self, number: u32, wire: Wire) {
        self.varint(u64::from(number) << 3 | wire as u64);
    }

    /// Writes a field that holds an integer.
    pub fn integer(&mut self, number: u32, value: u64) {
        self.head(number, Wire::Varint, value);
    }

    /// Writes a field that holds eight bytes.
    pub fn fixed64(&mut self, number: u32, value: u64) {
        self.raw(&value.to_le_bytes());
        self.tag(number, Wire::Fixed64);
    }

    /// Writes a field that holds bytes or text.
    pub fn bytes(&mut self, number: u32, bytes: &[u8]) {
        if number < SHORT_NUMBER && bytes.len() < 0x80 {
            let room = self.room(bytes.len() + 2);
            room[0] = short_tag(number, Wire::Length);
            room[1] = bytes.len() as u8;
            copy(&mut room[2..], bytes);
        } else {
            self.raw(bytes);
            self.varint(bytes.len() as u64);
            self.tag(number, Wire::Length);
        }
    }

    /// Makes what was written since [`Writer::len`] was `mark` a field that holds a message.
    pub fn close(&mut self, number: u32, mark: usize) {
        self.head(number, Wire::Length, (self.len() - mark) as u64);
    }

    /// Writes a field that holds a message.
    pub fn nested<M: Message + ?Sized>(&mut self, number: u32, message: &M) {
        let mark = self.len();
        message.put_members(self);
        self.close(number, mark);
    }

    /// Calls `put` for each member of a table, the last number first, with its number, rule and index: for types
    /// whose members cannot be listed in that order where they are written.
    pub fn by_table(&mut self, members: &Members, put: &mut Put<'_>) {
        self.level(members.all, 0, put);
    }

    /// The members of a message, or of a struct embedded in it: the last first.
    fn level(&mut self, mut members: &[Member], level: usize, put: &mut Put<'_>) {
        while let Some(last) = members.last() {
            let number = u32::from(last.path[level]);
            if number == 0 {
                // Members without a number come first: JSON alone has them.
                return;
            }
            if level + 1 < LEVELS && last.path[level + 1] != 0 {
                let is_outside = |member: &Member| u32::from(member.path[level]) != number;
                let first = members.iter().rposition(is_outside).map_or(0, |index| index + 1);
                let (before, embedded) = members.split_at(first);
                let mark = self.len();
                self.level(embedded, level + 1, put);
                self.close(number, mark);
                members = before;
            } else {
                put(self, number, last.rule, usize::from(last.index));
                members = &members[..members.len() - 1];
            }
        }
    }
}
