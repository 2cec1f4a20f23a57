//! Pulls values off a text.

use std::borrow::Cow;
use std::fmt;

use super::decoder::{Options, Unknown};
use super::names::{Names, same};
use super::{Fields, Read, ReadError, strict};
use crate::IStr;
use crate::tables::Tables;

/// A place in a JSON text, from which values are read in order.
pub struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) depth: usize,
    pub(super) options: Options,
    /// What repeats between the values of one decoder.
    pub(super) tables: Option<Box<Tables>>,
    /// Which member of which type is read: a number that is the same for all of its values.
    pub(super) place: usize,
    /// How many bytes the elements, entries and boxes take that were read.
    pub(super) grown: usize,
    /// Where the values of unknown members start, if that is asked for.
    pub(super) unknown: Vec<usize>,
}

impl<'a> Reader<'a> {
    /// Starts at the beginning of `text`.
    ///
    /// # Errors
    /// When it is longer than [`MAX_LENGTH`](super::MAX_LENGTH).
    pub fn new(text: &'a str) -> Result<Self, ReadError> {
        Self::with_options(text, Options::default())
    }

    pub(super) fn with_options(text: &'a str, options: Options) -> Result<Self, ReadError> {
        if text.len() > options.max_length {
            return Err(ReadError::new("the text is too long", 0));
        }
        let (tables, unknown) = (None, Vec::new());
        Ok(Self { text, at: 0, depth: 0, options, tables, place: 0, grown: 0, unknown })
    }

    /// The byte at which the next value is looked for.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.at
    }

    /// How many objects and lists are open around the next value.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// An error at the current place.
    #[cold]
    #[must_use]
    pub fn error(&self, message: impl Into<Cow<'static, str>>) -> ReadError {
        ReadError::new(message, self.at)
    }

    /// Takes `null` if it is next.
    ///
    /// # Errors
    /// When the text ends, or something else starts with `n`.
    pub fn null(&mut self) -> Result<bool, ReadError> {
        match self.peek()? {
            b'n' => self.word("null").map(|()| true),
            _ => Ok(false),
        }
    }

    /// Reads the members of an object into `fields`; `null` has none.
    ///
    /// # Errors
    /// When the next value is no object, a field refuses its value, a member is unknown in strict
    /// mode, or the nesting is too deep.
    pub fn object(&mut self, names: &Names, fields: &mut dyn Fields) -> Result<(), ReadError> {
        if !self.open_object()? {
            return Ok(());
        }
        // The members of the same type, which are those of the last object more often than not.
        let (mut next, mut before) = (0, names.place().wrapping_sub(1));
        loop {
            let likely = self.tables.as_ref().map_or(next, |tables| tables.member_after(before));
            let known = match names.quoted(likely) {
                Some(name) if self.take_name(name)? => Some(likely),
                _ => self.find_name(names, next, before)?,
            };
            if let Some(index) = known {
                next = index + 1;
                before = names.place().wrapping_add(index);
                self.place = before;
                let read = fields.set(index, self);
                read.map_err(|error| error.in_member(names.name(index).unwrap_or_default()))?;
            }
            if !self.next_member()? {
                return Ok(());
            }
        }
    }

    /// Takes the name of a member, its colon and the space behind it if they are next and written as servers
    /// write them; `name` is in its quotes, and has its colon.
    #[inline]
    fn take_name(&mut self, name: &[u8]) -> Result<bool, ReadError> {
        let rest = &self.text.as_bytes()[self.at..];
        let is_next = rest.get(..name.len()).is_some_and(|next| same(next, name));
        if is_next {
            self.at += name.len();
            self.peek()?;
        }
        Ok(is_next)
    }

    /// Reads a member's name, and finds it; the next time it is expected behind that member. One that
    /// is not known is passed over with its value.
    #[inline(never)]
    fn find_name(
        &mut self,
        names: &Names,
        next: usize,
        before: usize,
    ) -> Result<Option<usize>, ReadError> {
        let name = self.member_name()?;
        let Some(index) = names.find(&name, next) else {
            // Several may come behind a known one: the length tells most apart.
            self.place = before.wrapping_add(name.len() << 8);
            let read = self.unknown_member();
            return read.map(|()| None).map_err(|error| error.in_member(&name));
        };
        if let Some(tables) = &mut self.tables {
            tables.expect_member(before, index);
        }
        Ok(Some(index))
    }

    fn unknown_member(&mut self) -> Result<(), ReadError> {
        match self.options.unknown {
            Unknown::Refuse => return Err(self.error("unknown field")),
            Unknown::Note if self.unknown.len() < strict::MOST => self.unknown.push(self.at),
            Unknown::Note | Unknown::Skip => {}
        }
        self.skip_like()
    }

    /// Hands each member's name to `member`, which must read its value; `null` has none.
    ///
    /// # Errors
    /// When the next value is no object, or `member` fails.
    pub fn members(
        &mut self,
        member: &mut dyn FnMut(&mut Self, &str) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        if !self.open_object()? {
            return Ok(());
        }
        loop {
            let name = self.member_name()?;
            member(self, &name).map_err(|error| error.in_member(&name))?;
            if !self.next_member()? {
                return Ok(());
            }
        }
    }

    /// Counts a value of so many bytes that is on the heap.
    #[doc(hidden)]
    #[inline]
    pub fn boxed(&mut self, bytes: usize) {
        self.grown += bytes;
    }

    /// Enters an object; whether it has members.
    fn open_object(&mut self) -> Result<bool, ReadError> {
        if self.null()? {
            return Ok(false);
        }
        self.open(b'{', "an object")?;
        if self.peek()? == b'}' { self.close().map(|()| false) } else { Ok(true) }
    }

    /// Goes on to the next member, or leaves the object.
    #[inline]
    fn next_member(&mut self) -> Result<bool, ReadError> {
        match self.peek()? {
            b',' => {
                self.at += 1;
                Ok(true)
            }
            b'}' => self.close().map(|()| false),
            _ => Err(self.unexpected("`,` or `}`")),
        }
    }

    /// Calls `element` for each element of a list, which must read it; `null` has none.
    ///
    /// # Errors
    /// When the next value is no list, or `element` fails.
    pub fn list(
        &mut self,
        element: &mut dyn FnMut(&mut Self) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        if self.null()? {
            return Ok(());
        }
        self.open(b'[', "a list")?;
        if self.peek()? == b']' {
            return self.close();
        }
        let mut index = 0;
        loop {
            self.peek()?;
            element(self).map_err(|error| error.in_element(index))?;
            index += 1;
            match self.peek()? {
                b',' => self.at += 1,
                b']' => return self.close(),
                _ => return Err(self.unexpected("`,` or `]`")),
            }
        }
    }

    /// Reads a string that repeats in other objects; `null` is the empty one.
    ///
    /// # Errors
    /// When the next value is no string.
    pub fn interned(&mut self) -> Result<IStr, ReadError> {
        let first = self.peek()?;
        if first == b'n' {
            return self.word("null").map(|()| IStr::EMPTY);
        }
        if let (Some(tables), b'"') = (&mut self.tables, first) {
            let rest = &self.text.as_bytes()[self.at + 1..];
            let is_next = |expected: &[u8]| {
                rest.get(expected.len()) == Some(&b'"') && rest.starts_with(expected)
            };
            if let Some(text) = tables.expected_text(self.place, is_next) {
                self.at += text.len() + 2;
                return Ok(text);
            }
        }
        let Some(text) = self.plain_text()? else {
            return self.escaped_text().map(|text| self.intern(&text));
        };
        Ok(match &mut self.tables {
            Some(tables) => tables.intern_at(self.place, text),
            None => IStr::new(text),
        })
    }

    /// A text that repeats in other objects.
    pub(super) fn intern(&mut self, text: &str) -> IStr {
        match &mut self.tables {
            Some(tables) => tables.intern(text),
            None => IStr::new(text),
        }
    }

    /// Reads a string that hardly repeats; `null` is the empty one.
    ///
    /// # Errors
    /// When the next value is no string.
    pub fn unique(&mut self) -> Result<IStr, ReadError> {
        if self.peek()? == b'n' {
            return self.word("null").map(|()| IStr::EMPTY);
        }
        match self.plain_text()? {
            Some(text) => Ok(IStr::unique(text)),
            None => self.escaped_text().map(|text| IStr::unique(&text)),
        }
    }

    /// Reads a string that must be `expected` (or empty, or `null`): the apiVersion and kind of a
    /// type that is known.
    ///
    /// # Errors
    /// When it is another one.
    pub fn expect_text(&mut self, expected: &str) -> Result<(), ReadError> {
        let start = self.at;
        if self.null()? {
            return Ok(());
        }
        let found = self.text()?;
        if found.is_empty() || found == expected {
            return Ok(());
        }
        Err(ReadError::new(format!("expected {expected:?}, found {:?}", shorten(&found)), start))
    }

    /// Reads `managedFields` if the caller asked for them, and skips them otherwise.
    ///
    /// # Errors
    /// As for the value itself.
    pub fn managed_fields<T: Read>(&mut self, field: &mut T) -> Result<(), ReadError> {
        if self.options.managed_fields { field.read_into(self) } else { self.skip_like() }
    }

    /// Ends the reading: nothing but space may follow.
    ///
    /// # Errors
    /// When something does.
    pub fn end(&mut self) -> Result<(), ReadError> {
        self.space();
        if self.at == self.text.len() { Ok(()) } else { Err(self.unexpected("the end")) }
    }

    /// Skips space; the first byte of what is next.
    #[inline]
    pub(super) fn peek(&mut self) -> Result<u8, ReadError> {
        match self.byte() {
            Some(byte) if byte > b' ' => Ok(byte),
            _ => self.peek_behind_space(),
        }
    }

    fn peek_behind_space(&mut self) -> Result<u8, ReadError> {
        self.space();
        self.byte().ok_or_else(|| self.error("the text ends too early"))
    }

    #[inline]
    pub(super) fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn word(&mut self, word: &'static str) -> Result<(), ReadError> {
        if !self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            return Err(self.unexpected("a value"));
        }
        self.at += word.len();
        Ok(())
    }

    pub(super) fn open(&mut self, bracket: u8, expected: &str) -> Result<(), ReadError> {
        if self.peek()? != bracket {
            return Err(self.unexpected(expected));
        }
        if self.depth >= self.options.max_depth {
            return Err(self.error("values are nested too deeply"));
        }
        self.depth += 1;
        self.at += 1;
        Ok(())
    }

    pub(super) fn close(&mut self) -> Result<(), ReadError> {
        self.depth -= 1;
        self.at += 1;
        Ok(())
    }

    pub(super) fn member_name(&mut self) -> Result<Cow<'a, str>, ReadError> {
        if self.peek()? != b'"' {
            return Err(self.unexpected("a member name in quotes"));
        }
        let name = self.text()?;
        if self.peek()? != b':' {
            return Err(self.unexpected("`:`"));
        }
        self.at += 1;
        self.peek()?;
        Ok(name)
    }

    fn space(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(self.at) {
            self.at += 1;
        }
    }

    /// The error for a next value that is not what was `expected`.
    #[cold]
    pub(super) fn unexpected(&self, expected: &str) -> ReadError {
        let found = match self.byte() {
            None => "the end",
            Some(b'{') => "an object",
            Some(b'[') => "a list",
            Some(b'"') => "a string",
            Some(b't' | b'f') => "a boolean",
            Some(b'n') => "null",
            Some(b'-' | b'0'..=b'9') => "a number",
            Some(_) => {
                let found = self.text.get(self.at..).and_then(|rest| rest.chars().next());
                let found = found.unwrap_or(char::REPLACEMENT_CHARACTER);
                return self.error(format!("expected {expected}, found {found:?}"));
            }
        };
        self.error(format!("expected {expected}, found {found}"))
    }
}

fn shorten(text: &str) -> String {
    if text.len() <= 80 {
        text.to_owned()
    } else {
        text.chars().take(60).chain("…".chars()).collect()
    }
}

impl fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("at", &self.at).field("depth", &self.depth).finish()
    }
}
