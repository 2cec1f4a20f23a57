//! From our codec to serde and back, by way of the text.

use serde::Serialize;
use serde::de::DeserializeOwned;
use watchkeeper_api::Kind;
use watchkeeper_api::json::{Read, ReadError, Reader, Writer};

/// Reads a whole object. Its managed fields are not decoded, unless the caller asked for them; it
/// may leave out what it is, but not say that it is something else.
///
/// # Errors
/// When the text is no such object: with the path of what is wrong, and the place at which the
/// object begins.
pub fn read_object<T: DeserializeOwned>(r: &mut Reader<'_>, kind: &Kind) -> Result<T, ReadError> {
    let api_version = kind.api_version();
    let mut start = None;
    let mut text = Writer::new();
    text.open();
    text.text_field("\"apiVersion\":", &api_version);
    text.text_field("\"kind\":", &kind.kind);
    r.members(&mut |r, name| {
        start.get_or_insert_with(|| r.offset());
        match name {
            "apiVersion" => r.expect_text(&api_version)?,
            "kind" => r.expect_text(&kind.kind)?,
            "metadata" => text.raw_field(name, &metadata(r)?),
            _ => text.raw_field(name, r.raw()?),
        }
        Ok(())
    })?;
    text.close();
    from_text(&text.finish(), start.unwrap_or_else(|| r.offset()))
}

/// The metadata without the fields that nobody asked for.
fn metadata(r: &mut Reader<'_>) -> Result<String, ReadError> {
    let mut text = Writer::new();
    text.open();
    r.members(&mut |r, name| {
        if name == "managedFields" {
            let mut kept = Text::default();
            r.managed_fields(&mut kept)?;
            if let Text(Some(fields)) = kept {
                text.raw_field(name, &fields);
            }
        } else {
            text.raw_field(name, r.raw()?);
        }
        Ok(())
    })?;
    text.close();
    Ok(text.finish())
}

/// A value as it is written.
#[derive(Default)]
struct Text(Option<String>);

impl Read for Text {
    fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
        Ok(Self(Some(r.raw()?.to_owned())))
    }
}

/// Reads a value by serde.
///
/// # Errors
/// When the text is no such value.
pub(crate) fn read<T: DeserializeOwned>(r: &mut Reader<'_>) -> Result<T, ReadError> {
    let text = r.raw()?;
    from_text(text, r.offset() - text.len())
}

/// Reads a text that begins at byte `start` of a larger one.
pub(crate) fn from_text<T: DeserializeOwned>(text: &str, start: usize) -> Result<T, ReadError> {
    serde_json::from_str(text).map_err(|error| {
        let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
        let line: usize = lines.map(str::len).sum();
        let new = || ReadError::new(told(&error), start);
        innermost(text, line + error.column(), &new).err().unwrap_or_else(new)
    })
}

/// What serde says, without the value that it quotes, which may be a secret. What types say in words of
/// their own is left out: nobody knows what they quote.
pub(crate) fn told(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let said = said.rsplit_once(" at line ").map_or(&*said, |(message, _)| message);
    if !error.is_data() || names_a_member(said) {
        return said.to_owned();
    }
    let is_quoting = QUOTING.iter().any(|beginning| said.starts_with(beginning));
    match said.rsplit_once(", expected ").filter(|_| is_quoting) {
        Some((_, expected)) => format!("expected {expected}"),
        None => "a value that its type refuses".to_owned(),
    }
}

/// How serde begins when it goes on with what it found (`serde::de::Error`).
const QUOTING: [&str; 5] = [
    "invalid type: ",
    "invalid value: ",
    "invalid length ",
    "unknown variant `",
    "unknown field `",
];

/// Whether it tells of a member of the type, and nothing of the text.
fn names_a_member(said: &str) -> bool {
    let beginning = ["missing field `", "duplicate field `"];
    let name =
        beginning.iter().find_map(|beginning| said.strip_prefix(beginning)?.strip_suffix('`'));
    name.is_some_and(|name| !name.contains(['`', ' ']))
}

/// Fails in the innermost value that serde had begun when it had taken so many bytes, or had come to, so
/// that the error knows its path.
fn innermost(text: &str, taken: usize, error: &dyn Fn() -> ReadError) -> Result<(), ReadError> {
    let before = text.len() - text.trim_start().len();
    let mut r = Reader::new(text)?;
    let mut child = |r: &mut Reader<'_>| {
        let child = r.raw()?;
        let begin = r.offset() - child.len();
        match taken {
            _ if taken == begin => Err(error()),
            _ if (begin..=r.offset()).contains(&taken) => innermost(child, taken - begin, error),
            _ => Ok(()),
        }
    };
    match text.as_bytes().get(before) {
        Some(b'{') => r.members(&mut |r, _| child(r))?,
        Some(b'[') => r.list(&mut child)?,
        _ => {}
    }
    Err(error())
}

/// Appends a value that serde writes.
///
/// serde may refuse: a map whose keys are no texts. What is appended then is no JSON, so that
/// whoever reads it refuses it: a server, or the helpers that send differences.
pub fn write(value: &impl Serialize, w: &mut Writer) {
    match serde_json::to_string(value) {
        Ok(text) => w.raw(&text),
        Err(error) => w.raw(&format!("({})", told(&error))),
    }
}
