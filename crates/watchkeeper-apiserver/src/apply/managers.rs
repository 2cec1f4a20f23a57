//! `metadata.managedFields` as a table: who owns which fields, since when.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::take;

use serde_json::{Map, Value};

use super::Writer;
use crate::fields::FieldSet;

/// The most entries of managers that update; more are merged into [`ANCIENT`].
const MOST_UPDATERS: usize = 10;
/// The manager that the oldest updates are merged into.
const ANCIENT: &str = "ancient-changes";

/// Whether the fields came by apply or by any other write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Operation {
    Apply,
    Update,
}

impl Operation {
    fn name(self) -> &'static str {
        match self {
            Self::Apply => "Apply",
            Self::Update => "Update",
        }
    }
}

/// What tells one manager from another. An applier keeps its fields across versions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ManagerId {
    pub(super) operation: Operation,
    pub(super) name: String,
    /// Empty for appliers.
    pub(super) api_version: String,
    pub(super) subresource: String,
}

impl ManagerId {
    pub(super) fn new(
        operation: Operation,
        name: &str,
        api_version: &str,
        subresource: &str,
    ) -> Self {
        let api_version = if operation == Operation::Apply { "" } else { api_version };
        Self {
            operation,
            name: if name.is_empty() { "unknown" } else { name }.to_owned(),
            api_version: api_version.to_owned(),
            subresource: subresource.to_owned(),
        }
    }
}

/// The fields of one manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Owned {
    pub(super) fields: FieldSet,
    pub(super) api_version: String,
    /// RFC 3339 in seconds; those of equal length compare as text.
    pub(super) time: Option<String>,
}

impl Owned {
    /// Owns these fields no more.
    pub(super) fn lose(&mut self, lost: &FieldSet) {
        self.fields = take(&mut self.fields).difference(lost);
    }
}

/// All managers of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Managers(pub(super) BTreeMap<ManagerId, Owned>);

impl Managers {
    /// Reads the entries of an object; entries that are malformed make it none at all, as upstream.
    pub(super) fn of(object: &Value) -> Self {
        let entries = object.pointer("/metadata/managedFields").and_then(Value::as_array);
        let read: Option<Self> =
            entries.into_iter().flatten().map(entry).collect::<Option<_>>().map(Self);
        read.unwrap_or_default()
    }

    /// Writes the entries into an object, or drops the field when there are none.
    pub(super) fn write(&self, object: &mut Value) {
        let entries = self.entries();
        let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) else {
            return;
        };
        if entries.is_empty() {
            metadata.remove("managedFields");
        } else {
            metadata.insert("managedFields".to_owned(), Value::Array(entries));
        }
    }

    fn entries(&self) -> Vec<Value> {
        let mut sorted: Vec<(&ManagerId, &Owned)> = self.0.iter().collect();
        sorted.sort_by(|(a, a_owned), (b, b_owned)| {
            let key = |id: &ManagerId, owned: &Owned| {
                (id.operation, owned.time.clone(), id.name.clone(), owned.api_version.clone())
            };
            let order = key(a, a_owned).cmp(&key(b, b_owned));
            order.then_with(|| a.subresource.cmp(&b.subresource))
        });
        sorted.into_iter().map(|(id, owned)| written(id, owned)).collect()
    }

    /// The versions in which fields are owned, but for this one.
    pub(super) fn other_versions(&self, own: &str) -> Vec<String> {
        let versions = self.0.values().map(|owned| &owned.api_version);
        let others: BTreeSet<&String> = versions.filter(|version| *version != own).collect();
        others.into_iter().cloned().collect()
    }

    /// Lets a manager own fields that it has written; nothing when there are none.
    pub(super) fn give(&mut self, id: ManagerId, fields: FieldSet, writer: Writer<'_>) {
        if fields.is_empty() {
            return;
        }
        let owned = self.0.entry(id).or_insert_with(|| Owned {
            fields: FieldSet::default(),
            api_version: writer.api_version.to_owned(),
            time: None,
        });
        owned.fields = take(&mut owned.fields).union(fields);
        owned.time = Some(writer.now.to_owned());
    }

    /// Drops managers without fields.
    pub(super) fn drop_empty(&mut self) {
        self.0.retain(|_, owned| !owned.fields.is_empty());
    }

    /// Merges the oldest updaters of each version until there are few enough.
    pub(super) fn cap(&mut self) {
        let mut updaters: Vec<ManagerId> =
            self.0.keys().filter(|id| id.operation == Operation::Update).cloned().collect();
        let mut count = updaters.len();
        updaters.sort_by_key(|id| (self.0[id].time.clone(), id.clone()));
        let mut first_of_version: BTreeMap<String, ManagerId> = BTreeMap::new();
        for id in updaters {
            if count <= MOST_UPDATERS {
                return;
            }
            let version = self.0[&id].api_version.clone();
            let Some(first) = first_of_version.get(&version).cloned() else {
                first_of_version.insert(version, id);
                continue;
            };
            let bucket = ManagerId::new(Operation::Update, ANCIENT, &version, "");
            if !self.0.contains_key(&bucket)
                && let Some(owned) = self.0.remove(&first)
            {
                self.0.insert(bucket.clone(), owned);
            }
            if id != bucket
                && let Some(owned) = self.0.remove(&id)
                && let Some(into) = self.0.get_mut(&bucket)
            {
                into.fields = take(&mut into.fields).union(owned.fields);
                into.time = owned.time;
                count -= 1;
            }
        }
    }
}

fn entry(entry: &Value) -> Option<(ManagerId, Owned)> {
    let text = |name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default();
    let operation = match text("operation") {
        "Apply" => Operation::Apply,
        "Update" => Operation::Update,
        _ => return None,
    };
    let fields = entry.get("fieldsV1").map(FieldSet::from_fields_v1).transpose().ok()?;
    let api_version = text("apiVersion").to_owned();
    let id = ManagerId::new(operation, text("manager"), &api_version, text("subresource"));
    let time = entry.get("time").and_then(Value::as_str).map(str::to_owned);
    Some((id, Owned { fields: fields.unwrap_or_default(), api_version, time }))
}

fn written(id: &ManagerId, owned: &Owned) -> Value {
    let mut entry = Map::new();
    let mut set = |name: &str, value: Value| entry.insert(name.to_owned(), value);
    set("manager", id.name.clone().into());
    set("operation", id.operation.name().into());
    set("apiVersion", owned.api_version.clone().into());
    if let Some(time) = &owned.time {
        set("time", time.clone().into());
    }
    set("fieldsType", "FieldsV1".into());
    set("fieldsV1", owned.fields.to_fields_v1());
    if !id.subresource.is_empty() {
        set("subresource", id.subresource.clone().into());
    }
    Value::Object(entry)
}
