//! YAML as servers and kubectl read it (upstream: `sigs.k8s.io/yaml`): the words and numbers of YAML 1.1.
//! `yes`, `on` and `y` are true and `0644` is 420, also as keys.
//!
//! ```
//! use serde_json::json;
//! use watchkeeper_schema::yaml::{self, Limits};
//!
//! let documents = yaml::documents("mode: 0644\npaused: yes\n---\n8: 1e3\n", &Limits::default())?;
//! assert_eq!(documents, [json!({ "mode": 420, "paused": true }), json!({ "8": 1000 })]);
//! # Ok::<(), yaml::YamlError>(())
//! ```
//!
//! Other than upstream: members that come twice in the same words are errors (but for
//! [`documents_with_repeats`]), words are taken in any case (`yEs`, `nULL`), and numbers with two
//! underscores in a row, or with one and a point, are texts.

use std::fmt;

use serde::de::{
    Deserialize, DeserializeOwned, Deserializer, Error as _, MapAccess, SeqAccess, Visitor,
};
use serde_json::{Map, Number, Value};
use serde_saphyr::options::DuplicateKeyPolicy;

mod repeats;

#[cfg(test)]
mod tests;

pub use repeats::Repeat;

/// What a text may be made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Levels of lists and maps.
    pub depth: usize,
    /// Lists, maps and scalars.
    pub nodes: usize,
}

impl Default for Limits {
    /// Enough for manifests, within the stack of any thread.
    fn default() -> Self {
        Self { depth: 64, nodes: 250_000 }
    }
}

/// The documents of a text as JSON, but for those with nothing in them.
///
/// # Errors
/// What is wrong, and where; it quotes nothing of the text around the place.
pub fn documents(text: &str, limits: &Limits) -> Result<Vec<Value>, YamlError> {
    let documents: Vec<Json> = read(text, limits, DuplicateKeyPolicy::Error)?;
    Ok(documents.into_iter().map(|Json(value)| value).collect())
}

/// As [`documents`], of a text in which members may come twice: the last one counts, and each other is told.
///
/// # Errors
/// As those of [`documents`].
pub fn documents_with_repeats(
    text: &str,
    limits: &Limits,
) -> Result<(Vec<Value>, Vec<Repeat>), YamlError> {
    let documents: Vec<repeats::Traced> = read(text, limits, DuplicateKeyPolicy::LastWins)?;
    let mut repeats = Vec::new();
    let values = documents.into_iter().map(|traced| {
        repeats.extend(traced.repeats);
        traced.value
    });
    Ok((values.collect(), repeats))
}

fn read<T: DeserializeOwned>(
    text: &str,
    limits: &Limits,
    duplicate_keys: DuplicateKeyPolicy,
) -> Result<Vec<T>, YamlError> {
    // Aliases repeat what they name; with them a text may become eight times as long as it is.
    let most = text.len().saturating_mul(8).saturating_add(1_024);
    let budget = serde_saphyr::budget! {
        max_depth: limits.depth,
        max_documents: 100_000,
        max_events: most.saturating_mul(4),
        max_nodes: most.min(limits.nodes),
        max_total_scalar_bytes: most,
        max_recorded_anchor_events: most,
        max_recorded_anchor_bytes: most,
    };
    let aliases = serde_saphyr::alias_limits! { max_total_replayed_events: most };
    let options = serde_saphyr::options! {
        strict_booleans: false,
        legacy_octal_numbers: true,
        budget: budget,
        alias_limits: aliases,
        duplicate_keys: duplicate_keys,
    };
    serde_saphyr::from_multiple_with_options(text, options).map_err(|error| YamlError::new(&error))
}

/// A text that is not YAML, or no JSON could be made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlError {
    /// Line and column.
    place: Option<(usize, usize)>,
    what: String,
}

impl YamlError {
    /// Nothing of the text around the place.
    fn new(error: &serde_saphyr::Error) -> Self {
        let what = error.without_snippet().to_string();
        let what = what.lines().next().unwrap_or_default();
        let what = what.trim_start_matches("error:").trim_start();
        let Some(place) = error.location() else {
            return Self { place: None, what: what.to_owned() };
        };
        let (line, column) = (place.line(), place.column());
        let what = what.strip_suffix(&format!(" at line {line}, column {column}")).unwrap_or(what);
        let number = |of: u64| usize::try_from(of).unwrap_or(usize::MAX);
        Self { place: Some((number(line), number(column))), what: what.to_owned() }
    }

    /// The line, counted from 1; `None` where no place is to blame.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.place.map(|(line, _)| line)
    }

    /// What is wrong, without the place.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }
}

/// The place first.
impl fmt::Display for YamlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((line, column)) = self.place {
            write!(f, "line {line}, column {column}: ")?;
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for YamlError {}

struct Json(Value);

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_any(Values).map(Self)
    }
}

struct Values;

impl<'de> Visitor<'de> for Values {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        let whole = whole(value).map(Number::from);
        let number = whole.or_else(|| Number::from_f64(value));
        number.map(Value::Number).ok_or_else(|| E::custom("the number is none of JSON"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Json(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(Key(name)) = members.next_key()? {
            let Json(value) = members.next_value()?;
            object.insert(name, value);
        }
        Ok(object.into())
    }
}

/// The name of a member, which JSON has as text.
struct Key(String);

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        match reader.deserialize_any(Values)? {
            Value::String(text) => Ok(Self(text)),
            Value::Number(number) => Ok(Self(number.to_string())),
            Value::Bool(value) => Ok(Self(value.to_string())),
            _ => Err(D::Error::custom("the key is no text")),
        }
    }
}

/// A number without a fraction: Go writes such floats as integers.
fn whole(value: f64) -> Option<i64> {
    /// Up to here every integer is a float.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "it is whole, and small enough")]
    (value.fract() == 0.0 && value.abs() <= EXACT).then_some(value as i64)
}
