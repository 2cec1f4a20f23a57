//! Bodies: JSON, YAML or protobuf into a value, with the fields that appear twice.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use watchkeeper_schema::error::whole_numbers;
use watchkeeper_schema::yaml::{self, Limits};

use crate::deep::{self, Extent};
use crate::error::{ApiError, Result};
use crate::protobuf::{self, Unread};
use crate::resource::split_api_version;

#[cfg(test)]
mod tests;

/// The largest body that is read (apiserver's `MaxRequestBodyBytes`).
pub const LIMIT: usize = 3 * 1024 * 1024;

/// The media types that bodies may have, as the 415 answer lists them.
pub const READ: &str = "application/json, application/yaml, application/vnd.kubernetes.protobuf";

/// A decoded body.
#[derive(Clone, Default, PartialEq)]
pub struct Decoded {
    /// The value; of a repeated member the last one.
    pub value: Value,
    /// The members that appear twice.
    pub duplicates: Duplicates,
}

/// The members that appear twice in a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Duplicates {
    /// Those of JSON by their paths, e.g. `spec.replicas`.
    pub paths: Vec<String>,
    /// Those of YAML as upstream's decoder tells of them, which knows them by their lines.
    pub lines: Vec<String>,
}

impl Duplicates {
    fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.lines.is_empty()
    }

    /// What upstream's decoder says of YAML, all of it.
    #[must_use]
    pub fn yaml_error(&self) -> Option<String> {
        let lines = self.lines.join("\n  ");
        (!lines.is_empty()).then(|| format!("yaml: unmarshal errors:\n  {lines}"))
    }
}

/// Without the value, which may be a secret.
impl fmt::Debug for Decoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let duplicates = &self.duplicates;
        f.debug_struct("Decoded").field("duplicates", duplicates).finish_non_exhaustive()
    }
}

/// Reads a body of that media type. An empty media type means JSON.
///
/// # Errors
///
/// 415 for other media types, 400 for what does not parse; `version` and `kind` are those that the
/// message says were expected, and that a message without names is taken for.
pub fn decode(content_type: &str, body: &[u8], version: &str, kind: &str) -> Result<Decoded> {
    match content_type {
        "" | "application/json" => json(body, kind),
        "application/yaml" => yaml(body, kind),
        protobuf::MEDIA_TYPE => message(body, version, kind),
        _ => Err(ApiError::unsupported_media_type(READ)),
    }
}

/// Reads protobuf. It has no names that could be there twice.
fn message(body: &[u8], version: &str, kind: &str) -> Result<Decoded> {
    let value = protobuf::value(body, (version, kind)).map_err(|unread| match unread {
        Unread::Envelope(why) => ApiError::bad_request(format!(
            "the object provided is unrecognized (must be of type {kind}): {why} ({})",
            summary(body)
        )),
        Unread::Message { api_version, kind: found, why } => {
            let (_, version) = split_api_version(&api_version);
            let version = crate::error::quoted(version);
            ApiError::bad_request(format!(
                "{found} in version {version} cannot be handled as a {kind}: {why}"
            ))
        }
    })?;
    Ok(Decoded { value, ..Decoded::default() })
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
    if deep::nesting(body) > deep::DEEPEST
        && let Some(error) = super::syntax::error(body)
    {
        return Err(error);
    }
    let mut notes = Notes::default();
    let mut reader = serde_json::Deserializer::from_slice(body);
    reader.disable_recursion_limit();
    let value = Seed(&mut notes).deserialize(&mut reader);
    match value.and_then(|value| reader.end().map(|()| value)) {
        Ok(value) if is_too_wide(body, &value) => Err(deep::TOO_WIDE.to_owned()),
        Ok(value) => {
            let duplicates = Duplicates { paths: notes.duplicates, lines: Vec::new() };
            Ok(Decoded { value, duplicates })
        }
        Err(error) => Err(super::syntax::error(body).unwrap_or_else(|| error.to_string())),
    }
}

/// Reads YAML.
///
/// # Errors
///
/// 400 for text that is not YAML.
pub fn yaml(body: &[u8], kind: &str) -> Result<Decoded> {
    // JSON is YAML, and that is what most clients send.
    if deep::starts_as_json(body)
        && let Ok(mut decoded) = text(body)
        && decoded.duplicates.is_empty()
    {
        whole_numbers(&mut decoded.value);
        return Ok(decoded);
    }
    let text = std::str::from_utf8(body)
        .map_err(|error| unreadable(body, kind, &format!("yaml: {error}")))?;
    let text = first_document(text);
    let unread = |why: &str| unreadable(body, kind, &format!("yaml: {why}"));
    let limits = Limits::default();
    let read = yaml::documents(text, &limits).map(|documents| (documents, Vec::new()));
    let read = read.or_else(|error| {
        yaml::documents_with_repeats(text, &limits).map_err(|_| unread(&error.to_string()))
    });
    let (documents, repeats) = read?;
    let value = documents.into_iter().next().unwrap_or_default();
    // Aliases make more of a text than it is long.
    if Extent::of(&value).is_too_wide() {
        return Err(unread(deep::TOO_WIDE));
    }
    let lines = repeats.iter().map(ToString::to_string).collect();
    Ok(Decoded { value, duplicates: Duplicates { paths: Vec::new(), lines } })
}

/// A text as far as upstream's decoder reads it: up to the end of the first document with something in it.
fn first_document(text: &str) -> &str {
    let (mut at, mut has_begun) = (0, false);
    for line in text.split_inclusive('\n') {
        let mark = line.strip_prefix("---").or_else(|| line.strip_prefix("..."));
        let mark = mark.filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']));
        if mark.is_some() && has_begun {
            return text.get(..at).unwrap_or(text);
        }
        // Behind a mark there may be something, before it directives.
        let said = mark.unwrap_or(line).trim();
        has_begun |= !said.is_empty() && !said.starts_with('#') && !line.starts_with('%');
        at += line.len();
    }
    text
}

/// Whether a body of that text is too wide where it is deep; a short one has no room for that.
fn is_too_wide(text: &[u8], value: &Value) -> bool {
    text.len().saturating_mul(text.len()) > deep::LONGEST_PATHS && Extent::of(value).is_too_wide()
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

/// The most duplicates that are told (sigs.k8s.io/json stops there, too).
const MOST_DUPLICATES: usize = 100;

/// The way to the value that is being read, and the members that appeared twice.
#[derive(Default)]
struct Notes {
    path: Vec<Step>,
    duplicates: Vec<String>,
}

enum Step {
    Member(String),
    Item(usize),
}

impl Notes {
    /// Notes that the member at the path was there before.
    fn duplicate(&mut self) {
        if self.duplicates.len() == MOST_DUPLICATES {
            return;
        }
        let mut text = String::new();
        for step in &self.path {
            match step {
                Step::Member(name) if text.is_empty() => text.push_str(name),
                Step::Member(name) => text.extend([".", name]),
                Step::Item(index) => text.push_str(&format!("[{index}]")),
            }
        }
        self.duplicates.push(text);
    }
}

/// Builds a [`Value`] and notes repeated members on the way.
struct Seed<'a>(&'a mut Notes);

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> std::result::Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
            self.0.path.push(Step::Item(items.len()));
            let item = seq.next_element_seed(Seed(self.0))?;
            self.0.path.pop();
            match item {
                Some(item) => items.push(item),
                None => return Ok(items.into()),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            self.0.path.push(Step::Member(name));
            let value = map.next_value_seed(Seed(self.0))?;
            let Some(Step::Member(name)) = self.0.path.pop() else { continue };
            if object.contains_key(&name) {
                self.0.path.push(Step::Member(name.clone()));
                self.0.duplicate();
                self.0.path.pop();
            }
            object.insert(name, value);
        }
        Ok(object.into())
    }
}
