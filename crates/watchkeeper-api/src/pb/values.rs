//! Plain values as fields.

use super::{Field, ReadError, Reader, Rule, Tag, Wire, Writer};
use crate::{ByteString, IStr, IntOrString, MicroTime, Quantity, Time};

impl Field for IStr {
    #[inline(never)]
    fn merge(&mut self, r: &mut Reader<'_>, tag: Tag, rule: Rule) -> Result<(), ReadError> {
        *self = match rule {
            Rule::Unique => Self::unique(r.text(tag)?),
            _ => r.interned(tag)?,
        };
        Ok(())
    }

    #[inline(never)]
    fn put(&self, w: &mut Writer, number: u32, _: Rule) {
        w.bytes(number, self.as_bytes());
    }
}

macro_rules! integer {
    ($($type:ty, $signed:ty);*) => { $(
        impl Field for $type {
            const WIRE: Wire = Wire::Varint;

            // Protobuf cuts off what is too much for the type, as Go does.
            #[inline(never)]
            fn merge(&mut self, r: &mut Reader<'_>, tag: Tag, _: Rule) -> Result<(), ReadError> {
                *self = r.integer(tag)? as $type;
                Ok(())
            }

            #[inline(never)]
            fn put(&self, w: &mut Writer, number: u32, _: Rule) {
                w.integer(number, i64::from(*self) as u64);
            }
        }
    )* };
}
integer!(i32, i32; i64, i64);

impl Field for bool {
    const WIRE: Wire = Wire::Varint;

    #[inline(never)]
    fn merge(&mut self, r: &mut Reader<'_>, tag: Tag, _: Rule) -> Result<(), ReadError> {
        *self = r.integer(tag)? != 0;
        Ok(())
    }

    #[inline(never)]
    fn put(&self, w: &mut Writer, number: u32, _: Rule) {
        w.integer(number, u64::from(*self));
    }
}

impl Field for f64 {
    const WIRE: Wire = Wire::Fixed64;

    #[inline(never)]
    fn merge(&mut self, r: &mut Reader<'_>, tag: Tag, _: Rule) -> Result<(), ReadError> {
        *self = Self::from_bits(r.fixed64(tag)?);
        Ok(())
    }

    #[inline(never)]
    fn put(&self, w: &mut Writer, number: u32, _: Rule) {
        w.fixed64(number, self.to_bits());
    }
}

/// Go tells no bytes from empty ones; we write those that a list or a map holds, and no others.
impl Field for ByteString {
    #[inline(never)]
    fn merge(&mut self, r: &mut Reader<'_>, tag: Tag, _: Rule) -> Result<(), ReadError> {
        *self = Self::from(r.bytes(tag)?);
        Ok(())
    }

    #[inline(never)]
    fn put(&self, w: &mut Writer, number: u32, rule: Rule) {
        if rule == Rule::Element || !self.is_empty() {
            w.bytes(number, self);
        }
    }
}

/// Upstream's `Quantity { optional string string = 1 }`. An absent one is zero, as in Go.
impl Field for Quantity {
    #[inline(never)]
    fn merge(&mut self, r: &mut Reader<'_>, tag: Tag, _: Rule) -> Result<(), ReadError> {
        r.members(tag, &mut |r, tag| {
            if tag.number == 1 {
                *self = Self::from(r.interned(tag)?);
                return Ok(());
            }
            r.skip(tag)
        })
    }

    #[inline(never)]
    fn put(&self, w: &mut Writer, number: u32, _: Rule) {
        let mark = w.len();
        let text = self.as_str();
        w.bytes(1, if text.is_empty() { b"0" } else { text.as_bytes() });
        w.close(number, mark);
    }
}

/// Upstream's `IntOrString { optional int64 type = 1; optional int32 intVal = 2; optional string
/// strVal = 3 }`, where type 1 is the text.
impl Field for IntOrString {
    #[inline(never)]
    fn merge(&mut self, r: &mut Reader<'_>, tag: Tag, _: Rule) -> Result<(), ReadError> {
        let (mut is_text, mut number, mut text) = (false, 0, IStr::EMPTY);
        r.members(tag, &mut |r, tag| {
            match tag.number {
                1 => is_text = r.integer(tag)? == 1,
                2 => number.merge(r, tag, Rule::Plain)?,
                3 => text = r.interned(tag)?,
                _ => r.skip(tag)?,
            }
            Ok(())
        })?;
        *self = if is_text { Self::String(text) } else { Self::Int(number) };
        Ok(())
    }

    #[inline(never)]
    fn put(&self, w: &mut Writer, number: u32, _: Rule) {
        let (type_, value, text) = match self {
            Self::Int(value) => (0, *value, ""),
            Self::String(text) => (1, 0, text.as_str()),
        };
        let mark = w.len();
        w.bytes(3, text.as_bytes());
        value.put(w, 2, Rule::Plain);
        w.integer(1, type_);
        w.close(number, mark);
    }
}

/// Upstream's `Timestamp { optional int64 seconds = 1; optional int32 nanos = 2 }`. A message
/// without members is the time that Go calls zero: none.
fn moment(r: &mut Reader<'_>, tag: Tag) -> Result<Option<(i64, i32)>, ReadError> {
    let (mut seconds, mut nanos) = (0, 0);
    let mut any = false;
    r.members(tag, &mut |r, tag| {
        any = true;
        match tag.number {
            1 => seconds.merge(r, tag, Rule::Plain),
            2 => nanos.merge(r, tag, Rule::Plain),
            _ => r.skip(tag),
        }
    })?;
    Ok(any.then_some((seconds, nanos)))
}

macro_rules! time {
    ($($type:ty, $from:expr, $to:expr);*) => { $(
        impl Field for $type {
            #[inline(never)]
            fn merge(&mut self, r: &mut Reader<'_>, tag: Tag, _: Rule) -> Result<(), ReadError> {
                *self = moment(r, tag)?.map_or_else(Self::default, $from);
                Ok(())
            }

            #[inline(never)]
            fn put(&self, w: &mut Writer, number: u32, _: Rule) {
                let (seconds, nanos) = $to(*self);
                let mark = w.len();
                nanos.put(w, 2, Rule::Plain);
                seconds.put(w, 1, Rule::Plain);
                w.close(number, mark);
            }
        }

        impl Field for Option<$type> {
            #[inline(never)]
            fn merge(&mut self, r: &mut Reader<'_>, tag: Tag, _: Rule) -> Result<(), ReadError> {
                *self = moment(r, tag)?.map($from);
                Ok(())
            }

            #[inline(never)]
            fn put(&self, w: &mut Writer, number: u32, rule: Rule) {
                match self {
                    Some(time) => time.put(w, number, rule),
                    None if rule == Rule::Value => w.bytes(number, &[]),
                    None => {}
                }
            }
        }
    )* };
}
time!(Time, whole, seconds_of; MicroTime, micros, parts_of);

/// As Go does, with the fraction left out.
fn whole((seconds, _): (i64, i32)) -> Time {
    Time::from_unix(seconds)
}

fn seconds_of(time: Time) -> (i64, i32) {
    (time.unix(), 0)
}

fn micros((seconds, nanos): (i64, i32)) -> MicroTime {
    let micros = seconds.saturating_mul(1_000_000);
    MicroTime::from_unix_micros(micros.saturating_add(i64::from(nanos / 1_000)))
}

fn parts_of(time: MicroTime) -> (i64, i32) {
    let micros = time.unix_micros();
    (micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000) as i32 * 1_000)
}
