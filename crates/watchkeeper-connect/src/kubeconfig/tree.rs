//! YAML as a tree that knows where everything stands.
//!
//! Types are read off the tree and not by the parser: the parser's code is made anew for each type that
//! it reads, and for those of a kubeconfig it would be larger than the rest of this crate.

use std::fmt;
use std::ops::Range;

use serde::de::value::{BorrowedStrDeserializer, StrDeserializer};
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use serde_json::Number;
use serde_saphyr::{Location, Spanned};

/// A value and its place.
pub(super) struct Node {
    value: Value,
    /// Where it is said.
    place: Location,
    /// Where its text is: elsewhere if it is an alias.
    defined: Location,
}

enum Value {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

/// What does not fit its type, and where; never what is said there, which may be a secret.
#[derive(Debug)]
pub(super) struct Misfit {
    what: String,
    place: Option<Location>,
}

impl Node {
    /// Reads a value of the tree of `text`.
    pub(super) fn read<'de, T: Deserialize<'de>>(&'de self, text: &'de str) -> Result<T, Misfit> {
        T::deserialize(Reader { node: self, text })
    }

    /// The member of this name, if it is a mapping that has one.
    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        let Value::Map(map) = &self.value else { return None };
        map.iter().find_map(|(key, value)| (key == name).then_some(value))
    }

    /// Its elements; none unless it is a sequence.
    pub(super) fn elements(&self) -> &[Self] {
        match &self.value {
            Value::List(list) => list,
            _ => &[],
        }
    }

    /// Where it is said, in bytes.
    pub(super) fn span(&self) -> Option<Range<usize>> {
        bytes(self.place)
    }

    fn misfit(&self, what: String) -> Misfit {
        Misfit { what, place: Some(self.place) }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Spanned { value, referenced, defined } = Spanned::deserialize(deserializer)?;
        Ok(Self { value, place: referenced, defined })
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

/// Takes any value.
struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }
    fn visit_i128<E: de::Error>(self, value: i128) -> Result<Value, E> {
        self.visit_f64(value as f64)
    }
    fn visit_u128<E: de::Error>(self, value: u128) -> Result<Value, E> {
        self.visit_f64(value as f64)
    }
    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        // JSON knows neither infinity nor what is no number.
        Ok(Value::Number(Number::from_f64(value).unwrap_or_else(|| 0.into())))
    }
    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }
    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::Text(value))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = elements.next_element()? {
            list.push(element);
        }
        Ok(Value::List(list))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            map.push(entry);
        }
        Ok(Value::Map(map))
    }
}

fn bytes(place: Location) -> Option<Range<usize>> {
    let span = place.span();
    let start = usize::try_from(span.byte_offset()?).ok()?;
    let length = usize::try_from(span.byte_len()?).ok()?;
    Some(start..start.checked_add(length)?)
}

/// Reads a node.
#[derive(Clone, Copy)]
struct Reader<'t> {
    node: &'t Node,
    text: &'t str,
}

impl<'t> Reader<'t> {
    /// A number or a word as it is spelled: where a text is wanted, `007` is one.
    fn spelled(self) -> Option<&'t str> {
        self.text.get(bytes(self.node.defined)?).map(str::trim)
    }
}

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        let text = self.text;
        let read = match &self.node.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(value) => match (value.as_u64(), value.as_i64()) {
                (Some(value), _) => visitor.visit_u64(value),
                (None, Some(value)) => visitor.visit_i64(value),
                (None, None) => visitor.visit_f64(value.as_f64().unwrap_or_default()),
            },
            Value::Text(value) => visitor.visit_borrowed_str(value),
            Value::List(list) => visitor.visit_seq(Elements { list: list.iter(), text }),
            Value::Map(map) => visitor.visit_map(Entries { map: map.iter(), value: None, text }),
        };
        read.map_err(|misfit: Misfit| misfit.at(self.node.place))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.node.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match (&self.node.value, self.spelled()) {
            (Value::Bool(_) | Value::Number(_), Some(spelled)) => visitor
                .visit_borrowed_str(spelled)
                .map_err(|misfit: Misfit| misfit.at(self.node.place)),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        let Value::Text(text) = &self.node.value else { return self.deserialize_any(visitor) };
        // What was a boolean in YAML before 1.2.
        match text.to_ascii_lowercase().as_str() {
            "y" | "yes" | "on" | "true" => visitor.visit_bool(true),
            "n" | "no" | "off" | "false" => visitor.visit_bool(false),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        let text = self.text;
        let found = match &self.node.value {
            Value::Map(_) => return self.deserialize_any(visitor),
            // Nothing is said of any member.
            Value::Null => {
                let nothing = Entries { map: [].iter(), value: None, text };
                let read: Result<_, Misfit> = visitor.visit_map(nothing);
                return read.map_err(|misfit| misfit.at(self.node.place));
            }
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::Text(_) => "a string",
            // Its elements would be taken for members.
            Value::List(_) => "a sequence",
        };
        Err(self.node.misfit(format!("expected a mapping, found {found}; correct it there")))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct seq
        tuple tuple_struct map enum identifier
    }
}

struct Elements<'t> {
    list: std::slice::Iter<'t, Node>,
    text: &'t str,
}

impl<'de> SeqAccess<'de> for Elements<'de> {
    type Error = Misfit;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Misfit> {
        let next = self.list.next();
        next.map(|node| seed.deserialize(Reader { node, text: self.text })).transpose()
    }
}

struct Entries<'t> {
    map: std::slice::Iter<'t, (String, Node)>,
    value: Option<&'t Node>,
    text: &'t str,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Misfit;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Misfit> {
        let Some((key, value)) = self.map.next() else { return Ok(None) };
        self.value = Some(value);
        seed.deserialize(BorrowedStrDeserializer::new(key)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Misfit> {
        match self.value.take() {
            Some(node) => seed.deserialize(Reader { node, text: self.text }),
            None => seed.deserialize(StrDeserializer::new("")),
        }
    }
}

impl Misfit {
    /// The same, at this place unless it is known to be within.
    fn at(mut self, place: Location) -> Self {
        self.place.get_or_insert(place);
        self
    }
}

impl de::Error for Misfit {
    fn custom<T: fmt::Display>(what: T) -> Self {
        Self { what: what.to_string(), place: None }
    }
    fn invalid_type(found: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        let found = match found {
            Unexpected::Unit | Unexpected::Option => "null",
            Unexpected::Bool(_) => "a boolean",
            Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) => "a number",
            Unexpected::Str(_) => "a string",
            Unexpected::Seq => "a sequence",
            Unexpected::Map => "a mapping",
            _ => "something else",
        };
        Self::custom(format_args!("expected {expected}, found {found}; correct it there"))
    }
    fn missing_field(field: &'static str) -> Self {
        Self::custom(format_args!("there is no {field}; add it"))
    }
    fn invalid_value(found: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::invalid_type(found, expected)
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.place {
            write!(f, "line {}, column {}: ", place.line(), place.column())?;
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for Misfit {}
