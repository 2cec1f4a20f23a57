//! Members that come twice, with the lines that they are in.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use serde_saphyr::Spanned;

use super::{Key, Values};
use crate::error::quote;

/// A member that was there before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The line of its value, counted from 1.
    pub line: u64,
    /// Its name.
    pub name: String,
}

/// As upstream's decoder tells it.
impl fmt::Display for Repeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: key {} already set in map", self.line, quote(&self.name))
    }
}

/// A value, and what in it comes twice: what is further in first.
pub(super) struct Traced {
    pub(super) value: Value,
    pub(super) repeats: Vec<Repeat>,
}

impl Traced {
    const fn plain(value: Value) -> Self {
        Self { value, repeats: Vec::new() }
    }
}

impl<'de> Deserialize<'de> for Traced {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_any(Tracing)
    }
}

struct Tracing;

impl<'de> Visitor<'de> for Tracing {
    type Value = Traced;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Values.expecting(f)
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Traced, E> {
        Values.visit_unit().map(Traced::plain)
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<Traced, E> {
        Values.visit_bool(value).map(Traced::plain)
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Traced, E> {
        Values.visit_i64(value).map(Traced::plain)
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Traced, E> {
        Values.visit_u64(value).map(Traced::plain)
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Traced, E> {
        Values.visit_f64(value).map(Traced::plain)
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Traced, E> {
        Values.visit_str(value).map(Traced::plain)
    }

    fn visit_string<E: serde::de::Error>(self, value: String) -> Result<Traced, E> {
        Values.visit_string(value).map(Traced::plain)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Traced, A::Error> {
        let (mut list, mut repeats) = (Vec::new(), Vec::new());
        while let Some(item) = items.next_element::<Traced>()? {
            list.push(item.value);
            repeats.extend(item.repeats);
        }
        Ok(Traced { value: list.into(), repeats })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Traced, A::Error> {
        let (mut object, mut repeats) = (Map::new(), Vec::new());
        while let Some(Key(name)) = members.next_key()? {
            let member: Spanned<Traced> = members.next_value()?;
            let line = member.referenced.line();
            repeats.extend(member.value.repeats);
            if object.insert(name.clone(), member.value.value).is_some() {
                repeats.push(Repeat { line, name });
            }
        }
        Ok(Traced { value: object.into(), repeats })
    }
}
