//! Puts values in front of each other, the last one first.

use super::members::{LEVELS, Member};
use super::{Field, Message, Wire};

/// The smallest buffer: most objects need not grow it often.
const FIRST: usize = 4_096;

/// Writes a message from its end to its beginning, so that the length of everything is known when
/// it is written in front of it.
#[derive(Debug, Default)]
pub struct Writer {
    buffer: Vec<u8>,
    /// Where in the buffer what is written begins; it reaches to the end.
    start: usize,
}

impl Writer {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
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
        self.buffer.split_off(self.start)
    }

    /// Writes bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        if self.start < bytes.len() {
            self.grow(bytes.len());
        }
        self.start -= bytes.len();
        self.buffer[self.start..self.start + bytes.len()].copy_from_slice(bytes);
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
        if self.start == 0 {
            self.grow(1);
        }
        self.start -= 1;
        self.buffer[self.start] = byte;
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
        self.varint(value);
        self.tag(number, Wire::Varint);
    }

    /// Writes a field that holds eight bytes.
    pub fn fixed64(&mut self, number: u32, value: u64) {
        self.raw(&value.to_le_bytes());
        self.tag(number, Wire::Fixed64);
    }

    /// Writes a field that holds bytes or text.
    pub fn bytes(&mut self, number: u32, bytes: &[u8]) {
        self.raw(bytes);
        self.varint(bytes.len() as u64);
        self.tag(number, Wire::Length);
    }

    /// Makes what was written since [`Writer::len`] was `mark` a field that holds a message.
    pub fn close(&mut self, number: u32, mark: usize) {
        self.varint((self.len() - mark) as u64);
        self.tag(number, Wire::Length);
    }

    /// Writes a field that holds a message.
    pub fn nested(&mut self, number: u32, message: &dyn Message) {
        let mark = self.len();
        self.message(message);
        self.close(number, mark);
    }

    /// Writes the members of a message, without tag and length.
    pub fn message(&mut self, message: &dyn Message) {
        self.level(message, message.members().all, 0);
    }

    /// The members of a message, or of a struct embedded in it: the last first.
    fn level(&mut self, message: &dyn Message, mut members: &[Member], level: usize) {
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
                self.level(message, embedded, level + 1);
                self.close(number, mark);
                members = before;
            } else {
                if let Some(field) = message.member(usize::from(last.index)) {
                    field.put(self, number, last.rule);
                }
                members = &members[..members.len() - 1];
            }
        }
    }

    /// Writes the elements of a list or the entries of a map, each as a field.
    pub(super) fn list(
        &mut self,
        elements: &mut dyn DoubleEndedIterator<Item = &dyn Field>,
        number: u32,
        rule: super::Rule,
    ) {
        while let Some(element) = elements.next_back() {
            element.put(self, number, rule);
        }
    }
}
