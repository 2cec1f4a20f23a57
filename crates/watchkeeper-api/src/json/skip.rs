//! Passing over values that nobody wants, while checking that they are JSON.

mod blocks;

pub(crate) use blocks::Memory;

use super::{ReadError, Reader};

impl<'a> Reader<'a> {
    /// Passes over the next value.
    ///
    /// # Errors
    /// When it is no JSON value.
    pub fn skip(&mut self) -> Result<(), ReadError> {
        if let b'{' | b'[' = self.peek()? {
            let left = self.options.max_depth.saturating_sub(self.depth);
            if let Some(length) = blocks::length(&self.text.as_bytes()[self.at..], left) {
                self.at += length;
                return Ok(());
            }
        }
        self.walk()
    }

    /// As [`Reader::skip`], however deep the value is nested: that takes no stack.
    ///
    /// # Errors
    /// When it is no JSON value.
    pub fn skip_deep(&mut self) -> Result<(), ReadError> {
        // Of each object and list that is open, whether it is an object.
        let mut open: Vec<bool> = Vec::new();
        loop {
            match self.peek()? {
                first @ (b'{' | b'[') => {
                    let is_object = first == b'{';
                    self.at += 1;
                    if self.peek()? == if is_object { b'}' } else { b']' } {
                        self.at += 1;
                    } else {
                        open.push(is_object);
                        if is_object {
                            self.skip_member_name()?;
                        }
                        continue;
                    }
                }
                _ => self.walk()?,
            }
            if !self.skip_ends(&mut open)? {
                return Ok(());
            }
        }
    }

    /// What stands behind a value: the ends of those around it, then a comma; whether one is open yet.
    fn skip_ends(&mut self, open: &mut Vec<bool>) -> Result<bool, ReadError> {
        while let Some(is_object) = open.last() {
            match (self.peek()?, is_object) {
                (b',', true) => {
                    self.at += 1;
                    return self.skip_member_name().map(|()| true);
                }
                (b',', false) => {
                    self.at += 1;
                    return Ok(true);
                }
                (b'}', true) | (b']', false) => {
                    self.at += 1;
                    open.pop();
                }
                (_, true) => return Err(self.unexpected("`,` or `}`")),
                (_, false) => return Err(self.unexpected("`,` or `]`")),
            }
        }
        Ok(false)
    }

    /// As [`Reader::skip`], of a member that other objects have, too: what is nearly the value of the last one
    /// at this place is mostly compared.
    pub(super) fn skip_like(&mut self) -> Result<(), ReadError> {
        if let (b'{' | b'[', Some(tables)) = (self.peek()?, &mut self.tables) {
            let left = self.options.max_depth.saturating_sub(self.depth);
            let (rest, memory) = (&self.text.as_bytes()[self.at..], tables.memory(self.place));
            if let Some(length) = blocks::length_like(rest, left, memory) {
                self.at += length;
                return Ok(());
            }
        }
        self.skip()
    }

    /// As [`Reader::skip`], token by token: knows where what is wrong.
    fn walk(&mut self) -> Result<(), ReadError> {
        match self.peek()? {
            b'"' => self.skip_text(),
            b'{' => self.walk_object(),
            b'[' => self.walk_list(),
            b't' => self.word("true"),
            b'f' => self.word("false"),
            b'n' => self.word("null"),
            _ => self.number().map(|_| ()),
        }
    }

    // As `members` and `list`, without names and closures.

    fn walk_object(&mut self) -> Result<(), ReadError> {
        self.open(b'{', "an object")?;
        if self.peek()? == b'}' {
            return self.close();
        }
        loop {
            self.skip_member_name()?;
            self.walk()?;
            match self.peek()? {
                b',' => self.at += 1,
                b'}' => return self.close(),
                _ => return Err(self.unexpected("`,` or `}`")),
            }
        }
    }

    fn skip_member_name(&mut self) -> Result<(), ReadError> {
        if self.peek()? != b'"' {
            return Err(self.unexpected("a member name in quotes"));
        }
        self.skip_text()?;
        if self.peek()? != b':' {
            return Err(self.unexpected("`:`"));
        }
        self.at += 1;
        Ok(())
    }

    fn walk_list(&mut self) -> Result<(), ReadError> {
        self.open(b'[', "a list")?;
        if self.peek()? == b']' {
            return self.close();
        }
        loop {
            self.walk()?;
            match self.peek()? {
                b',' => self.at += 1,
                b']' => return self.close(),
                _ => return Err(self.unexpected("`,` or `]`")),
            }
        }
    }

    /// Passes over the next value; its text, as it stands.
    ///
    /// # Errors
    /// When it is no JSON value.
    pub fn raw(&mut self) -> Result<&'a str, ReadError> {
        self.peek()?;
        let start = self.at;
        self.skip()?;
        Ok(&self.text[start..self.at])
    }

    /// As [`Reader::raw`], however deep the value is nested.
    ///
    /// # Errors
    /// When it is no JSON value.
    pub fn raw_deep(&mut self) -> Result<&'a str, ReadError> {
        self.peek()?;
        let start = self.at;
        self.skip_deep()?;
        Ok(&self.text[start..self.at])
    }

    /// Passes over a number; its text.
    pub(super) fn number(&mut self) -> Result<&'a str, ReadError> {
        self.peek()?;
        let start = self.at;
        if self.byte() == Some(b'-') {
            self.at += 1;
        }
        let whole = self.digits();
        let leading_zero = whole > 1 && self.text.as_bytes()[self.at - whole] == b'0';
        let mut valid = whole > 0 && !leading_zero;
        if self.byte() == Some(b'.') {
            self.at += 1;
            valid &= self.digits() > 0;
        }
        if let Some(b'e' | b'E') = self.byte() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.byte() {
                self.at += 1;
            }
            valid &= self.digits() > 0;
        }
        if valid {
            return Ok(&self.text[start..self.at]);
        }
        self.at = start;
        match self.byte() {
            Some(b'-' | b'0'..=b'9') => Err(self.error("malformed number")),
            _ => Err(self.unexpected("a value")),
        }
    }

    fn digits(&mut self) -> usize {
        let rest = &self.text.as_bytes()[self.at..];
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        count
    }
}
