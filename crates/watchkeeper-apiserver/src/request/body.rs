//! Bodies: JSON or YAML into a value, with the fields that appear twice.

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::error::{ApiError, Result};

/// The largest body that is read (apiserver's `MaxRequestBodyBytes`).
pub const LIMIT: usize = 3 * 1024 * 1024;

/// The media types that bodies may have, as the 415 answer lists them.
pub const READ: &str = "application/json, application/yaml";

/// A decoded body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decoded {
    /// The value; of a repeated member the last one.
    pub value: Value,
    /// The paths of members that appear twice, e.g. `spec.replicas`.
    pub duplicates: Vec<String>,
}

/// Reads a body of that media type. An empty media type means JSON.
///
/// # Errors
///
/// 415 for other media types, 400 for text that does not parse; `kind` is the kind that the
/// message says was expected.
pub fn decode(content_type: &str, body: &[u8], kind: &str) -> Result<Decoded> {
    match content_type {
        "" | "application/json" => json(body, kind),
        "application/yaml" => yaml(body, kind),
        _ => Err(ApiError::unsupported_media_type(READ)),
    }
}

/// Reads JSON.
///
/// # Errors
///
/// 400 for text that is not JSON or nested too deep.
pub fn json(body: &[u8], kind: &str) -> Result<Decoded> {
    text(body).map_err(|why| unreadable(body, kind, &format!("json parse error: {why}")))
}

/// Reads JSON.
///
/// # Errors
///
/// What Go's decoder says of text that is not JSON.
pub fn text(body: &[u8]) -> std::result::Result<Decoded, String> {
    let mut duplicates = Vec::new();
    let mut reader = serde_json::Deserializer::from_slice(body);
    let seed = Seed { path: String::new(), duplicates: &mut duplicates };
    let value = seed.deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    match value {
        Ok(value) => Ok(Decoded { value, duplicates }),
        Err(error) => Err(super::syntax::error(body).unwrap_or_else(|| error.to_string())),
    }
}

/// Reads YAML.
///
/// # Errors
///
/// 400 for text that is not YAML.
pub fn yaml(body: &[u8], kind: &str) -> Result<Decoded> {
    let text = std::str::from_utf8(body)
        .map_err(|error| unreadable(body, kind, &format!("yaml: {error}")))?;
    // `y` and `no` are names more often than truths.
    let options = serde_saphyr::options! { strict_booleans: true };
    let value = serde_saphyr::from_str_with_options::<Value>(text, options)
        .map_err(|error| unreadable(body, kind, &format!("yaml: {error}")))?;
    Ok(Decoded { value, duplicates: Vec::new() })
}

fn unreadable(body: &[u8], kind: &str, why: &str) -> ApiError {
    ApiError::bad_request(format!(
        "the object provided is unrecognized (must be of type {kind}): couldn't get version/kind; \
         {why} ({})",
        summary(body)
    ))
}

/// The first bytes of a body for a message: as text when it starts like JSON, else as hex.
pub(crate) fn summary(body: &[u8]) -> String {
    const LENGTH: usize = 30;
    let head = &body[..body.len().min(LENGTH)];
    let more = if body.len() > LENGTH { " ..." } else { "" };
    match body.first() {
        None => "<empty>".to_owned(),
        Some(b'{') => format!("{}{more}", String::from_utf8_lossy(head)),
        Some(_) => {
            let hex: String = head.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("{hex}{more}")
        }
    }
}

/// Builds a [`Value`] and notes repeated members on the way.
struct Seed<'a> {
    path: String,
    duplicates: &'a mut Vec<String>,
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> std::result::Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> std::result::Result<Value, E> {
        if value.is_finite() { Ok(value.into()) } else { Err(E::custom("number out of range")) }
    }

    fn visit_str<E>(self, value: &str) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> std::result::Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<Value, A::Error> {
        let mut items = Vec::new();
        loop {
            let path = format!("{}[{}]", self.path, items.len());
            match seq.next_element_seed(Seed { path, duplicates: self.duplicates })? {
                Some(item) => items.push(item),
                None => return Ok(items.into()),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            let path =
                if self.path.is_empty() { name.clone() } else { format!("{}.{name}", self.path) };
            let seed = Seed { path: path.clone(), duplicates: self.duplicates };
            let value = map.next_value_seed(seed)?;
            if object.insert(name, value).is_some() {
                self.duplicates.push(path);
            }
        }
        Ok(object.into())
    }
}
