//! How plain values are read and written.

use super::{Read, ReadError, Reader, Write, Writer};
use crate::shared::Blank;
use crate::{IStr, IntOrString, List, Map, MicroTime, Quantity, Shared, Span, Time};

macro_rules! integer {
    ($($type:ty),*) => { $(
        impl Read for $type {
            fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
                if r.null()? {
                    return Ok(0);
                }
                let start = r.offset();
                let value = r.integer()?;
                Self::try_from(value).map_err(|_| out_of_range(value, start))
            }
        }

        impl Write for $type {
            #[inline(never)]
            fn write(&self, w: &mut Writer) {
                w.integer(i64::from(*self));
            }
            #[inline]
            fn is_default(&self) -> bool {
                *self == 0
            }
        }
    )* };
}
integer!(i64, i32, u32, u16, u8);

#[cold]
fn out_of_range(value: i64, at: usize) -> ReadError {
    ReadError::new(format!("{value} is out of range"), at)
}

impl Reader<'_> {
    /// Reads a whole number.
    ///
    /// # Errors
    /// When the next value is none, or does not fit 64 bits.
    pub fn integer(&mut self) -> Result<i64, ReadError> {
        if !matches!(self.peek()?, b'-' | b'0'..=b'9') {
            return Err(self.unexpected("a number"));
        }
        let start = self.at;
        let text = self.number()?;
        text.parse().map_err(|_| {
            let whole = text.bytes().skip(1).all(|byte| byte.is_ascii_digit());
            let why = if whole { "is out of range" } else { "is not a whole number" };
            ReadError::new(format!("{text} {why}"), start)
        })
    }
}

impl Read for f64 {
    fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
        if r.null()? {
            return Ok(0.0);
        }
        if !matches!(r.peek()?, b'-' | b'0'..=b'9') {
            return Err(r.unexpected("a number"));
        }
        let start = r.offset();
        let text = r.number()?;
        match text.parse::<Self>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(ReadError::new(format!("{text} is out of range"), start)),
        }
    }
}

impl Write for f64 {
    #[inline(never)]
    fn write(&self, w: &mut Writer) {
        w.float(*self);
    }
    #[inline]
    fn is_default(&self) -> bool {
        *self == 0.0
    }
}

impl Read for bool {
    fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
        match r.peek()? {
            b't' => r.word("true").map(|()| true),
            b'f' => r.word("false").map(|()| false),
            b'n' => r.word("null").map(|()| false),
            _ => Err(r.unexpected("true or false")),
        }
    }
}

impl Write for bool {
    #[inline(never)]
    fn write(&self, w: &mut Writer) {
        w.raw(if *self { "true" } else { "false" });
    }
    #[inline]
    fn is_default(&self) -> bool {
        !*self
    }
}

impl Read for IStr {
    #[inline(never)]
    fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
        r.interned()
    }
}

impl Write for IStr {
    #[inline(never)]
    fn write(&self, w: &mut Writer) {
        w.text(self);
    }
    #[inline]
    fn is_default(&self) -> bool {
        // An empty text is always this very word.
        *self == Self::EMPTY
    }
}

impl Read for String {
    fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
        Ok(if r.null()? { Self::new() } else { r.text()?.into_owned() })
    }
}

impl Write for String {
    fn write(&self, w: &mut Writer) {
        w.text(self);
    }
    fn is_default(&self) -> bool {
        self.is_empty()
    }
}

impl Read for Quantity {
    fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
        // Upstream takes bare numbers, too.
        if let b'-' | b'0'..=b'9' = r.peek()? {
            return r.number().map(Self::from);
        }
        r.interned().map(Self::from)
    }
}

impl Write for Quantity {
    fn write(&self, w: &mut Writer) {
        w.text(if self.as_str().is_empty() { "0" } else { self.as_str() });
    }
    #[inline]
    fn is_default(&self) -> bool {
        self.as_str().is_empty()
    }
}

impl Read for IntOrString {
    fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
        match r.peek()? {
            b'"' => r.interned().map(Self::String),
            b'n' | b'-' | b'0'..=b'9' => i32::read(r).map(Self::Int),
            _ => Err(r.unexpected("a number or a string")),
        }
    }
}

impl Write for IntOrString {
    fn write(&self, w: &mut Writer) {
        match self {
            Self::Int(value) => value.write(w),
            Self::String(text) => text.write(w),
        }
    }
    fn is_default(&self) -> bool {
        *self == Self::Int(0)
    }
}

macro_rules! time {
    (@write Time $time:ident $w:ident) => {
        $w.plain(&$time.text())
    };
    (@write $type:ident $time:ident $w:ident) => {
        $w.display($time)
    };
    ($($type:ident),*) => { $(
        impl Read for $type {
            fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
                if r.null()? {
                    return Ok(Self::default());
                }
                let start = r.offset();
                let value = r.text()?.parse::<Self>();
                value.map_err(|error| ReadError::new(error.to_string(), start))
            }
        }

        impl Write for $type {
            fn write(&self, w: &mut Writer) {
                time!(@write $type self w);
            }
            fn is_default(&self) -> bool {
                *self == Self::default()
            }
        }
    )* };
}
time!(Time, MicroTime, Span);

impl<T: Read> Read for Option<T> {
    fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
        if r.null()? { Ok(None) } else { T::read(r).map(Some) }
    }
    #[inline]
    fn read_into(&mut self, r: &mut Reader<'_>) -> Result<(), ReadError> {
        T::read_option(self, r)
    }
}

impl<T: Write> Write for Option<T> {
    #[inline]
    fn write(&self, w: &mut Writer) {
        match self {
            Some(value) => value.write(w),
            None => w.raw("null"),
        }
    }
    #[inline]
    fn is_default(&self) -> bool {
        self.is_none()
    }
}

impl<T: Read> Read for Box<T> {
    fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
        r.grown += size_of::<T>();
        T::read(r).map(Self::new)
    }
    fn read_into(&mut self, r: &mut Reader<'_>) -> Result<(), ReadError> {
        (**self).read_into(r)
    }
    #[inline]
    fn read_option(slot: &mut Option<Self>, r: &mut Reader<'_>) -> Result<(), ReadError> {
        T::read_boxed(slot, r)
    }
}

impl<T: Write> Write for Box<T> {
    #[inline]
    fn write(&self, w: &mut Writer) {
        (**self).write(w);
    }
    #[inline]
    fn is_default(&self) -> bool {
        (**self).is_default()
    }
}

impl<T: Read> Read for List<T> {
    fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
        let mut elements = Vec::new();
        r.list(&mut |r| {
            if elements.is_empty() {
                // Most lists have one element, and need no spare room.
                elements.reserve_exact(1);
            }
            T::read_onto(&mut elements, r)
        })?;
        r.grown += elements.len() * size_of::<T>();
        Ok(Self::from(elements))
    }
}

impl<T: Write> Write for List<T> {
    #[inline(never)]
    fn write(&self, w: &mut Writer) {
        w.list(self);
    }
    #[inline]
    fn is_default(&self) -> bool {
        self.is_empty()
    }
}

impl<V: Read> Read for Map<V> {
    fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
        let mut entries = Vec::new();
        r.members(&mut |r, name| {
            let name = r.intern(name);
            entries.push((name, V::read(r)?));
            Ok(())
        })?;
        r.grown += entries.len() * size_of::<(IStr, V)>();
        Ok(entries.into_iter().collect())
    }
}

impl<V: Write> Write for Map<V> {
    #[inline(never)]
    fn write(&self, w: &mut Writer) {
        w.map(self);
    }
    #[inline]
    fn is_default(&self) -> bool {
        self.is_empty()
    }
}

impl<T: Read + Send + Sync + 'static> Read for Shared<T> {
    fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
        r.shared()
    }
}

impl<T: Write + Blank> Write for Shared<T> {
    #[inline]
    fn write(&self, w: &mut Writer) {
        (**self).write(w);
    }
    fn is_default(&self) -> bool {
        (**self).is_default()
    }
}
