//! Watch frames: one JSON object and a line end each, or a message with its length in front.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::Watcher;
use crate::clock::Now;
use crate::present;
use crate::protobuf;
use crate::reply;
use crate::request::accept::{Codec, Form, Representation};
use crate::resource::Resource;
use crate::storage::{Stored, key};

/// The annotation of the bookmark that ends the initial events (`meta/v1`, KEP-3157).
pub const INITIAL_EVENTS_END: &str = "k8s.io/initial-events-end";

/// The type of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// New to this watcher.
    Added,
    /// Changed.
    Modified,
    /// Gone for this watcher.
    Deleted,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Added => "ADDED",
            Self::Modified => "MODIFIED",
            Self::Deleted => "DELETED",
        }
    }
}

/// The frames already made of one event.
#[derive(Debug)]
pub struct Frames {
    now: Now,
    made: Vec<Made>,
}

struct Made {
    kind: Kind,
    form: Form,
    resource: Arc<Resource>,
    bytes: Bytes,
}

/// Never the bytes, which may be those of a secret.
impl fmt::Debug for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Made({:?}, {} bytes)", self.kind, self.bytes.len())
    }
}

impl Frames {
    /// None yet; ages are counted up to `now`.
    #[must_use]
    pub const fn new(now: Now) -> Self {
        Self { now, made: Vec::new() }
    }

    /// The frame of `object` for a watcher, made once per type, form and version.
    pub fn of(&mut self, watcher: &mut Watcher, kind: Kind, object: &Stored) -> Bytes {
        let columns = !watcher.columns_sent;
        watcher.columns_sent = true;
        let is_table = matches!(watcher.form.representation, Representation::Table { .. });
        if is_table && columns {
            return frame(watcher, kind, object, self.now, true);
        }
        let made = self.made.iter().find(|made| {
            made.kind == kind
                && made.form == watcher.form
                && is_same_version(&made.resource, &watcher.resource)
        });
        if let Some(made) = made {
            return made.bytes.clone();
        }
        let bytes = frame(watcher, kind, object, self.now, false);
        self.made.push(Made {
            kind,
            form: watcher.form.clone(),
            resource: Arc::clone(&watcher.resource),
            bytes: bytes.clone(),
        });
        bytes
    }
}

fn is_same_version(one: &Arc<Resource>, other: &Arc<Resource>) -> bool {
    Arc::ptr_eq(one, other) || one.group == other.group && one.version == other.version
}

fn frame(watcher: &Watcher, kind: Kind, object: &Stored, now: Now, columns: bool) -> Bytes {
    let shown = present::watched(&watcher.resource, &watcher.form, object, now, columns);
    wrap(watcher.form.codec, kind.name(), &shown)
}

fn wrap(codec: Codec, kind: &str, object: &[u8]) -> Bytes {
    if codec == Codec::Protobuf {
        return protobuf::frame(kind, object);
    }
    let mut line = Vec::with_capacity(object.len() + 40);
    line.extend_from_slice(br#"{"type":""#);
    line.extend_from_slice(kind.as_bytes());
    line.extend_from_slice(br#"","object":"#);
    line.extend_from_slice(object);
    line.extend_from_slice(b"}\n");
    Bytes::from(line)
}

/// A bookmark at `revision`: an object with nothing but that, in the watcher's form.
#[must_use]
pub fn bookmark(watcher: &Watcher, revision: u64, now: Now, ends_initial: bool) -> Bytes {
    let mut metadata = Map::new();
    if ends_initial {
        metadata.insert("annotations".to_owned(), json!({ INITIAL_EVENTS_END: "true" }));
    }
    let value = json!({ "metadata": metadata });
    let object = Stored::told(key("", ""), revision, value);
    let columns = !watcher.columns_sent;
    let shown = present::watched(&watcher.resource, &watcher.form, &object, now, columns);
    wrap(watcher.form.codec, "BOOKMARK", &shown)
}

/// An error that ends the watch.
#[must_use]
pub fn error(codec: Codec, status: &Value) -> Bytes {
    wrap(codec, "ERROR", &reply::encoded(codec, status).1)
}

/// The state with the revision of the event that took it away.
#[must_use]
pub fn at_revision(object: &Stored, revision: u64) -> Stored {
    Stored::told(object.key.clone(), revision, Value::clone(&object.peek()))
}
