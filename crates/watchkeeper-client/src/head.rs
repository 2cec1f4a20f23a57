//! What can be told of an object, a list or a Status, whatever else it is.
//!
//! Nothing is read here that is not told, however deep it is nested and whatever is wrong with it: an object
//! that cannot be read has a name all the same.

use std::borrow::Cow;

use watchkeeper_api::json::{ReadError, Reader};
use watchkeeper_api::meta::v1::Status;
use watchkeeper_api::pb::{self, Envelope};

use crate::codec::is_protobuf;

#[cfg(test)]
mod tests;

/// What an object, a list or a Status says of itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) api_version: String,
    pub(crate) kind: String,
    pub(crate) namespace: String,
    pub(crate) name: String,
    uid: String,
    pub(crate) resource_version: String,
    pub(crate) continue_: String,
    pub(crate) remaining: Option<i64>,
    pub(crate) initial_events_end: bool,
    /// Whether there is a member that only lists have, and what is in it.
    pub(crate) items: Items,
    gone: bool,
}

/// The items of a list that was cut into items before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Items {
    /// There is no such member.
    #[default]
    None,
    /// A list, or `null`, which is how Go writes an empty one.
    List,
    /// Something else.
    Other,
}

impl Head {
    /// Of the answer to a delete: whether the object is gone, rather than marked.
    pub(crate) const fn is_gone(&self) -> bool {
        self.gone
    }

    /// Uid and version of the object of that name, if this tells them: a scale does, a binding does not.
    pub(crate) fn version_of(&self, name: &str) -> Option<(&str, &str)> {
        let told = self.name == name && !self.uid.is_empty() && !self.resource_version.is_empty();
        told.then_some((&self.uid, &self.resource_version))
    }

    /// Of the answer to a delete: the uid of what is gone.
    pub(crate) fn uid(&self) -> &str {
        &self.uid
    }
}

/// What holds an object back, or ends the initial events.
#[derive(Default)]
struct Signs {
    deleting: bool,
    held: bool,
}

impl Signs {
    /// Some kinds answer a delete with the last state of what is gone: nothing holds it back.
    const fn is_gone(&self) -> bool {
        !self.deleting || !self.held
    }
}

const INITIAL_EVENTS_END: &str = "k8s.io/initial-events-end";

/// Looks at the metadata only. The error does not tell the text.
pub(crate) fn head_of(bytes: &[u8]) -> Result<Head, ReadError> {
    if is_protobuf(bytes) {
        return head_in(bytes);
    }
    // As Go does: what is no UTF-8 need not be in the metadata. Names have nothing that would be replaced.
    let text = String::from_utf8_lossy(bytes);
    // What stands for bytes that are no text is longer than they are.
    let no_json = |error: ReadError| ReadError::new("not JSON", error.offset().min(bytes.len()));
    let head = head_of_text(&text).map_err(no_json)?;
    if matches!(text, Cow::Owned(_)) && format!("{}{}", head.namespace, head.name).contains(LOST) {
        return Err(ReadError::new("the name is not UTF-8", 0).in_member("metadata"));
    }
    Ok(head)
}

const LOST: char = char::REPLACEMENT_CHARACTER;

fn head_of_text(text: &str) -> Result<Head, ReadError> {
    let (mut head, mut signs, mut details) = (Head::default(), Signs::default(), String::new());
    let mut reader = Reader::new(text)?;
    reader.members(&mut |reader, name| {
        let raw = reader.raw_deep()?;
        match name {
            "apiVersion" => head.api_version = text_of(raw),
            "kind" => head.kind = text_of(raw),
            "metadata" => metadata(raw, &mut head, &mut signs)?,
            "details" => each(raw, &mut |name, raw| {
                if name == "uid" {
                    details = text_of(raw);
                }
            })?,
            "items" => head.items = items(raw),
            _ => {}
        }
        Ok(())
    })?;
    reader.end()?;
    let is_status = head.kind == "Status" && head.api_version == "v1";
    if is_status {
        head.uid = details;
    }
    head.gone = is_status || signs.is_gone();
    Ok(head)
}

fn metadata(raw: &str, head: &mut Head, signs: &mut Signs) -> Result<(), ReadError> {
    let mut annotations = "";
    each(raw, &mut |name, raw| match name {
        "namespace" => head.namespace = text_of(raw),
        "name" => head.name = text_of(raw),
        "uid" => head.uid = text_of(raw),
        "resourceVersion" => head.resource_version = text_of(raw),
        "continue" => head.continue_ = text_of(raw),
        "remainingItemCount" => head.remaining = raw.parse().ok(),
        "annotations" => annotations = raw,
        "deletionTimestamp" => signs.deleting = raw != "null",
        "deletionGracePeriodSeconds" => {
            signs.held |= raw.parse::<i64>().is_ok_and(|seconds| seconds > 0);
        }
        "finalizers" => signs.held |= raw.starts_with('[') && !is_empty_list(raw),
        _ => {}
    })?;
    each(annotations, &mut |name, raw| {
        head.initial_events_end |= name == INITIAL_EVENTS_END && text_of(raw) == "true";
    })
}

/// The members of an object; what is none has none.
fn each<'a>(raw: &'a str, member: &mut dyn FnMut(&str, &'a str)) -> Result<(), ReadError> {
    if !raw.starts_with('{') {
        return Ok(());
    }
    Reader::new(raw)?.members(&mut |reader, name| {
        member(name, reader.raw_deep()?);
        Ok(())
    })
}

/// A text; empty if it is none.
fn text_of(raw: &str) -> String {
    let read = || Reader::new(raw)?.text().map(Cow::into_owned);
    if raw.starts_with('"') { read().unwrap_or_default() } else { String::new() }
}

fn items(raw: &str) -> Items {
    if raw == "null" || is_empty_list(raw) { Items::List } else { Items::Other }
}

fn is_empty_list(raw: &str) -> bool {
    let inside = raw.strip_prefix('[').and_then(|raw| raw.strip_suffix(']'));
    inside.is_some_and(|inside| inside.trim_ascii().is_empty())
}

fn head_in(body: &[u8]) -> Result<Head, ReadError> {
    let envelope = Envelope::open(body)?;
    let mut head = if envelope.is("v1", "Status") {
        let status: Status = pb::from_body(body)?;
        let uid = status.details.map(|details| details.uid).unwrap_or_default();
        Head { uid: uid.to_string(), gone: true, ..Head::default() }
    } else {
        head_of_message(envelope.message())?
    };
    envelope.kind.clone_into(&mut head.kind);
    envelope.api_version.clone_into(&mut head.api_version);
    Ok(head)
}

/// Of every object, the metadata is the first member of its message. What follows may be anything.
pub(crate) fn head_of_message(message: &[u8]) -> Result<Head, ReadError> {
    let (mut head, mut signs) = (Head::default(), Signs::default());
    let mut r = pb::Reader::new(message);
    while !r.is_done() {
        let tag = r.tag()?;
        if tag.number == METADATA {
            metadata_of_message(r.bytes(tag)?, &mut head, &mut signs)?;
            break;
        }
        r.skip(tag)?;
    }
    head.gone = signs.is_gone();
    Ok(head)
}

/// Where every object has its metadata.
const METADATA: u32 = 1;

/// `ObjectMeta`, by its numbers.
fn metadata_of_message(bytes: &[u8], head: &mut Head, signs: &mut Signs) -> Result<(), ReadError> {
    let mut r = pb::Reader::new(bytes);
    while !r.is_done() {
        let tag = r.tag()?;
        match tag.number {
            1 => r.text(tag)?.clone_into(&mut head.name),
            3 => r.text(tag)?.clone_into(&mut head.namespace),
            5 => r.text(tag)?.clone_into(&mut head.uid),
            6 => r.text(tag)?.clone_into(&mut head.resource_version),
            9 => {
                signs.deleting = true;
                r.skip(tag)?;
            }
            10 => signs.held |= r.integer(tag)?.cast_signed() > 0,
            12 => head.initial_events_end |= ends_initial_events(r.bytes(tag)?),
            14 => {
                signs.held = true;
                r.skip(tag)?;
            }
            _ => r.skip(tag)?,
        }
    }
    Ok(())
}

/// Whether an entry of the annotations says so.
fn ends_initial_events(entry: &[u8]) -> bool {
    let (mut key, mut value) = ("", "");
    let mut r = pb::Reader::new(entry);
    let mut read = || {
        while !r.is_done() {
            let tag = r.tag()?;
            match tag.number {
                1 => key = r.text(tag)?,
                2 => value = r.text(tag)?,
                _ => r.skip(tag)?,
            }
        }
        Ok::<_, ReadError>(())
    };
    read().is_ok() && key == INITIAL_EVENTS_END && value == "true"
}
