//! From the wire to values: JSON text, or protobuf.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use serde_json::Value;
use watchkeeper_api::json::{Decoder, ReadError, Reader};
use watchkeeper_api::meta::v1::{ObjectMeta, Status};
use watchkeeper_api::pb::{self, Envelope};
use watchkeeper_api::{Kind, Object, Unstructured};

use crate::codec::is_protobuf;
use crate::metadata::PartialObject;

#[cfg(test)]
mod tests;

/// Decodes the objects of one kind.
#[derive(Debug)]
pub(crate) struct Decode<K> {
    decoder: Decoder,
    messages: pb::Decoder,
    kind: Arc<Kind>,
    _object: PhantomData<fn() -> K>,
}

impl<K: Object> Decode<K> {
    /// For a stream of objects: what repeats between them is kept once.
    pub(crate) fn many(kind: Arc<Kind>) -> Self {
        Self { decoder: Decoder::new(), messages: pb::Decoder::new(), kind, _object: PhantomData }
    }

    /// Whether `metadata.managedFields` are kept.
    pub(crate) fn keep_managed_fields(self, keep: bool) -> Self {
        let decoder = self.decoder.keep_managed_fields(keep);
        let messages = self.messages.keep_managed_fields(keep);
        Self { decoder, messages, ..self }
    }

    /// For one object.
    pub(crate) fn one(kind: Arc<Kind>) -> Self {
        Self {
            decoder: Decoder::default(),
            messages: pb::Decoder::default(),
            kind,
            _object: PhantomData,
        }
    }

    /// An answer: a text, or a message in its envelope.
    pub(crate) fn body(&mut self, body: &[u8]) -> Result<K, ReadError> {
        if is_protobuf(body) { self.enveloped(&Envelope::open(body)?) } else { self.object(body) }
    }

    /// A message in its envelope, which says what it is.
    pub(crate) fn enveloped(&mut self, envelope: &Envelope<'_>) -> Result<K, ReadError> {
        let Kind { kind, .. } = &*self.kind;
        if !K::METADATA_ONLY && !envelope.is(&self.kind.api_version(), kind) {
            let (found, of) = (cut(envelope.kind), cut(envelope.api_version));
            return Err(ReadError::new(format!("expected {kind}, found {found:?} of {of:?}"), 0));
        }
        self.messages.object_in(envelope).map(|object| self.named(object))
    }

    /// A message without envelope: an item of a list.
    pub(crate) fn message(&mut self, message: &[u8]) -> Result<K, ReadError> {
        self.messages.object(message).map(|object| self.named(object))
    }

    /// An object's text. It need not say what it is: servers leave that out of lists of built-in kinds.
    pub(crate) fn object(&mut self, text: &[u8]) -> Result<K, ReadError> {
        self.decoder.decode(text).map(|object| self.named(object))
    }

    fn named(&self, mut object: K) -> K {
        let any = &mut object as &mut dyn Any;
        if let Some(dynamic) = any.downcast_mut::<Unstructured>() {
            dynamic.set_kind(&self.kind);
        } else if let Some(partial) = any.downcast_mut::<PartialObject>() {
            partial.set_kind(&self.kind);
        }
        object
    }
}

fn cut(text: &str) -> String {
    text.chars().take(60).collect()
}

/// One line of a watch.
#[derive(PartialEq, Eq)]
pub(crate) struct Event<'a> {
    pub(crate) type_: &'a str,
    pub(crate) object: &'a [u8],
}

/// Never tells the object, which may be a secret.
impl fmt::Debug for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Event({:?}, {} bytes)", self.type_, self.object.len())
    }
}

/// Takes an event apart without reading its object.
pub(crate) fn event_of(line: &[u8]) -> Result<Event<'_>, ReadError> {
    let line = line.trim_ascii();
    if let Some(event) = usual_event(line) {
        return Ok(event);
    }
    let text = std::str::from_utf8(line)
        .map_err(|error| ReadError::new("the event is not UTF-8", error.valid_up_to()))?;
    let (mut type_, mut object) = ("", "");
    let mut reader = Reader::new(text)?;
    reader.members(&mut |reader, name| {
        match name {
            "type" => type_ = reader.raw()?.trim_matches('"'),
            "object" => object = reader.raw()?,
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    reader.end()?;
    Ok(Event { type_, object: object.as_bytes() })
}

/// The layout that servers write. What is wrong with the rest, also that it is no text, shows when the
/// object is read.
fn usual_event(line: &[u8]) -> Option<Event<'_>> {
    let rest = line.strip_prefix(br#"{"type":""#)?;
    let (type_, rest) = rest.split_at(rest.iter().position(|byte| *byte == b'"')?);
    let object = rest.strip_prefix(br#"","object":"#)?.strip_suffix(b"}")?;
    Some(Event { type_: std::str::from_utf8(type_).ok()?, object })
}

/// What can be told of an object, a list or a Status, whatever else it is.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) kind: String,
    pub(crate) namespace: String,
    pub(crate) name: String,
    uid: String,
    pub(crate) resource_version: String,
    pub(crate) continue_: String,
    pub(crate) remaining: Option<i64>,
    pub(crate) initial_events_end: bool,
    gone: bool,
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

/// Looks at the metadata only. The error does not tell the text.
pub(crate) fn head_of(text: &[u8]) -> Result<Head, String> {
    if is_protobuf(text) {
        return head_in(text).map_err(|error| error.to_string());
    }
    let value: Value = serde_json::from_slice(text)
        .map_err(|error| format!("not JSON (line {}, column {})", error.line(), error.column()))?;
    let metadata = &value["metadata"];
    let member = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let is_status = value["kind"] == "Status" && value["apiVersion"] == "v1";
    let identified = if is_status { &value["details"] } else { metadata };
    Ok(Head {
        kind: member(&value, "kind"),
        namespace: member(metadata, "namespace"),
        name: member(metadata, "name"),
        uid: member(identified, "uid"),
        resource_version: member(metadata, "resourceVersion"),
        continue_: member(metadata, "continue"),
        remaining: metadata["remainingItemCount"].as_i64(),
        initial_events_end: metadata["annotations"]["k8s.io/initial-events-end"] == "true",
        gone: is_status || is_gone(metadata),
    })
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
    Ok(head)
}

/// Of every object, the metadata is the first member of its message.
pub(crate) fn head_of_message(message: &[u8]) -> Result<Head, ReadError> {
    let object: PartialObject = pb::Decoder::default().object(message)?;
    let ObjectMeta { namespace, name, uid, resource_version, .. } = &object.metadata;
    let held = object.finalizers().next().is_some()
        || object.metadata.deletion_grace_period_seconds.is_some_and(|seconds| seconds > 0);
    let ends = object.annotation("k8s.io/initial-events-end") == Some("true");
    Ok(Head {
        namespace: namespace.to_string(),
        name: name.to_string(),
        uid: uid.to_string(),
        resource_version: resource_version.to_string(),
        initial_events_end: ends,
        gone: object.deletion_timestamp().is_none() || !held,
        ..Head::default()
    })
}

/// Some kinds answer a delete with the last state of what is gone: nothing holds it back.
fn is_gone(metadata: &Value) -> bool {
    let held = metadata["finalizers"].as_array().is_some_and(|finalizers| !finalizers.is_empty())
        || metadata["deletionGracePeriodSeconds"].as_i64().is_some_and(|seconds| seconds > 0);
    metadata["deletionTimestamp"].is_null() || !held
}
