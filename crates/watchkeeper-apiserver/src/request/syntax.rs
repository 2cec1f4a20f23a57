//! What Go's `encoding/json` says of text that is not JSON.

use watchkeeper_schema::error::push_escaped;

use crate::deep::DEEPEST;

/// The first thing wrong with a text, in Go's words; none when Go would read it.
pub(crate) fn error(body: &[u8]) -> Option<String> {
    Scanner { body, at: 0, open: Vec::new() }.text().err()
}

/// What was read last, which decides what may follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Value,
    /// A value or the end of the list.
    FirstItem,
    Key,
    /// A key or the end of the object.
    FirstKey,
    /// What follows a whole value.
    After,
}

struct Scanner<'a> {
    body: &'a [u8],
    at: usize,
    /// The brackets that are open.
    open: Vec<u8>,
}

impl Scanner<'_> {
    fn text(&mut self) -> Result<(), String> {
        let mut next = Next::Value;
        loop {
            while matches!(self.body.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
                self.at += 1;
            }
            if next == Next::After && self.open.is_empty() {
                return match self.body.get(self.at) {
                    None => Ok(()),
                    Some(byte) => Err(wrong(*byte, "after top-level value")),
                };
            }
            next = self.token(next)?;
        }
    }

    fn token(&mut self, next: Next) -> Result<Next, String> {
        let byte = self.byte()?;
        match (next, byte) {
            (Next::FirstItem, b']') | (Next::FirstKey, b'}') => self.close(),
            (Next::Value | Next::FirstItem, byte) => self.value(byte),
            (Next::Key | Next::FirstKey, b'"') => {
                self.string()?;
                while matches!(self.body.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
                    self.at += 1;
                }
                match self.byte()? {
                    b':' => Ok(Next::Value),
                    other => Err(wrong(other, "after object key")),
                }
            }
            (Next::Key | Next::FirstKey, byte) => {
                Err(wrong(byte, "looking for beginning of object key string"))
            }
            (Next::After, byte) => self.after(byte),
        }
    }

    fn after(&mut self, byte: u8) -> Result<Next, String> {
        match (self.open.last(), byte) {
            (Some(b'['), b',') => Ok(Next::Value),
            (Some(b'['), b']') | (Some(b'{'), b'}') => self.close(),
            (Some(b'['), _) => Err(wrong(byte, "after array element")),
            (_, b',') => Ok(Next::Key),
            _ => Err(wrong(byte, "after object key:value pair")),
        }
    }

    #[expect(clippy::unnecessary_wraps, reason = "the arm of a match whose others can fail")]
    fn close(&mut self) -> Result<Next, String> {
        self.open.pop();
        Ok(Next::After)
    }

    fn value(&mut self, byte: u8) -> Result<Next, String> {
        match byte {
            b'{' | b'[' => {
                self.open.push(byte);
                if self.open.len() > DEEPEST {
                    return Err(wrong(byte, "exceeded max depth"));
                }
                return Ok(if byte == b'{' { Next::FirstKey } else { Next::FirstItem });
            }
            b'"' => self.string()?,
            b't' => self.literal("true")?,
            b'f' => self.literal("false")?,
            b'n' => self.literal("null")?,
            b'-' | b'0'..=b'9' => self.number(byte)?,
            other => return Err(wrong(other, "looking for beginning of value")),
        }
        Ok(Next::After)
    }

    fn byte(&mut self) -> Result<u8, String> {
        let byte = self.body.get(self.at).copied();
        self.at += 1;
        byte.ok_or_else(|| "unexpected end of JSON input".to_owned())
    }

    fn literal(&mut self, word: &str) -> Result<(), String> {
        for expected in word.bytes().skip(1) {
            let byte = self.byte()?;
            if byte != expected {
                let place = format!("in literal {word} (expecting '{}')", char::from(expected));
                return Err(wrong(byte, &place));
            }
        }
        Ok(())
    }

    fn string(&mut self) -> Result<(), String> {
        loop {
            match self.byte()? {
                b'"' => return Ok(()),
                b'\\' => match self.byte()? {
                    b'b' | b'f' | b'n' | b'r' | b't' | b'\\' | b'/' | b'"' => {}
                    b'u' => {
                        for _ in 0..4 {
                            let byte = self.byte()?;
                            if !byte.is_ascii_hexdigit() {
                                return Err(wrong(byte, "in \\u hexadecimal character escape"));
                            }
                        }
                    }
                    other => return Err(wrong(other, "in string escape code")),
                },
                control if control < 0x20 => return Err(wrong(control, "in string literal")),
                _ => {}
            }
        }
    }

    fn digits(&mut self) {
        while self.body.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
    }

    /// At least one digit.
    fn some_digits(&mut self, place: &str) -> Result<(), String> {
        let byte = self.byte()?;
        if !byte.is_ascii_digit() {
            return Err(wrong(byte, place));
        }
        self.digits();
        Ok(())
    }

    fn number(&mut self, first: u8) -> Result<(), String> {
        let mut first = first;
        if first == b'-' {
            first = self.byte()?;
            if !first.is_ascii_digit() {
                return Err(wrong(first, "in numeric literal"));
            }
        }
        if first != b'0' {
            self.digits();
        }
        if self.body.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.some_digits("after decimal point in numeric literal")?;
        }
        if matches!(self.body.get(self.at), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.body.get(self.at), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.some_digits("in exponent of numeric literal")?;
        }
        Ok(())
    }
}

fn wrong(byte: u8, place: &str) -> String {
    let mut shown = String::new();
    match byte {
        b'\'' => shown.push_str(r"\'"),
        // Bytes are characters of Latin-1 here, whatever text they are part of.
        byte => push_escaped(char::from(byte), &mut shown),
    }
    format!("invalid character '{shown}' {place}")
}

#[cfg(test)]
mod tests;
